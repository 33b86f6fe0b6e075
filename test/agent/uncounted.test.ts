import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { sumUsageTokens } from '../../src/agent/budget-reservations.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import type { Provider } from '../../src/contracts/provider.ts';
import { createApiKeyAuth } from '../../src/parts/providers/auth/api-key.ts';
import { createProvider } from '../../src/parts/providers/client.ts';
import { httpSse } from '../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../src/parts/providers/wire-format.ts';
import { collect, RUNTIME, says, setup, testTool } from './setup.ts';

const BUDGET = 30_000;
const PAGE = 'The quick brown fox jumps over the lazy dog. '.repeat(100);

/** What each call really takes: a token for four bytes of the body, and for four characters of the answer. */
interface Meter {
  calls: number;
  real: number;
  /** Of them, what the last call took. */
  last: number;
}
type AnswerCall = (response: ServerResponse, n: number, isClosing: boolean) => void;

async function startServer(answer: AnswerCall): Promise<{ readonly url: string; readonly meter: Meter }> {
  const meter = { calls: 0, real: 0, last: 0 };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    meter.calls++;
    meter.last = body.length / 4;
    meter.real += meter.last;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answer(response, meter.calls, body.includes('"tool_choice":"none"'));
  };
  const server = createServer((request, response) => void take(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => (server.closeAllConnections(), server.close()));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return { url: `http://127.0.0.1:${address.port}/v1`, meter };
}

const overWire = (): Provider => {
  const transport = httpSse();
  after(() => transport[Symbol.dispose]());
  const auth = createApiKeyAuth({ profileOf: () => undefined, secret: () => undefined, owned: () => [] });
  const deadlines = { connect: 2_000, firstByte: 5_000, idle: 5_000 };
  return createProvider({ formatOf: createWireFormats(() => undefined), transport, auth, deadlinesOf: () => deadlines });
};

const send = (response: ServerResponse, frame: unknown) =>
  response.write(`data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`);
const delta = (value: object, finish: string | null = null) => ({ choices: [{ index: 0, delta: value, finish_reason: finish }] });

/** Calls a tool over and over; how it counts what that takes differs. */
const looksFor =
  (usage: (meter: Meter) => unknown, meter: () => Meter): AnswerCall =>
  (response, n, isClosing) => {
    if (isClosing || n > 60) send(response, delta({ content: 'A report.' }, 'stop'));
    else
      send(response, delta({ tool_calls: [{ index: 0, id: `c${n}`, function: { name: 'look', arguments: `{"n":${n}}` } }] }, 'tool_calls'));
    const told = usage(meter());
    if (told !== undefined) send(response, { choices: [], usage: told });
    send(response, '[DONE]');
    response.end();
  };

async function playWith(answer: AnswerCall, settings: object, meterOf: (meter: Meter) => void = () => {}) {
  const { url, meter } = await startServer(answer);
  meterOf(meter);
  const look = testTool('look', async () => ({ content: [createTextBlock(PAGE, 'tool')] }));
  const scene = await setup(overWire(), { tools: [look], settings: { 'agent.max_turns': 0, ...settings } });
  const runtime = { ...RUNTIME, provider: 'custom', baseUrl: url };
  const agent = createAgent(scene.store, scene.deps, runtime);
  return { scene, agent, meter, spent: async () => sumUsageTokens(await scene.store.spent(scene.session.id)) };
}

for (const [story, usage] of [
  ['no usage', () => undefined],
  ['zeros', () => ({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })],
  ['nulls', () => ({ prompt_tokens: null, completion_tokens: null })],
  ['numbers as strings', ({ last }: Meter) => ({ prompt_tokens: String(Math.ceil(last)), completion_tokens: '9' })],
  ['only the sum', ({ last }: Meter) => ({ total_tokens: Math.ceil(last) })],
] as const) {
  test(`a token budget holds on a server that reports ${story}`, async () => {
    let meter: Meter = { calls: 0, real: 0, last: 0 };
    const answer = looksFor(usage, () => meter);
    const played = await playWith(answer, { 'agent.budget_tokens': BUDGET }, (own) => (meter = own));
    await collect(played.agent.send(played.scene.session, says('go'), new AbortController().signal));
    assert.ok(played.meter.calls > 2 && played.meter.calls < 60, `${played.meter.calls} calls`);
    assert.ok(played.meter.real <= BUDGET, `${played.meter.real} of ${BUDGET}`);
    assert.ok((await played.spent()) <= BUDGET);
  });
}

test('answers that break off after they were streamed are charged: a budget ends the tries', async () => {
  const words = 'some words of an answer. '.repeat(200);
  const answer: AnswerCall = (response) => {
    send(response, delta({ content: words }));
    send(response, { error: { code: 429, message: 'rate limited' } });
    response.end();
  };
  const { agent, scene, meter, spent } = await playWith(answer, { 'agent.budget_tokens': 12_000, 'agent.api_max_retries': 50 });
  await collect(agent.send(scene.session, says('go'), new AbortController().signal));
  assert.ok(meter.calls > 1 && meter.calls < 12, `${meter.calls} calls`);
  assert.ok(meter.real + (meter.calls * words.length) / 4 <= 12_000);
  assert.ok((await spent()) <= 12_000);
});

test('a call that is refused costs nothing', async () => {
  const answer: AnswerCall = (response) => {
    send(response, { error: { code: 429, message: 'rate limited' } });
    response.end();
  };
  const { agent, scene, meter, spent } = await playWith(answer, {});
  await collect(agent.send(scene.session, says('go'), new AbortController().signal));
  assert.ok(meter.calls > 1);
  assert.equal(await spent(), 0);
});

test('a call that was stopped has cost its prompt and what was streamed of its answer', async () => {
  const stop = new AbortController();
  const answer: AnswerCall = (response) => {
    send(response, delta({ content: 'word '.repeat(600) }));
    setTimeout(() => stop.abort('interrupted'), 50);
  };
  const { agent, scene, meter, spent } = await playWith(answer, {});
  await collect(agent.send(scene.session, says('go'), stop.signal));
  const [call] = await scene.store.calls({ sessionId: scene.session.id });
  assert.deepEqual([call?.result, call?.usageEstimated, call?.usage.output], ['cancelled', true, 1_000]);
  assert.ok((await spent()) >= meter.real / 2 + 750, `${await spent()} for ${meter.real}`);
});
