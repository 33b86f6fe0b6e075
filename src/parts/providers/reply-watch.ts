import type { Failure } from '../../contracts/failure.ts';
import type { CallProgress, ModelEvent } from '../../contracts/provider.ts';
import { watchRepetition } from './repetition.ts';

/** Characters of a whole reply: reasoning, words and arguments. About a million tokens, several times what any model gives. */
const MAX_REPLY_CHARS = 4_000_000;
/** Calls of one reply. */
const MAX_CALLS = 256;
/** How often arguments are looked at: to look at the end of a long text that grows is to copy all of it. */
const EVERY_CHARS = 4_096;
/** What is kept of the words of a reply that did not come to an end. */
const MAX_KEPT_CHARS = 20_000;

/** A reply while it comes. It is ended when it comes to nothing but repetition, or is longer than was asked for or any reply can be. */
export interface ReplyWatch {
  /** Why the reply is not worth waiting for any longer, if so. */
  add(event: Extract<ModelEvent, { readonly delta: string }>): Failure | undefined;
  /** The same by the calls so far. */
  addCalls(progress: CallProgress): Failure | undefined;
  /** The words so far. */
  readonly text: string;
  /** Characters of reasoning, words and arguments so far. */
  readonly chars: number;
}

/**
 * Letters that make a token at least, in prose of any script: more of them, and the server has written more tokens than it was asked for.
 * Runs of one letter are one, for tokens of many spaces or dashes exist; a sign of Chinese or Japanese makes most of a token by itself.
 */
const LETTERS_PER_TOKEN = 5;
/** A short reply may lie further from the average. */
const SLACK_LETTERS = 400;
const LETTERS_PER_SIGN = 4;
const FIRST_SIGN = 0x2e80;

function countLetters(text: string): number {
  let [letters, last] = [0, -1];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== last) letters += code >= FIRST_SIGN ? LETTERS_PER_SIGN : 1;
    last = code;
  }
  return letters;
}

/** `maxOutput`: the tokens that were asked for at most. Not every server keeps to it. */
export function watchReply(maxOutput = Infinity): ReplyWatch {
  let letters = 0;
  const [words, thoughts] = [watchRepetition(), watchRepetition()];
  let [text, chars, calls] = ['', 0, NO_CALLS];
  // Arguments of one call at a time; another call begins anew.
  let [args, seen] = [watchRepetition(), NO_CALLS];
  const endless = (detail: string): Failure => ({ type: 'repetition', detail, partial: { text: words.text().slice(0, MAX_KEPT_CHARS) } });
  const isOverCap = (delta: string): boolean =>
    maxOutput !== Infinity && (letters += countLetters(delta)) > maxOutput * LETTERS_PER_TOKEN + SLACK_LETTERS;
  const overCap = (): Failure => ({
    type: 'truncated',
    detail: `the server wrote on past the ${maxOutput} tokens it was asked to stop at, and the reply was cut off`,
    partial: { text: text.slice(0, MAX_REPLY_CHARS) },
    calls: calls.calls > 0,
  });
  const tooLong = (): Failure | undefined =>
    chars + calls.chars > MAX_REPLY_CHARS ? endless(`the reply went past ${MAX_REPLY_CHARS} characters and was cut off`) : undefined;
  return {
    add: ({ type, delta }) => {
      chars += delta.length;
      if (type === 'text_delta') text += delta;
      if ((type === 'text_delta' ? words : thoughts).add(delta)) return endless(REPEATS);
      return isOverCap(delta) ? overCap() : tooLong();
    },
    addCalls: (progress) => {
      calls = progress;
      if (progress.calls === seen.calls && progress.chars - seen.chars < EVERY_CHARS) return undefined;
      const isSame = progress.calls === seen.calls && progress.args.length >= seen.args.length;
      if (!isSame) args = watchRepetition();
      const fresh = isSame ? progress.args.slice(seen.args.length) : progress.args;
      const repeats = args.add(fresh);
      seen = progress;
      if (progress.calls > MAX_CALLS) return endless(`the reply made more than ${MAX_CALLS} calls and was cut off`);
      if (repeats) return endless(REPEATS);
      return isOverCap(fresh) ? overCap() : tooLong();
    },
    get text() {
      return text;
    },
    get chars() {
      return chars + calls.chars;
    },
  };
}

const NO_CALLS: CallProgress = { calls: 0, name: '', chars: 0, args: '' };
const REPEATS = 'the reply repeated one piece of text over and over and was cut off';
