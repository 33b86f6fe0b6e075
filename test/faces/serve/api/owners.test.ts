import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Env } from '../../../../src/base/env.ts';
import { readPath, readStringAt } from '../../../../src/base/json.ts';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import { readApiKeys } from '../../../../src/faces/serve/api/keys.ts';
import { MAIN, openApiStage, PHONE, type ApiStage } from './stage.ts';

test('sessions of a key are begun, listed, read, renamed, copied and deleted by it, and by no other', async () => {
  await using stage = await openApiStage({ script: (_request, index) => ({ text: `Answer ${index + 1}.` }) });
  const made = await stage.ask('/api/sessions', { body: { title: 'Trip', system: 'Be brief.' }, key: PHONE.key });
  const id = readStringAt(made.body, 'id') ?? '';
  assert.deepEqual([made.status, readPath(made.body, 'title'), readPath(made.body, 'source')], [201, 'Trip', 'api_server']);
  const said = await stage.ask(`/api/sessions/${id}/chat`, { body: { message: 'hello' }, key: PHONE.key });
  assert.deepEqual(readPath(said.body, 'message'), { role: 'assistant', content: 'Answer 1.' });
  assert.match(JSON.stringify(stage.model.requests[0]?.system), /Be brief\./);
  const { events } = await stage.stream(`/api/sessions/${id}/chat/stream`, { body: { input: 'more' }, key: PHONE.key });
  assert.deepEqual(
    events.map(({ event }) => event),
    ['assistant.delta', 'assistant.completed', 'run.completed'],
  );
  const messages = await stage.ask(`/api/sessions/${id}/messages?limit=3`, { key: PHONE.key });
  const data = readPath(messages.body, 'data');
  assert.deepEqual(
    [
      Array.isArray(data) && data.map((each) => `${readStringAt(each, 'role')}: ${readStringAt(each, 'content')}`),
      readPath(messages.body, 'has_more'),
    ],
    [['user: hello', 'assistant: Answer 1.', 'user: more'], true],
  );
  const renamed = await stage.ask(`/api/sessions/${id}`, { method: 'PATCH', body: { title: 'Rome' }, key: PHONE.key });
  assert.equal(readPath(renamed.body, 'title'), 'Rome');
  const fork = await stage.ask(`/api/sessions/${id}/fork`, { body: { title: 'Rome again' }, key: PHONE.key });
  const copy = readStringAt(fork.body, 'id') ?? '';
  assert.deepEqual([fork.status, readPath(fork.body, 'parent_id'), readPath(fork.body, 'messages')], [201, id, 4]);

  const listed = async (key: string) => {
    const { body } = await stage.ask('/api/sessions', { key });
    const rows = readPath(body, 'data');
    return Array.isArray(rows) ? rows.map((row) => readStringAt(row, 'id') ?? '').toSorted() : [];
  };
  const own = await stage.ask('/v1/chat/completions', { body: { messages: [{ role: 'user', content: 'hi' }] } });
  const owners = own.headers.get('x-hermes-session-id') ?? '';
  const terminal = await stage.host.store.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p' });
  assert.deepEqual(await listed(PHONE.key), [id, copy].toSorted());
  assert.deepEqual(await listed(MAIN.key), [id, copy, owners].toSorted());
  for (const other of [owners, terminal.id, 'nobody'])
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/messages'],
      ['POST', '/fork'],
      ['POST', '/chat'],
    ] as const) {
      const body = method === 'POST' ? { message: 'x' } : undefined;
      const { status } = await stage.ask(`/api/sessions/${other}${path}`, { method, key: PHONE.key, ...(body && { body }) });
      assert.equal(status, 404, `${method} ${path}`);
    }
  assert.equal((await stage.ask(`/api/sessions/${terminal.id}`)).status, 404);

  const [found] = await stage.host.store.find(id);
  const cwd = found?.cwd ?? '';
  writeFileSync(join(cwd, 'notes.txt'), 'theirs');
  assert.equal((await stage.ask(`/api/sessions/${id}`, { method: 'DELETE', key: PHONE.key })).status, 200);
  assert.deepEqual([(await stage.ask(`/api/sessions/${id}`, { key: PHONE.key })).status, existsSync(cwd)], [404, true]);
  await stage.ask(`/api/sessions/${copy}`, { method: 'DELETE', key: PHONE.key });
  assert.ok(!existsSync(cwd), 'its files go with the last session that worked there');
  assert.deepEqual(await listed(PHONE.key), []);
});

