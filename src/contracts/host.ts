import type { Env } from '../base/env.ts';
import type { Home } from '../base/home.ts';
import type { AnyCommand, CommandCompletion, CommandContext, CommandHelp, CommandSurface, CommandFollowUp } from './command.ts';
import type { AsideResult, ContextMeasure, OwnCommandResult } from './aside.ts';
import type { BranchOptions, BranchResult } from './branch.ts';
import type { SenderOrigin } from './entry.ts';
import type { AgentEvent, Outcome } from './event.ts';
import type { NewDelivery } from './gateway-store.ts';
import type { HostHooks } from './hooks.ts';
import type { SpendingAllowance } from './ledger.ts';
import type { MemoryScope } from './memory-provider.ts';
import type { ImageBlock, Json, JsonObject, TextBlock, Usage, UserMessage } from './message.ts';
import type { ReadOutgoingFile } from './outgoing-file.ts';
import type { Ports, ReadSecret } from './ports.ts';
import type { Provider, Sampling } from './provider.ts';
import type { Registries } from './registries.ts';
import type { RewindResult, RewindTarget } from './rewind.ts';
import type { Routes } from './routes.ts';
import type { Runtime } from './runtime.ts';
import type { Terminal } from './terminal.ts';
import type { AnyTool } from './tool.ts';
import type { SettingValues } from './settings.ts';
import type { DismissalFate, EndReason, InboxItem, InboxMode, NewInboxItem, Session, SessionStore } from './session-store.ts';

/**
 * Where sessions are opened. Every face talks to a host and to the sessions it opens, and to nothing deeper.
 *
 * Promises:
 * - what a session opened (agent, toolkit, terminal, context engine) closes with that session and with nothing else;
 * - what sessions share (store, MCP servers, skills, models, memory provider) belongs to the host and closes with it;
 * - at most `maxOpenSessions` are kept open: the one that has been idle longest makes room first, and a session whose turn
 *   is running never does; who finds no room waits, and is told so. Its next use opens it again: nothing of its log is lost,
 *   and its shell stands where it stood, with the same variables, functions and aliases. What a sandbox has to itself (its
 *   `/tmp` and home) is empty then, and what ran there in the background has ended;
 * - child agents work beside the turn that started them and are not counted: each has a terminal of its own until its task is
 *   done, at most `delegation.max_concurrent_children` at a time for each call of `delegate_task`, a child's own included;
 * - a terminal is opened by the first command that needs one, not by the session;
 * - nothing is ever written to the process's streams: what the owner should know arrives as an event or a notice.
 */
export interface Host extends AsyncDisposable {
  readonly store: SessionStore;
  /** The folder sessions work in unless they name another. */
  readonly cwd: string;
  /** What sessions can have: tools, settings, providers … What is added counts for sessions that are opened afterwards. */
  readonly registries: Registries;
  /** What plugins and the owner's programs hung up in `registries.hooks`, for what a face does outside of turns. */
  readonly hooks: HostHooks;
  /** What a person can type in a session in place of a message. */
  readonly commands: HostCommands;
  /** Throws, in words for a person, when no model can be reached by what is selected and set. */
  openSession(options?: SessionOptions): Promise<SessionHandle>;
  /** What the owner should know that came up between turns, oldest first. Ends when the signal aborts or the host closes. */
  notices(signal: AbortSignal): AsyncIterable<Notice>;
  /**
   * Messages that were left for a session through this host, as they are left: by a face, or because a process in the
   * background has ended. Nobody answers them while no turn runs, so whoever keeps the session calls `resume`. What waited
   * before, or was left by another process, is in `store.pending()`.
   */
  posted(signal: AbortSignal): AsyncIterable<PostedMessage>;
}

/** How a host is opened. */
/** Values of settings by key; each must be one that the file could hold. */
export type GivenSettings = Readonly<Record<string, Json>>;

export interface HostOptions {
  /** Where keys and settings are looked for, and what commands are given of it; nothing when left out, but a usual `PATH`. Never written. */
  readonly env?: Env;
  /** The profile's folder. Without one the host has a folder of its own, which goes with it: nothing of anybody's is read. */
  readonly home?: Home;
  /**
   * Settings by their keys (`docs/settings.md`), as in `{ 'terminal.backend': 'local' }`. They win over the file of the profile and
   * over variables. Commands that change or show the file do not see them.
   */
  readonly settings?: GivenSettings;
  /** Sessions kept open at the same time; 50 when left out. */
  readonly maxOpenSessions?: number;
  /** Adds to the registries before the settings are read, so that they may name what is added. */
  readonly register?: (registries: Registries) => void | Promise<void>;
}

