import type { LogMessage } from '../../../../contracts/entry.ts';
import { clip } from '../../../../base/text.ts';
import { textTokens } from '../../view/tokens.ts';
import { saidText } from '../rows/blocks.ts';
import { isSaid } from '../rows/rows.ts';
import { rulesIn } from './cues.ts';
import { leftOut } from './words.ts';

const MESSAGE_LENGTH = 600;
/** Rules are the last thing to lose: they may take more than the section's share. */
const RULES_STRETCH = 1.6;

interface UserText {
  readonly seq: number;
  /** The message, shortened where it is long; a rule that would fall out is added. */
  readonly whole: string;
  /** Its rules alone. */
  readonly rules: string;
}

/** What people said in a span, word for word: rules first, then whole messages from the newest back, as far as the budget goes. */
export function whatWasSaid(rows: readonly LogMessage[], budget: number, elsewhere: ReadonlySet<number>): readonly string[] {
  const said = distinct(rows.filter((row) => isSaid(row) && !elsewhere.has(row.seq))).toReversed();
  const chosen = new Map<number, string>();
  let spent = 0;
  const offer = (seq: number, words: string, limit: number): void => {
    const more = cost(words) - cost(chosen.get(seq) ?? '');
    if (words === '' || spent + more > limit) return;
    spent += more;
    chosen.set(seq, words);
  };
  for (const { seq, rules } of said) offer(seq, rules, budget * RULES_STRETCH);
  for (const { seq, whole } of said) offer(seq, whole, budget);
  const missing = said.length - chosen.size;
  const lines = [...chosen].toSorted(([a], [b]) => a - b).map(([seq, words]) => `- [${seq}] ${words}`);
  return missing === 0 ? lines : [leftOut(missing), ...lines];
}

/** Each text once, at its newest place: "go on" twenty times says it once. */
function distinct(rows: readonly LogMessage[]): UserText[] {
  const byText = new Map<string, number>();
  for (const { seq, message } of rows) byText.set(saidText(message).trim(), seq);
  byText.delete('');
  return [...byText].map(([words, seq]) => saidOf(seq, words)).toSorted((a, b) => a.seq - b.seq);
}

function saidOf(seq: number, words: string): UserText {
  const rules = rulesIn(words);
  const short = clip(words, MESSAGE_LENGTH, () => ' […] ');
  const lost = rules.filter((rule) => !short.includes(rule));
  return { seq, whole: [short, ...lost].join('\n'), rules: rules.join(' […] ') };
}

const LINE_TOKENS = 4;
const cost = (words: string): number => (words === '' ? 0 : textTokens(words) + LINE_TOKENS);
