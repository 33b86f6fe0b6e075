import { isMessageEntry, type Entry, type LogMessage } from '../../../../contracts/entry.ts';
import { clip } from '../../../../base/text.ts';
import { collectToolCalls, joinTextBlocks } from '../../../../contracts/message.ts';
import { estimateTextTokens } from '../../view/tokens.ts';
import { isSpecific, isStatement, learnRoutine, splitSentences, withoutPasted, type MeasureRoutine } from './sentences.ts';

const SENTENCE_LENGTH = 300;
/** Sentences of one message, so that a report does not drown the others. */
const MAX_SENTENCES = 8;
/** More of a sentence than this in turns of phrase of the session says nothing new. */
const ROUTINE = 0.45;

interface AnsweredSentence {
  readonly seq: number;
  readonly place: number;
  readonly text: string;
  readonly worth: number;
  readonly tokens: number;
}

/** What the assistant said in a span, without its turns of phrase: what is most worth knowing first, told in order. */
export function createAnswerPicker(rows: readonly LogMessage[]): (budget: number) => readonly string[] {
  const said = rows.filter(isAnswering).map((row) => ({ row, words: withoutPasted(joinTextBlocks(row.message)) }));
  const routine = learnRoutine(said.map(({ words }) => words));
  const offered = said
    .flatMap(({ row, words }, index) => sentencesOf(row, words, index / Math.max(1, said.length), routine))
    .toSorted((a, b) => b.worth - a.worth);
  const first = [...new Map(offered.toReversed().map((each) => [each.text, each])).values()].toReversed();
  return (budget) => {
    const chosen = new Map<number, AnsweredSentence[]>();
    let left = budget;
    for (const each of first) {
      const cost = each.tokens + (chosen.has(each.seq) ? 1 : LINE_TOKENS);
      if (cost > left) continue;
      left -= cost;
      chosen.set(each.seq, [...(chosen.get(each.seq) ?? []), each]);
    }
    return [...chosen].toSorted(([a], [b]) => a - b).map(([seq, list]) => lineOf(seq, list));
  };
}

const lineOf = (seq: number, list: readonly AnsweredSentence[]): string =>
  `- [${seq}] ${list
    .toSorted((a, b) => a.place - b.place)
    .map(({ text }) => text)
    .join(' ')}`;
const LINE_TOKENS = 4;

const isAnswering = ({ message }: LogMessage): boolean =>
  message.role === 'assistant' && message.content.some((block) => block.type === 'text' && block.text !== '');

function sentencesOf({ seq, message }: LogMessage, words: string, age: number, routine: MeasureRoutine): AnsweredSentence[] {
  const closes = message.role === 'assistant' && collectToolCalls(message).length === 0;
  return splitSentences(words)
    .slice(0, MAX_LOOKED_AT)
    .flatMap((sentence, place) => {
      const habit = routine(sentence);
      if (habit > ROUTINE || !isStatement(sentence)) return [];
      const worth = (1 - habit) * (closes ? CLOSES : 1) * (isSpecific(sentence) ? SPECIFIC : 1) + NEWER * age;
      const text = clip(sentence.replace(BULLET, ''), SENTENCE_LENGTH, () => ' […] ');
      return [{ seq, place, text, worth, tokens: estimateTextTokens(text) }];
    })
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, MAX_SENTENCES);
}
const MAX_LOOKED_AT = 200;
const BULLET = /^(?:[-*+•]|#{1,6})\s+/;
/** What ends a turn is what came of it. */
const CLOSES = 1.5;
const SPECIFIC = 1.4;
const NEWER = 0.2;

/** About what the words of a conversation take in notes; a tail leaves so much room. */
const WORDS_OF = { user: 600, assistant: 240 };
export const estimateConversationTokens = (entries: readonly Entry[]): number =>
  entries.filter(isMessageEntry).reduce((sum, { message }) => {
    if (message.role === 'tool' || (message.role === 'assistant' && collectToolCalls(message).length > 0)) return sum;
    return sum + estimateTextTokens(clip(withoutPasted(joinTextBlocks(message)), WORDS_OF[message.role], () => '')) + LINE_TOKENS;
  }, 0);
