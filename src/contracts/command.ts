import type { ChatTarget } from './gateway-store.ts';
import type { UserMessage } from './message.ts';
import type { ReadSecret } from './ports.ts';
import type { Runtime } from './runtime.ts';
import type { Session } from './session-store.ts';

/**
 * A verb of the command line and a slash command of a session are the same thing: one record that says what it is called,
 * what it takes and where it can be given, and one operation that takes values and returns a value.
 *
 * Promises every command keeps:
 * - the record is plain data but for its functions: help, completion and the reference page are made from it, without
 *   running anything;
 * - `run` never writes to the process's streams, never ends the process and knows no exit code; what it found comes back as
 *   a plain value, which each face draws as it likes. `ok: false` in it means that something needs the owner;
 * - what a person can mend is thrown as a `UsageError`, in words that say what happened, why, and what to do next;
 * - the services it `needs` are opened before it runs, none of the others; they are closed by whoever opened them;
 * - what is the owner's alone is refused before `run` is called when the process was started by a command of an agent, or when
 *   somebody else than the owner typed it in a chat;
 * - what removes something for good is run only after `--yes` or a yes of the person.
 */
export interface Command<
  Arguments extends CommandParameters = CommandParameters,
  Options extends CommandParameters = CommandParameters,
  Needs extends string = string,
  Result = unknown,
  Progress = unknown,
  Opened = object,
> {
  /** The words that name it on a command line: `sessions list`. */
  readonly name: string;
  /** Other names for it on a command line, in full: `sessions remove`. A name wins over another command's alias. */
  readonly aliases?: readonly string[];
  /** What it is called in a session, the usual name first; its name and aliases when left out. */
  readonly slash?: readonly [string, ...string[]];
  readonly category: CommandCategory;
  /** One line, without a full stop. */
  readonly summary: string;
  /** The same where others than the owner read what comes of it, if that is less. */
  readonly summaryForOthers?: string;
  /** By position, in this order. Only the last may be a list. */
  readonly arguments?: Arguments;
  readonly options?: Options;
  readonly where: readonly CommandSurface[];
  /** What `--json` prints; without it there is no such option. */
  readonly json?: string;
  /** A setting that must be on; while it is off the command is refused, with the words that switch it on. */
  readonly gate?: string;
  /** In a session whose turn is running: at once, after the turn, or not at all. */
  readonly whileBusy: 'run' | 'queue' | 'refuse';
  /** It removes something that cannot be restored; this names what, as in "everything in the trash". It has the flag `yes`. */
  destructive?(values: ParsedValues<Arguments & Options>, services: Opened): string | Promise<string>;
  /** Never for an agent: always, or when these values make it so; then it says which act it is. */
  readonly ownerOnly?: true | OwnerOnly<Arguments & Options, Opened>;
  /** On a command line only from a terminal, where a person can have typed it: not from a script that nobody started there. */
  readonly needsTerminal?: true;
  /** Only a screen can do it: refused where a script gives the line, as in `hermes chat -q`. */
  readonly needsScreen?: true;
  /** Lines to type, for the help. */
  readonly examples: readonly string[];
  /** What the operation needs, by name. */
  readonly needs?: readonly Needs[];
  /** Absent where the face itself does the work: `chat` is a stream, not a value. */
  run?(values: ParsedValues<Arguments & Options>, services: Opened, context: CommandContext<Progress>): Promise<Result>;
  /** What came of it in plain lines, for a face that draws nothing of its own; JSON when left out. Commands are named as the place has them, a shell when left out. */
  describe?(result: Result, place?: CommandSurface): string;
}
export type AnyCommand = Command;

/** A shell's command line, the terminal UI, a chat. */
export type CommandSurface = 'shell' | 'terminal' | 'chat';
export type CommandCategory =
  | 'conversation'
  | 'sessions'
  | 'jobs'
  | 'insight'
  | 'prompt'
  | 'tools'
  | 'settings'
  | 'display'
  | 'safety'
  | 'help'
  | 'quick';

type OwnerOnly<Declared extends CommandParameters, Opened> = {
  /** Bivariant on purpose: a registry holds commands of every kind. */
  when(values: ParsedValues<Declared>, services: Opened): string | undefined;
}['when'];

/** One value a command takes, as data: enough to parse it and to describe it. */
export type CommandParameter = ParameterFacts &
  (
    | { readonly kind: 'text'; readonly default?: string }
    /** 0 or more. */
    | { readonly kind: 'whole_number'; readonly default?: number }
    | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default?: string }
    /** There or not there. Options only. */
    | { readonly kind: 'flag' }
    /** Several texts: the rest of the line, or an option that may be repeated. */
    | { readonly kind: 'list' }
  );
export interface ParameterFacts {
  readonly description: string;
  readonly required?: true;
  /** The short form of an option. */
  readonly letter?: string;
  /** What stands for the value in help; the parameter's name when left out. */
  readonly placeholder?: string;
  /** An option it cannot stand beside. */
  readonly conflicts?: string;
  /** It takes a safeguard away: whoever mistypes another option is never told of it. */
  readonly unsafe?: true;
  /** What its values are, for completion. */
  readonly completes?: CompletionKind;
  /** Free words: what looks like an option and is none belongs to them, as `-word` in a search. */
  readonly prose?: true;
  /**
   * In a session this is the session itself, and nobody types it. The words say what to do where there is none.
   */
  readonly session?: string;
  /** Where there is no session yet, one begins for it, if the face can do that. */
  readonly begins?: true;
}
/** Values that a shell can complete: what is looked up, or the shell's own files. */
export type CompletionKind = 'session' | 'profile' | 'model' | 'provider' | 'setting' | 'skill' | 'file' | 'folder';
export type CommandParameters = Readonly<Record<string, CommandParameter>>;
export type ParameterValue = string | number | boolean | readonly string[];

