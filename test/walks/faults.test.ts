import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isMessageEntry } from '../../src/contracts/entry.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import type { ProtocolId, Runtime } from '../../src/contracts/runtime.ts';
import { createAgent } from '../../src/agent/agent.ts';
import { createApiKeyAuth } from '../../src/parts/providers/auth/api-key.ts';
import { createProvider } from '../../src/parts/providers/client.ts';
import { httpSse } from '../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../src/parts/providers/wire-format.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import { faults, startWireServer, type Fault, type Reply } from '../../src/testing/wire-server/index.ts';
import { collect, says, setup, testTool } from '../agent/setup.ts';

/**
 * The fault matrix: what each fault leads to on the first call and in the middle of a turn, on all three wires.
 * `recovers` names the recoveries in order; `exit` is how the turn ends.
 */
interface Row {
  readonly name: string;
  /** What the model's side does at that moment. */
  readonly reply: Reply;
  readonly first: Expected;
  readonly mid: Expected;
}
interface Expected {
  readonly recovers: readonly string[];
  readonly exit: string;
}
const cured = (...recovers: string[]): Expected => ({ recovers, exit: 'answered' });
const ends = (exit: string): Expected => ({ recovers: [], exit });
const same = (expected: Expected) => ({ first: expected, mid: expected });

const WORDS = 'This is a reply that is long enough to be cut in several places before it comes to its end.';
const breaks = (fault: Fault): Reply => ({ text: WORDS, fault });

/** New places in every run; the seed in a test's name brings them back. */
const DRAWS = createSeededRandom(process.env['HERMES_SEED'] ?? String(Math.floor(Math.random() * 1_000_000)));
/** On every wire the last words come later than this. */
const LAST_BYTE = 1_400;

function atRandom(kind: 'stall' | 'cut'): Row[] {
  const draws = DRAWS.fork(kind);
  return draws.list(3, 3, () => {
    const bytes = draws.int(0, LAST_BYTE);
    return {
      name: `${kind} at a random place, after ${bytes} bytes (HERMES_SEED=${DRAWS.seed} draws it again)`,
      reply: breaks(faults[kind](bytes)),
      ...same(cured('wait')),
    };
  });
}

const MATRIX: readonly Row[] = [
  { name: '429 with Retry-After', reply: breaks(faults.rateLimited(7)), ...same(cured('wait')) },
  { name: '402', reply: breaks(faults.billing()), ...same(ends('billing')) },
  { name: '401', reply: breaks(faults.unauthorized()), ...same(ends('unauthorized')) },
  { name: '413', reply: breaks(faults.payloadTooLarge()), first: ends('payload_too_large'), mid: cured('shrink') },
  { name: '400 overflow', reply: breaks(faults.overflow(300_000, 200_000)), first: ends('context_overflow'), mid: cured('shrink') },
  { name: '500', reply: breaks(faults.serverError()), ...same(cured('wait')) },
  { name: '529', reply: breaks(faults.overloaded()), ...same(cured('wait')) },
  { name: 'streaming refused', reply: breaks(faults.streamUnsupported()), ...same(cured('unstream')) },
  { name: 'stall before headers', reply: breaks(faults.stallBeforeHeaders()), ...same(cured('wait')) },
  ...[0, 1, 40, 200, 400].map((bytes) => ({
    name: `stall after ${bytes} bytes`,
    reply: breaks(faults.stall(bytes)),
    ...same(cured('wait')),
  })),
  ...[0, 1, 40, 200, 400].map((bytes) => ({ name: `cut after ${bytes} bytes`, reply: breaks(faults.cut(bytes)), ...same(cured('wait')) })),
  { name: 'malformed frame', reply: breaks(faults.malformedFrame()), ...same(cured('wait')) },
  { name: 'error frame', reply: breaks(faults.errorFrame()), ...same(cured('wait')) },
  { name: 'empty reply', reply: breaks(faults.empty()), first: cured('retry_empty'), mid: cured('nudge_empty') },
  { name: 'length stop', reply: breaks(faults.length()), ...same(cured('continue_truncated')) },
  { name: 'bad arguments', reply: breaks(faults.badArguments()), ...same(cured('reask_truncated_call')) },
  // Whole and closed, yet no JSON: what a length limit cuts off is another matter.
  { name: 'broken JSON arguments', reply: { calls: [{ name: 'look', arguments: '{"at": oops}' }] }, ...same(cured()) },
  { name: 'unknown tool', reply: breaks(faults.unknownTool('no_such_tool')), ...same(cured()) },
  ...atRandom('stall'),
  ...atRandom('cut'),
];

const PROTOCOLS: readonly ProtocolId[] = ['openai-chat', 'anthropic-messages', 'openai-responses'];
const look = (id: string): Reply => ({ calls: [{ id, name: 'look', arguments: { at: id } }] });

// Most of the time is spent waiting for silence to count as such.
describe('every fault on every wire is cured or ends the turn in order', { concurrency: 8 }, () => {
  for (const protocol of PROTOCOLS) {
    for (const row of MATRIX) {
      test(`${protocol}: ${row.name} on the first call`, () => meet(protocol, row.reply, [], row.first));
      // Enough steps before the fault that there is something to leave out of view.
      test(`${protocol}: ${row.name} in the middle of a turn`, () => meet(protocol, row.reply, ['a', 'b', 'c', 'd'].map(look), row.mid));
    }
  }
});

async function meet(protocol: ProtocolId, reply: Reply, before: readonly Reply[], expected: Expected): Promise<void> {
  await using server = await startWireServer({ replies: [...before, reply], answer: () => ({ text: 'All is well.' }) });
  const runtime: Runtime = {
    provider: 'custom',
    model: 'test-model',
    baseUrl: `${server.url}/v1`,
    protocol,
    credential: 'none',
    limits: { window: 200_000 },
  };
  const transport = httpSse();
  // Short only where silence is the fault: elsewhere a busy machine must not look like one.
  const patience = reply.fault?.type.startsWith('stall') === true ? 2_000 : 6_000;
  const provider = createProvider({
    formatOf: createWireFormats(() => undefined),
    transport,
    auth: createApiKeyAuth({ profileOf: () => undefined, secret: () => undefined, owned: () => [] }),
    deadlinesOf: () => ({ connect: 3_000, firstByte: patience, idle: patience }),
  });
  const scene = await setup(provider, {
    tools: [testTool('look', async () => ({ content: [createTextBlock('something worth leaving out '.repeat(40), 'tool')] }))],
  });
  const { events, outcome } = await collect(
    createAgent(scene.store, scene.deps, runtime).send(scene.session, says('go'), new AbortController().signal),
  );
  assert.deepEqual({ recovers: strategies(events), exit: outcome?.exitReason }, expected);
  if (reply === MATRIX[0]?.reply) assert.deepEqual(scene.clock.slept, [7_000], 'the stated wait is honoured');
  await checkLog(scene.store, scene.session.id);
}

const strategies = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'recovering' ? [event.strategy] : []));

/** Never a lost log: the question and an outcome are there, every call has one result, no turn is left open. */
async function checkLog(store: Awaited<ReturnType<typeof setup>>['store'], sessionId: string): Promise<void> {
  const entries = await store.entries(sessionId);
  const messages = entries.filter(isMessageEntry).map((entry) => entry.message);
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? message.content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : [])) : [],
  );
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
  assert.deepEqual(results, calls);
  assert.equal(entries.filter((entry) => entry.type === 'outcome').length, 1);
  assert.equal(await store.turn(sessionId), undefined);
}
