/**
 * A conversation as the model's server saw it, token by token: taken from what was sent and generated, never made again from text.
 *
 * Promises:
 * - the tokens of all segments in order are the whole sequence;
 * - a generated token has its log-probability at the moment it was chosen, a prompt token has none;
 * - a segment that begins a new prefix (the server was sent something that does not continue what it generated) says so, and
 *   the segments before it are a sequence of their own.
 */
export interface TokenTrace {
  readonly sequences: readonly TokenSequence[];
}
export interface TokenSequence {
  readonly segments: readonly TokenSegment[];
}
export type TokenSegment =
  | { readonly type: 'prompt'; readonly tokens: readonly number[] }
  | {
      readonly type: 'generated';
      readonly tokens: readonly number[];
      readonly logprobs: readonly number[];
      readonly finish: 'stop' | 'length' | 'aborted';
    };

/** No loss is computed where a mask has this value; elsewhere it is the token itself. */
export const MASKED = -100;
/** Stands for the log-probability of a token that was not generated. */
export const PROMPT_LOGPROB = 1;

export interface FlatSequence {
  readonly tokens: readonly number[];
  readonly masks: readonly number[];
  readonly logprobs: readonly number[];
}

/** A sequence as a trainer takes it. */
export function flattenSequence({ segments }: TokenSequence): FlatSequence {
  return {
    tokens: segments.flatMap(({ tokens }) => tokens),
    masks: segments.flatMap((segment) => (segment.type === 'generated' ? segment.tokens : segment.tokens.map(() => MASKED))),
    logprobs: segments.flatMap((segment) => (segment.type === 'generated' ? segment.logprobs : segment.tokens.map(() => PROMPT_LOGPROB))),
  };
}
