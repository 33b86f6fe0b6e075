import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { HttpTimes } from '../../../../src/base/http-server/contract.ts';
import { parseJson, readPath, readStringAt } from '../../../../src/base/json.ts';
import { ROUTES } from '../../../../src/faces/serve/api/route-table.ts';
import { SECURITY_ROWS, type SecurityRow } from './security-rows.ts';
import { MAIN, openApiStage, PHONE, type ApiStage } from './stage.ts';

/** Everything that comes back on a connection of its own. */
async function send(port: number, row: SecurityRow): Promise<string> {
  const { method = 'GET', path = '/health', headers = [], body = '', bare, isUnfinished } = row;
  const common = bare === true ? [] : ['Host: 127.0.0.1', `Authorization: Bearer ${MAIN.key}`];
  const needsLength =
    !headers.some((line) => /^(?:content-length: *(?:\d{4,}|10$|-|1e)|transfer-encoding:.*chunked$)/i.test(line)) && body !== '';
  const length = needsLength ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
  const head = [`${method} ${path} HTTP/1.1`, ...common, 'Content-Type: application/json', ...headers, ...length];
  const isCut = isUnfinished === true && headers.includes('X-Slow');
  const bytes = isCut ? head.join('\r\n') : [...head, ...(isUnfinished === true ? [] : ['Connection: close']), '', body].join('\r\n');
  const socket = connect({ host: '127.0.0.1', port });
  let text = '';
  socket.on('error', () => {}).setEncoding('utf8');
  socket.on('data', (chunk: string) => (text += chunk));
  socket.write(bytes);
  await new Promise((done) => socket.once('close', done));
  return text;
}

/** What of a request would be stored or asked. */
async function countTraces({ host: { store }, model }: ApiStage) {
  const [sessions, runs, owned] = [await store.list(), await store.runs.listOpen(), await store.runs.listSessions({ limit: 9 })];
  const jobs = await store.jobs.list();
  return { sessions: sessions.length, runs: runs.length, owned: owned.length, jobs: jobs.length, calls: model.requests.length };
}

/** Sends all at once, and looks at each answer and at what was left behind. */
async function refuseAll(rows: readonly SecurityRow[], times?: Partial<HttpTimes>): Promise<void> {
  await using stage = await openApiStage({ script: [], ...(times !== undefined && { times }) });
  const before = await countTraces(stage);
  const answers = await Promise.all(rows.map(async (row) => ({ row, text: await send(stage.server.port, row) })));
  const found = answers.map(({ row: { what }, text }) => `${what}: ${Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)}`);
  assert.deepEqual(
    found,
    rows.map(({ what, status }) => `${what}: ${status}`),
  );
  for (const { row, text } of answers) {
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    if (row.code !== undefined) assert.equal(readPath(parseJson(body), 'error', 'code'), row.code, row.what);
    assert.doesNotMatch(text, new RegExp(`${stage.root}|${MAIN.key}|${PHONE.key}|node:|\\.ts:|Error:|sqlite|stack`, 'i'), row.what);
    if (body !== '' && !/^(?:HTTP|$)/.test(body) && /json/.test(text))
      assert.equal(typeof readPath(parseJson(body), 'error', 'message'), 'string', row.what);
  }
  assert.deepEqual(await countTraces(stage), before);
  assert.deepEqual(stage.log, []);
}

test(`${SECURITY_ROWS.length} requests are refused, each with its status; nothing is stored, nobody is asked and nothing is told`, async () => {
  assert.ok(SECURITY_ROWS.length >= 60);
  assert.equal(new Set(SECURITY_ROWS.map(({ what }) => what)).size, SECURITY_ROWS.length);
  const isSlow = ({ isUnfinished }: SecurityRow): boolean => isUnfinished === true;
  await refuseAll(SECURITY_ROWS.filter((row) => !isSlow(row)));
  // Only those that never end wait for a limit: a busy machine must not make others late.
  await refuseAll(SECURITY_ROWS.filter(isSlow), { headersMs: 400, requestMs: 800 });
});

