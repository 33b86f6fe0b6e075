import type { Failure } from './failure.ts';
import type { AssistantMessage, JsonObject, Message, TextBlock, Usage } from './message.ts';
import type { RequestAdjustments, Runtime } from './runtime.ts';

/** Everything one call says, provider-neutral. Same value in, same bytes out. */
export interface ModelRequest {
  readonly runtime: Runtime;
  readonly adjust: RequestAdjustments;
  /** Absent leaves every choice to the provider, and says so with the same bytes as ever. */
  readonly sampling?: Sampling;
  /** Empty when the prompt rendered nothing: then no wire carries a system message. */
  readonly system: string;
  /**
   * Characters of `system` that other sessions begin with too: the first of its two blocks, and the one a cache mark stands on.
   * Absent: one block. The wire carries `system` whole in either case.
   */
  readonly stableChars?: number;
  readonly tools: readonly ToolDefinition[];
  /** `forbidden` keeps the table in the request (the cache holds) and rules calls out. */
  readonly toolUse: 'auto' | 'forbidden';
  readonly messages: readonly ViewMessage[];
  readonly cacheTtl: '5m' | '1h' | 'off';
}
/**
 * How the model is to choose its words. Each field is left out of the body when it is absent, when its wire has no such
 * parameter (named at the field), or when the route refused it before. The ledger keeps what was asked, so `replay` makes the
 * same bytes; the body's hash covers all of it.
 */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  /** `openai-chat` alone. */
  readonly seed?: number;
  /** Words the answer ends before. Not on `openai-responses`. */
  readonly stop?: readonly string[];
  /** Most tokens of one answer. A recovery that wants a longer one stays below it. */
  readonly maxOutput?: number;
  /** Log-probabilities of each token and of this many alternatives to it, told with `done` and `sampled`. Not on `anthropic-messages`. */
  readonly logprobs?: number;
  /** Further parameters for the body as they are, in the order of their names. What the request says itself wins over them. */
  readonly extraBody?: JsonObject;
}
/** A message as the model is to see it: call-time text of its entry rides along. */
export interface ViewMessage {
  readonly message: Message;
  readonly wireOnly?: readonly TextBlock[];
}
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
}

/**
 * One model response as it arrives. Exactly one terminal event (`done` or `failed`) ends every stream, also one whose server never
 * would: a reply that repeats itself for ever or is longer than any reply can be is `failed` (`repetition`).
 */
export type ModelEvent =
  | { readonly type: 'text_delta' | 'thinking_delta'; readonly delta: string }
  /** A call is on its way: its name is known, its arguments are not. Not every server tells it before the call is whole. */
  | { readonly type: 'call_start'; readonly name: string }
  | {
      readonly type: 'done';
      readonly message: AssistantMessage;
      readonly usage: Usage;
      readonly usageEstimated?: true;
      readonly finish: FinishReason;
      /** Of the words of the answer, where they were asked for and the server told them. */
      readonly logprobs?: readonly TokenLogprob[];
    }
  /** `usage` is absent where the server did no work for it: nothing was sent, or the request was refused. */
  | { readonly type: 'failed'; readonly failure: Failure; readonly usage?: Usage; readonly usageEstimated?: true };

/** What a call took. `usageEstimated`: the server counted nothing, or not all of it; what is missing is our own count, rather too high. */
export type ReportedUsage = Pick<Extract<ModelEvent, { readonly type: 'failed' }>, 'usage' | 'usageEstimated'>;

