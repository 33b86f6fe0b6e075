import { isMessageEntry, type Entry } from '../../contracts/entry.ts';
import type { Outcome } from '../../contracts/event.ts';
import { joinTextBlocks } from '../../contracts/message.ts';
import type { Artefacts, ChildResult } from '../../contracts/ports.ts';
import type { Session } from '../../contracts/session-store.ts';
import { collectTaint } from '../taint.ts';

/** How a child's last turn ended, by its log alone; `undefined` while there is none. */
export function findOutcome(entries: readonly Entry[]): Outcome | undefined {
  const last = entries.findLast((entry) => entry.type === 'outcome');
  if (last?.type !== 'outcome') return undefined;
  const words = last.notice ?? answerIn(entries);
  const base = { exitReason: last.exitReason, text: words, words: last.notice === undefined ? 'model' : 'ours' };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- type and reason were stored together
  return { type: last.outcome, ...base } as Outcome;
}

interface EndedChild {
  readonly session: Session;
  readonly entries: readonly Entry[];
  readonly outcome: Outcome | 'timeout' | 'stalled';
  readonly seconds: number;
  readonly artefacts: Artefacts;
  readonly withheld: readonly string[];
}

/** What a parent hears: how it ended, the last words, and what was left behind. A child that was cut short still tells what it did. */
export function toChildResult({ session, entries, outcome, seconds, artefacts, withheld }: EndedChild): ChildResult {
  const cut = typeof outcome === 'string';
  const said = answerIn(entries);
  return {
    status: cut ? outcome : STATUS[outcome.type](outcome),
    sessionId: session.id,
    // A failure is told as such, once.
    summary: cut || said !== '' || outcome.type === 'failed' ? said : outcome.text,
    ...(!cut && { exitReason: outcome.exitReason }),
    ...(!cut && outcome.type === 'failed' && { error: outcome.text }),
    artefacts,
    withheld,
    // What the model said; silence that only keeps the roles apart is ours.
    steps: entries.filter((entry) => isMessageEntry(entry) && entry.message.role === 'assistant' && entry.origin === 'model').length,
    seconds,
    foreign: collectTaint(entries.filter(isMessageEntry)),
  };
}

const STATUS: { readonly [Type in Outcome['type']]: (outcome: Outcome) => ChildResult['status'] } = {
  answered: () => 'completed',
  partial: () => 'partial',
  failed: () => 'failed',
  stopped: ({ exitReason }) => (exitReason === 'interrupted' || exitReason === 'terminated' ? 'interrupted' : 'partial'),
};

/** The last thing the child said; silence that only keeps the roles apart is none. */
const answerIn = (entries: readonly Entry[]): string =>
  entries
    .filter(isMessageEntry)
    .map(({ message }) => (message.role === 'assistant' ? joinTextBlocks(message).trim() : ''))
    .findLast((words) => words !== '') ?? '';