test('a session that is at work is not deleted', async () => {
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const script = async () => {
    asked.resolve();
    await go.promise;
    return { text: 'Done.' };
  };
  await using stage = await openApiStage({ script });
  const run = await stage.ask('/v1/runs', { body: { input: 'slow' } });
  await asked.promise;
  const path = `/api/sessions/${readStringAt(run.body, 'session_id')}`;
  assert.equal((await stage.ask(path, { method: 'DELETE' })).status, 409);
  go.resolve();
  await stage.stream(`/v1/runs/${readStringAt(run.body, 'id')}/events`);
  assert.equal((await stage.ask('/health/detailed')).status, 200);
});

const CHAT = '/v1/chat/completions';
const say = (stage: ApiStage, key: string) => stage.ask(CHAT, { key, body: { messages: [{ role: 'user', content: 'hi' }] } });
const finishOf = ({ body }: { readonly body: unknown }) => readPath(body, 'choices', 0, 'finish_reason');

const readKeys = (keys: JsonObject, env: Env, platform: JsonObject = {}, isWalled = true) =>
  readApiKeys({ 'gateway.api_server.keys': keys, platform_toolsets: platform }, env, isWalled);

test('keys come from variables, and one that can be guessed or is another counts as none', () => {
  const env = {
    API_SERVER_KEY: 'a'.repeat(20),
    PHONE_KEY: 'b'.repeat(20),
    SHORT_KEY: 'c',
    TWIN_KEY: 'a'.repeat(20),
    SPACED_KEY: 'd '.repeat(20),
  };
  const row = { toolsets: ['web'], budget_usd: 5, budget_tokens: 0, approve: true, memory: true };
  const { keys, problems } = readKeys(
    {
      phone: { key_env: 'PHONE_KEY', ...row },
      short: { key_env: 'SHORT_KEY' },
      twin: { key_env: 'TWIN_KEY' },
      spaced: { key_env: 'SPACED_KEY' },
      unset: { key_env: 'UNSET_KEY' },
      main: { key_env: 'PHONE_KEY' },
      none: 'PHONE_KEY',
    },
    env,
  );
  const phone = {
    name: 'phone',
    key: 'b'.repeat(20),
    isMain: false,
    mayApprove: true,
    hasMemory: true,
    toolsets: ['web'],
    budget: { usd: 5 },
  };
  assert.deepEqual(keys, [{ name: 'main', key: 'a'.repeat(20), isMain: true, mayApprove: true, hasMemory: true }, phone]);
  assert.deepEqual(
    problems.map((words) => /fewer than 16|is the same as|a space|is not set|is the name of|does not name/.exec(words)?.[0]),
    ['is not set', 'is the name of', 'does not name', 'fewer than 16', 'is the same as', 'a space'],
  );
  assert.ok(!problems.some((words) => Object.values(env).some((value) => value.length > 1 && words.includes(value))));
  assert.deepEqual(readKeys({}, {}).keys, []);
});

test('a key whose limits are misspelled or cannot be read counts as none: it would have no limits', () => {
  const env = { PHONE_KEY: 'b'.repeat(20) };
  const rows: readonly (readonly [JsonObject, RegExp])[] = [
    [{ toolsets: 'web' }, /toolsets must be a list/],
    [{ toolsets: [1] }, /toolsets must be a list/],
    [{ toolset: ['web'] }, /there is no field toolset,.* There are key_env, toolsets,/],
    [{ budget_usd: '5' }, /budget_usd must be a number/],
    [{ budget_tokens: -1 }, /budget_tokens must be a number/],
    [{ budget: 5 }, /there is no field budget,/],
    [{ approve: 'no' }, /approve must be true or false/],
    [{ memory: null }, /memory must be true or false/],
  ];
  for (const [row, why] of rows) {
    const { keys, problems } = readKeys({ phone: { key_env: 'PHONE_KEY', ...row } }, env);
    assert.deepEqual(keys, []);
    assert.match(problems.join('\n'), why);
  }
});

