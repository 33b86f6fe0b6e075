import type { Env } from '../base/env.ts';
import type { Files } from './files.ts';
import type { EditorPort } from './ports.ts';
import type { RedactingStream } from './secrets.ts';
import type { SettingValues } from './settings.ts';
import type {
  HeldChange,
  HostAnswer,
  HostRequest,
  ReachableServer,
  UnreachedHost,
  WallBlock,
  WallFiles,
  WallGrant,
  WallProfile,
  WallTierName,
} from './wall.ts';

/** A place where commands run and files lie: this machine, a container, a host far away. */
export interface TerminalBackend {
  readonly kind: string;
  open(options: OpenTerminalOptions): Promise<Terminal>;
}
export interface OpenTerminalOptions {
  readonly cwd: string;
  /**
   * The session must find nothing of another: where places outlive their sessions, as on another machine, it begins in a folder and a
   * home made for it in place of `cwd`, and both go with it. A place that is new for each session has nothing to do.
   */
  readonly ownFolder?: true;
  readonly env: Readonly<Record<string, string>>;
  /** The folder for the words of processes on this machine that outlive us, closed to others; without one none does. */
  readonly logs?: string;
  /** Runs commands where the person sees them, in place of a process of ours. Only back ends on this machine take it. */
  readonly runProgram?: EditorPort['runProgram'];
}

/** What a back end is made with; each takes what is its own. */
export interface TerminalBackendOptions<Settings = SettingValues> {
  readonly settings: Settings;
  /** The profile's folder. */
  readonly home: string;
  /** Our own environment: engines are found by it, and named variables are handed on from it. */
  readonly env: Env;
  /** Whose place it is: sessions of one task share what stays. */
  readonly task: string;
  /** Folders below the profile, by their use. */
  readonly folders: { readonly sandboxes: string; readonly workspace: string };
  /** A line for the owner. */
  notice(words: string): void;
  /**
   * A whole terminal made of one way to start a bash: files, background work, time-outs and what commands leave behind. For back
   * ends of plugins, which have nothing of ours to import.
   */
  openOverShell(place: ShellPlace): Promise<Terminal>;
}
/** A way to a bash somewhere: in a container, on another machine, under another user. */
export interface ShellPlace {
  /** The name of the back end. */
  readonly kind: string;
  /** Who is at the other end, for messages: `the machine build7`. */
  readonly name: string;
  /** A folder there; the home folder when it is not there. */
  readonly cwd: string;
  /** Variables that every command gets. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The command line, program first, that runs `bash -c SCRIPT` there, with its standard streams here. What goes in and comes out
   * must not be changed on the way, so it is given no terminal of its own.
   */
  command(script: string): readonly string[];
  /** Called once, when the terminal is closed. */
  close?(): void | Promise<void>;
}
/** How a back end is made, with the first command that needs it. Bivariant on purpose: the built-in ones are given more. */
export type TerminalBackendFactory = { open(options: TerminalBackendOptions): TerminalBackend | Promise<TerminalBackend> }['open'];

/** What is known of a place before anything runs there, in words for the model. */
export interface TerminalInfo {
  /** Completes "Commands run …": `in a sandbox on this machine`, `on the host build.example`. */
  readonly where: string;
  /** Its files are those of this machine, under the same names. */
  readonly onThisMachine?: true;
  /** What the session's folder of this machine is called there, where it is seen under a name of its own. */
  readonly mountedAt?: string;
  /** Where the first command starts. */
  readonly cwd: string;
  /** What else is to be said of that folder. */
  readonly cwdNote?: string;
  /** Whether commands reach a network, or those hosts of it that the owner agrees to; absent when nobody here can tell. */
  readonly network?: boolean | 'by_host';
  /** What may be written, and what becomes of it. */
  readonly writable?: string;
  /** The folders whose files outlive the session, as real paths there; absent where all files do. */
  readonly kept?: readonly string[];
  /** A sentence on what cannot be seen from there. */
  readonly hides?: string;
}

/** How certain it is that a command will come; not at all when absent. */
export interface ExpectedCommand {
  /** The model has begun to write a call. */
  readonly isCalled: boolean;
}

