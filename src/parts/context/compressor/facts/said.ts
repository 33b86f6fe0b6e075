import type { LogMessage } from '../../../../contracts/entry.ts';
import { clip } from '../../../../base/text.ts';
import { estimateTextTokens } from '../../view/tokens.ts';
import { joinMessageText } from '../rows/blocks.ts';
import { isSaid } from '../rows/rows.ts';
import { extractRules } from './cues.ts';
import { isSpecific, isStatement, learnRoutine, splitSentences, withoutPasted, type MeasureRoutine } from './sentences.ts';
import { describeOmittedMessages } from './words.ts';

const MESSAGE_LENGTH = 600;
/** Rules are the last thing to lose: they may take more than the section's share. */
export const RULES_STRETCH = 1.6;
/** More of a sentence than this in turns of phrase of the session sets no rule. */
const ROUTINE = 0.6;

interface UserText {
  readonly seq: number;
  /** The message, shortened where it is long; a rule that would fall out is added. */
  readonly whole: string;
  /** Its rules alone. */
  readonly rules: string;
  /** Its rules and what else it states: a rule needs no word that gives it away. */
  readonly stated: string;
  readonly specific: boolean;
}

/**
 * What people said in a span, word for word: rules first, then what they stated, the specific before the rest, then whole
 * messages from the newest back, as far as the budget goes.
 */
export function createStatementPicker(
  rows: readonly LogMessage[],
  elsewhere: ReadonlySet<number>,
): (budget: number, rulesBudget?: number) => readonly string[] {
  const said = distinct(rows.filter((row) => isSaid(row) && !elsewhere.has(row.seq))).toReversed();
  const [specific, other] = [said.filter((each) => each.specific), said.filter((each) => !each.specific)];
  return (budget, rulesBudget = budget * RULES_STRETCH) => {
    const chosen = new Map<number, string>();
    let spent = 0;
    const offer = (seq: number, words: string, limit: number): void => {
      const more = cost(words) - cost(chosen.get(seq) ?? '');
      if (words === '' || spent + more > limit) return;
      spent += more;
      chosen.set(seq, words);
    };
    for (const { seq, rules } of said) offer(seq, rules, rulesBudget);
    for (const { seq, stated } of [...specific, ...other]) offer(seq, stated, budget);
    for (const { seq, whole } of said) offer(seq, whole, budget);
    const missing = said.length - chosen.size;
    const lines = [...chosen].toSorted(([a], [b]) => a - b).map(([seq, words]) => `- [${seq}] ${words}`);
    return missing === 0 ? lines : [describeOmittedMessages(missing), ...lines];
  };
}

/** Each text once, at its newest place: "go on" twenty times says it once. */
function distinct(rows: readonly LogMessage[]): UserText[] {
  const byText = new Map<string, number>();
  for (const { seq, message } of rows) byText.set(joinMessageText(message).trim(), seq);
  byText.delete('');
  const routine = learnRoutine([...byText.keys()]);
  return [...byText].map(([words, seq]) => saidOf(seq, words, routine)).toSorted((a, b) => a.seq - b.seq);
}

function saidOf(seq: number, words: string, routine: MeasureRoutine): UserText {
  const prose = withoutPasted(words);
  const rules = extractRules(prose);
  const stated = [...new Set(splitSentences(prose))].filter((sentence) => isStatement(sentence) && routine(sentence) <= ROUTINE);
  const short = clip(prose, MESSAGE_LENGTH, () => ' […] ');
  const lost = rules.filter((rule) => !short.includes(rule));
  return {
    seq,
    whole: [short, ...lost].join('\n'),
    rules: rules.join(' […] '),
    stated: statedWords(stated, rules),
    specific: stated.some(isSpecific),
  };
}

/** The rules, and of the other statements as many as a message may have. */
function statedWords(stated: readonly string[], rules: readonly string[]): string {
  let left = MESSAGE_LENGTH;
  const kept = stated.filter((sentence) => rules.includes(sentence) || (left -= sentence.length) >= 0);
  return [...kept, ...rules.filter((rule) => !kept.includes(rule))].join(' […] ');
}

const LINE_TOKENS = 4;
const cost = (words: string): number => (words === '' ? 0 : estimateTextTokens(words) + LINE_TOKENS);
