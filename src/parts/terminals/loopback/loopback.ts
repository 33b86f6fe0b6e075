import type { Socket } from 'node:net';
import type { ListeningPort } from './listening.ts';

/** The loopback as commands of one sandbox see it. */
export interface SandboxLoopback {
  /** It is this machine's own: what listens inside can be reached from out here. */
  readonly isShared: boolean;
  /** What connects to this port inside is ours to answer, from the first command on. */
  serve(port: number, answer: (socket: Socket) => void): void;
  isOurs(port: number): boolean;
  /** A port of this machine's loopback is there inside as well, from now on. */
  openPort(port: number): Promise<void>;
  /** A connection to somebody who listens inside. */
  connect(host: string, port: number): Promise<Socket>;
  /** Where commands listen. */
  listening(): readonly ListeningPort[];
  /** There is a new process that holds the sandbox, by its pid out here; awaited before a command enters. */
  attach(holder: number): Promise<void>;
  close(): void;
}

/**
 * Ports of databases, desktops and the like: a program out here that looks for its own must not find one that a command
 * inside put there.
 */
const NEVER: ReadonlySet<number> = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 6000, 6379, 6443, 8200, 8500, 9042, 9092, 9200, 9229,
  9300, 10250, 11211, 11434, 27017,
]);
export const isDevPort = (port: number): boolean => port >= 1024 && !NEVER.has(port);