test('every route but the signs of life asks for a key, and a key reaches nothing of another', async () => {
  await using stage = await openApiStage({ script: [{ text: 'Mine.' }] });
  const run = await stage.ask('/v1/responses', { body: { input: 'hi' } });
  const runId = run.headers.get('x-hermes-run-id') ?? '';
  const session = run.headers.get('x-hermes-session-id') ?? '';
  const job =
    readStringAt(readPath((await stage.ask('/api/jobs', { body: { schedule: 'every 1h', prompt: 'x' } })).body, 'job'), 'id') ?? '';
  const idOf = (path: string): string =>
    path.startsWith('/api/sessions')
      ? session
      : path.startsWith('/api/jobs')
        ? job
        : path.startsWith('/v1/responses')
          ? runId.replace('run_', 'resp_')
          : runId;
  const open = ROUTES.filter(({ isOpen }) => isOpen === true).map(({ path }) => path);
  assert.deepEqual(open, ['/health', '/v1/health']);
  for (const { method, path, isOpen } of ROUTES) {
    const asked = {
      method,
      ...(method !== 'GET' && method !== 'DELETE' && { body: { input: 'x', message: 'x', title: 'x', choice: 'once' } }),
    };
    const anonymous = await stage.ask(path.replace('{id}', idOf(path)), { ...asked, key: 'x' });
    assert.equal(anonymous.status, isOpen === true ? 200 : 401, path);
    if (!path.includes('{id}') || path.startsWith('/v1/models')) continue;
    const other = await stage.ask(path.replace('{id}', idOf(path)), { ...asked, key: PHONE.key });
    assert.deepEqual([path, method, other.status, readPath(other.body, 'error', 'code')], [path, method, 404, 'not_found']);
  }
  assert.equal(stage.model.requests.length, 1);
});

test('no more runs are taken than may be at work, and none by a server that is about to end', async () => {
  const go = Promise.withResolvers<void>();
  const script = async () => {
    await go.promise;
    return { text: 'Done.' };
  };
  await using stage = await openApiStage({ script, deps: { maxRuns: 2 } });
  const begun = await Promise.all([1, 2].map(() => stage.ask('/v1/runs', { body: { input: 'x' } })));
  const refused = await stage.ask('/v1/chat/completions', { body: { messages: [{ role: 'user', content: 'x' }] } });
  assert.deepEqual(
    [begun.map(({ status }) => status), refused.status, readPath(refused.body, 'error', 'code'), refused.headers.get('retry-after')],
    [[202, 202], 429, 'too_many_runs', '5'],
  );
  go.resolve();
  for (const { body } of begun) await stage.stream(`/v1/runs/${readStringAt(body, 'id')}/events`);
  await stage.server.drain(1_000);
  const late = await stage.ask('/v1/runs', { body: { input: 'x' } });
  assert.deepEqual([late.status, readPath(late.body, 'error', 'code')], [503, 'shutting_down']);
});

test('another home knows neither the keys nor the sessions, runs and jobs of this one', async () => {
  const theirs = { ...MAIN, key: 'their-key-0123456789' };
  await using stage = await openApiStage({ script: [{ text: 'Mine.' }] });
  await using other = await openApiStage({ script: [{ text: 'Theirs.' }], deps: { keys: [theirs] } });
  const run = await stage.ask('/v1/responses', { body: { input: 'hi' } });
  const job = await stage.ask('/api/jobs', { body: { schedule: 'every 1h', prompt: 'x' } });
  const paths = [
    `/api/sessions/${run.headers.get('x-hermes-session-id')}`,
    `/v1/runs/${run.headers.get('x-hermes-run-id')}`,
    `/v1/responses/${readStringAt(run.body, 'id')}`,
    `/api/jobs/${readStringAt(readPath(job.body, 'job'), 'id')}`,
  ];
  for (const path of paths) {
    assert.equal((await stage.ask(path)).status, 200, path);
    assert.equal((await other.ask(path, { key: MAIN.key })).status, 401, path);
    assert.equal((await other.ask(path, { key: theirs.key })).status, 404, path);
  }
  assert.deepEqual((await other.ask('/api/jobs', { key: theirs.key })).body, { jobs: [] });
});
