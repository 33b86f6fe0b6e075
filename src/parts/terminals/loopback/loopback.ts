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
  /** Hears of ports at which a command was refused because nothing of the sandbox listens there. */
  onRefused(tell: (port: number) => void): void;
  /** All refusals so far have been told. */
  settle(): Promise<void>;
  /** Where commands listen. */
  listening(): readonly ListeningPort[];
  /** There is a new process that holds the sandbox, by its pid out here; awaited before a command enters. */
  attach(holder: number): Promise<void>;
  close(): void;
}

/**
 * Ports on which programs of this machine look for a service by its number alone: whoever finds one there talks to it, and may
 * tell it secrets. None of them is opened, so that a command cannot stand in for a service that is not running now.
 */
const RELIED_ON: readonly (readonly [what: string, ports: string])[] = [
  ['databases', '1433 1434 1521 3050 3306 33060 5432 5433 5984 6432 7474 7687 8086 8123 8529 9042 9160 9440 26257 27017 27018 27019 28015'],
  ['caches, queues, brokers', '1883 4222 4369 5671 5672 6379 6380 8883 9092 9093 9094 11211 15672 16379 26379 29092 61613 61616'],
  ['search, metrics, traces', '4317 4318 5601 8125 8126 9091 9200 9300 9411 14250 14268 24224'],
  ['containers, clusters, secrets', '2049 2181 2375 2376 2379 2380 4646 6443 8200 8201 8300 8301 8500 8600 10250 10255 16443'],
  ['desktops, other machines, debuggers', '2222 3389 5037 5900 5901 5938 5985 5986 6000 6001 6002 6003 9222 9229 9418 10000 22000'],
  ['proxies', '1080 3128 8118 9050 9051 9150 9151'],
  ['models and agents', '1234 8443 8642 8645 11434 18789'],
];
const NEVER: ReadonlySet<number> = new Set(RELIED_ON.flatMap(([, ports]) => ports.split(' ').map(Number)));
export const isDevPort = (port: number): boolean => port >= 1024 && !NEVER.has(port);