/** A line for the owner, never for the model. */
export interface Notice {
  readonly text: string;
  /** The session it belongs to; absent when it concerns the whole host. */
  readonly sessionId?: string;
}

/** That a message waits for a session. */
export interface PostedMessage {
  readonly sessionId: string;
  readonly itemId: string;
  readonly mode: InboxMode;
}

/** What a caller may say of a session. Everything has a default; no field is a flag of some command line. */
export interface SessionOptions {
  /** A stored session to go on with. Absent: a new one. */
  readonly session?: Session;
  /**
   * Where it is held: `cli` when left out, `telegram`, `cron` … It decides prompt hints and toolsets, and where commands run
   * unless `terminal.backend` says so: in a sandbox that can read the home where the owner is present (`cli`, `tui`, `acp`,
   * `desktop`, `webui`, and what `registries.platforms` calls `attended`), in a narrow one for all others. Any name may be given.
   */
  readonly platform?: string;
  /** Which program opened it: `cli`, `tui`, `api` …; the platform when left out. */
  readonly source?: string;
  /** Until somebody gives a better one; the first words of the first message when left out. */
  readonly title?: string;
  /** The folder it works in, which must be there. A stored session keeps its own unless another is named. */
  readonly cwd?: string;
  /** Sessions that name the same task share a place that outlasts them (a persistent container); without one a session has its own. */
  readonly terminalTask?: string;
  /**
   * A folder of this machine with files that others sent to the session. Where commands run elsewhere, they see copies of them
   * (`nameFarReceived`), which come and go with the files.
   */
  readonly received?: string;
  readonly model?: ModelSelection;
  /** A model of the caller's own, in place of one that selection and settings lead to. */
  readonly provider?: ProviderRoute;
  /** `false` leaves out the MCP servers the owner set up. */
  readonly mcp?: boolean;
  /**
   * MCP servers of this session alone, as the setting `mcp_servers` describes them but with every value as it stands. They are
   * connected for it and its children, and closed with it. One that has the name of a server of the owner's is left out.
   */
  readonly mcpServers?: JsonObject;
  readonly toolsets?: readonly string[];
  /**
   * Tools of the caller's own, beside all others: a toolset that is named by a hash of what they say of themselves, so that a session which
   * goes on with other tools begins a new prompt. One that has the name of a tool of the host is refused.
   */
  readonly tools?: readonly AnyTool[];
  /** Most model calls of a turn. */
  readonly maxSteps?: number;
  /** `false` leaves out SOUL.md, project files and hints. */
  readonly contextFiles?: boolean;
  /** `false` leaves out what is remembered of the owner: memory files, the user profile, what a memory provider recalls. For chats that others read. */
  readonly memory?: boolean;
  /** Who is spoken with, for a memory provider; the owner when left out. With `memory: false` it makes a provider that serves guests possible, where the owner wants that. */
  readonly person?: MemoryPerson;
  /** Others than the owner ask and read the answers: commands are shown no users, services and processes of the machine. */
  readonly forGuests?: true;
  /** `false` leaves out every section of the system prompt but `systemMessage`; without that it is empty. */
  readonly prompt?: boolean;
  /** How the model is to choose its words, in every turn; absent leaves it to the provider. Children have it too. */
  readonly sampling?: Sampling;
  /**
   * The model hears nothing of ours between its own messages and the results of its calls: no nudge after an empty reply, no
   * warning of the loop guard, no call for a closing report, no other model, no word of files that were guarded. A limit ends the
   * turn at once. What its commands change or delete is neither guarded nor kept: its folder is nobody's. For measuring and
   * training models.
   */
  readonly unaided?: true;
  /** Settings `terminal.*` of this session alone, in place of the profile's: the back end, an image, a time limit. */
  readonly terminal?: Readonly<Partial<SettingValues>>;
  /** Who said in advance that everything above the floor may run, in words for the log; absent means it is asked. */
  readonly allowAll?: string;
  /** Folders whose code this session may run unasked, besides those the owner trusts (`hermes trust`). Real paths. */
  readonly trusts?: readonly string[];
  /** What the face can do for tools: ask a person, deliver to a chat. */
  readonly ports?: Ports;
  /** How the face reads a secret; tools only ever get what stands for it. Absent when it cannot. */
  readonly readSecret?: ReadSecret;
  /** A system message of the caller's own. */
  readonly systemMessage?: string;
  /** What goes out with each answer to a message that brought an address (`replyTo`). Planned in the commit that stores the outcome. */
  readonly planAnswer?: PlanAnswer;
  /** The address of turns whose message brought none: a process in the background has ended, a late answer came. */
  readonly replyTo?: Json;
  /** What it may cost together with other sessions. Its children spend it too. */
  readonly allowance?: SpendingAllowance;
  /** After so many deaths of the process in a row, between which a turn got no further, it ends as failed; absent: it always goes on. */
  readonly maxCrashes?: number;
  /** A turn whose provider is down stays open: `resume` gives an outcome that `isHeld`, and tries again when it is called again. */
  readonly holdsOutages?: true;
}

