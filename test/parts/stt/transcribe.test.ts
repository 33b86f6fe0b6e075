import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTranscription } from '../../../src/parts/stt/transcribe.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-stt-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const spoken = { path: join(folder, 'a voice; touch $(pwned).ogg'), name: 'a.ogg', mime: 'audio/ogg' };
writeFileSync(spoken.path, 'sound');

const NOTHING = { 'stt.enabled': true, 'stt.command': '', 'stt.endpoint': '', 'stt.model': 'whisper-1' };
const never = new AbortController().signal;
const open = (settings: Partial<typeof NOTHING>, env: Readonly<Record<string, string>> = {}) =>
  openTranscription({ ...NOTHING, ...settings }, env);

test('nothing is set up, or it is switched off: there is no way', () => {
  assert.equal(open({}), undefined);
  assert.equal(open({ 'stt.enabled': false, 'stt.command': 'cat' }), undefined);
});

test('a command gets the path as one argument, at the end or where it says', async () => {
  assert.deepEqual(await open({ 'stt.command': 'cat' })?.(spoken, never), { ok: true, text: 'sound' });
  assert.deepEqual(await open({ 'stt.command': 'cat {file} | tr a-z A-Z' })?.(spoken, never), { ok: true, text: 'SOUND' });
  assert.deepEqual(await open({ 'stt.command': 'cat "{file}" - < /dev/null' })?.(spoken, never), { ok: true, text: 'sound' });
});

test('a command sees no keys of the agent', async () => {
  const transcribe = open({ 'stt.command': 'echo "key: $STT_API_KEY"; true' }, { STT_API_KEY: 'sk-1', PATH: process.env['PATH'] ?? '' });
  assert.deepEqual(await transcribe?.(spoken, never), { ok: true, text: 'key:' });
});

test('silence, failure and a missing program are told', async () => {
  assert.deepEqual(await open({ 'stt.command': 'true' })?.(spoken, never), { ok: false, why: 'no words were heard in it' });
  assert.deepEqual(await open({ 'stt.command': 'echo first >&2; echo broken >&2; exit 2;' })?.(spoken, never), {
    ok: false,
    why: 'the command stt.command failed (2): broken',
  });
  const missing = await open({ 'stt.command': '/no/such/program' })?.(spoken, never);
  assert.match(missing?.ok === false ? missing.why : '', /^the command stt\.command failed \(127\): /);
});

test(
  'a command that takes too long is ended with all that it started',
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async () => {
    const mark = join(folder, 'child');
    const stop = new AbortController();
    const running = open({ 'stt.command': `(sleep 1000 & echo $! > ${mark}; wait); true` })?.(spoken, stop.signal);
    while (!existsSync(mark) || readFileSync(mark, 'utf8') === '') await sleep(5);
    stop.abort();
    assert.deepEqual(await running, { ok: false, why: 'it took too long' });
    // Gone, or dead and not yet cleared away by whoever inherited it.
    const state = () => {
      try {
        return / ([A-Z]) \d+ /.exec(readFileSync(`/proc/${readFileSync(mark, 'utf8').trim()}/stat`, 'utf8'))?.[1];
      } catch {
        return 'gone';
      }
    };
    while (!['gone', 'Z', 'X'].includes(state() ?? '')) await sleep(5);
  },
);

test('a server is asked as OpenAI is; its refusals and odd answers are told', async () => {
  const asked: string[] = [];
  const answers: readonly (readonly [number, string])[] = [
    [200, '{"text":"hello"}'],
    [401, '{"error":"no"}'],
    [200, 'oops'],
  ];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const [status, body] = answers[asked.length] ?? [500, ''];
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(status).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const transcribe = open({ 'stt.endpoint': `http://127.0.0.1:${address.port}/v1/` }, { STT_API_KEY: 'sk-1' });
  const results = [await transcribe?.(spoken, never), await transcribe?.(spoken, never), await transcribe?.(spoken, never)];
  assert.deepEqual(results, [
    { ok: true, text: 'hello' },
    { ok: false, why: 'the server at stt.endpoint answered 401' },
    { ok: false, why: 'the server at stt.endpoint sent no transcript' },
  ]);
  assert.deepEqual(
    asked,
    Array.from({ length: 3 }, () => 'POST /v1/audio/transcriptions Bearer sk-1'),
  );
});
