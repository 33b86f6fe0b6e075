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