/** Who is spoken with in a session, and where. */
export type MemoryPerson = Pick<MemoryScope, 'userId' | 'chatId' | 'isGroup' | 'isOwner'>;

/** Something that was answered, or ended without an answer: its outcome has words for the person either way. */
export interface SettledAnswer {
  readonly sessionId: string;
  readonly turnId: string;
  /** From the message that opened the turn. */
  readonly replyTo: Json;
  readonly outcome: Outcome;
  /** The turn ends with it; otherwise it goes on with messages that came meanwhile. */
  readonly isFinal: boolean;
  /** The same for the same answer, also when the process dies before it is stored and it is planned again. */
  readonly key: string;
}
export type PlanAnswer = (answer: SettledAnswer, readFile: ReadOutgoingFile) => Promise<readonly NewDelivery[]>;

/** Which model is wanted; what is left out comes from the session, then the settings. */
export interface ModelSelection {
  readonly model?: string;
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly apiMode?: ApiMode;
}
export type ApiMode = 'chat_completions' | 'anthropic_messages' | 'responses';

/** A provider, what it is asked with, and what it costs. */
export interface ProviderRoute {
  readonly runtime: Runtime;
  readonly provider: Provider;
  readonly routes: Routes;
  readonly price: (runtime: Runtime, usage: Usage) => number | undefined;
}

/**
 * One session in use. Closing it stops a turn that runs, as its signal would, and leaves the log as it is; a closed handle
 * refuses every call. Open the session again to go on.
 *
 * A session has one writer: `send`, `resume`, `compact` and `rewind` of one session wait for each other, whichever handle
 * or process they come from, and an event `notice` says so. They also wait for room while as many sessions as may be open are
 * busy. `message`, `post`, `dismiss`, `branch` and `setModel` wait for nobody, and `tidy` and `end` do nothing when they would
 * have to wait.
 */
