import type { JsonObject } from '../base/json-types.ts';
import type {
  ApiErrorInput,
  ApiRequestInput,
  ApiResponseInput,
  ApprovalRequestInput,
  ApprovalResponseInput,
  ChildStartInput,
  ChildStopInput,
  CompressedInput,
  CompressInput,
  DeliveryInput,
  GatewayEventInput,
  GatewayMessageInput,
  HookTurn,
  MemoryWriteInput,
  SessionEndInput,
  SessionSwitchInput,
  SkillLifecycleInput,
  StreamDeltaInput,
  StreamEndInput,
  StreamInput,
  TurnAnswerInput,
  TurnEndInput,
  TurnStartInput,
  TypedCommandInput,
} from './hook-inputs.ts';
import type { ToolMessage } from './message.ts';

/** Looks on. What it throws is logged once and changes nothing. */
export type ObserveHook<Seen> = (seen: Seen) => void | Promise<void>;
/** Gives the value another form, or `undefined` to leave it. One that fails leaves it as well. */
export type TransformHook<Seen, Value> = (seen: Seen) => Value | undefined | Promise<Value | undefined>;
/**
 * Decides. `undefined` is no opinion. One that throws, overruns its time or answers something that is no decision of its
 * kind (another action, `null`, `false`, a word) decides against: only these fail closed.
 */
export type DecideHook<Seen, Decision> = (seen: Seen) => Decision | undefined | Promise<Decision | undefined>;

/** Every hook around a tool call, by its name. */
export interface ToolHookMap {
  /**
   * Before every call, in order; each sees the arguments as the ones before it left them. A block wins over an approval
   * and ends the asking. Changes add up, the later one wins per key; after each the arguments must fit the tool again and
   * its effects are told anew. A person is asked once all changes are in, and about just what would run.
   */
  readonly pre_tool_call: DecideHook<ToolCallHookInput, ToolCallDecision>;
  /**
   * After a command of the tool `terminal` has ended, before everything else sees what it printed: the first that gives text
   * gives the words. Secrets are out of it by then. What the exit code was stays as it is.
   */
  readonly transform_terminal_output: TransformHook<TerminalOutputHookInput, string>;
  /** After every call, also one that was blocked or failed. */
  readonly post_tool_call: ObserveHook<ToolResultHookInput>;
  /** After `post_tool_call`: the first that gives text gives the words the model sees. */
  readonly transform_tool_result: TransformHook<ToolResultHookInput, string>;
}
export type ToolHookName = keyof ToolHookMap;

/** A frozen copy, down to its last field: only a decision changes a call. */
export interface ToolCallHookInput {
  readonly tool: string;
  readonly args: JsonObject;
  readonly sessionId: string;
  readonly turnId: string;
  readonly callId: string;
}
export type ToolCallDecision =
  | { readonly action: 'block'; readonly message: string }
  /** A person must agree first: to these arguments in this working folder. With a `ruleKey` the consent may last for its like. */
  | { readonly action: 'approve'; readonly message?: string; readonly ruleKey?: string }
  | { readonly action: 'modify'; readonly args: JsonObject };
export interface ToolResultHookInput extends ToolCallHookInput {
  readonly result: ToolMessage;
  readonly ms: number;
  readonly status: 'done' | 'failed' | 'blocked';
}

export interface TerminalOutputHookInput extends ToolCallHookInput {
  readonly command: string;
  /** What it printed, both streams together. */
  readonly output: string;
  /** `null` when it was ended or went on in the background. */
  readonly exitCode: number | null;
}

/**
 * Those who look on at sessions and turns, by name. They are told after what they are told of is durable, in that order and
 * outside the turn: a slow one delays nobody, and nothing it does changes anything.
 */
export interface ObserveHookMap {
  /** A session had its first turn opened. */
  readonly on_session_start: ObserveHook<HookTurn>;
  /** A turn is over, however it ended. */
  readonly on_session_end: ObserveHook<TurnEndInput>;
  /** A session was left for good: reset, expired, or its program ended. */
  readonly on_session_finalize: ObserveHook<SessionEndInput>;
  /** Somebody asked for a new session in place of this one. */
  readonly on_session_reset: ObserveHook<SessionEndInput>;
  /** A session goes on in a copy of another, or in place of it. */
  readonly on_session_switch: ObserveHook<SessionSwitchInput>;
  /** A turn ended with an answer. */
  readonly post_llm_call: ObserveHook<TurnAnswerInput>;
  /** As `on_session_end`. */
  readonly turn_outcome: ObserveHook<TurnEndInput>;
  /** Somebody stopped a running turn. */
  readonly agent_loop_stopped: ObserveHook<TurnEndInput>;
  readonly pre_api_request: ObserveHook<ApiRequestInput>;
  readonly post_api_request: ObserveHook<ApiResponseInput>;
  readonly api_request_error: ObserveHook<ApiErrorInput>;
  readonly on_stream_start: ObserveHook<StreamInput>;
  /** Dropped first when many wait. */
  readonly on_stream_delta: ObserveHook<StreamDeltaInput>;
  readonly on_stream_end: ObserveHook<StreamEndInput>;
  readonly post_compress: ObserveHook<CompressedInput>;
  readonly pre_approval_request: ObserveHook<ApprovalRequestInput>;
  readonly post_approval_response: ObserveHook<ApprovalResponseInput>;
  readonly subagent_start: ObserveHook<ChildStartInput>;
  readonly subagent_stop: ObserveHook<ChildStopInput>;
  /** A built-in memory file was changed: by the agent, or by the owner's `hermes memory`. Once for each operation. */
  readonly memory_write: ObserveHook<MemoryWriteInput>;
  /** Somebody typed a command with a slash that exists and may be used there; told before it runs, and not waited for. */
  readonly pre_command: ObserveHook<TypedCommandInput>;
  /** A skill came, changed or went. */
  readonly on_skill_lifecycle: ObserveHook<SkillLifecycleInput>;
  /** Something reached a gateway that is no message: a link came or went, a button was pressed, a chat got another id. */
  readonly gateway_platform_event: ObserveHook<GatewayEventInput>;
  /** It is final what became of something that was to go out to a chat. */
  readonly delivery: ObserveHook<DeliveryInput>;
}
export type ObserveHookName = keyof ObserveHookMap;

