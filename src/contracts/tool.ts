import { readErrorCode } from '../base/errors.ts';
import type { ApprovalRequest, ApprovalVerdict, RequiredConsent } from './consent.ts';
import type { ToolDetails } from './details.ts';
import type { Effects } from './effects.ts';
import type { ImageBlock, JsonObject, TextBlock, ToolCall, ToolMessage, Trust } from './message.ts';
import type { Ports } from './ports.ts';
import type { ToolDefinition } from './provider.ts';
import type { Terminal } from './terminal.ts';

export interface Tool<Input = never> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. Plain data, so that the first request needs no schema library. */
  readonly input: JsonObject;
  /** Words for the model when a required parameter did not come, by its name; absent means the plain "is missing". */
  readonly whenMissing?: Readonly<Record<string, string>>;
  /** What a call touches. Calls whose effects do not clash run side by side. */
  effects(input: Input): Effects;
  /** May an interrupted call run again after a crash? Reads say `safe`; anything that changes the world says `never`. */
  readonly replay: 'safe' | 'never';
  /** Repeating it cannot change its answer by itself; the loop guard watches for repeats without progress. */
  readonly idempotent: boolean;
  /** Touches neither commands nor files of the terminal: none is opened for it. */
  readonly offTerminal?: true;
  /** Keeps the agent's own books (a task list): words said beside such calls alone are an answer. */
  readonly housekeeping?: true;
  readonly trust: Trust;
  readonly timeoutMs: number;
  /** Characters kept inline; longer results are spilled to disk. `Infinity` for a tool that bounds its result itself. */
  readonly maxResult: number;
  /** Reachable and configured here? Absent means always. */
  available?(): boolean | Promise<boolean>;
  /**
   * The lasting place a call would write to (memory, skills, a schedule, a message to somebody, a server), in words.
   * While foreign words are in view such a call needs consent that names where they came from. A tool that has this looks
   * after its place itself; the files it names are not judged as those of other tools are.
   */
  sink?(input: Input): string | undefined | Promise<string | undefined>;
  /** Addresses a call goes to or hands on. While words of others are in view, new hosts among them and data in them need consent. */
  reaches?(input: Input): readonly string[];
  /** How consent to its sink may reach beyond one call; absent means it is given once. */
  readonly sinkConsent?: SinkConsent;
  /** Arguments that become part of a file: placeholders of secrets in them are made real before the call runs. */
  readonly restores?: readonly string[];
  /** What of those arguments goes into which file; absent means all of them into every file the call writes. */
  written?(input: Input): readonly WrittenText[];
  /** Arguments that are run. They are taken as they stand, so that a placeholder of a secret in one keeps the call from running. */
  readonly runs?: readonly string[];
  /** What must be there for it to be available, in words for the owner. */
  readonly needs?: string;
  /** The session's view no longer shows what this tool answered before: it may have to say it again. */
  forget?(sessionId: string): void;
  /**
   * What stands against a call until somebody agrees to it, found by looking alone: nothing is changed, and nobody is asked
   * here. It is asked before the call counts as running, and `run` finds the answer when it asks `approve` about that very
   * act. Throws a `ToolRefusal` for what nobody can allow; whatever else it throws `run` is left to say.
   */
  asks?(input: Input, context: AskContext): Promise<RequiredConsent | undefined>;
  /** Throws a `ToolFailure` with words for the model when it cannot do what was asked. */
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}
export type AnyTool = Tool;

export interface SinkConsent {
  /** The class by which it is kept. */
  readonly key: string;
  readonly at: readonly string[];
  /** What the owner can set so that nobody is asked, in words. */
  readonly advice: string;
  /** Sources of words that are no reason to ask; absent means every one is. */
  ignores?(source: string): boolean;
}

/** Words that a call puts into one file. */
export interface WrittenText {
  /** The file, as a resource of its effects. */
  readonly resource: string;
  readonly text: string;
  /** The file that the same call moves there. */
  readonly from?: string;
}
export interface ToolOutput {
  readonly content: readonly (TextBlock | ImageBlock)[];
  /** A result that reports a failure without being thrown (a command that exited non-zero stays a success). */
  readonly failed?: boolean;
  /** Set when the words come from outside (a page, a mail, somebody else's file): where from. The result is then foreign. */
  readonly foreign?: string;
  /** We kept the call from doing anything: the words are ours, whatever the tool is for, except those of a block that names where they come from. */
  readonly refused?: true;
  /** Data for faces; the model never sees it. */
  readonly details?: ToolDetails;
  /** The result as values for a script that called the tool; absent means `{text}`. */
  readonly data?: JsonObject;
  /** Our own words on the result, for the model: they stand after it, and are never taken for words from outside. */
  readonly notes?: readonly string[];
  /** Rules of folders that calls inside this one were the first to touch: they stand after the result, as its own hints do. */
  readonly hints?: readonly TextBlock[];
}
/** A refusal or failure whose words are meant for the model. Any error with this code is one, whoever's class it is of. */
export class ToolFailure extends Error {
  readonly code: 'tool_failure' | 'tool_refusal' = 'tool_failure';
}
/** One whose result is `refused`: nothing was done, and no word of it comes from outside. */
export class ToolRefusal extends ToolFailure {
  override readonly code = 'tool_refusal';
}
export const isToolRefusal = (error: unknown): error is ToolRefusal => readErrorCode(error) === 'tool_refusal';
export const isToolFailure = (error: unknown): error is ToolFailure => readErrorCode(error) === 'tool_failure' || isToolRefusal(error);
export interface ToolContext {
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly turnId: string;
  readonly callId: string;
  /** Where words in the model's view come from that are neither the owner's nor its own: foreign ones, and those of the project (`isProjectSource`). */
  readonly taint: readonly string[];
  /** A script reads the result, the model never sees it: it gets all of it as data, and nothing counts as shown or read before. */
  readonly forScript?: true;
  readonly terminal: Terminal;
  readonly ports: Ports;
  /** Tells how it goes; `childId` when it tells of a child agent. */
  report(note: string, childId?: string): void;
  approve(action: ApprovalRequest): Promise<ApprovalVerdict>;
  /** Calls another tool of this session for a script, through the same door: hooks, approval and redaction hold for it too. */
  call(name: string, input: JsonObject, signal?: AbortSignal): Promise<ScriptCallResult>;
}