type ValueOf<One extends CommandParameter> = One extends { readonly kind: 'flag' }
  ? boolean
  : One extends { readonly kind: 'whole_number' }
    ? number
    : One extends { readonly kind: 'list' }
      ? readonly string[]
      : One extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
        ? Choice
        : string;
type AlwaysPresent = { readonly required: true } | { readonly default: string | number };
/** The values of parameters, by their names; those that are neither required nor have a default may be absent. */
export type ParsedValues<Declared extends CommandParameters> = {
  readonly [Name in keyof Declared as Declared[Name] extends AlwaysPresent ? Name : never]: ValueOf<Declared[Name]>;
} & { readonly [Name in keyof Declared as Declared[Name] extends AlwaysPresent ? never : Name]?: ValueOf<Declared[Name]> };
/** Parsed values of any command. */
export type CommandValues = Readonly<Record<string, ParameterValue>>;

/** What an operation is told of where it runs. */
export interface CommandContext<Progress = unknown> {
  readonly place: CommandSurface;
  /** The folder it was given in. */
  readonly cwd: string;
  readonly now: number;
  readonly signal: AbortSignal;
  /** Who gave it; the owner when left out. */
  readonly by?: 'owner' | 'other';
  /** Others than the owner read what comes of it: no folder, model, cost or id of the owner's is told. */
  readonly othersRead?: boolean;
  /** The chat it was typed in. */
  readonly chat?: ChatTarget;
  /** The face that runs the command runs a turn of the session as well. */
  readonly busy?: boolean;
  /** The model of the next turn, where the session it was typed in is open: it may be another than the stored one. */
  readonly nextModel?: Pick<Runtime, 'model' | 'provider'>;
  /** A program reads the result: nothing is asked that can be left out. */
  readonly isForProgram?: true;
  /** Every command that the person can give there, in the order of help. */
  commands(): readonly AnyCommand[];
  /** Something to show before the result is there. */
  report(progress: Progress): void;
  /** Asks the person for a yes. Absent where nobody can be asked. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Has the person pick one of several. Absent where nobody can be asked. */
  readonly choose?: (question: ChoiceQuestion) => Promise<string>;
  /** Asks the person for a line of text. Absent where nobody can be asked. */
  readonly ask?: (question: string) => Promise<string>;
  /** What was piped in. Absent where nothing was. */
  readonly readPiped?: () => string;
  /** Reads a secret that is not shown while it is typed, or that was piped in. Absent where there is neither. */
  readonly readSecret?: ReadSecret;
  /** Opens a file in the person's editor and waits until it is closed. Absent where there is none. */
  readonly edit?: (path: string) => Promise<void>;
  /** What the face does once the result is shown. Absent where nothing can follow. */
  readonly followUp?: (step: CommandFollowUp) => void;
}

/** Several things of which a person picks one. */
export interface ChoiceQuestion {
  readonly question: string;
  readonly choices: readonly ChoiceOption[];
  /** The value that is taken when the person just says yes; the first when left out. */
  readonly suggested?: string;
}
export interface ChoiceOption {
  readonly value: string;
  /** What is told of it beside its name. */
  readonly note?: string;
}

/**
 * What only the face can do, since it is the one that runs turns and draws: a command asks for it. A face that cannot do one
 * of them leaves it out; members may be added, so an unknown one is left out too.
 */
export type CommandFollowUp =
  /** Sends this message as a turn. */
  | { readonly type: 'send'; readonly message: UserMessage }
  /** Puts the words of this message where the person can change them and send them again. */
  | { readonly type: 'edit'; readonly message: UserMessage }
  /** Goes on with this stored session. */
  | { readonly type: 'open'; readonly session: Session }
  /** Goes on with a session that begins; `clear`: on an empty screen. */
  | { readonly type: 'new'; readonly title?: string; readonly clear?: true }
  /** Calls `resume`, at once or when the turn that runs has settled: something waits. */
  | { readonly type: 'resume' }
  /** Stops the turn that runs, if one does. */
  | { readonly type: 'stop' }
  /** Leaves the session and the program. */
  | { readonly type: 'leave' }
  /** Draws the whole screen again. */
  | { readonly type: 'redraw' }
  /** Puts the text on the clipboard, and says whether it did. */
  | { readonly type: 'copy'; readonly text: string }
  /** Opens the person's editor with this text; what is saved there goes where messages are typed. */
  | { readonly type: 'compose'; readonly text: string }
  /** Attaches the image at this path to the next message; without a path the one on the clipboard. */
  | { readonly type: 'attach'; readonly path?: string }
  /** Shows things differently in this session from now on; without a value, in the next of the ways there are (`nextDisplayValue`). */
  | { readonly type: 'display'; readonly setting: DisplaySetting; readonly value?: string };

/** The settings of the screen that a command can change for one session. */
export type DisplaySetting =
  | 'display.busy_input_mode'
  | 'display.show_reasoning'
  | 'display.skin'
  | 'display.status_bar.enabled'
  | 'display.timestamps'
  | 'display.tool_progress';

/** A command as help shows it in a session. */
export interface CommandHelp {
  /** Its usual name there. */
  readonly name: string;
  /** What to type, as in `/compress [topic]`. */
  readonly line: string;
  readonly aliases: readonly string[];
  readonly category: CommandCategory;
  readonly summary: string;
  /** Arguments by their names, options as they are typed: `--repeat <n>`. */
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
}

/** What a line that is being typed may become. */
export interface CommandCompletion {
  /** The whole line. */
  readonly line: string;
  readonly summary: string;
}

/** Commands that share their first word: `sessions list`, `sessions show`. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
}
