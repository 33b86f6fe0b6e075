import type { JsonObject } from '../base/json-types.ts';
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

/** What has been hung up, in order. The plugin host adds to it before the first session opens; nobody else does. */
export interface ToolHooks {
  of<Name extends ToolHookName>(name: Name): readonly RegisteredHook<Name>[];
}
export interface RegisteredHook<Name extends ToolHookName> {
  /** Whose it is, for notices: `plugin notes`, `shell hook ./audit.sh`. */
  readonly owner: string;
  readonly timeoutMs: number;
  readonly run: ToolHookMap[Name];
}

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