/** What came of a call that a script made. */
export interface ScriptCallResult {
  /** Values, never prose about them: what a script parses holds nothing that its tool did not find. */
  readonly data: JsonObject;
  /** `data` then has the reason as its `text`. */
  readonly failed: boolean;
  /** Where foreign words in it come from. */
  readonly foreign: readonly string[];
  /** For the model, beside what the script prints. */
  readonly hints: readonly TextBlock[];
}

/** What a tool may look at before its call runs. */
export type AskContext = Pick<ToolContext, 'signal' | 'sessionId' | 'turnId' | 'taint' | 'terminal'>;

/** What was said in a session, for whoever must tell an address that the owner gave from one that others suggested. */
export interface SessionWords {
  /** The owner's own messages. */
  owner(): readonly string[];
  /** Results of calls, by the tool they came from. */
  results(): readonly { readonly tool: string; readonly text: string }[];
}

export interface Toolset {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
  readonly includes: readonly string[];
}

/** Everything a session can call, whether the table lists it or not, and the toolsets it comes from, included ones too. */
export interface CallableTools {
  readonly tools: readonly string[];
  readonly toolsets: readonly string[];
}
/** A resolved toolset, frozen for the session: a call always meets the tool that was advertised. */
export interface Toolkit {
  readonly toolsets: readonly string[];
  readonly definitions: readonly ToolDefinition[];
  /** What a call may name: the tools of the table and those it only points to, and the toolsets they belong to. The table's own when absent. */
  readonly callable?: CallableTools;
  /** Opens what calls of these tools need, before they are resolved: a terminal that nobody has used yet. Its trouble is told by the calls. */
  open?(tools: readonly string[]): Promise<void>;
  /**
   * A reply is awaited: what its calls will most likely need is made ready meanwhile. With names, calls of these tools are on their
   * way, and what they need is opened as well. This is not waited for, and its trouble is left for the calls to tell.
   */
  expectCalls?(tools?: readonly string[]): void;
  /** Mends name and arguments where the intent is plain; says what is wrong where it is not. */
  resolve(call: ToolCall): ResolvedCall;
  /** Takes up one resolved call: the hooks before it have their say, nothing is run and nobody is asked. */
  prepare(call: RunnableCall, run: ToolRunOptions): Promise<PreparedCall>;
  /** The view no longer shows earlier results of this session: tools that lean on what was shown start anew. */
  forget?(sessionId: string): void;
  /** Holds the results of one step to the turn's size budget, spilling the largest first. */
  fit(results: readonly ToolMessage[], sessionId: string): Promise<readonly ToolMessage[]>;
}
/** A call at the door. Nothing here throws: failures, refusals and time-outs are results. */
export interface PreparedCall {
  /**
   * What stands against the call now. Looks anew each time, changes nothing and asks nobody, so that what was agreed to is
   * held against what would run at this moment; what has changed since is another act and another question.
   */
  admission(): Promise<CallAdmission>;
  /** Puts what the admission named to whoever may consent. A yes holds for this call and this act, a no refuses the call. */
  ask(action: ApprovalRequest, signal: AbortSignal): Promise<ApprovalVerdict>;
  /** Runs what the last admission let through, to its result; what was refused has one too. */
  run(): Promise<CallResult>;
}
export type CallAdmission = { readonly type: 'ready' | 'refused' } | { readonly type: 'ask'; readonly action: ApprovalRequest };

/** What came of a call: the message for the model, and what faces are told besides. */
export interface CallResult {
  readonly message: ToolMessage;
  readonly details?: ToolDetails;
  /** The call was kept from running: its words are ours, and say what to do. */
  readonly refused?: true;
  /** What goes to the script, when one made the call; the message goes to nobody then. */
  readonly script?: ScriptCallResult;
}
export type ResolvedCall =
  | {
      readonly ok: true;
      readonly call: ToolCall;
      readonly tool: AnyTool;
      readonly input: JsonObject;
      readonly effects: Effects;
      /** What was left out of the arguments, for the model; it stands below the result. */
      readonly note?: string;
    }
  | {
      readonly ok: false;
      readonly call: ToolCall;
      /** `absent_tool`: one we know, but switched off, not of this session, or missing what it needs. */
      readonly problem: 'unknown_tool' | 'absent_tool' | 'malformed_json' | 'invalid_input';
      /** The tool that was meant, where it is one we know. */
      readonly meant?: string;
      readonly words: string;
    };
/** A call that can be taken up. */
export type RunnableCall = Extract<ResolvedCall, { ok: true }>;

export interface ToolRunOptions {
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly turnId: string;
  readonly taint: readonly string[];
  /** What stands in the model's view; absent means nothing is known of it. */
  readonly words?: SessionWords;
  readonly forScript?: true;
  /** The owner typed the call. */
  readonly byOwner?: true;
  /** What marks of ours carry in the result; absent where no model reads it, and then it is bare and brings no hints. */
  readonly markKey?: string;
  report(note: string, childId?: string): void;
  /** Something the owner should know whatever becomes of the call, such as a rules file that was blocked. */
  notice?(words: string): void;
}
