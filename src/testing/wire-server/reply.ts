import type { FinishReason } from '../../contracts/provider.ts';
import type { Fault } from './faults.ts';

/** One model answer, protocol-neutral; rendered in whatever protocol the request spoke. What is left out is not sent. */
export interface Reply {
  readonly text?: string;
  /** Anthropic: a thinking block. Chat: `reasoning_content`. Responses: the summary of a reasoning item. */
  readonly thinking?: string;
  /** Anthropic: the signature of the thinking block. Responses: `encrypted_content`. Chat has no place for it. */
  readonly signature?: string;
  readonly calls?: readonly ReplyCall[];
  /** Left out: `tool_calls` when there are calls, else `stop`. */
  readonly finish?: FinishReason;
  readonly usage?: ReplyUsage;
  /** Characters per delta; 16 when left out. */
  readonly chunk?: number;
  /** Pause between frames. */
  readonly paceMs?: number;
  readonly fault?: Fault;
}

export interface ReplyCall {
  /** Left out: an id unique on this server. `null`: the field does not go out at all, as from some local servers. */
  readonly id?: string | null;
  readonly name: string;
  /** A string goes out verbatim, so that bad JSON is possible; anything else is serialised. */
  readonly arguments: unknown;
}

/** Tokens. `input` is the uncached part: a prompt weighs input + cacheRead + cacheWrite. `reasoning` is contained in `output`. */
export interface ReplyUsage {
  /** Left out: a quarter of the characters of the request body. */
  readonly input?: number;
  /** Left out: a quarter of the characters of the answer. */
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}
