import assert from 'node:assert/strict';
import { constants } from 'node:buffer';
import { appendFileSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { summarizeAttempts } from '../../../src/faces/environments/figures.ts';
import { openGroupFile, toGroup } from '../../../src/faces/environments/group.ts';
import { readRunSettings } from '../../../src/faces/environments/read-settings.ts';
import { writeReport } from '../../../src/faces/environments/report/write.ts';
import { readLatestRun, readMadeAttempts, toSampleLine } from '../../../src/faces/environments/result-file.ts';
import type { Rollout } from '../../../src/faces/environments/rollout.ts';
import { openOutbox } from '../../../src/faces/environments/serve/outbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-long-files-'));
after(() => rmSync(folder, { recursive: true }));

const rollout = (attempt: number): Rollout => ({
  scored: {
    task: 'one',
    attempt,
    reward: 1,
    metrics: {},
    turnsUsed: 1,
    finishedNaturally: true,
    agentSeconds: 1,
    rewardSeconds: 1,
    tokensIn: 1,
    tokensOut: 1,
  },
  result: {
    messages: [{ role: 'assistant', content: `the words of attempt ${attempt}` }],
    turnsUsed: 1,
    finishedNaturally: true,
    reasoningPerTurn: [null],
    toolErrors: [],
    managedState: null,
  },
});
const group = toGroup([rollout(1)], readRunSettings({}).env);

/** More than a text can be long, nearly all of it holes: the disk has only the ends of the lines, which hold nothing. */
function writeLongFile(path: string): void {
  const file = openSync(path, 'w');
  for (let at = 0; at <= constants.MAX_STRING_LENGTH; at += 1 << 20) writeSync(file, '\n', at);
  closeSync(file);
}

test('what waits in an outbox is found behind any amount of what was sent, and the file is short again', () => {
  const path = join(folder, 'outbox.jsonl');
  writeLongFile(path);
  for (const line of [
    { config_hash: 'other', type: 'group', group: 7, scored: group },
    { config_hash: 'hash', type: 'group', group: 0, scored: group },
    { config_hash: 'hash', type: 'accepted', group: 0 },
    { config_hash: 'hash', type: 'group', group: 1, scored: group },
  ])
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  using outbox = openOutbox(folder, 'hash');
  assert.deepEqual([outbox.waiting?.group, outbox.next, outbox.counts.accepted], [1, 2, 1]);
  assert.ok(statSync(path).size < 4_096);
  using other = openOutbox(folder, 'other');
  assert.equal(other.waiting?.group, 7, 'groups of another configuration are still there');
});

test('an outbox that is never closed does not grow with what was sent', () => {
  const out = mkdtempSync(join(folder, 'running-'));
  const sizes: number[] = [];
  {
    using outbox = openOutbox(out, 'hash', { minCompactBytes: 10_000 });
    outbox.addAttempt(0, 1, rollout(1));
    for (let number = 1; number <= 200; number++) {
      outbox.addGroup(number, group);
      outbox.noteSending(number);
      if (number < 200) outbox.noteOutcome(number, 'accepted');
      sizes.push(statSync(join(out, 'outbox.jsonl')).size);
    }
  }
  assert.ok(Math.max(...sizes) < 12_000, `${Math.max(...sizes)} bytes`);
  using again = openOutbox(out, 'hash', { minCompactBytes: 10_000 });
  assert.deepEqual(again.counts, { finished: 200, accepted: 199, waiting: 1, repeated: 0, keptBack: {} });
  assert.deepEqual([again.waiting?.group, again.next], [200, 201]);
  assert.deepEqual(again.halfDone, new Map([[0, new Map([[1, rollout(1)]])]]));
});

test('an outbox that cannot be written anew goes on as it is, and says so once', () => {
  const out = mkdtempSync(join(folder, 'narrow-'));
  const path = join(out, 'outbox.jsonl');
  // Where the second copy would be is something that no file can take the place of.
  const inTheWay = `${path}.${process.pid}.new`;
  mkdirSync(join(inTheWay, 'a folder'), { recursive: true });
  const news: string[] = [];
  const open = () => openOutbox(out, 'hash', { minCompactBytes: 1_000, onNews: (words) => void news.push(words) });
  const work = (from: number, to: number): void => {
    using outbox = open();
    for (let number = from; number < to; number++) {
      outbox.addGroup(number, group);
      outbox.noteSending(number);
      outbox.noteOutcome(number, 'accepted');
    }
  };
  work(0, 100);
  const long = statSync(path).size;
  work(100, 200);
  assert.deepEqual(
    news.map((words) => words.replace(/:.*/su, '')),
    Array<string>(2).fill('outbox.jsonl could not be shortened and goes on growing'),
  );
  assert.ok(statSync(path).size > long);
  rmSync(inTheWay, { recursive: true });
  using again = open();
  assert.deepEqual([again.counts.accepted, again.next], [200, 200]);
  assert.ok(statSync(path).size < 1_000);
});

test('attempts and groups are found in files of any length, and a report has their conversations', () => {
  const path = join(folder, 'samples.jsonl');
  writeLongFile(path);
  for (const attempt of [1, 2])
    appendFileSync(path, `${JSON.stringify(toSampleLine(rollout(attempt), { id: 'run', configHash: 'hash' }))}\n`);
  const attempts = [1, 2].map((attempt) => rollout(attempt).scored);
  assert.deepEqual(
    readMadeAttempts(path, 'hash').map(({ scored }) => scored),
    attempts,
  );
  assert.deepEqual(readLatestRun(folder), attempts);
  const figures = summarizeAttempts(attempts);
  writeReport({ out: folder, figures, attempts, resumed: 2, isStopped: false }, { name: 'long', configHash: 'hash', now: 0 });
  assert.match(readFileSync(join(folder, 'report.html'), 'utf8'), /the words of attempt 1.*the words of attempt 2/s);

  appendFileSync(path, `${JSON.stringify({ config_hash: 'hash', group: 3, ...group })}\n`);
  using groups = openGroupFile(path, 'hash');
  assert.deepEqual([groups.has(3), groups.has(4)], [true, false]);
});