export interface Terminal extends AsyncDisposable {
  readonly kind: string;
  readonly cwd: string;
  /** Where commands run; absent for this machine itself. */
  readonly place?: TerminalInfo;
  /** What keeps commands in; absent where nothing does, and until the place is open. */
  readonly wall?: Wall | undefined;
  /** Opens the place when nothing has yet; `cwd` and the home hold from then on. Absent where they hold from the start. */
  ready?(): Promise<void>;
  /**
   * A command may come soon: what takes time and can be done without knowing it is done now. A place on this machine that nothing
   * has opened yet is opened only for a command that is on its way. No command notices any of it, trouble included.
   */
  prepare?(expected?: ExpectedCommand): Promise<void>;
  /** The files commands see there. */
  readonly files: Files;
  /**
   * Runs a shell command to its end. The signal and the time-out end the whole process group, and what left it as far as it
   * can be found. Never throws for a failing command. Folder, variables, functions, aliases and options that it leaves
   * behind are there for the next one, unless it was placed elsewhere by `cwd`, which moves the folder for that command alone.
   */
  run(command: string, options: RunOptions): Promise<RunResult>;
  /** Starts a command that outlives the call. */
  start(command: string, options: StartOptions): Promise<RunningProcess>;
  /** What the next command takes up from those before it, in this order, told without running anything; nothing in a fresh shell. */
  carried?(): readonly CarriedShellState[];
}

/**
 * What keeps commands in. A terminal that has one promises: whatever a command does, on purpose or not, now or by what it
 * leaves behind, it changes nothing of this machine but the folders it was given, sees none of the owner's secrets, and talks
 * to nobody the owner did not agree to. What is not there to be used is told, never silently something else.
 */
export interface Wall {
  /** What keeps commands in. */
  readonly tier: WallTierName;
  /** `attended`: somebody watches, and the home can be read but for its secrets. `unattended`: the workspace alone. */
  readonly profile: WallProfile;
  /** Folders commands may write to, as real paths of this machine, the workspace first. */
  readonly writable: readonly string[];
  /** Whether a file of this machine, by its real path, is out of sight inside. */
  hides(path: string): boolean;
  /** The same for file tools, which call files as commands inside do. */
  readonly files: WallFiles;
  /**
   * Runs a command at this machine itself, from the folder the next command inside would stand in. Variables, functions and
   * aliases that commands inside left do not go along: they would decide what the words mean that the owner agreed to.
   */
  runOutside(command: string, options: RunOptions): Promise<RunResult>;
  startOutside(command: string, options: StartOptions): Promise<RunningProcess>;
  /** Opens the wall for one named thing, from now until the terminal closes. The owner has agreed to it. Fails where it would not hold at once; then nothing was opened. */
  grant(grant: WallGrant): Promise<void>;
  /** The socket of this machine that a path inside stands for, once it is granted; absent where sockets have their own paths. */
  socketAt?(inside: string): string | undefined;
  /** Whether folders and files can be opened now: not while something runs inside. */
  canOpenPaths(): Promise<boolean>;
  /** Ends all processes inside; the next command finds it as it was, with its files. */
  endInside(): Promise<void>;
  /** Servers of background processes that this machine reaches at its own loopback; absent where there is no such way. */
  reachable?(): readonly ReachableServer[];
}

/** What a shell holds between two commands, as text a shell would read. */
export type CarriedShellState =
  /** Declarations of everything it holds, with the values. */
  | { readonly type: 'held'; readonly script: string }
  /** Where nobody can look: the commands that made it so, and whether these are all of them. */
  | {
      readonly type: 'told';
      readonly script: string;
      readonly whole: boolean;
      /** Where they went is where the shell stands; absent when the place says that. */
      readonly moves?: true;
      /** The file there that holds declarations of everything; absent where there is none. */
      readonly file?: string;
    };
