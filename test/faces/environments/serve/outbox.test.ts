import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { ScoredGroup } from '../../../../src/faces/environments/group.ts';
import { createAtroposClient } from '../../../../src/faces/environments/serve/atropos-client.ts';
import { openOutbox } from '../../../../src/faces/environments/serve/outbox.ts';
import { countNewGroups, isEvaluationDue } from '../../../../src/faces/environments/serve/plan.ts';
import { closeServer, listenLocally, originOf } from '../../../../src/testing/loopback/local-server.ts';

const GROUP: ScoredGroup = {
  tokens: [[1, 2]],
  masks: [[-100, 2]],
  scores: [1],
  inference_logprobs: [[1, -0.5]],
  messages: null,
  generation_params: { temperature: 1 },
  overrides: null,
  group_overrides: {},
};

test('a finished group is sent again after a kill, and a repeat is counted only when it may have arrived', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-outbox-'));
  const reopen = <Told>(work: (outbox: ReturnType<typeof openOutbox>) => Told): Told => {
    using outbox = openOutbox(folder, 'hash');
    return work(outbox);
  };
  reopen((outbox) => [0, 1, 2].forEach((group) => outbox.addGroup(group, GROUP)));
  appendFileSync(join(folder, 'outbox.jsonl'), '{"torn');
  reopen((outbox) => (outbox.noteSending(0), outbox.noteOutcome(0, 'accepted'), outbox.keepBack(2, 'refused'), outbox.noteSending(1)));
  assert.deepEqual(
    reopen((outbox) => outbox.waiting),
    { group: 1, scored: GROUP },
  );
  reopen((outbox) => (outbox.noteSending(1), outbox.noteOutcome(1, 'unsent')));
  reopen((outbox) => assert.equal(outbox.counts.repeated, 0, 'what cannot have arrived does not count'));
  reopen((outbox) => (outbox.noteSending(1), outbox.noteOutcome(1, 'accepted')));
  const size = statSync(join(folder, 'outbox.jsonl')).size;
  reopen((outbox) => {
    assert.deepEqual(outbox.counts, { finished: 3, accepted: 2, waiting: 0, repeated: 1, keptBack: { refused: 1 } });
    assert.deepEqual([outbox.next, outbox.waiting], [3, undefined]);
  });
  assert.ok(statSync(join(folder, 'outbox.jsonl')).size < size, 'what needs nothing more is only counted');
  rmSync(folder, { recursive: true });
});

test('finished groups that other tasks or settings made are told of, kept, and sent with those again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-outbox-'));
  const news: string[] = [];
  const reopen = <Told>(hash: string, work: (outbox: ReturnType<typeof openOutbox>) => Told): Told => {
    using outbox = openOutbox(folder, hash, { onNews: (words) => void news.push(words) });
    return work(outbox);
  };
  reopen('before', (outbox) => {
    for (const group of [0, 1, 2, 3]) outbox.addGroup(group, GROUP);
    outbox.keepBack(0, 'refused');
    outbox.noteSending(1);
    outbox.noteOutcome(1, 'accepted');
    outbox.noteSending(2);
  });
  assert.deepEqual([reopen('before', ({ waiting }) => waiting?.group), news], [2, []]);
  reopen('after', (outbox) => outbox.addGroup(0, GROUP));
  reopen('after', (outbox) => (outbox.noteSending(0), outbox.noteOutcome(0, 'accepted')));
  assert.deepEqual([reopen('before', ({ counts }) => counts.waiting), news.length], [2, 2]);
  assert.match(news.join('\n'), /^(2 finished groups were made with other tasks or settings and are not sent\..*\n?){2}$/);
  rmSync(folder, { recursive: true });
});

test('a slow trainer and an evaluation stop new groups, and every step may be one to evaluate after', () => {
  const settings = { group_size: 4, max_batches_offpolicy: 3, eval_limit_ratio: 0.5, min_batch_allocation: null } as const;
  const state = { batchSize: 8, totalSteps: 100, maxGroups: 4, running: 1, waiting: 0 };
  const count = (queued: number, isEvaluating: boolean, eval_handling: 'STOP_TRAIN' | 'LIMIT_TRAIN' | 'NONE') =>
    countNewGroups(
      { ...state, isEvaluating, status: { step: 1, queued, selfQueued: 0, unallocated: 1, weight: 1 } },
      { ...settings, eval_handling },
    );
  assert.deepEqual([count(0, false, 'STOP_TRAIN'), count(4, false, 'NONE'), count(6, false, 'NONE')], [3, 1, 0]);
  assert.deepEqual([count(0, true, 'STOP_TRAIN'), count(0, true, 'LIMIT_TRAIN'), count(0, true, 'NONE')], [0, 1, 3]);
  assert.deepEqual([isEvaluationDue(0, 1, 1), isEvaluationDue(2, 9, 5), isEvaluationDue(5, 9, 5)], [true, true, false]);
});

test('a status is asked with a body, long groups are compressed, and a push says whether it can have arrived', async () => {
  const asked: unknown[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = Buffer.concat(await request.toArray());
    asked.push([
      request.method,
      request.url,
      JSON.parse(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes)),
    ]);
    if (request.url === '/scored_data' && asked.length > 2) return void request.socket.destroy();
    response.end(JSON.stringify({ current_step: 3, queue_size: 2, self_queue_size: 1, unallocated_fraction: 1, env_weight: 0.5 }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await listenLocally(server);
  const client = createAtroposClient(originOf(server));
  assert.deepEqual(await client.status(5), { step: 3, queued: 2, selfQueued: 1, unallocated: 1, weight: 0.5 });
  const long = { ...GROUP, env_id: 5, tokens: [Array.from({ length: 2_000 }, (_, index) => index)] };
  assert.deepEqual(await client.push(long), { type: 'accepted' });
  assert.deepEqual(asked, [
    ['GET', '/status-env', { env_id: 5 }],
    ['POST', '/scored_data', long],
  ]);
  assert.deepEqual(await client.push(long), { type: 'withheld' });
  await closeServer(server);
  assert.deepEqual(await client.push(long), { type: 'unsent' });
});
