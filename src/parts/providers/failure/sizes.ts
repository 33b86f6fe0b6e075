import type { FailureFacts } from './facts.ts';
import { isOutputLimit, isOverTokenLimit, findOutputRoom } from './numbers.ts';
import { SHORT_FIELD, TOO_LONG } from './words.ts';

/** No window is smaller; what is stated below this is a count of something else. */
export const MIN_WINDOW = 256;
const TOKENS = /tokens?\b|context|トークン|prompt|input length|max_seq|sequence length/;
const TOKENS_PER_TIME =
  /tokens? per[ -](min|sec|hour|day)|\b(tokens?|input|output)[ -]per[ -]minute|\b[iot]?tp[md]\b|tokens? \/ ?min|tokens.{0,20}per.?minute/;
const PER_TIME = /per[ -]?(min|minute|sec|second|hour|day)\b|\b[iotr]?[tr]p[md]\b|\bqps\b|\/ ?min|rate.?limit/;

/** Said of the body as it was sent. */
const BYTES = /\bbytes?\b|\d ?[kmg]i?b\b|payload size|pixels|(image|audio|video|file|url|data)\S*'?: string too long/;

/** A limit per minute that this one request alone is above: no wait will ever cure it. */
export function isOverTokenRate({ words, numbers: { limit, input, total }, estimate }: FailureFacts): boolean {
  if (limit === undefined || limit < MIN_WINDOW || !TOKENS_PER_TIME.test(words)) return false;
  const asked = input ?? total ?? estimate;
  return asked !== undefined && asked > limit;
}

/** A stated window that the prompt is above, by the answer's own figures or by our estimate. */
export const isOverStatedLimit = (facts: FailureFacts): boolean =>
  isAboutTokens(facts) && (facts.numbers.limit ?? 0) >= MIN_WINDOW && isOverTokenLimit(facts.numbers, facts.estimate, facts.words);

/** The prompt fits and the output asked for does not. */
export const isOverOutputRoom = (facts: FailureFacts): boolean =>
  isAboutTokens(facts) && findOutputRoom(facts.numbers, facts.estimate, facts.words) !== undefined;

/** The output asked for is too much, and how much would not be is left unsaid. */
export const saysTooMuchOutput = ({ words }: FailureFacts): boolean =>
  isOutputLimit(words) &&
  /too (large|high|big)|exceed|above|(greater|higher|larger|more) than/.test(words) &&
  !SHORT_FIELD.test(words) &&
  !/must be (greater|more|larger)|>=|minimum/.test(words);

/** Sentences about a window, and about nothing that also has one. */
const isAboutTokens = ({ words }: FailureFacts): boolean =>
  TOKENS.test(words) && !PER_TIME.test(words) && !/thinking|budget|too small|at least 1\b|below minimum/.test(words);

/** Words that can mean nothing but a prompt that is too long. */
export const saysTooLong = ({ words }: FailureFacts): boolean =>
  TOO_LONG.test(words) && !SHORT_FIELD.test(words) && !PER_TIME.test(words) && !BYTES.test(words);