export interface RunOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly stdin?: string;
  readonly pty?: boolean;
  /**
   * Most characters kept of the output, half from its head and half from its tail. What lies between is left out but for lines
   * that tell of a failure, and what a carriage return overwrote is not counted.
   */
  readonly maxOutput: number;
  /** A file for the whole output, written only when it is longer than `maxOutput`; the gap in the middle then names it. */
  readonly keepAll?: string;
  onOutput?(chunk: string): void;
  /** Output goes through one of these before it is cut, heard (`shown`) or written down (`kept`). */
  clean?(use: 'shown' | 'kept'): RedactingStream;
  /**
   * Somebody inside wants to talk to a host that is not known: whether it may. The connection waits for the answer, and the
   * time-out of the command waits with it. Absent means no.
   */
  askHost?(request: HostRequest): Promise<HostAnswer>;
}
export interface RunResult {
  /** `null` when it was ended from outside. */
  readonly exitCode: number | null;
  readonly ended: 'exited' | 'timeout' | 'aborted' | 'failed_to_start';
  /** When it was ended from outside: nothing of it was found any more. False when something was, or nobody could look. */
  readonly allGone?: boolean;
  readonly output: string;
  /** Characters left out of the middle. */
  readonly omitted: number;
  /** Why the wall ended it, as a sentence without a period; absent when it did not. */
  readonly stopped?: string;
  /** Where the shell stood at the end, for the next command. */
  readonly cwd: string;
  /** The folder it should have run in is gone: it ran in this one, the nearest above that is there. */
  readonly movedTo?: string;
  /** What the wall turned away meanwhile; absent when nothing was. */
  readonly blocked?: readonly WallBlock[];
  /** What came to the home lately is not seen inside before a command ends that runs there, named where it is known. */
  readonly stale?: { readonly until: string };
  /** It wanted connections, and the proxy around it opened none, for it or for anything beside it. */
  readonly reachedNobody?: true;
  /** Hosts that did not answer it, though nobody turned it away; absent when there was none. */
  readonly unreached?: readonly UnreachedHost[];
  /** Files that run or instruct by themselves later, which it changed and which were put back. */
  readonly held?: readonly HeldChange[];
}
export interface StartOptions {
  readonly cwd?: string;
  readonly pty?: boolean;
  readonly maxOutput: number;
  /** A file for the whole output, written only when it is longer than `maxOutput`; the gap in the middle then names it. */
  readonly keepAll?: string;
  /** As for `run`. */
  clean?(use: 'shown' | 'kept'): RedactingStream;
  /** As for `run`, where whoever started it waits for its end: there is a clock of theirs to stop meanwhile. */
  askHost?(request: HostRequest): Promise<HostAnswer>;
  /** Goes on when the terminal is closed or this process ends, where the place allows it; `trace` then finds it again. */
  readonly outlive?: boolean;
}
export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
  readonly startedAt: number;
  /** `stopped` says why the wall ended it, as a sentence without a period. */
  status(): { readonly state: 'running' | 'exited'; readonly exitCode?: number; readonly stopped?: string };
  /** What it wrote, as a screen would show it, with a gap in the middle when it is longer than `maxOutput`. */
  output(): string;
  /** The same, the two ends apart. */
  outputEnds(): OutputHeadAndTail;
  /** Hears whole characters as they come, from now on, and nothing any more after `exited`. Gives the way to stop hearing. */
  onOutput(listener: (text: string) => void): () => void;
  write(data: string): void;
  /** Closes its standard input. */
  end(): void;
  kill(): Promise<void>;
  readonly exited: Promise<number>;
  /** How a later process of ours finds it again; absent where it ends with this one. Plain JSON, kept by whoever started it. */
  readonly trace?: DetachedProcessRecord;
}
/** Output of any length, as far as it is kept. */
export interface OutputHeadAndTail {
  /** All of it, or its beginning. */
  readonly begin: string;
  /** Absent while nothing is left out between the two. */
  readonly end?: string;
  /** Lines in all. */
  readonly lines: number;
  /** Where the whole of it is, in words; absent when it is nowhere. */
  readonly where?: string;
}
export interface DetachedProcessRecord {
  /** The kind of back end that knows how to read this. */
  readonly backend: string;
  readonly pid: number;
  readonly command: string;
  readonly startedAt: number;
  /** Its output, and its exit code once it has one, as files of the place it runs in. */
  readonly log: string;
  readonly exit: string;
  /** What tells the process, or the container it runs in, from every other. */
  readonly identity: Readonly<Record<string, string | number>>;
}

/** A folder of this machine that commands see. */
export interface VisibleProject {
  /** On this machine. */
  readonly folder: string;
  /** Where commands run. */
  readonly seenAs: string;
}
/** The project of a session as its commands see it; nothing where its folder on this machine is not seen from there. */
export function findVisibleProject(cwd: string, place: TerminalInfo | undefined): VisibleProject | undefined {
  if (place === undefined) return { folder: cwd, seenAs: cwd };
  if (place.onThisMachine === true) return { folder: place.cwd, seenAs: place.cwd };
  return place.mountedAt === undefined ? undefined : { folder: cwd, seenAs: place.mountedAt };
}

/** Kinds of terminal whose files are those of this machine, under the same names; `auto` becomes one of the two. */
const ON_THIS_MACHINE: ReadonlySet<string> = new Set(['local', 'sandbox', 'auto']);
/** Kinds of terminal that keep commands in by what they are, known before they open: a sandbox, a container, a machine of their own. */
const WALLED: ReadonlySet<string> = new Set(['sandbox', 'docker', 'singularity', 'modal', 'daytona']);
export const isWalledKind = (kind: string): boolean => WALLED.has(kind);
export const isWalled = ({ kind, wall }: Pick<Terminal, 'kind' | 'wall'>): boolean => wall !== undefined || isWalledKind(kind);

export const hasLocalFiles = (kind: string): boolean => ON_THIS_MACHINE.has(kind);
