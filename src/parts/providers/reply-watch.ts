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

/** A reply while it comes. It is ended when it comes to nothing but repetition, or is longer than any reply can be. */
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

export function watchReply(): ReplyWatch {
  const [words, thoughts] = [watchRepetition(), watchRepetition()];
  let [text, chars, calls] = ['', 0, NO_CALLS];
  // Arguments of one call at a time; another call begins anew.
  let [args, seen] = [watchRepetition(), NO_CALLS];
  const endless = (detail: string): Failure => ({ type: 'repetition', detail, partial: { text: words.text().slice(0, MAX_KEPT_CHARS) } });
  const tooLong = (): Failure | undefined =>
    chars + calls.chars > MAX_REPLY_CHARS ? endless(`the reply went past ${MAX_REPLY_CHARS} characters and was cut off`) : undefined;
  return {
    add: ({ type, delta }) => {
      chars += delta.length;
      if (type === 'text_delta') text += delta;
      return (type === 'text_delta' ? words : thoughts).add(delta) ? endless(REPEATS) : tooLong();
    },
    addCalls: (progress) => {
      calls = progress;
      if (progress.calls === seen.calls && progress.chars - seen.chars < EVERY_CHARS) return undefined;
      const isSame = progress.calls === seen.calls && progress.args.length >= seen.args.length;
      if (!isSame) args = watchRepetition();
      const repeats = args.add(isSame ? progress.args.slice(seen.args.length) : progress.args);
      seen = progress;
      if (progress.calls > MAX_CALLS) return endless(`the reply made more than ${MAX_CALLS} calls and was cut off`);
      return repeats ? endless(REPEATS) : tooLong();
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
