import type { History, Question } from './corpus.ts';
import { holds, normalize, words } from './text.ts';

type Strings = Pick<Question, 'text' | 'gold' | 'forbidden' | 'poison'>;

/** Pairs of signs overlap, so three of them are about two words. */
const ENOUGH = { word: 2, pair: 3 };
const WITH_PAIRS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}]/u;

/**
 * Answerable: `easy` when, for each list of gold, a message with one of its strings shares two words with the question.
 * Unanswerable: `easy` when no message with a string that must not be shown does.
 */
export function lexicalIn(history: History): (question: Strings) => 'easy' | 'hard' {
  const messages = history.sessions
    .flatMap(({ turns }) => turns.flatMap((turn) => turn.messages))
    .map(({ text, foreign }) => ({ foreign, text: normalize(text), words: words(text) }));
  const own = messages.filter(({ foreign }) => !foreign);
  return ({ text, gold, forbidden, poison }) => {
    const asked = words(text);
    const enough = WITH_PAIRS.test(text) ? ENOUGH.pair : ENOUGH.word;
    const leadsTo = (strings: readonly string[], from: typeof messages): boolean =>
      from.some((message) => asked.intersection(message.words).size >= enough && strings.some((string) => holds(message.text, string)));
    if (gold.length === 0) return leadsTo([...forbidden, ...poison], messages) ? 'hard' : 'easy';
    return gold.every((strings) => leadsTo(strings, own)) ? 'easy' : 'hard';
  };
}
