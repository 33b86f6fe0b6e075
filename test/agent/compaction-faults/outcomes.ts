import assert from 'node:assert/strict';
import type { Entry } from '../../../src/contracts/entry.ts';
import type { ExitReason } from '../../../src/contracts/event.ts';
import type { Deed } from './moments.ts';
import { MESSAGES, wordsOf } from './script.ts';
import type { Told } from './world.ts';

/** Every message of the user stands once in the log, in order, and has exactly one outcome: an answer, unless the fault took it. */
export function assertOutcomes({ entries, moments, fault }: Told): void {
  const said = entries.filter(({ origin }) => origin === 'user');
  assert.deepEqual(said.map(wordsOf), MESSAGES, 'every message is in the log once');
  const reasons = said.map((entry) => exitOf(entries, entry.turnId));
  assert.equal(entries.filter(({ type }) => type === 'outcome').length, MESSAGES.length, 'no outcome stands by itself');
  const spoilt = reasons.filter((reason) => reason !== 'answered');
  const allowed = fault === undefined ? [] : excuses(fault.deed, moments[fault.at]?.label ?? '');
  for (const reason of spoilt) assert.ok(allowed.includes(reason), `a turn ended as ${reason}`);
  // A stop that comes while a message catches up with the turn before it ends both.
  assert.ok(spoilt.length <= (fault?.deed === 'abort' || fault?.deed === 'hang' ? 2 : 1), `turns ended as ${spoilt.join()}`);
}

export function exitOf(entries: readonly Entry[], turnId: string | undefined): ExitReason {
  const outcomes = entries.filter((entry) => entry.type === 'outcome' && entry.turnId === turnId);
  assert.equal(outcomes.length, 1, `turn ${turnId ?? '?'} has ${outcomes.length} outcomes`);
  const [outcome] = outcomes;
  assert.ok(outcome?.type === 'outcome');
  return outcome.exitReason;
}

/** Where the provider had refused the request already, that refusal is what a turn without a compaction ends with. */
const UNSHRUNK = 'context_overflow';

/** How a turn may end other than with its answer. A crash, a store that fails and a model for summaries that does cost nothing. */
function excuses(deed: Deed, label: string): readonly ExitReason[] {
  if (deed === 'abort' || deed === 'hang') return ['interrupted'];
  // An engine that throws leaves the old view, as one does that says no.
  if (/^(?:engine|compress)/.test(label)) return deed === 'error' || deed === 'defect' ? [UNSHRUNK] : [];
  if (deed === 'defect') return ['internal_error'];
  // A provider is not to throw at all: if it does, the turn ends with words.
  return deed === 'error' && label.startsWith('provider') ? ['internal_error'] : [];
}