/** A token as the model chose it, and what it weighed beside it, likeliest first. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly top: readonly Omit<TokenLogprob, 'top'>[];
}

/** `paused`: the server stopped in the middle of work of its own (a search, say), and goes on when it is asked with what it said so far. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'paused';

/** Streams one response. Never throws for a remote failure: failures arrive as the terminal event. */
export interface Provider {
  /**
   * The exact bytes `stream` would send, for the ledger, `replay` and cache attribution. For a server that is sent tokens: the
   * conversation they are made of, as a chat request (`src/parts/providers/tokens/`).
   */
  encode(request: ModelRequest): EncodedRequest;
  stream(encoded: EncodedRequest, call: CallContext): AsyncIterable<ModelEvent>;
}
export interface EncodedRequest {
  readonly request: ModelRequest;
  readonly body: string;
  /** The body as bytes, made once: a long transcript is not worth turning over twice. */
  bytes(): Uint8Array;
  /** sha256 of the parts a provider caches, in wire order: tools, system, then each message without its cache marks. */
  readonly segments: readonly PrefixSegment[];
}
export interface PrefixSegment {
  readonly name: string;
  readonly hash: string;
}
export interface CallContext {
  readonly signal: AbortSignal;
  /** Our estimate of the request's tokens; classification of a vague refusal leans on it. */
  readonly estimate: number;
  /** Tokens the prompt is charged with when the server does not count it; a third above `estimate` when absent. */
  readonly uncountedPrompt?: number;
}

/**
 * A wire format as two pure halves: encode the request, fold frames into events. Knows no URL and no key.
 * `whole` folds the unstreamed form of the same answer.
 */
export interface Protocol<Frame, State> {
  readonly id: string;
  /** Appended to the base URL. */
  readonly path: string;
  encode(request: ModelRequest): { readonly body: string; readonly segments: readonly PrefixSegment[] };
  /** `estimate` as in `CallContext`: an error frame inside the stream is judged by it. */
  begin(request: ModelRequest, estimate?: number): State;
  /** Reads one SSE frame; `undefined` for a frame that carries nothing for us; throws on one that is not this protocol. */
  parse(event: string | undefined, data: string): Frame | undefined;
  step(state: State, frame: Frame): readonly [State, readonly ModelEvent[]];
  /** The stream is over. Gives the terminal event unless `step` has given it. */
  end(state: State): readonly ModelEvent[];
  whole(request: ModelRequest, body: string, estimate?: number): readonly ModelEvent[];
  /** The calls so far, of which no event of `step` tells before they are whole. */
  progress(state: State): CallProgress;
  /** What the server has counted so far; `NO_USAGE` while it has told nothing. */
  counted(state: State): Usage;
}
export interface CallProgress {
  readonly calls: number;
  /** The name of the call that grew last; empty until it is known. */
  readonly name: string;
  /** Characters of the arguments of all of them. */
  readonly chars: number;
  /** The arguments of the call that grew last. */
  readonly args: string;
}

/** Bytes out, frames in, those together that came together. No retries of its own. */
export interface Transport {
  open(call: TransportCall): AsyncGenerator<readonly ServerFrame[], void>;
}
export interface TransportCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly stream: boolean;
  readonly deadlines: Deadlines;
  readonly signal: AbortSignal;
}
/** Milliseconds. `firstByte` runs until the first byte of the body; from then on any byte, a ping included, restarts `idle`. */
export interface Deadlines {
  readonly connect: number;
  readonly firstByte: number;
  readonly idle: number;
  /** For the whole call: a server that only ever pings must not hold a turn for ever. */
  readonly total?: number;
}
/** What a transport hears: SSE frames of a 2xx stream, or one whole response. Trouble on the way is thrown as `TransportError`. */
export type ServerFrame =
  | { readonly type: 'event'; readonly event?: string; readonly data: string }
  | { readonly type: 'response'; readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Headers for one call. Names the credential it used; can be refreshed where the scheme allows. */
export interface Auth {
  headers(runtime: Runtime): Promise<Readonly<Record<string, string>>>;
  /** True when a new secret was obtained and the call is worth repeating. */
  refresh(runtime: Runtime): Promise<boolean>;
  /** The text without the secret of this route: servers repeat it in their complaints. */
  conceal?(runtime: Runtime, text: string): string;
}

/** Keys of one provider and which of them may be used now. What is learnt outlives the process. */
export interface CredentialPool {
  /** A usable credential for the provider other than those resting; `undefined` when all rest. */
  next(provider: string, except?: string): Promise<string | undefined>;
  rest(credential: string, ms: number): Promise<void>;
}
