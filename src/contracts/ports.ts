import type { CompleteText, Completion, EnteredQuestion } from './complete.ts';
import type { ImageBlock } from './message.ts';
import type { ReadOutgoingFile } from './outgoing-file.ts';

/** What one part needs of another, by name; `app` hands the implementation over. Absent means: not available in this face. */
export interface Ports {
  /**
   * Asks the person in front of this session, and gives the words of the answer. When the signal aborts nobody waits any more:
   * it rejects. Whatever it rejects with, nobody answered.
   */
  readonly clarify?: (question: UserQuestion, signal: AbortSignal) => Promise<string>;
  /**
   * Asks the person for a secret: a password, a key. Its value goes to `Secrets` under the name of the
   * question and is in no event, log, entry, file or request. What comes back only stands for it; whoever uses it makes it
   * real with `Secrets.restore`, where it is used. `undefined` when the person gave none. Throws a `ToolFailure`, without the
   * value, when the question was interrupted or the value cannot be kept apart from other words.
   */
  readonly secret?: (question: SecretRequest, signal: AbortSignal) => Promise<string | undefined>;
  /** Asks a cheap model once. */
  readonly complete?: CompleteText;
  /** Asks another model by its name. */
  readonly consult?: (model: string, system: string, text: string, signal: AbortSignal) => Promise<Completion>;
  /** Shows a picture to a model that can see, with a question. */
  readonly see?: (ask: VisionRequest) => Promise<Completion>;
  /** Starts a child agent with a conversation of its own. */
  readonly spawn?: SpawnChild;
  /** Sends a message to a chat. */
  readonly deliver?: (ask: DeliveryRequest, signal: AbortSignal) => Promise<PortResult>;
  /** Has something run later. */
  readonly schedule?: (ask: ScheduleRequest, signal: AbortSignal) => Promise<PortResult>;
  /** The editor the person works in, as far as it lends its files and terminals. */
  readonly editor?: EditorPort;
}

/**
 * What an editor on this machine can do in our place. It is asked about files of the session's folder alone, after everything
 * that guards files has agreed; where it cannot help, the file itself is used. Children do not have it.
 */
export interface EditorPort {
  /** The text of a file as the editor has it, unsaved changes included. Rejects when it has none. */
  readText?(path: string, signal: AbortSignal): Promise<string>;
  /** Puts a text into a file as the editor has it, and saves it. */
  writeText?(path: string, text: string, signal: AbortSignal): Promise<void>;
  /**
   * Runs a program in a terminal that the person sees. The signal ends it. Only commands that run at this machine itself go
   * there: what a sandbox keeps in stays in the sandbox.
   */
  runProgram?(program: EditorProgram, signal: AbortSignal): Promise<EditorProgramResult>;
}
export interface EditorProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the model asked for, of which the program was made. */
  readonly command: string;
  /** Hears the output as it comes. */
  onOutput(text: string): void;
}
export interface EditorProgramResult {
  /** `null` when it did not end by itself. */
  readonly exitCode: number | null;
  readonly output: string;
  /** The editor has not kept the beginning. */
  readonly truncated: boolean;
}
export interface UserQuestion {
  readonly question: string;
  /** The durable question it puts to the person, as the event `asking` told it; absent for one that dies with its call. */
  readonly id?: string;
  /** The same for a question that a restarted process asks again, where the question itself is not kept: it shows no second card. */
  readonly repeatKey?: string;
  /** The session on whose behalf it is asked, where it is one's. */
  readonly sessionId?: string;
  /**
   * What a yes sets going, to the letter. A face shows all of it: what cannot be seen in it is spelt out, and none of it
   * can pass for the face's own words.
   */
  readonly act?: string;
  /** What is to be known of it: why it is asked, where it would happen. A line each. */
  readonly notes?: readonly string[];
  /**
   * What may be answered; empty when any words will do. To a question for consent (it has an `act`) the first is a yes to this
   * once and the second a no. Other words are a no too, and the model reads them.
   */
  readonly choices: readonly string[];
  /** A further answer, which a face takes only when it was typed out, never by one key: `always`, a yes for good. */
  readonly typedAnswer?: string;
  /** More than one choice may be taken. */
  readonly several?: boolean;
  /** Only the choices count: a face asks again for anything else. */
  readonly strict?: true;
}
export interface SecretRequest {
  /** What it is called from now on: `sudo password`, `DEPLOY_KEY`. */
  readonly name: string;
  readonly question: string;
  /** What it is wanted for. A line each. */
  readonly notes?: readonly string[];
}
/** Reads what a person types without showing it: what a face does for the `secret` port, which alone hears the value. Empty when there was none. */
export type ReadSecret = (question: SecretRequest, signal: AbortSignal) => Promise<string>;

export interface VisionRequest extends EnteredQuestion {
  readonly image: ImageBlock;
  readonly question: string;
  readonly signal: AbortSignal;
}

export interface DeliveryRequest {
  readonly action: 'send' | 'list';
  /** `origin`, `platform`, `platform:chat`, `platform:chat:thread`, `platform:#name`. */
  readonly target?: string;
  readonly message?: string;
  /** Its identity: what was sent once under a key is not sent again. */
  readonly key?: string;
  /** Words of others were in view when it was written. */
  readonly foreign?: true;
  /** Reads files of the session that the message names. */
  readonly readFile?: ReadOutgoingFile;
}
export interface ScheduleRequest {
  readonly action: string;
  readonly fields: Readonly<Record<string, unknown>>;
}
/** What a port that acts on the outside did, in words for the model. */
export type PortResult = { readonly ok: true; readonly words: string } | { readonly ok: false; readonly why: string };

/** Runs one task in a child agent. Its log is a session of its own and outlives the parent. Never throws. */
export type SpawnChild = (task: ChildTask) => Promise<ChildResult>;
export interface ChildTask {
  readonly parentId: string;
  /** The parent's call and the task's place in it: the same again finds the child that was begun before a crash. */
  readonly key: string;
  readonly goal: string;
  readonly context?: string;
  /** Toolsets of the child; tools it may not have are left out. When nothing is left it is not begun. */
  readonly toolsets?: readonly string[];
  readonly maxTurns?: number;
  /** How deep below the owner's own session: 1 for its children. */
  readonly depth: number;
  /** Sources of foreign words in the parent's view: the child begins with them. */
  readonly taint: readonly string[];
  readonly signal: AbortSignal;
  /** What the child is at, with its session. */
  progress(note: string, childId: string): void;
}
export interface ChildResult {
  readonly status: 'completed' | 'partial' | 'failed' | 'timeout' | 'stalled' | 'interrupted';
  readonly sessionId?: string;
  readonly summary: string;
  readonly error?: string;
  readonly exitReason?: string;
  readonly artefacts: Artefacts;
  /** Toolsets it was to have that gave it no tool. */
  readonly withheld: readonly string[];
  readonly steps: number;
  readonly seconds: number;
  /** The child had foreign words in view at its end: where from. */
  readonly foreign: readonly string[];
}

/** What a child did to files: absolute paths, each once, as it stood at its end. */
export interface Artefacts {
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Changed while a command of the child and one of another session ran: it may have been either. */
  readonly shared: readonly string[];
  /**
   * Whose work this is: that of all its calls; of all that could be followed, where some could not; or of the tools that
   * write files alone, because nothing is kept there that would tell of others.
   */
  readonly known: 'all' | 'partly' | 'file_tools';
}
