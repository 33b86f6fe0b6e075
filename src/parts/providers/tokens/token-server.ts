import type { Json, JsonObject } from '../../../contracts/message.ts';
import type { ModelRequest } from '../../../contracts/provider.ts';
import type { TokenSegment } from '../../../contracts/token-trace.ts';

/** A kind of server that tells the tokens it was sent and generated. Pure: what goes out, and how the reply is read. */
export interface TokenServer {
  /** Behind the address of the server, without `/v1`. */
  readonly path: string;
  /** `messages`: the server renders the conversation itself, and says which tokens it made of it. */
  readonly takes: 'tokens' | 'messages';
  /** Its replies are tokens alone: without a tokenizer here nothing can be read of them. */
  readonly tellsNoText?: true;
  encode(ask: TokenAsk): string;
  /** Throws a `SyntaxError` for a reply that is not of this kind, or whose tokens and log-probabilities do not match. */
  read(reply: Json): GeneratedReply;
}

export interface TokenAsk {
  /** With every earlier reply of this model in its own words, as it wrote them. */
  readonly request: ModelRequest;
  /** Empty where the server takes messages. */
  readonly prompt: readonly number[];
  readonly maxTokens: number;
}

export type GeneratedSegment = Extract<TokenSegment, { readonly type: 'generated' }>;

export interface GeneratedReply extends Omit<GeneratedSegment, 'type'> {
  /** What the server was sent, where it renders. */
  readonly prompt?: readonly number[];
  readonly text: string;
  /** Reasoning the server took out of the text. */
  readonly thinking?: string;
}

/** What is kept with a reply in the log: how it goes back. Under the protocol `tokens`. */
export interface TokenNative {
  readonly text: string;
  readonly tokens: readonly number[];
  readonly finish: GeneratedSegment['finish'];
}
export const TOKENS = 'tokens';

/** Ids of tokens; throws for anything else. */
export function readTokens(value: Json | undefined, where: string): readonly number[] {
  if (!Array.isArray(value)) throw new SyntaxError(`the reply has no ${where}`);
  return value.map((id: Json) => {
    if (typeof id === 'number' && Number.isInteger(id) && id >= 0) return id;
    throw new SyntaxError(`${where} of the reply holds ${JSON.stringify(id)}, which is no token`);
  });
}

/** One number for each token: what is missing is never made up. */
export function matchLogprobs(tokens: readonly number[], logprobs: readonly (number | undefined)[]): readonly number[] {
  if (tokens.length !== logprobs.length)
    throw new SyntaxError(`the reply has ${tokens.length} tokens and ${logprobs.length} log-probabilities`);
  return logprobs.map((value, index) => {
    if (value !== undefined && Number.isFinite(value)) return value;
    throw new SyntaxError(`the reply has no log-probability for token ${index + 1}`);
  });
}

/** `abort`: the server gave the generation up, for example to load new weights. */
export function readFinish(reason: Json | undefined): GeneratedSegment['finish'] {
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  return reason === 'abort' || reason === 'aborted' || reason === 'error' ? 'aborted' : 'stop';
}

/** What was asked of sampling, under the names vLLM and SGLang share. Absent fields stay out. */
export function listSampling({ sampling = {} }: ModelRequest): JsonObject {
  const { temperature, topP, stop, extraBody } = sampling;
  return {
    ...extraBody,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stop !== undefined && { stop: [...stop] }),
  };
}

/** Markers of calls and thoughts are special tokens in some vocabularies: the text has to show them. */
export const SHOW_SPECIALS = { skip_special_tokens: false, spaces_between_special_tokens: false } as const;