export interface SessionHandle extends AsyncDisposable {
  /** As it was stored when it was opened here, with the model of its next turn. */
  readonly session: Session;
  /** Whether it was stored before it was opened here. */
  readonly resumed: boolean;
  readonly runtime: Runtime;
  /**
   * The owner's words as a message; words that begin with `/name` of a skill bring the skill along. What is attached counts as
   * written by others and stands behind the words, in the order given; a text that is too long is kept in a file, and the
   * message has its beginning.
   */
  message(words: string, attached?: readonly MessageAttachment[]): Promise<UserMessage>;
  /**
   * Finishes a turn that was cut off and answers what waited in the inbox, then runs this message as a turn of its own.
   * The last `settled` event is the answer to the message, and what is returned. Leaving the iteration early leaves the turn
   * to be resumed; the signal ends it within 250 ms, with an outcome, also while it waits for another writer or for room.
   */
  send(message: UserMessage, signal: AbortSignal, options?: SendOptions): AsyncGenerator<AgentEvent, Outcome>;
  /** Finishes what was cut off (a turn, or the end) and answers what waits; gives nothing when no turn was to be run. */
  resume(signal: AbortSignal): AsyncGenerator<AgentEvent, Outcome | undefined>;
  /**
   * Leaves a message for the session, which may be busy. A steer joins the running turn at the next tool boundary; an
   * interrupt stops it; what is left over waits, and the next `send` or `resume` opens a turn for it, oldest first. Whoever
   * posts calls `resume` once its own turn has settled.
   */
  post(item: Omit<NewInboxItem, 'sessionId'>): Promise<InboxItem>;
  /**
   * Ends the wait of a message that no turn is to take: it came too late, went out with another, was answered elsewhere. Gives
   * whether it did: nothing is done for a message that waits no more or that a turn is taking in, nor while another process is
   * at the session.
   */
  dismiss(itemId: string, fate: DismissalFate): Promise<boolean>;
  /** Makes the view smaller because the user asks, keeping above all what `focus` names. Gives whether it did. */
  compact(signal: AbortSignal, focus?: string): AsyncGenerator<AgentEvent, boolean>;
  /**
   * The gate before a turn, for sessions that grow unwatched: makes the view smaller when what is stored takes 85 % of the
   * window or more. Never waits: while a turn runs, or one that was cut off is left to finish, it does nothing. Gives whether
   * it did something.
   */
  tidy(signal: AbortSignal): AsyncGenerator<AgentEvent, boolean>;
  /**
   * Takes turns back: they leave the view and everything that is remembered of it, the next message goes on from before them.
   * Waits for whoever is at the session. A turn that was cut off is ended first, as interrupted: no model is asked and no tool
   * runs. What waits in the inbox keeps waiting, and files stay as they are.
   */
  rewind(target: RewindTarget, signal: AbortSignal): AsyncGenerator<AgentEvent, RewindResult>;
  /**
   * A new stored session that begins with a copy of this one, with the same prompt byte for byte; open it as any other. Waits
   * for nobody: a turn that is not settled stays out of the copy.
   */
  branch(options?: BranchOptions): Promise<BranchResult>;
  /**
   * The session is left for good, and says when and why. It stays listed and searchable, and its next turn opens it again.
   * Gives whether it has ended: while somebody is at the session nothing is done, and nobody is waited for. Ended twice it
   * keeps the first reason.
   *
   * When its context is left behind by that (all reasons but `exit`), the model is first asked once what to remember of it,
   * and only its calls of the memory tool are run. That takes at most half a minute; what came of it is a notice. It is left
   * out for a session that has ended already, has an unfinished turn, had fewer turns than `memory.flush_min_turns` since it
   * was last asked, has no memory tool, has words from outside in view, or has no budget left for it. The question and its
   * answer are not part of the log; what they cost is in the ledger. A kill meanwhile leaves the end to the next `end` or
   * `resume`, and nothing is asked twice. The signal stops the question and not the end; a message that comes meanwhile stops both.
   */
  end(reason: EndReason, signal?: AbortSignal): Promise<boolean>;
  /**
   * Asks the model what to remember of a session that nobody uses, ahead of its end and under the same conditions. The session
   * goes on. Gives whether it was left alone meanwhile: a message stops it and is answered first.
   */
  flush(signal?: AbortSignal): Promise<boolean>;
  /** What the next request would take of the model's window. Waits for nobody. */
  measure(): Promise<ContextMeasure>;
  /**
   * Asks the model something beside the conversation: it sees all that is settled, has no tools, and neither question nor
   * answer becomes part of the session; what it cost is in the ledger. A turn that runs goes on; with a budget it is waited for
   * by refusing. What is said arrives as `text_delta`.
   */
  aside(question: string, signal: AbortSignal): AsyncGenerator<AgentEvent, AsideResult>;
  /**
   * Runs a shell command of the owner's in the session's terminal, through the same door as a command of the model: the floor,
   * the deny list and the wall hold. That the owner typed it is the consent. The model never hears of it, and nothing is stored. Output arrives as `tool_progress`.
   */
  shell(command: string, signal: AbortSignal): AsyncGenerator<AgentEvent, OwnCommandResult>;
  /**
   * Works with what the session itself works with: its terminal (the same shell, files and processes that the model's commands
   * had) and its tools. Nothing is stored and the model never hears of it; the session is not closed meanwhile. For whoever
   * judges what a model has done.
   */
  use<Result>(work: (place: SessionWorkplace) => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Who has allowed everything above the floor, in words for the log; absent while it is asked. */
  readonly allowAll: string | undefined;
  /** Allows everything above the floor from the next question on, or with nothing, no longer. Only for a word of the owner's. */
  setAllowAll(by: string | undefined): void;
  /** Another model from the next turn on. Terminal, working folder and background processes stay. Throws as `openSession` does. */
  setModel(selection: ModelSelection): Promise<Runtime>;
}
/** What a session works with. */
export interface SessionWorkplace {
  readonly terminal: Terminal;
  /** Calls a tool of the session, through the same door as a call of the model. For an `unaided` session that may be one the model has not. */
  call(name: string, input: JsonObject, signal: AbortSignal): Promise<OwnCommandResult>;
}
/** A text that comes with a message and is not the owner's own. */
export interface AttachedText {
  /** Where it is from, in words: `standard input`. */
  readonly name: string;
  readonly text: string;
}
/** What can come with a message. */
export type MessageAttachment = AttachedText | ImageBlock;
export interface SendOptions {
  /** Who caused the message; the user unless said otherwise. */
  readonly origin?: SenderOrigin;
  /** Text for this message alone, wire-only, labelled by who wrote it. */
  readonly overlay?: readonly TextBlock[];
  /** How the model is to choose its words in this turn, in place of what holds for the session. It outlasts a kill. */
  readonly sampling?: Sampling;
}

/**
 * Slash commands, for every face alike: ours, which are loaded with the first line that may be one, and those in
 * `registries.commands`. What a person can mend is thrown as a `UsageError`.
 */
export interface HostCommands {
  /** Those that can be given at a place, in the order of help: for a menu. */
  list(place: CommandSurface): Promise<readonly CommandHelp[]>;
  /** The usual name of the command that a line calls with nothing behind it, however it is written: in full, by an alias, by its beginning. */
  findBare(line: string, place: CommandSurface): Promise<string | undefined>;
  /** What a line that is being typed may become: names of commands and skills, words that belong to a name, choices, options. */
  complete(line: string, place: CommandSurface): Promise<readonly CommandCompletion[]>;
  /**
   * Reads a line and runs the command it names. The name in full, an alias, or a beginning that fits only one command. The
   * name of a skill in full is text: `SessionHandle.message` makes a message of it.
   */
  run(line: string, options: CommandLineOptions): Promise<CommandLineResult>;
}
export interface CommandLineOptions {
  readonly place: CommandSurface;
  /** The session it was typed in; absent where there is none yet. */
  readonly session?: SessionHandle | UnopenedSession;
  /** Begins the session where there is none yet, for a command that makes sense before the first message, such as `/model`. */
  readonly begin?: () => Promise<SessionHandle>;
  /** A turn of the session is running. */
  readonly busy?: boolean;
  /** Who typed it; the owner when left out. What is the owner's alone is refused for others. */
  readonly by?: 'owner' | 'other';
  /** Which commands that person is told of, by help and where a name is unknown; all when left out. */
  readonly offers?: (command: AnyCommand) => boolean;
  /** Only names in full are commands, as in a message that a script wrote; all else is text. */
  readonly exact?: boolean;
  /** What the face does for the command, asked once it is known which it is: progress, questions, the signal. */
  readonly context?: (command: AnyCommand) => Partial<CommandContext> | Promise<Partial<CommandContext>>;
}
/** A stored session that is opened for a command that needs it open, and closed after it. */
export interface UnopenedSession {
  readonly session: Session;
  open(): Promise<SessionHandle>;
}

/** What came of a line that was typed in a session. */
export type CommandLineResult =
  /** No command: words for the model, a path, or a skill. */
  | { readonly type: 'text' }
  /** Nothing of that name; the words say so and name what is near. */
  | { readonly type: 'unknown'; readonly words: string }
  | CompletedCommand
  /** The turn that runs comes first: give the line again when it is over. */
  | { readonly type: 'queue'; readonly command: AnyCommand }
  | { readonly type: 'refused'; readonly command: AnyCommand; readonly words: string };
export interface CompletedCommand {
  readonly type: 'done';
  readonly command: AnyCommand;
  /** The value, for a face that draws it itself. */
  readonly result: unknown;
  /** The same in plain lines; may be empty. */
  readonly text: string;
  /** What the face does next. */
  readonly followUp?: CommandFollowUp;
  /** What the owner should know besides. */
  readonly notices: readonly string[];
}
