import type { WallBlock } from '../../../../../contracts/wall.ts';

/** A command that ran behind the wall, and all that is needed to tell whether it failed there. */
export interface WallFailure {
  readonly command: string;
  readonly output: string;
  readonly exitCode: number | null;
  /** What is known for certain to have been turned away. */
  readonly blocked?: readonly WallBlock[] | undefined;
  readonly cwd: string;
  readonly home: string;
  /** Folders commands may write to. */
  readonly writable: readonly string[];
  /** Whether commands reach the network without us. */
  readonly hasNetwork: boolean;
  hides(path: string): boolean;
  /** The socket of this machine that a path inside stands for. */
  socketAt(inside: string): string | undefined;
  readonly host: HostFacts;
}

/** What this machine itself would have said: without it, the wall cannot be told from an ordinary failure. */
export interface HostFacts {
  exists(path: string): boolean;
  isFolder(path: string): boolean;
  canRead(path: string): boolean;
  /** Whether the file can be changed, or made where it is not there yet. */
  canWrite(path: string): boolean;
  /** Whether somebody listens on that port of the loopback. */
  listens(port: number): boolean;
}

/** Something the wall stopped, and the words that tell of it. */
export interface RecognizedBlock {
  readonly block: WallBlock;
  /** `certain`: somebody here saw it happen, or this machine says that it is only so inside. */
  readonly confidence: 'certain' | 'likely';
  /** The command did its work without it, so nobody is asked. */
  readonly meanwhile?: true;
  /** What the program said; empty when it is known from elsewhere. */
  readonly words: string;
}
