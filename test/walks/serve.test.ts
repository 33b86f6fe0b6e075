import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { until } from '../testing/platforms/telegram/stage.ts';
import { hermes, type Ran } from './hermes.ts';
import { placeWith } from './mcp-serve-stage.ts';
import { rowsOf, type Stage } from './stage.ts';
import { findFreePort } from '../free-port.ts';

const KEY = 'a-key-of-this-test-0123456789';
const CHAT = { messages: [{ role: 'user', content: 'hello' }] };

interface ServedApi {
  readonly url: string;
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  ask(body: object): Promise<{ readonly status: number; readonly text: string }>;
}
/** `hermes serve` on any free port, once it says where. */
async function startServe({ home, cwd }: Stage): Promise<ServedApi> {
  const started = Promise.withResolvers<ChildProcess>();
  const ended = hermes(['serve', '--port', '0', '--json'], { home, cwd, env: { API_SERVER_KEY: KEY }, started: started.resolve });
  const child = await started.promise;
  const line = await new Promise<string>((done) => child.stdout && createInterface(child.stdout).once('line', done));
  const { url }: { url: string } = JSON.parse(line);
  const ask: ServedApi['ask'] = async (body) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
  return { url, child, ended, ask };
}

async function isDraining({ url }: ServedApi): Promise<boolean> {
  const response = await fetch(`${url}/health/detailed`, { headers: { authorization: `Bearer ${KEY}` } });
  return /"draining"/.test(await response.text());
}

test('hermes serve does not start without a key, on this computer alone neither, nor on a port that is taken, and says what to do', async () => {
  await using model = await startWireServer({});
  const { home, cwd } = placeWith(model.url);
  const ran = await hermes(['serve', '--port', '0'], { home, cwd });
  assert.deepEqual([ran.code, ran.out], [2, '']);
  assert.match(ran.err, /does not start without a key.*hermes config set API_SERVER_KEY/s);
  const taken = new URL(model.url).port;
  const second = await hermes(['serve', '--port', taken], { home, cwd, env: { API_SERVER_KEY: KEY } });
  assert.deepEqual([second.code, second.out], [2, '']);
  assert.match(second.err, /^hermes: nothing can listen at 127\.0\.0\.1:\d+: another program listens there\. Choose another port: /);
});

test('hermes serve runs jobs and shows figures as the gateway does, and the status tells so until it ends', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'All is well.' }) });
  const port = await findFreePort();
  const place = placeWith(model.url, { telemetry: { metrics_port: port } });
  const readStatus = async () => JSON.parse((await hermes(['gateway', 'status', '--json'], place)).out);
  const api = await startServe(place);
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const ask = async (path: string, body?: object) =>
    JSON.parse(await (await fetch(`${api.url}${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })).text());
  const { job } = await ask('/api/jobs', { schedule: 'every 2h', prompt: 'How is it?', name: 'look' });
  const { run, is_served: isServed } = await ask(`/api/jobs/${job.id}/run`, {});
  let output: string | undefined;
  while (output === undefined) output = (await ask(`/api/jobs/${job.id}/runs/${run.id}`)).run.output;
  assert.deepEqual([isServed, output], [true, 'All is well.']);
  assert.match(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), /^hermes_turns_total\{outcome="answered".* 1$/m);
  const { running, api: served, cron, listening } = await readStatus();
  const ticker = cron.tickers.map(({ kind, pid }: { kind: string; pid: number }) => [kind, pid]);
  assert.deepEqual(
    [running, served, listening, ticker, cron.next.name, cron.scheduled],
    [false, { running: true, pid: api.child.pid, program: 'serve', url: api.url }, [], [['serve', api.child.pid]], 'look', 1],
  );
  appendFileSync(join(place.cwd, 'backup.tar.gz'), '');
  const restored = await hermes(['restore', 'backup.tar.gz', '--replace'], place);
  assert.match(restored.err, new RegExp(`hermes serve \\(process ${api.child.pid}\\) works in .*Stop it first: kill ${api.child.pid}`));
  api.child.kill('SIGKILL');
  await api.ended;
  const after = await readStatus();
  assert.deepEqual([after.api, after.cron.ok, after.cron.tickers], [{ running: false }, false, []]);
});

test('hermes serve answers a program, is alone with its home, and lets a running turn finish when it is told to end', async () => {
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let calls = 0;
  await using model = await startWireServer({
    answer: async () => {
      calls += 1;
      if (calls === 1) return { text: 'Hello 1.' };
      asked.resolve();
      await go.promise;
      return { text: 'Hello 2.' };
    },
  });
  const place = placeWith(model.url);
  const api = await startServe(place);
  assert.deepEqual(JSON.parse((await api.ask(CHAT)).text).choices[0].message.content, 'Hello 1.');
  const second = await hermes(['serve', '--port', '0'], { home: place.home, cwd: place.cwd, env: { API_SERVER_KEY: KEY } });
  assert.deepEqual([second.code, /is served already, by process \d+/.test(second.err)], [2, true]);
  const answer = api.ask(CHAT);
  await asked.promise;
  api.child.kill('SIGTERM');
  while (!(await isDraining(api)));
  assert.equal((await api.ask(CHAT)).status, 503);
  go.resolve();
  assert.equal(JSON.parse((await answer).text).choices[0].message.content, 'Hello 2.');
  const { code, err } = await api.ended;
  assert.deepEqual([code, existsSync(join(place.home, 'api-server.pid'))], [0, false], err);
  assert.match(err, /serving the API at .*\/v1.*1 running turn has up to 60 s to finish/s);
  const rows = rowsOf(await hermes(['sessions', 'list', '--json'], place));
  assert.deepEqual(
    rows.map(({ source }) => source),
    ['api_server', 'api_server'],
  );
});

test('the gateway serves the API beside its chats, and without any chat', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'Hello.' }) });
  const place = placeWith(model.url, { gateway: { api_server: { enabled: true, port: 0 } } });
  appendFileSync(join(place.home, '.env'), `API_SERVER_KEY=${KEY}\n`);
  const started = Promise.withResolvers<ChildProcess>();
  const ended = hermes(['gateway', 'run'], { ...place, started: started.resolve });
  const child = await started.promise;
  let err = '';
  child.stderr?.on('data', (chunk: string) => (err += chunk));
  await until(() => /Gateway running/.test(err), 'it runs');
  const url = /Serving the API at (\S+)\/v1\./.exec(err)?.[1] ?? '';
  const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } });
  assert.equal(((await response.json()) as { data: { id: string }[] }).data[0]?.id, 'hermes-agent');
  const status = JSON.parse((await hermes(['gateway', 'status', '--json'], place)).out);
  assert.deepEqual(status.api, { running: true, pid: child.pid, program: 'gateway', url });
  child.kill('SIGTERM');
  assert.equal((await ended).code, 0, err);
  assert.doesNotMatch(err, new RegExp(KEY));
});
