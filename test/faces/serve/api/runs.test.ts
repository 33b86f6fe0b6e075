import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPath, readStringAt } from '../../../../src/base/json.ts';
import type { Script } from '../../../../src/testing/scripted-provider.ts';
import { MAIN, openApiStage, PHONE, type ApiStage } from './stage.ts';

const idOf = async (stage: ApiStage, input: string, key = MAIN.key) => {
  const begun = await stage.ask('/v1/runs', { body: { input }, key });
  assert.deepEqual([begun.status, readPath(begun.body, 'status')], [202, 'started'], JSON.stringify(begun.body));
  return readStringAt(begun.body, 'run_id') ?? '';
};
const typesOf = (events: readonly { readonly event?: string }[]) => events.map(({ event }) => event);

test('a run is begun, followed and read, and its history counts', async () => {
  await using stage = await openApiStage({ script: (_request, index) => ({ text: `Answer ${index + 1}.`, thinking: 'hm' }) });
  const id = await idOf(stage, 'hello');
  const { events } = await stage.stream(`/v1/runs/${id}/events`);
  assert.deepEqual(typesOf(events), ['reasoning.delta', 'message.delta', 'message.completed', 'run.completed']);
  const last = JSON.parse(events.at(-1)?.data ?? '');
  assert.deepEqual([last.event, last.run_id, last.output, typeof last.timestamp], ['run.completed', id, 'Answer 1.', 'number']);
  const run = await stage.ask(`/v1/runs/${id}`);
  assert.deepEqual(
    ['object', 'status', 'output', 'finish_reason'].map((key) => readPath(run.body, key)),
    ['hermes.run', 'completed', 'Answer 1.', 'stop'],
  );
  const session = readPath(run.body, 'session_id') ?? '';
  const next = await stage.ask('/v1/runs', { body: { input: 'more', session_id: session } });
  assert.equal(readPath(next.body, 'session_id'), session);
  const history = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
  ];
  await stage.stream(
    `/v1/runs/${readStringAt((await stage.ask('/v1/runs', { body: { input: 'c', conversation_history: history } })).body, 'id')}/events`,
  );
  assert.equal(stage.model.requests.at(-1)?.messages.length, 3);
  for (const path of [`/v1/runs/${id}`, `/v1/runs/${id}/events`, `/v1/runs/run_0000000000000000`])
    assert.equal((await stage.ask(path, { key: PHONE.key })).status, 404);
});

test('a run is stopped where it stands, and one that waits behind it goes on', async () => {
  const asked = Promise.withResolvers<void>();
  const script: Script = (_request, index) => {
    if (index > 0) return { text: 'second' };
    asked.resolve();
    return { text: 'never said in full', chunk: 1, paceMs: 1_000 };
  };
  await using stage = await openApiStage({ script });
  const first = await idOf(stage, 'slow');
  await asked.promise;
  const session = readPath((await stage.ask(`/v1/runs/${first}`)).body, 'session_id') ?? '';
  const second = readStringAt((await stage.ask('/v1/runs', { body: { input: 'next', session_id: session } })).body, 'id');
  const third = readStringAt((await stage.ask('/v1/runs', { body: { input: 'never begun', session_id: session } })).body, 'id');
  assert.equal(readPath((await stage.ask(`/v1/runs/${third}/stop`, { method: 'POST' })).body, 'status'), 'stopping');
  await stage.ask(`/v1/runs/${first}/stop`, { method: 'POST' });
  const ends = await Promise.all(
    [first, second, third].map(async (id) => (await stage.stream(`/v1/runs/${id}/events`)).events.at(-1)?.event),
  );
  assert.deepEqual(ends, ['run.cancelled', 'run.completed', 'run.cancelled']);
  assert.deepEqual([stage.model.requests.length, (await stage.ask(`/v1/runs/${first}/stop`, { method: 'POST' })).status], [2, 200]);
});

/** Asks to run something that needs consent, then tells what came of it. */
const RISKY: Script = ({ messages }) =>
  messages.at(-1)?.message.role === 'tool'
    ? { text: 'Over.' }
    : {
        calls: [{ id: `c${messages.length}`, name: 'terminal', input: { command: 'touch x && chmod 777 x && touch done' } }],
      };
const isDone = ({ root }: ApiStage): boolean => globSync(join(root, 'workspaces', '*', 'done')).some((file) => existsSync(file));

test('what needs consent is asked as an event, and answered by who may', async () => {
  await using stage = await openApiStage({ script: RISKY, config: { terminal: { backend: 'local' } } });
  for (const [choice, done] of [
    ['deny', false],
    ['once', true],
  ] as const) {
    const id = await idOf(stage, 'go', PHONE.key);
    const { events } = await stage.stream(`/v1/runs/${id}/events`, { leaveAfter: 2 });
    assert.deepEqual(typesOf(events), ['tool.started', 'approval.request']);
    const request = JSON.parse(events[1]?.data ?? '');
    assert.deepEqual([request.tool, request.choices], ['terminal', ['once', 'session', 'always', 'deny']]);
    assert.equal(readPath((await stage.ask(`/v1/runs/${id}`)).body, 'status'), 'waiting_for_approval');
    const answer = (key: string, body: { choice: string }) => stage.ask(`/v1/runs/${id}/approval`, { key, body });
    assert.equal((await answer(PHONE.key, { choice })).status, 403);
    assert.equal((await answer(MAIN.key, { choice: 'perhaps' })).status, 400);
    assert.equal((await answer(MAIN.key, { choice })).status, 200);
    const rest = await stage.stream(`/v1/runs/${id}/events`, { headers: { 'last-event-id': events[1]?.id ?? '' } });
    assert.deepEqual(typesOf(rest.events), ['approval.responded', 'tool.completed', 'message.delta', 'message.completed', 'run.completed']);
    assert.equal(isDone(stage), done);
    assert.equal((await answer(MAIN.key, { choice })).status, 409);
  }
});

test('a key that may allow something allows it in its own session, and for good only the owner does', async () => {
  const keys = [MAIN, { ...PHONE, mayApprove: true }];
  await using stage = await openApiStage({ script: RISKY, config: { terminal: { backend: 'local' } }, deps: { keys } });
  const id = await idOf(stage, 'go', PHONE.key);
  await stage.stream(`/v1/runs/${id}/events`, { leaveAfter: 2 });
  const answer = (choice: string) => stage.ask(`/v1/runs/${id}/approval`, { key: PHONE.key, body: { choice } });
  const refused = await answer('always');
  assert.deepEqual([refused.status, readPath(refused.body, 'error', 'code')], [403, 'approval_not_allowed']);
  assert.equal((await answer('session')).status, 200);
  await stage.stream(`/v1/runs/${id}/events`);
  assert.equal(isDone(stage), true);
});
