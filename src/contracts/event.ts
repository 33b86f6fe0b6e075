import type { ToolDetails } from './details.ts';
import type { CompactionReport, Entry } from './entry.ts';
import type { Failure } from './failure.ts';
import type { AssistantMessage, ToolCall, ToolMessage, Usage } from './message.ts';
import type { Outcome } from './outcome.ts';
import type { TokenLogprob } from './provider.ts';
import type { Runtime } from './runtime.ts';
import type { MessageFate } from './session-store.ts';
import type { ConsentQuestion } from './consent.ts';

export type { ClosingReason, ExitReason, Outcome, StopReason } from './outcome.ts';

/** What a turn tells the world, in order. Faces render these; nothing else leaves the loop. */
export type AgentEvent =
  /** An entry is durable. Everything a face must not lose arrives as one of these. */
  | { readonly type: 'entry'; readonly entry: Entry }
  /**
   * What became of a message that was posted: it joined this turn, opened it, or stopped the one before. Comes once for each,
   * after the `entry` that holds its words. That it was posted at all `post` itself has told.
   */
  | { readonly type: 'inbox'; readonly itemId: string; readonly fate: MessageFate }
  | { readonly type: 'text_delta'; readonly delta: string }
  | { readonly type: 'thinking_delta'; readonly delta: string }
  | {
      readonly type: 'sampled';
      readonly message: AssistantMessage;
      readonly usage: Usage;
      readonly callId: string;
      /** Where they were asked for (`Sampling.logprobs`); told here and kept nowhere. */
      readonly logprobs?: readonly TokenLogprob[];
    }
  /** A call is taken up: looked at, asked about where it must be, then run. */
  | { readonly type: 'tool_started'; readonly call: ToolCall }
  /**
   * A call waits for consent, and its question is durable. Who may consent is asked through the face's `clarify`, which is
   * handed the same id; a late answer comes by that id. After a restart it is told and asked again, under the same id.
   */
  | { readonly type: 'asking'; readonly question: ConsentQuestion }
  /** The question is over: the call runs, is refused, or has another question. */
  | { readonly type: 'asked'; readonly questionId: string; readonly callId: string; readonly allowed: boolean; readonly by: string }
  /** What a call tells on its way. `childId` is the session of the child agent it tells of. */
  | { readonly type: 'tool_progress'; readonly callId: string; readonly note: string; readonly childId?: string }
  /** `details` stand with the stored message too. */
  | {
      readonly type: 'tool_finished';
      readonly callId: string;
      readonly result: ToolMessage;
      readonly details?: ToolDetails;
      readonly ms: number;
    }
  /** The call failed and is being mended; words streamed since the last `sampled` are void. */
  | { readonly type: 'recovering'; readonly strategy: string; readonly failure: Failure; readonly waitMs?: number }
  /** The view is being made smaller before the next call; the log keeps every row. */
  /** `reported`: the server itself has named this window. */
  | { readonly type: 'compacting'; readonly tokens: number; readonly window: number; readonly reported?: true; readonly reason: string }
  | { readonly type: 'compacted'; readonly report: CompactionReport }
  | { readonly type: 'runtime_changed'; readonly from: Runtime; readonly to: Runtime }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'settled'; readonly outcome: Outcome };
