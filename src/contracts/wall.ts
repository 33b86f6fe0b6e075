/** A server inside: on its port there, and on the port of this machine's loopback that leads to it. */
export interface ReachableServer {
  readonly inside: number;
  readonly here: number;
}
/** File tools keep to the wall as commands do, but for single files the owner agreed to. */
export interface WallFiles {
  /** Whether a tool is kept from reading or writing there. */
  keepsFrom(path: string, how: 'read' | 'write'): boolean;
  /** Lets tools at this one file, until the terminal closes. The owner has agreed to it. */
  allow(path: string, how: 'read' | 'write'): void;
  /** Whether the owner's yes opened the file of this machine for writing, in place of whatever commands see under its name. */
  isAllowed(path: string): boolean;
  /** Makes commands see an allowed file as it is now. Not possible, and false, while something runs inside or where nobody watches. */
  show(path: string): Promise<boolean>;
  /** Whether all that lies below a folder is seen inside as it is on this machine, so that programs of ours may look through it. */
  isPlain(folder: string): boolean;
}
export type WallProfile = 'attended' | 'unattended';
/** What a wall is made of: namespaces and mounts; Landlock and seccomp; rules of macOS. */
export type WallTierName = 'bubblewrap' | 'floor' | 'macos';

/** What can be let through by name. */
export type WallGrant =
  /** A host of the network; port absent means those of the web. Name in lower case, without a dot at its end. */
  | { readonly type: 'host'; readonly host: string; readonly port?: number }
  /** A port of this machine's own loopback, reached inside under the same number. */
  | { readonly type: 'port'; readonly port: number }
  /** A socket of this machine: docker's, a database's. */
  | { readonly type: 'socket'; readonly path: string }
  /** A folder commands may write to as well, or a file they may read; a block that nobody could name has the path `''`. Opened only while nothing runs inside. */
  | { readonly type: 'write' | 'read'; readonly path: string };

/** What the wall turned away while a command ran: known for certain, or told by the words of a failed program. */
export type WallBlock =
  | Exclude<WallGrant, { readonly type: 'host' }>
  | HostBlock
  | { readonly type: 'privilege'; readonly program: string }
  | { readonly type: 'key'; readonly what: string }
  | PushBlock;

/** A host that was turned away, and why, as a sentence for the model where it is known: what the owner said, where it leads. */
export type HostBlock = Extract<WallGrant, { readonly type: 'host' }> & { readonly why?: string };
/** A host that nobody turned away and that did not answer. */
export interface UnreachedHost {
  readonly host: string;
  readonly port: number;
  /** "its name could not be looked up". */
  readonly why: string;
}

/** A push that would have lost something at a remote, or changed how it is read: `ref` in full, `remote` as the project names it. */
export interface PushBlock {
  readonly type: 'push';
  readonly remote: string;
  readonly ref: string;
  readonly loss: PushLossKind;
}
/**
 * It removes the ref, or takes commits out of it; `unproven` when nobody could see that it does not. `special`: whatever it
 * holds, a ref that is no branch, tag or note may change what others see, as those below `refs/replace/` do.
 */
export type PushLossKind = 'deletes' | 'replaces' | 'unproven' | 'special';

/** A ref as people call it: `branch main`, `tag v1`. */
export const describeRef = (ref: string): string => ref.replace(/^refs\/heads\//, 'branch ').replace(/^refs\/tags\//, 'tag ');

/** A connection that waits at the wall. */
export interface HostRequest {
  readonly host: string;
  readonly port: number;
  /** What it is for, where it can be told: `GET`, `CONNECT`, `ssh`. */
  readonly how?: string;
  /** The host is known as a remote of the project, where anybody may have a repository: asked about only with text from outside in view. */
  readonly isRemote?: boolean;
  /** What git would do there, where that is the question and not the host. */
  readonly git?: GitQuestion;
}
export type GitQuestion =
  /** Speak with a remote that a command may have added; a yes makes it the owner's. */
  | { readonly type: 'remote'; readonly remote: string }
  /** Push. `holds` are things among the commits that people seldom mean to publish: "the ignored file .env". */
  | { readonly type: 'push'; readonly remote: string; readonly refs: readonly string[]; readonly holds: readonly string[] };

/** Whether it may; a no with why, as a sentence for the model. */
export type HostAnswer = boolean | { readonly why: string };

/** The ports a name alone stands for. */
const WEB_PORTS: readonly number[] = [80, 443];
export const isWebPort = (port: number): boolean => WEB_PORTS.includes(port);
/** A host and its port as one word, bare for the ports of the web: questions, grants and answers are kept by it. */
export function formatHostKey({ host, port }: { readonly host: string; readonly port?: number | undefined }): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === undefined || isWebPort(port) ? name : `${name}:${port}`;
}

/**
 * A file that runs or instructs by itself later (a git hook, a task of an editor, a context file) was changed by a command. The
 * file is as it was; what the command made of it is kept until the session ends and can be put in its place.
 */
export interface HeldChange {
  /** On this machine. */
  readonly path: string;
  /** What it is: `git hook`, `git config`, `git program`, `editor task`, `context file`, `start-up file`. */
  readonly what: string;
  readonly change: 'created' | 'changed' | 'removed';
  /** For the owner: the change as lines with `+` and `-`, cut to a readable length. */
  readonly preview: string;
  /** Puts what the command made of it in its place, after the owner agreed. */
  apply(): Promise<void>;
}
