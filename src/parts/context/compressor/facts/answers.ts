import { isMessage, type Entry, type LogMessage } from '../../../../contracts/entry.ts';
import { clip } from '../../../../base/text.ts';
import { toolCalls, visibleText } from '../../../../contracts/message.ts';
import { textTokens } from '../../view/tokens.ts';
import { isSpecific, isStatement, routineIn, sentencesIn, withoutPasted, type RoutineOf } from './sentences.ts';

const SENTENCE_LENGTH = 300;
/** Sentences of one message, so that a report does not drown the others. */
const MOST_SENTENCES = 8;
/** More of a sentence than this in turns of phrase of the session says nothing new. */
const ROUTINE = 0.45;

interface AnswerSentence {
  readonly seq: number;
  readonly place: number;
  readonly text: string;
  readonly worth: number;
}

/** What the assistant said in a span, without its turns of phrase: what is most worth knowing first, told in order. */
export function whatWasAnswered(rows: readonly LogMessage[], budget: number): readonly string[] {
  const said = rows.filter(isAnswering).map((row) => ({ row, words: withoutPasted(visibleText(row.message)) }));
  const routine = routineIn(said.map(({ words }) => words));
  const offered = said.flatMap(({ row, words }, index) => sentencesOf(row, words, index / Math.max(1, said.length), routine));
  const chosen = new Map<number, AnswerSentence[]>();
  const seen = new Set<string>();
  let left = budget;
  for (const each of offered.toSorted((a, b) => b.worth - a.worth)) {
    const cost = textTokens(each.text) + (chosen.has(each.seq) ? 1 : LINE_TOKENS);
    if (cost > left || seen.has(each.text)) continue;
    left -= cost;
    seen.add(each.text);
    chosen.set(each.seq, [...(chosen.get(each.seq) ?? []), each]);
  }
  return [...chosen]
    .toSorted(([a], [b]) => a - b)
    .map(
      ([seq, list]) =>
        `- [${seq}] ${list
          .toSorted((a, b) => a.place - b.place)
          .map(({ text }) => text)
          .join(' ')}`,
    );
}
const LINE_TOKENS = 4;

const isAnswering = ({ message }: LogMessage): boolean =>
  message.role === 'assistant' && message.content.some((block) => block.type === 'text' && block.text !== '');

function sentencesOf({ seq, message }: LogMessage, words: string, age: number, routine: RoutineOf): AnswerSentence[] {
  const closes = message.role === 'assistant' && toolCalls(message).length === 0;
  return sentencesIn(words)
    .slice(0, MOST_LOOKED_AT)
    .flatMap((sentence, place) => {
      const habit = routine(sentence);
      if (habit > ROUTINE || !isStatement(sentence)) return [];
      const worth = (1 - habit) * (closes ? CLOSES : 1) * (isSpecific(sentence) ? SPECIFIC : 1) + NEWER * age;
      return [{ seq, place, text: clip(sentence.replace(BULLET, ''), SENTENCE_LENGTH, () => ' […] '), worth }];
    })
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, MOST_SENTENCES);
}
const MOST_LOOKED_AT = 200;
const BULLET = /^(?:[-*+•]|#{1,6})\s+/;
/** What ends a turn is what came of it. */
const CLOSES = 1.5;
const SPECIFIC = 1.4;
const NEWER = 0.2;

/** About what the words of a conversation take in notes; a tail leaves so much room. */
const WORDS_OF = { user: 600, assistant: 240 };
export const conversationTokens = (entries: readonly Entry[]): number =>
  entries.filter(isMessage).reduce((sum, { message }) => {
    if (message.role === 'tool' || (message.role === 'assistant' && toolCalls(message).length > 0)) return sum;
    return sum + textTokens(clip(withoutPasted(visibleText(message)), WORDS_OF[message.role], () => '')) + LINE_TOKENS;
  }, 0);