/** Every hook by its name. */
export interface HookMap extends ToolHookMap, ObserveHookMap {
  /**
   * Once for each message that opens a turn, after compaction and before the first model call. What it gives stands beside the
   * user's message and nowhere else: never in the system prompt, and sent again with the same bytes. One that fails adds nothing.
   */
  readonly pre_llm_call: TransformHook<TurnStartInput, HookContext>;
  /**
   * Before a model is asked to sum up a part of the log. What it gives is one more piece of material for that summary, labelled
   * by whose it is and capped; the log stays as it is. All are asked at once and have ten seconds at most. One that fails adds nothing.
   */
  readonly pre_compress: TransformHook<CompressInput, HookContext>;
  /**
   * Before a message that somebody may send becomes anything: a command, an answer, a turn. In order; the first that blocks ends
   * it. The sender is told nothing, the log why. It may be asked again about a message that a crash cut off. It cannot change the
   * words: those stay the sender's.
   */
  readonly pre_gateway_dispatch: DecideHook<GatewayMessageInput, GatewayDispatchDecision>;
}
export type HookName = keyof HookMap;
/** Words to be added. */
export type HookContext = string | { readonly context: string };
export interface GatewayDispatchDecision {
  readonly action: 'block';
  /** For the log. */
  readonly message: string;
}
/** What a hook is told. */
export type HookInput<Name extends HookName> = Parameters<HookMap[Name]>[0];

/** One thing to tell those who look on. */
export type HookEvent = {
  readonly [Name in ObserveHookName]: { readonly name: Name; readonly input: HookInput<Name> };
}[ObserveHookName];
/** Tells those who look on. Never throws, and never waits for them. */
export type TellHooks = (event: HookEvent) => void;

/** What has been hung up, in order. */
export interface Hooks {
  of<Name extends HookName>(name: Name): readonly RegisteredHook<Name>[];
}
/** The hooks of a host, for what happens outside of turns. */
export interface HostHooks {
  readonly tell: TellHooks;
  /** As they are at the moment; absent when there are none. */
  current(): Hooks | undefined;
}
/** Those around tool calls alone. */
export interface ToolHooks {
  of<Name extends ToolHookName>(name: Name): readonly RegisteredHook<Name>[];
}
export interface RegisteredHook<Name extends HookName> {
  /** Whose it is, for notices: `plugin notes`, `shell hook ./audit.sh`. */
  readonly owner: string;
  readonly timeoutMs: number;
  readonly run: HookMap[Name];
  /** The owner answers for its words as for his own; else they are foreign ones. */
  readonly isOwners?: true;
}
/** A hook as it stands in the list of a host. */
export type HookRegistration = { readonly [Name in HookName]: RegisteredHook<Name> & { readonly hook: Name } }[HookName];

/**
 * What a gateway tells whoever looks on, by its name: the payload under the keys that handlers know. Nobody waits for a
 * handler, and nothing one does changes a turn. `agent:*` and `command:*` stand for all of a kind.
 */
export interface GatewayHookPayloads {
  /** The gateway runs. */
  readonly 'gateway:startup': { readonly platforms: readonly string[] };
  /** A chat began a session. */
  readonly 'session:start': SessionHookPayload & { readonly session_id: string };
  /** A session was completed or timed out. */
  readonly 'session:end': SessionHookPayload & { readonly session_id: string; readonly reason: string };
  /** Somebody asked for a new session. */
  readonly 'session:reset': SessionHookPayload;
  readonly 'agent:start': AgentHookPayload;
  /** One sampling with calls is over: each of its tools has answered. */
  readonly 'agent:step': Pick<AgentHookPayload, 'platform' | 'user_id' | 'session_id'> & {
    /** From 1 in each turn. */
    readonly iteration: number;
    readonly tool_names: readonly string[];
  };
  /** A turn is over; `response` has the first 500 characters. */
  readonly 'agent:end': AgentHookPayload & { readonly response: string; readonly model: string; readonly provider: string };
  /** A command was given in a chat, and carried out. */
  readonly [command: `command:${string}`]: {
    readonly platform: string;
    readonly user_id: string;
    readonly command: string;
    readonly args: string;
  };
}
export type GatewayHookName = keyof GatewayHookPayloads;
export interface SessionHookPayload {
  readonly platform: string;
  readonly user_id: string;
  readonly session_key: string;
}
export interface AgentHookPayload {
  readonly platform: string;
  readonly user_id: string;
  readonly chat_id: string;
  readonly thread_id: string | null;
  readonly chat_type: string;
  readonly session_id: string;
  /** The first 500 characters. */
  readonly message: string;
}
/** Tells everybody who looks on. Never throws, and never waits for them. */
export type EmitGatewayHook = <Name extends GatewayHookName>(name: Name, payload: GatewayHookPayloads[Name]) => void;
