import type { JsonObject } from '../../../../base/json-types.ts';
import type { Usage } from '../../../../contracts/message.ts';
import type { ClientCall } from './client-tools.ts';
import type { NewRunEvent } from '../../../../contracts/run-store.ts';

/** What a run tells, by type. It is stored as it stands here; every format of an answer is made of these. */
export interface RunEventData {
  /** More of the message that is being written. */
  readonly 'message.delta': { readonly delta: string };
  /** What was told of it is void: it is written anew. */
  readonly 'message.discarded': { readonly reason: string };
  /** It is part of the session's log now. */
  readonly 'message.completed': { readonly message_id: string };
  readonly 'reasoning.delta': { readonly delta: string };
  readonly 'tool.started': {
    readonly tool: string;
    readonly call_id: string;
    /** The call in words. */
    readonly preview: string;
    readonly arguments: string;
    /** It is a tool of the client. */
    readonly client?: true;
  };
  readonly 'tool.completed': {
    readonly tool: string;
    readonly call_id: string;
    /** Seconds. */
    readonly duration: number;
    readonly error: boolean;
    readonly output: string;
    readonly client?: true;
  };
  /** The answer has not the form that was asked for, so the model is asked once more. */
  readonly 'answer.rejected': { readonly fault: string; readonly spent: Pick<Usage, keyof Usage> };
  readonly 'approval.request': {
    readonly approval_id: string;
    readonly tool: string;
    readonly summary: string;
    readonly reason: string;
    readonly choices: readonly string[];
  };
  readonly 'approval.responded': { readonly approval_id: string; readonly allowed: boolean };
  readonly 'run.completed': RunEndData;
  readonly 'run.failed': RunEndData;
  readonly 'run.cancelled': RunEndData;
}
export type RunEventType = keyof RunEventData;

/** How a run ended. */
export type RunEndData = {
  readonly output: string;
  /** `tool_calls`: the turn waits for results of the client, and goes on with another run. */
  readonly finish_reason: 'stop' | 'tool_calls' | 'length' | 'error' | 'cancelled';
  /** Why the turn ended, in the words of the log. */
  readonly exit_reason: string;
  readonly usage: RunUsage;
  readonly tool_calls?: readonly ClientCall[];
  readonly error?: { readonly code: string; readonly message: string };
};
export type RunUsage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
};

export const toRunUsage = ({ input, output, cacheRead, cacheWrite, reasoning }: Usage): RunUsage => ({
  input_tokens: input + cacheRead + cacheWrite,
  output_tokens: output,
  total_tokens: input + cacheRead + cacheWrite + output,
  cached_tokens: cacheRead,
  reasoning_tokens: reasoning,
});

export const createRunEvent = <Type extends RunEventType>(type: Type, data: RunEventData[Type]): NewRunEvent => ({
  type,
  data: { ...data },
});

/** An event as one of ours; nothing for a type that another version wrote. */
export type KnownRunEvent = { [Type in RunEventType]: { readonly type: Type; readonly data: RunEventData[Type] } }[RunEventType];
export const toKnownEvent = ({ type, data }: { readonly type: string; readonly data: JsonObject }): KnownRunEvent =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read from where only `createRunEvent` writes
  ({ type, data }) as unknown as KnownRunEvent;

export const isFinalEvent = ({ type }: { readonly type: string }): boolean =>
  type === 'run.completed' || type === 'run.failed' || type === 'run.cancelled';
