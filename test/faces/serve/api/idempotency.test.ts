import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPath, readStringAt } from '../../../../src/base/json.ts';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import { openSqliteStore } from '../../../../src/parts/store/sqlite/store.ts';
import type { Script } from '../../../../src/testing/scripted-provider.ts';
import { openApiStage, PHONE, wordsOf, type ApiStage } from './stage.ts';

const NUMBERED: Script = (_request, index) => ({ text: `Answer ${index + 1}.`, chunk: 2, paceMs: 2 });
const WAYS: readonly (readonly [string, JsonObject])[] = [
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] }],
  ['/v1/responses', { input: 'hi' }],
  ['/v1/runs', { input: 'hi' }],
];

test('the same key twice, at once or later, is one turn with one answer; another body is refused', async () => {
  await using stage = await openApiStage({ script: NUMBERED });
  for (const [index, [path, body]] of WAYS.entries()) {
    const ask = (asked = body, key?: string) =>
      stage.ask(path, { body: asked, headers: { 'idempotency-key': `key of ${path}` }, ...(key !== undefined && { key }) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    const later = await ask({ ...body });
    const replayed = [...answers, later].map(({ headers }) => headers.get('idempotency-replayed')).filter((value) => value === 'true');
    assert.equal(
      new Set(answers.map(({ body: said, headers }) => `${headers.get('x-hermes-run-id')} ${readStringAt(said, 'id')}`)).size,
      1,
    );
    assert.equal(replayed.length, 8);
    if (path !== '/v1/runs') assert.deepEqual(later.body, answers[0]?.body);
    const conflict = await ask({ ...body, user: 'somebody' });
    assert.deepEqual([conflict.status, readPath(conflict.body, 'error', 'code')], [409, 'idempotency_conflict']);
    const other = await ask(body, PHONE.key);
    const runs = [later, other].map(({ headers }) => headers.get('x-hermes-run-id'));
    assert.notEqual(runs[0], runs[1]);
    for (const run of runs) await stage.stream(`/v1/runs/${run}/events`);
    for (const bad of ['', 'x'.repeat(257), 'line\tbreak'])
      assert.equal((await stage.ask(path, { body, headers: { 'idempotency-key': bad } })).status, 400);
    assert.equal(stage.model.requests.length, 2 * (index + 1));
  }
});

test('a run that is over says so when it is asked for again', async () => {
  await using stage = await openApiStage({ script: NUMBERED });
  const ask = () => stage.ask('/v1/runs', { body: { input: 'hi' }, headers: { 'idempotency-key': 'once' } });
  const first = await ask();
  assert.equal(readPath(first.body, 'status'), 'started');
  const path = `/v1/runs/${readStringAt(first.body, 'run_id')}`;
  await stage.stream(`${path}/events`);
  const again = await ask();
  assert.deepEqual([again.status, readPath(again.body, 'status'), readPath(again.body, 'output')], [202, 'completed', 'Answer 1.']);
  assert.deepEqual(again.body, (await stage.ask(path)).body);
});

test('a turn that was at work when the server ended goes on with the next one, and its key finds it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hermes-api-again-'));
  try {
    const chat = { stream: true, messages: [{ role: 'user', content: 'hi' }] };
    const headers = { 'idempotency-key': 'once' };
    const asked = Promise.withResolvers<void>();
    let before: string;
    {
      await using stage = await openApiStage({
        root,
        script: () => {
          asked.resolve();
          return { text: 'The first try never ends.', chunk: 1, paceMs: 40 };
        },
      });
      const reading = stage.stream('/v1/chat/completions', { body: chat, headers, leaveAfter: 3 });
      await asked.promise;
      before = (await reading).text;
    }
    await using stage: ApiStage = await openApiStage({ root, script: () => ({ text: 'The second one does.' }) });
    const last = /^id: (\S+)$/gm.exec(before.split('\n\n').at(-2) ?? '')?.[1] ?? '';
    const rest = await stage.stream('/v1/chat/completions', { body: chat, headers: { ...headers, 'last-event-id': last } });
    const whole = await stage.stream('/v1/chat/completions', { body: chat, headers });
    assert.equal(before + rest.text, whole.text);
    assert.match(wordsOf(whole.events), /^T.*\n\nThe second one does\.$/s);
    assert.equal(rest.headers.get('idempotency-replayed'), 'true');
    assert.equal(stage.model.requests.length, 1);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('a run whose events are gone says so in every format of a stream, and names where its result is', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hermes-api-gone-'));
  const [DAY, last] = [86_400_000, { text: 'Done.' }];
  const ways = WAYS.map(([path, body]) => ({ path, body: { ...body, ...(path !== '/v1/runs' && { stream: true }) }, key: `once ${path}` }));
  const ids: string[] = [];
  try {
    {
      await using stage = await openApiStage({ root, script: () => last });
      for (const { path, body, key } of ways) {
        const id = (await stage.stream(path, { body, headers: { 'idempotency-key': key } })).headers.get('x-hermes-run-id') ?? '';
        await stage.stream(`/v1/runs/${id}/events`);
        ids.push(id);
      }
    }
    {
      const path = join(root, 'sessions.db');
      await using store = await openSqliteStore({ path, durability: 'process', now: () => Date.now() + 2 * DAY });
      while (await store.care.tend());
    }
    await using stage = await openApiStage({ root, script: () => last });
    const again = ways.slice(0, 2).map(({ path, body, key }) => stage.ask(path, { body, headers: { 'idempotency-key': key } }));
    const read = [`/v1/responses/${ids[1]?.replace('run_', 'resp_')}?stream=true`, `/v1/runs/${ids[2]}/events`].map((path) =>
      stage.ask(path),
    );
    for (const { status, body } of await Promise.all([...again, ...read]))
      assert.deepEqual([status, readPath(body, 'error', 'code')], [410, 'events_gone'], JSON.stringify(body));
    for (const id of ids) assert.equal(readPath((await stage.ask(`/v1/runs/${id}`)).body, 'output'), 'Done.');
    assert.equal(stage.model.requests.length, 0);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
