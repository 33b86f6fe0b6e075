import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../../src/agent/agent.ts';
import { replayCall } from '../../../src/agent/replay.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { isObject } from '../../../src/base/json.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import type { Sampling } from '../../../src/contracts/provider.ts';
import type { ProtocolId } from '../../../src/contracts/runtime.ts';
import { windowEngine } from '../../../src/parts/context/window.ts';
import { createPromptPipeline } from '../../../src/parts/prompt/pipeline.ts';
import { createApiKeyAuth } from '../../../src/parts/providers/auth/api-key.ts';
import { createProvider } from '../../../src/parts/providers/client.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import { startWireServer } from '../../../src/testing/wire-server/index.ts';
import { collect, RUNTIME, says, setup, testTool } from '../setup.ts';

const PROTOCOLS: readonly ProtocolId[] = ['openai-chat', 'anthropic-messages', 'openai-responses'];

/** Some of the parameters, any of them absent. */
function drawn(chance: SeededRandom): Sampling {
  const maybe = <Value>(value: Value): Value | undefined => (chance.hits(0.5) ? value : undefined);
  const all = {
    temperature: maybe(chance.int(0, 20) / 10),
    topP: maybe(chance.next()),
    seed: maybe(chance.int(0, 1e9)),
    stop: maybe(chance.list(1, 3, (index) => `stop "${index}" \ud83d`)),
    maxOutput: maybe(chance.int(1, 5_000)),
    logprobs: maybe(chance.int(0, 20)),
    extraBody: maybe({ zebra: chance.int(0, 9), ape: { y: [1, null], x: 'é' } }),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A session of two turns with a call, where parameters may differ between the turns and no slot has anything to say. */
async function talk(protocol: ProtocolId, samplings: readonly (Sampling | undefined)[]) {
  const replies = samplings.flatMap((_, turn) => [
    { calls: [{ id: `c${turn}`, name: 'look', arguments: {} }] },
    { text: `answer ${turn}` },
  ]);
  const server = await startWireServer({ replies });
  const auth = createApiKeyAuth({ profileOf: () => undefined, secret: () => undefined, owned: () => [] });
  const deadlinesOf = () => ({ connect: 60_000, firstByte: 60_000, idle: 60_000 });
  const provider = createProvider({ formatOf: createWireFormats(() => undefined), transport: httpSse(), auth, deadlinesOf });
  const look = testTool('look', async () => ({ content: [{ type: 'text', text: 'seen', trust: 'tool' }] }));
  const { store, session, deps } = await setup(provider, { tools: [look] });
  for (const [turn, sampling] of samplings.entries()) {
    const own = { ...deps, clock: systemClock, prompt: createPromptPipeline([]), ...(sampling !== undefined && { sampling }) };
    const agent = createAgent(store, own, { ...RUNTIME, protocol, baseUrl: `${server.url}/v1` });
    const { outcome } = await collect(agent.send(session, says(`question ${turn}`), new AbortController().signal));
    assert.equal(outcome?.text, `answer ${turn}`);
  }
  await server[Symbol.asyncDispose]();
  return { calls: await store.calls({ sessionId: session.id }), entries: await store.entries(session.id), requests: server.requests };
}

for (const protocol of PROTOCOLS) {
  test(`${protocol}: whatever is asked of the sampling, the ledger hashes what the server heard and replay makes it again`, () =>
    forAll(12, async (chance) => {
      const samplings = chance.list(2, 2, () => (chance.hits(0.2) ? undefined : drawn(chance)));
      const { calls, entries, requests } = await talk(protocol, samplings);
      assert.equal(calls.length, 4);
      assert.deepEqual(
        calls.map(({ bodyHash }) => bodyHash),
        requests.map(({ text }) => sha256(text)),
      );
      const formatOf = createWireFormats(() => undefined);
      for (const call of calls) {
        const format = formatOf(call.runtime);
        assert.ok(replayCall(call, entries, windowEngine, format.encode).identical);
        const { sampling, ...plain } = call;
        // Every wire has a name for the temperature: without it another body comes out.
        if (sampling?.temperature !== undefined)
          assert.equal(replayCall(plain, entries, windowEngine, format.encode).firstDifference, 'parameters');
      }
    }));

  test(`${protocol}: a prompt pipeline without a word gives an epoch without slots and no system message on the wire`, async () => {
    const { entries, requests } = await talk(protocol, [undefined]);
    assert.deepEqual(
      entries.flatMap((entry) => (entry.type === 'epoch' ? [entry.epoch.slots] : [])),
      [[]],
    );
    for (const { text } of requests) {
      const body: unknown = JSON.parse(text);
      assert.ok(isObject(body) && !('system' in body) && !('instructions' in body));
      assert.doesNotMatch(text, /"role":"(?:system|developer)"/);
    }
  });
}
