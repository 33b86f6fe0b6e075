import type { JsonObject } from '../base/json-types.ts';
import type { CarriedShellState } from './terminal.ts';
import type { Effects } from './effects.ts';

/** What is thought of a command before it runs. `refuse` is the hard floor: nobody can allow it. */
export type CommandVerdict =
  | { readonly type: 'fine' }
  | {
      readonly type: 'ask' | 'refuse';
      readonly reason: string;
      /** The classes of danger in it, joined by `+`, by which an owner may allow its like: `recursive_delete`, `privilege+remote_code` … */
      readonly key: string;
      /** Where each of its dangers lies, so that consent can be given for these places alone. */
      readonly at?: DangerPlaces;
      /** Files behind the words that the agent may have written, which the line would run: consent to it is consent to these contents. */
      readonly read?: readonly HashedFile[];
    };

/**
 * Places by the class of danger that lies there: paths (`/home/me/old`), `host:NAME`, `program:NAME` or
 * `act:PROGRAM VERB @where=NAME`. All places of a class,
 * or none when one of them is not known; what a line touches of the agent's own folder in any case.
 */
export type DangerPlaces = Readonly<Record<string, readonly string[]>>;

/** A file as it was when it was looked at: other contents have another hash. */
export interface HashedFile {
  readonly path: string;
  readonly hash: string;
}

/** What one name on the disk is, its last link not followed. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly kind: 'file' | 'folder' | 'link' | 'device' | 'other';
  /** Where a link points, as it is written. */
  readonly link?: string;
}

/** What programs read to know where they act when their words do not say it. */
export interface ProgramSettings {
  readonly home: string;
  variable(name: string): string | undefined;
  /** The text of a file; nothing where there is none. */
  text(path: string): string | undefined;
}

/** Where a command would run. */
export interface CommandLocation {
  readonly cwd: string;
  readonly home: string;
  /** The working folder of the session, by which inside and outside are told; the shell may have gone elsewhere. */
  readonly workspace?: string | undefined;
  /** The agent's own folder, wherever it lies: its rules are not the agent's to change. */
  readonly profile?: string | undefined;
  /** Folders where the owner's shell finds programs by their name. */
  readonly programFolders?: readonly string[] | undefined;
  /** A peek at the disk, so that links are followed and folders known by device and inode; without it names alone count. */
  readonly look?: ((path: string) => FileIdentity | undefined) | undefined;
  /** Whether a checkpoint made before the command keeps all that lies at a path, so that undoing it brings that back. */
  readonly keeps?: ((path: string) => boolean) | undefined;
  /** Whether every secret in a file is known and taken out of what this command shows of it. */
  readonly masks?: ((path: string) => boolean) | undefined;
  /** By this a consent is held to where a command acts now; without it only to what its words say. */
  readonly settings?: ProgramSettings | undefined;
  /** The text of a script the agent may have written, for whoever follows what running it by its name would do. */
  readonly read?: ((path: string) => string | undefined) | undefined;
  /** What the shell takes up from earlier commands, in this order. It is known to the judge, not judged; absent for a fresh shell. */
  readonly carried?: readonly CarriedShellState[] | undefined;
}

/** Judges a shell command by what it would run, not by how it is spelt. Pure but for the peek it is handed. */
export type JudgeCommand = (command: string, place: CommandLocation) => CommandVerdict;

/** A tool call as far as it matters where its words come from and where they go. */
export interface ToolCallInfo {
  readonly tool: string;
  readonly input: JsonObject;
  readonly cwd: string;
  readonly sessionId: string;
  readonly effects: Effects;
}

/** What a command put out, and the code it ended with. */
export interface CommandOutcome {
  readonly text: string;
  readonly exitCode?: number | undefined;
  /** Every connection it wanted was turned away or failed: what it says of the network are our words. */
  readonly reachedNobody?: boolean | undefined;
}

/** What a call lets in from outside, and what of it would outlast the session. */
export interface Provenance {
  /** Where the words of its result come from when they are foreign. `outcome` is how a command ended, where that is known. */
  foreign(call: ToolCallInfo, outcome?: CommandOutcome): string | undefined | Promise<string | undefined>;
  /**
   * Where the words of its result stand when they are text of the project that this session did not write. What a call wrote
   * that worked is the session's own from then on.
   */
  project(call: ToolCallInfo, failed: boolean): string | undefined | Promise<string | undefined>;
  /** The lasting place it would write to, in words. */
  lasting(call: ToolCallInfo): string | undefined | Promise<string | undefined>;
}

/** Stands in an act outside the wall that changes nothing: looking at a service in one place. */
export const ONLY_LOOKING = '(only looking)';
