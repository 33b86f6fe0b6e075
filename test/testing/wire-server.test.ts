import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { faults, startWireServer } from '../../src/testing/wire-server/index.ts';
import { framesOf, parsed, post, wires } from './raw-http.ts';

describe('the wire server', () => {
  it('records every request as it came, in order of arrival', async () => {
    await using server = await startWireServer({ answer: () => ({ text: 'ok' }) });
    const bodies = wires.map((wire) => `${JSON.stringify(wire.question, null, 1)} `);
    for (const [index, wire] of wires.entries()) await post(`${server.url}/any/prefix${wire.path}?beta=true`, bodies[index]);
    await post(`${server.url}/v1/embeddings`, '\uFEFFö');
    assert.deepEqual(
      server.requests.map(({ at, headers, ...rest }) => ({ ...rest, type: headers['content-type'], timed: Date.now() - at < 10_000 })),
      [
        ...wires.map((wire, index) => recorded(index, wire.protocol, `/any/prefix${wire.path}?beta=true`, bodies[index], wire.question)),
        recorded(3, 'unknown', '/v1/embeddings', '\uFEFFö', undefined),
      ],
    );
  });

  it('takes from the queue first, then asks, then says that the script has run out', async () => {
    await using server = await startWireServer({ replies: [{ text: 'first' }] });
    server.script({ text: 'second' });
    await using asking = await startWireServer({
      replies: [{ text: 'queued' }],
      answer: async (request) => ({ text: `no. ${request.index}` }),
    });
    const [wire] = wires;
    assert.ok(wire);
    const texts = [];
    for (const url of [server.url, server.url, server.url, asking.url, asking.url])
      texts.push((await post(url + wire.path, wire.question)).text);
    const patterns = [/"first"/u, /"second"/u, /script has run out: no reply left for request 2/u, /"queued"/u, /"no. 1"/u];
    for (const [index, pattern] of patterns.entries()) assert.match(texts[index] ?? '', pattern);
  });

  it('says what went wrong when an answer cannot be made, or a request cannot be read', async () => {
    await using server = await startWireServer({ answer: () => Promise.reject(new Error('no idea')) });
    for (const wire of wires) {
      const failed = await post(server.url + wire.path, wire.question);
      assert.equal(failed.status, 500);
      assert.partialDeepStrictEqual(parsed(failed.text), { error: { message: 'The wire server could not answer: no idea' } });
      assert.equal((await post(server.url + wire.path, '{"model":')).status, 400);
    }
    assert.equal((await post(`${server.url}/v1/nowhere`, {})).status, 404);
  });

  it('gives the connection a reason when a scripted status cannot be sent', async () => {
    await using server = await startWireServer({ replies: [{ fault: faults.status(42) }] });
    const { status, text } = await post(server.url + (wires[0]?.path ?? ''), {});
    assert.equal(status, 500);
    assert.match(text, /status code/iu);
  });

  it('leaves out the id of a call when told to, and makes ids that never repeat', async () => {
    const calls = [{ id: null, name: 'look', arguments: 'not JSON' }];
    for (const wire of wires) {
      await using server = await startWireServer({ replies: [{ calls }, { calls }] });
      for (const stream of [true, false]) {
        const { text } = await post(server.url + wire.path, { ...wire.question, stream });
        assert.doesNotMatch(text, /"(?:call_|toolu_)|"(?:call_)?id":(?:null|"")/u);
        assert.match(text, /not JSON/u);
      }
      server.script({ calls: [{ name: 'look', arguments: {} }] }, { calls: [{ name: 'look', arguments: {} }] });
      const ids = [];
      for (let turn = 0; turn < 2; turn += 1)
        ids.push(/"(?:call_|toolu_)\d+_0"/u.exec((await post(server.url + wire.path, wire.question)).text)?.[0]);
      assert.equal(new Set(ids).size, 2);
    }
  });

  it('sends usage in a chat stream only to those who ask, and estimates what is left out', async () => {
    await using server = await startWireServer({ replies: [{ text: 'x'.repeat(40) }, { text: 'x' }] });
    const url = server.url + (wires[0]?.path ?? '');
    const told = await post(url, { stream: true, stream_options: { include_usage: true } });
    const untold = await post(url, { stream: true });
    const usage = { prompt_tokens: Math.ceil((server.requests[0]?.text.length ?? 0) / 4), completion_tokens: 10 };
    assert.partialDeepStrictEqual(framesOf(told.text).at(-2)?.data, { choices: [], usage });
    assert.doesNotMatch(untold.text, /usage/u);
  });

  it('pings on the anthropic wire', async () => {
    await using server = await startWireServer({ replies: [{ thinking: 'a', text: 'b' }] });
    const { text } = await post(`${server.url}/v1/messages`, { stream: true });
    assert.equal(framesOf(text).filter(({ event }) => event === 'ping').length, 2);
  });

  it('paces its frames and survives a client that leaves in between', async () => {
    await using server = await startWireServer({
      replies: [
        { text: 'abcdef', chunk: 1, paceMs: 1000 },
        { text: 'abc', chunk: 1, paceMs: 10 },
      ],
    });
    const url = server.url + (wires[0]?.path ?? '');
    const left = await post(url, { stream: true }, { idleMs: 50 });
    assert.deepEqual([framesOf(left.text).length, left.ending], [1, 'stalled']);
    const started = performance.now();
    const patient = await post(url, { stream: true });
    assert.equal(patient.ending, 'complete');
    assert.ok(performance.now() - started >= 40, 'five pauses of ten milliseconds, less what timers are early');
  });

  it('dispose cuts what is stalled or pacing, at once and as often as asked', async () => {
    const server = await startWireServer({
      replies: [{ fault: faults.stall(10) }, { text: 'abc', chunk: 1, paceMs: 60_000 }, { fault: faults.stallBeforeHeaders() }],
    });
    const waiting = [0, 1, 2].map(() => post(server.url + (wires[0]?.path ?? ''), { stream: true }));
    while (server.requests.length < 3) await sleep(5);
    await server[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    assert.deepEqual(
      (await Promise.all(waiting)).map(({ ending }) => ending),
      ['cut', 'cut', 'cut'],
    );
  });

  it('lets the process end after dispose, whatever was open', { timeout: 10_000 }, () => {
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', openAndLeave], {
      cwd: import.meta.dirname,
      timeout: 8000,
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout.trim()], [0, 'disposed']);
  });
});

function recorded(index: number, protocol: string, path: string, text: string | undefined, body: unknown): object {
  return { index, protocol, method: 'POST', path, text, body, type: 'application/json', timed: true };
}

const openAndLeave = `
  import { faults, startWireServer } from '${new URL('../../src/testing/wire-server/index.ts', import.meta.url).href}';
  const server = await startWireServer({ replies: [{ fault: faults.stall() }, { text: 'ab', chunk: 1, paceMs: 60000 }] });
  const ask = () => fetch(server.url + '/v1/messages', { method: 'POST', body: '{"stream":true}' }).then((r) => r.text()).catch(() => 'cut');
  const asked = [ask(), ask()];
  while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await server[Symbol.asyncDispose]();
  await Promise.all(asked);
  console.log('disposed');
`;
