import assert from 'node:assert/strict';
import { createModelRequest } from '../../../src/agent/request.ts';
import { isMessageEntry, type CompactionEntry, type Entry, type EntryHead } from '../../../src/contracts/entry.ts';
import { collectToolCalls, joinTextBlocks, type Message } from '../../../src/contracts/message.ts';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS } from '../../../src/contracts/runtime.ts';
import { windowEngine } from '../../../src/parts/context/window.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { PROTOCOLS } from '../invariants/story.ts';
import { assertSound } from '../invariants/wire.ts';
import { says } from '../setup.ts';
import { assertOutcomes } from './outcomes.ts';
import { SMALL, wordsOf } from './script.ts';
import type { Told } from './world.ts';

type Check = (told: Told) => void;
type Compaction = EntryHead & CompactionEntry;

/** What must hold whatever went wrong. */
const CHECKS: readonly Check[] = [
  nothingLost,
  assertOutcomes,
  spansWhole,
  oneCommitEach,
  allPaid,
  requestsSound,
  oldViewInForce,
  deedsOnce,
];

export function assertWhole(told: Told): void {
  for (const check of CHECKS) check(told);
}

/** All that was said to be durable is in the log, in the order it was said, and nothing else is. */
function nothingLost({ log, heard, entries }: Told): void {
  assert.deepEqual(entries, log, 'the log is what the commits added, one after the other');
  entries.forEach(({ seq }, place) => assert.equal(seq, place + 1, 'the log has no gap'));
  for (const entry of heard) assert.deepEqual(entries[entry.seq - 1], entry, `entry ${entry.seq} was told as durable`);
}

/** A compaction covers steps whole, says something, and takes in whole what an earlier one covered. */
function spansWhole({ entries }: Told): void {
  const spans = entries.filter((entry): entry is Compaction => entry.type === 'compaction');
  spans.forEach((span, place) => {
    assert.ok(span.fromSeq <= span.toSeq && span.toSeq < span.seq, `the span of entry ${span.seq} lies before it`);
    assert.notEqual(joinTextBlocks(span.summary).trim(), '', `entry ${span.seq} has a summary`);
    assert.deepEqual(
      callIds(entries, span, 'asked'),
      callIds(entries, span, 'answered'),
      `entry ${span.seq} parts no call from its result`,
    );
    for (const earlier of spans.slice(0, place)) assert.ok(nested(earlier, span), `entry ${span.seq} cuts into the span of ${earlier.seq}`);
  });
}
const nested = (earlier: Compaction, later: Compaction): boolean =>
  earlier.toSeq < later.fromSeq || (later.fromSeq <= earlier.fromSeq && earlier.toSeq <= later.toSeq);

function callIds(entries: readonly Entry[], { fromSeq, toSeq }: CompactionEntry, side: 'asked' | 'answered'): readonly string[] {
  const inside = entries.filter(isMessageEntry).filter(({ seq }) => seq >= fromSeq && seq <= toSeq);
  return inside.flatMap(({ message }) => IDS[side](message)).toSorted();
}
const IDS: Readonly<{ [side in 'asked' | 'answered']: (message: Message) => readonly string[] }> = {
  asked: (message) => (message.role === 'assistant' ? collectToolCalls(message).map(({ id }) => id) : []),
  answered: (message) => (message.role === 'tool' ? [message.callId] : []),
};

/** A compaction and where the turn goes after it become durable together. */
function oneCommitEach({ changes }: Told): void {
  for (const { append = [], turn } of changes) {
    const compactions = append.filter(({ type }) => type === 'compaction').length;
    assert.ok(compactions <= 1 && (compactions === 0 || turn?.phase === 'sample'), 'a compaction is committed with the step after it');
  }
}

/** All that a compaction says it took is entered in the ledger with it. */
function allPaid({ changes }: Told): void {
  for (const { append = [], calls = [] } of changes) {
    const reports = append.flatMap((entry) =>
      entry.type === 'compaction' ? [entry.report] : entry.type === 'note' ? [entry.compaction] : [],
    );
    const told = reports.reduce((sum, report) => sum + (report?.usage?.input ?? 0), 0);
    const entered = calls.filter(({ purpose }) => purpose === 'compaction').reduce((sum, { usage }) => sum + usage.input, 0);
    assert.ok(entered >= told, 'the ledger has the calls of a compaction');
  }
}

const formatOf = createWireFormats(() => undefined);
/** Everything the model was sent is sound on every wire and holds what the user said last; so would be what comes next. */
function requestsSound({ requests, entries, fault }: Told): void {
  // Up to the fault all stories are the one without, which was looked at whole.
  for (const { request, through } of requests.filter(({ at }) => at > (fault?.at ?? -1))) {
    assertWires(request);
    const latest = wordsOf(entries.slice(0, through).findLast(({ origin }) => origin === 'user'));
    const held = request.messages.some(({ message }) => joinTextBlocks(message).includes(latest));
    assert.ok(held, `"${latest}" is in the request after entry ${through}`);
  }
  const next = createModelRequest(entries, { runtime: SMALL, adjust: DEFAULT_ADJUSTMENTS, toolUse: 'auto', cacheTtl: '5m' }, windowEngine);
  assertWires({ ...next, messages: [...next.messages, { message: says('next') }] });
}
function assertWires(request: ModelRequest): void {
  for (const protocol of PROTOCOLS) {
    const runtime = { ...request.runtime, protocol };
    assertSound(protocol, formatOf(runtime).encode({ ...request, runtime }).body);
  }
}

/** Only a compaction in the log changes what was shown; without one each request begins with the one before it. */
function oldViewInForce({ requests, entries, fault }: Told): void {
  const last = requests.findLastIndex(({ at }) => at <= (fault?.at ?? -1));
  let before = requests[last];
  for (const sent of requests.slice(last + 1)) {
    const changed = entries.slice(before?.through ?? 0, sent.through).some(({ type }) => type === 'compaction');
    const shown = before?.request.messages ?? [];
    if (!changed) assert.deepEqual(sent.request.messages.slice(0, shown.length), shown, `the view stays after entry ${sent.through}`);
    before = sent;
  }
}

/** Nothing is done twice, and what its result calls done was done. */
function deedsOnce({ deeds, entries }: Told): void {
  for (const [callId, times] of deeds) assert.equal(times, 1, `call ${callId} did its deed ${times} times`);
  for (const { message } of entries.filter(isMessageEntry)) {
    if (message.role !== 'tool' || message.name !== 'deed' || message.failed) continue;
    assert.equal(deeds.get(message.callId), 1, `call ${message.callId} is told as done`);
  }
}
