import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompactionKind } from '../../../../src/contracts/entry.ts';
import type { CompressReason } from '../../../../src/contracts/context-engine.ts';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import { findCompactionRest } from '../../../../src/parts/context/compressor/rest.ts';
import { askOf, commit, engineWith, fails, good, newLog, report, summariser, workLog, type Log } from './log.ts';

const refused = (log: Log, why: string, at: number, kind?: CompactionKind) =>
  log.add(
    {
      type: 'note',
      origin: 'system',
      text: why,
      compaction: report({ outcome: 'refused', why, tokensAfter: 1_000, ...(kind !== undefined && { kind }) }),
    },
    at,
  );
const saved = (log: Log, share: number, at: number, engine = 'compressor') =>
  log.add(
    {
      type: 'compaction',
      origin: 'summary',
      fromSeq: 1,
      toSeq: 1,
      summary: { role: 'user', content: [createTextBlock('s', 'tool')] },
      report: report({ engine, tokensAfter: 1_000 * (1 - share) }),
    },
    at,
  );
const waits = (log: Log, now: number, reason: CompressReason = 'threshold') =>
  findCompactionRest(log.entries, 'compressor', reason, now)?.until;

const KINDS: readonly (readonly [why: string, ms: number, kind?: CompactionKind])[] = [
  ['aux: rate limited', 60_000, 'failed'],
  ['aux: no goal', 60_000, 'invalid'],
  ['9 tokens would become 8', 60_000, 'too_large'],
  ['no key', 600_000, 'hopeless'],
  ['failed: the words say otherwise', 600_000, 'hopeless'],
  ['by the user', 0, 'stopped'],
  // Rows of earlier versions have the kind as a word only.
  ['failed: rate limited', 60_000],
  ['invalid: no goal', 60_000],
  ['too_large: 9 tokens would become 8', 60_000],
  ['hopeless: no key', 600_000],
  ['stopped: by the user', 0],
  ['words of a later version', 60_000],
];
for (const [why, ms, kind] of KINDS) {
  test(`after "${why}"${kind === undefined ? '' : ` (${kind})`} automatic compactions rest for ${ms / 1000} s`, () => {
    const log = newLog();
    refused(log, why, 5_000, kind);
    assert.equal(waits(log, 5_000), ms === 0 ? undefined : 5_000 + ms);
    if (ms > 0) assert.equal(waits(log, 4_999 + ms), 5_000 + ms);
    assert.equal(waits(log, 5_000 + ms), undefined);
    for (const reason of ['asked', 'overflow'] as const) assert.equal(waits(log, 5_000, reason), undefined);
  });
}

test('after the clock was set back a rest lasts no longer than twice its time', () => {
  const log = newLog();
  const [hour, at] = [3_600_000, 10_000_000];
  refused(log, 'aux: rate limited', at, 'failed');
  // A small correction keeps the rest; after a jump an attempt is allowed again, and its report has the new time.
  assert.equal(waits(log, at - 59_999), at + 60_000);
  for (const now of [at - 60_000, at - hour]) assert.equal(waits(log, now), undefined);
  refused(log, 'aux: rate limited', at - hour, 'failed');
  assert.equal(waits(log, at - hour + 1), at - hour + 120_000, 'twice as long, as the second in a row');
  const weak = newLog();
  for (const offset of [0, 1]) saved(weak, 0.05, at + offset);
  assert.equal(waits(weak, at - 299_998), at + 300_001);
  assert.equal(waits(weak, at - hour), undefined);
});

test('rests grow: each refusal in a row doubles the next rest, up to an hour, and only notes end the row', () => {
  const log = newLog();
  let at = 1_000;
  const rests: number[] = [];
  for (let turn = 0; turn < 8; turn++) {
    refused(log, 'aux: rate limited', at, 'failed');
    // What the window forced in place of notes says nothing of whether notes can be had.
    if (turn === 2) log.add({ type: 'note', origin: 'system', text: '', compaction: report({ outcome: 'digest' }) }, at);
    const until = waits(log, at) ?? at;
    rests.push((until - at) / 60_000);
    at = until;
  }
  assert.deepEqual(rests, [1, 2, 4, 8, 16, 32, 60, 60]);
  saved(log, 0.5, at);
  refused(log, 'aux: rate limited', at + 1, 'failed');
  assert.equal(waits(log, at + 1), at + 60_001);
});

test('a success ends the rest', () => {
  const log = newLog();
  refused(log, 'hopeless: no key', 1_000);
  saved(log, 0.5, 2_000);
  assert.equal(waits(log, 2_001), undefined);
});

test('two weak results in a row block the threshold until a probe; a weak probe blocks again, a good one frees', () => {
  const log = newLog();
  saved(log, 0.05, 1_000);
  assert.equal(waits(log, 1_001), undefined);
  saved(log, 0.09, 2_000);
  assert.equal(waits(log, 2_001), 302_000);
  assert.equal(waits(log, 2_001, 'hygiene'), undefined);
  assert.equal(waits(log, 302_000), undefined);
  saved(log, 0.01, 302_500);
  assert.equal(waits(log, 303_000), 602_500);
  saved(log, 0.4, 603_000);
  assert.equal(waits(log, 603_001), undefined);
});

test('a result that was too large counts as weak, a failure to ask does not, and other engines count for themselves', () => {
  const log = newLog();
  saved(log, 0.05, 1_000);
  refused(log, 'failed: network', 2_000);
  assert.equal(waits(log, 70_000), undefined);
  refused(log, 'too_large: no gain', 80_000);
  assert.equal(waits(log, 210_000), 380_000);
  const other = newLog();
  saved(other, 0.01, 1, 'window');
  saved(other, 0.01, 2, 'window');
  assert.equal(waits(other, 3), undefined);
});

test('a failed attempt rests by what the caller stored, and a fresh engine knows it from the log alone', async () => {
  const log = workLog(6, 10, 2_000);
  let now = 1_000_000;
  const engine = () => engineWith([summariser(() => fails('overloaded'))], { now: () => now });
  const first = await engine().compress(askOf(log));
  assert.ok(!first.ok && first.report?.outcome === 'refused');
  commit(log, first, now);
  now += 59_000;
  const second = await engineWith([good()], { now: () => now }).compress(askOf(log));
  assert.ok(!second.ok && second.report === undefined, 'a wait is no attempt: storing it would make it last for ever');
  assert.match(second.why, /^waiting for 1 s: .*overloaded/);
  assert.equal((await engineWith([good()], { now: () => now }).compress(askOf(log, { reason: 'asked' }))).ok, true);
  now += 1_000;
  assert.equal((await engineWith([good()], { now: () => now }).compress(askOf(log))).ok, true);
});

test('with nobody to ask it rests ten minutes', async () => {
  const log = workLog(6, 10, 2_000);
  const result = await engineWith([]).compress(askOf(log));
  assert.ok(!result.ok);
  commit(log, result, 1_000_000);
  assert.equal(waits(log, 1_000_001), 1_600_000);
});
