import { isMessage, type Entry } from '../../../../contracts/entry.ts';
import { textTokens } from '../../tokens.ts';
import { clipTokens, saidText } from '../blocks.ts';
import type { Plan } from '../plan.ts';
import { isSaid, type LogRow } from '../rows.ts';
import { ACTIVE_ANSWERED, ACTIVE_BELOW, ACTIVE_NONE, ACTIVE_OPEN } from '../words.ts';

/** What a request that is still in view, or answered, may take here: enough to know it again. */
const REMINDER_TOKENS = 500;

export interface ActiveTask {
  readonly text: string;
  /** Entries whose words stand in it. */
  readonly seqs: ReadonlySet<number>;
}

/** The latest request and what was said into it since, word for word: no model decides what the task is. */
export function activeTask(entries: readonly Entry[], plan: Plan, cap: number): ActiveTask {
  const rows = entries.filter((entry): entry is LogRow => isMessage(entry) && isSaid(entry));
  const opener = Math.max(
    rows.findLastIndex(({ origin }) => origin !== 'steer'),
    0,
  );
  const request = rows.slice(opener);
  const [first] = request;
  if (first === undefined) return { text: ACTIVE_NONE, seqs: new Set() };
  const answered = entries.some((entry) => entry.type === 'outcome' && entry.outcome === 'answered' && entry.seq > first.seq);
  const covered = request.filter(({ seq }) => seq >= plan.fromSeq && seq <= plan.toSeq);
  const whole = answered || covered.length === 0 ? Math.min(REMINDER_TOKENS, cap) : cap;
  const intro = answered ? ACTIVE_ANSWERED : covered.length === 0 ? ACTIVE_BELOW : ACTIVE_OPEN;
  return { text: [intro, ...wordsWithin(request, whole)].join('\n\n'), seqs: new Set(request.map(({ seq }) => seq)) };
}

/** The fewest tokens anybody's words get. */
const LEAST_TOKENS = 20;

/** The latest words and the request itself come first; what was said between them shares the rest. Nobody's are left out. */
function wordsWithin(request: readonly LogRow[], cap: number): string[] {
  const words = request.map(({ message }) => saidText(message));
  const last = words.length - 1;
  const order = [last, ...(last > 0 ? [0] : []), ...words.keys().filter((place) => place > 0 && place < last)];
  let left = cap;
  for (const [turn, place] of order.entries()) {
    const given = clipTokens(words[place] ?? '', Math.max(turn === last ? left : left / 2, LEAST_TOKENS));
    left -= textTokens(given);
    words[place] = given;
  }
  return words;
}
