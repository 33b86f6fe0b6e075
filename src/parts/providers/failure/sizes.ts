import type { FailureFacts } from './facts.ts';
import { isOutputLimit, isOverTokenLimit, findOutputRoom, OUTPUT_NAME, countSizes } from './numbers.ts';
import { EXCESS, MONEY, NOT_SENT, SENT, SHORT_FIELD, SIZE, TOO_LONG } from './words.ts';

/** No window is smaller; what is stated below this is a count of something else. */
export const MIN_WINDOW = 256;
const TOKENS =
  /\btok(?:en)?s?\b|tokens?\b|context|トークン|prompt|(?:input|sequence|current|total|message) length|max_seq|kontext|jetons?\b|长度/;
const TOKENS_PER_TIME =
  /tokens? per[ -](min|sec|hour|day)|\b(tokens?|input|output)[ -]per[ -]minute|\b[iot]?tp[md]\b|tokens? \/ ?min|tokens.{0,20}per.?minute/;
const PER_TIME =
  /per[ -]?(min|minute|sec|second|hour|day)\b|\b[iotr]?[tr]p[md]\b|\bqps\b|\/ ?min|rate.?limit|每分钟|每秒|速率|分あたり|毎分|(?:par|pro) (?:minute|sec|sek)/;
/** What else an account may do: said beside a size, and no limit that was hit. */
const ASIDE = /[^.;\n]*\b\d+ (?:requests?|calls?|queries) (?:per|a|each|every|\/) ?(?:min|sec|hour|day)[^.;\n]*/g;
const isPerTime = (words: string): boolean => PER_TIME.test(words.replaceAll(ASIDE, ''));

/** There a token is what lets one in. */
const ABOUT_ACCESS: readonly number[] = [401, 402, 403];

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
  isAboutTokens(facts) &&
  !ABOUT_ACCESS.includes(facts.status) &&
  (facts.numbers.limit ?? 0) >= MIN_WINDOW &&
  isOverTokenLimit(facts.numbers, facts.estimate, facts.words);

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
  TOKENS.test(words) && !isPerTime(words) && !/thinking|budget|too small|at least 1\b|below minimum/.test(words);

/** Words that can mean nothing but a prompt that is too long. */
export const saysTooLong = ({ words, status }: FailureFacts): boolean =>
  !ABOUT_ACCESS.includes(status) && TOO_LONG.test(words) && !isOfAnother(words);

/**
 * Something that is sent is too much in some way, whatever the words, or tokens are set against tokens: worth one try with less before
 * the turn is given up.
 */
export function mayMeanTooLong({ words }: FailureFacts): boolean {
  if (isOfAnother(words)) return false;
  const text = words.replaceAll(OUTPUT_NAME, ' ');
  const sentences = text.split(/[.;!\n。；！](?!\d)/);
  const said = sentences.some((sentence) => [SENT, EXCESS, SIZE].every((sign) => sign.test(sentence)) && !NOT_SENT.test(sentence));
  return said || (TOKEN.test(text) && !/output|completion|generat/.test(text) && !NOT_SENT.test(text) && countSizes(text) === 2);
}
const TOKEN = /\btok(?:en)?s?\b|token|トークン|jetons?\b|токен|토큰/;

const isOfAnother = (words: string): boolean => SHORT_FIELD.test(words) || isPerTime(words) || BYTES.test(words) || MONEY.test(words);