test('a key that may not see what is remembered has no tool that tells or changes it, unless the owner names toolsets', async () => {
  const env = { PHONE_KEY: 'b'.repeat(20), FRIEND_KEY: 'c'.repeat(20) };
  const { keys } = readKeys({ phone: { key_env: 'PHONE_KEY' }, friend: { key_env: 'FRIEND_KEY', memory: true } }, env);
  await using stage = await openApiStage({ script: () => ({ text: 'Hi.' }), deps: { keys } });
  for (const key of Object.values(env)) await say(stage, key);
  const [few = [], all = []] = stage.model.requests.map(({ tools }) => tools.map(({ name }) => name));
  const owners = ['memory', 'session_search', 'skills_list', 'skill_view', 'skill_manage'];
  assert.deepEqual(
    all.filter((name) => !few.includes(name)),
    owners,
  );
  assert.ok(few.includes('terminal') && all.includes('session_search'));
  // What the settings name for the platform is the owner's word.
  const chosen = readKeys({ phone: { key_env: 'PHONE_KEY' } }, env, { api_server: ['web'] }).keys.map(({ toolsets }) => toolsets);
  assert.deepEqual(chosen, [undefined]);
  // Without a wall there are no commands and files for others than the owner.
  const bare = readKeys({ phone: { key_env: 'PHONE_KEY' } }, env, {}, false).keys.map(({ toolsets }) => toolsets);
  assert.deepEqual(bare, [['web', 'vision']]);
});

test('a key has the tools it was given, and what is remembered of the owner only where it may', async () => {
  const limited = { ...PHONE, toolsets: ['todo'] };
  const mistaken = { ...PHONE, name: 'mistaken', key: 'mistaken-key-0123456789', toolsets: ['todos'] };
  await using stage = await openApiStage({ script: () => ({ text: 'Hi.' }), deps: { keys: [MAIN, limited, mistaken] } });
  await say(stage, MAIN.key);
  await say(stage, PHONE.key);
  const [all, few] = stage.model.requests.map(({ tools }) => tools.map(({ name }) => name));
  assert.ok(all !== undefined && all.length > 3 && all.includes('terminal') && !all.includes('clarify') && !all.includes('text_to_speech'));
  // The second belongs to the context engine.
  assert.deepEqual(few, ['todo', 'context_recall']);
  const refused = await say(stage, mistaken.key);
  assert.equal(refused.status, 500);
  assert.match(readStringAt(refused.body, 'error', 'message') ?? '', /could not be opened\. The log of the server says why/);
  assert.match(stage.log.join('\n'), /there is no toolset todos; did you mean todo\?/);
});

test('what the sessions of a key may cost together holds for all of them, at once and after they are deleted', async () => {
  const usage = { input: 20_000, output: 10 };
  const key = { ...PHONE, budget: { tokens: 90_000 } };
  await using stage = await openApiStage({ script: () => ({ text: 'Hi.', usage }), deps: { keys: [MAIN, key] } });
  const first = await say(stage, PHONE.key);
  await stage.ask(`/api/sessions/${first.headers.get('x-hermes-session-id')}`, { method: 'DELETE', key: PHONE.key });
  assert.equal((await stage.host.store.runs.spent('phone')).tokens, 20_010);
  const answers = await Promise.all(Array.from({ length: 6 }, () => say(stage, PHONE.key)));
  const spent = (await stage.host.store.runs.spent('phone')).tokens;
  assert.ok(
    answers.some((answer) => answer.status !== 200 || finishOf(answer) === 'length'),
    'not all of them fit',
  );
  assert.ok(spent <= 90_000 + 20_010, `${spent} tokens: no more than one call beyond what was judged`);
  for (let left = 6; left > 0 && (await say(stage, PHONE.key)).status === 200; left--);
  const main = await say(stage, MAIN.key);
  assert.deepEqual([main.status, finishOf(main)], [200, 'stop']);
});

test('a key that has used up its budget begins nothing more, and still finds what it had begun', async () => {
  const key = { ...PHONE, budget: { tokens: 30_000 } };
  await using stage = await openApiStage({ script: () => ({ text: 'Hi.', usage: { input: 40_000 } }), deps: { keys: [MAIN, key] } });
  const chat = { messages: [{ role: 'user', content: 'hi' }] };
  const begin = () => stage.ask('/v1/chat/completions', { body: chat, key: PHONE.key, headers: { 'idempotency-key': 'once' } });
  const begun = await begin();
  assert.equal(begun.status, 200);
  assert.deepEqual((await begin()).body, begun.body);
  const refused = await say(stage, PHONE.key);
  assert.deepEqual([refused.status, readPath(refused.body, 'error', 'code')], [429, 'insufficient_quota']);
  assert.equal(stage.model.requests.length, 1);
});
