import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../../src/agent/agent.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { ToolDetails } from '../../../src/contracts/details.ts';
import { isMessageEntry } from '../../../src/contracts/entry.ts';
import { createTextBlock } from '../../../src/contracts/message.ts';
import type { ProtocolId } from '../../../src/contracts/runtime.ts';
import { exportMarkdown } from '../../../src/commands/export-markdown.ts';
import { exportLines } from '../../../src/commands/export-session.ts';
import { createApiKeyAuth } from '../../../src/parts/providers/auth/api-key.ts';
import { createProvider } from '../../../src/parts/providers/client.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { openRecall } from '../../../src/parts/context/recall/recall.ts';
import { startWireServer } from '../../../src/testing/wire-server/index.ts';
import { sceneWith } from '../compaction-scene.ts';
import { collect, RUNTIME, says, setup, testTool } from '../setup.ts';

const MARK = 'XQ-shown-to-faces-alone';
const DETAILS: readonly ToolDetails[] = [
  { kind: 'diff', files: [{ path: `/${MARK}`, change: 'changed', diff: `+${MARK}`, added: 1, removed: 0 }] },
  { kind: 'tasks', tasks: [{ id: '1', content: MARK, status: 'pending' }] },
  { kind: 'media', items: [{ path: `/${MARK}.png`, mime: 'image/png' }] },
  { kind: 'command', exitCode: 0, ended: 'exited', cwd: `/${MARK}` },
  { kind: 'process', id: MARK, pid: 1 },
  { kind: 'children', children: [{ status: 'completed', sessionId: MARK }] },
  { kind: 'data', data: { [MARK]: [MARK] } },
];
const shower = (withDetails: boolean) =>
  testTool('show', async (input) => {
    const details = DETAILS[Number(input['n'])];
    return { content: [createTextBlock(`shown ${String(input['n'])}`, 'tool')], ...(withDetails && details !== undefined && { details }) };
  });

/** One turn with a call for every kind of details, over real HTTP. */
async function turn(protocol: ProtocolId, withDetails: boolean) {
  const calls = DETAILS.map((_, n) => ({ id: `c${n}`, name: 'show', arguments: { n } }));
  await using server = await startWireServer({ replies: [{ calls }, { text: 'seen' }] });
  const auth = createApiKeyAuth({ profileOf: () => undefined, secret: () => undefined, owned: () => [] });
  const deadlinesOf = () => ({ connect: 60_000, firstByte: 60_000, idle: 60_000 });
  const provider = createProvider({ formatOf: createWireFormats(() => undefined), transport: httpSse(), auth, deadlinesOf });
  const { store, session, deps } = await setup(provider, { tools: [shower(withDetails)] });
  const agent = createAgent(store, { ...deps, clock: systemClock }, { ...RUNTIME, protocol, baseUrl: `${server.url}/v1` });
  const { events, outcome } = await collect(agent.send(session, says('show all'), new AbortController().signal));
  assert.equal(outcome?.text, 'seen');
  return { events, session, entries: await store.entries(session.id), bodies: server.requests.map((request) => request.text) };
}

for (const protocol of ['openai-chat', 'anthropic-messages', 'openai-responses'] as const) {
  test(`${protocol}: details of every kind and how long a call took reach the event and the stored entry, and change no byte on the wire`, async () => {
    const { events, entries, bodies, session } = await turn(protocol, true);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'tool_finished' ? [event.details] : [])),
      DETAILS,
    );
    const stored = entries.filter(isMessageEntry).filter(({ message }) => message.role === 'tool');
    assert.deepEqual(
      stored.map(({ details }) => details),
      DETAILS,
    );
    assert.deepEqual(
      stored.map(({ ms }) => ms),
      events.flatMap((event) => (event.type === 'tool_finished' ? [event.ms] : [])),
    );
    assert.equal(bodies.length, 2);
    assert.deepEqual(bodies, (await turn(protocol, false)).bodies);
    for (const text of [exportLines(entries), exportMarkdown(session, entries)]) assert.ok(!/XQ-shown|"ms"/.test(text));
  });
}

test('no summary is asked for with details in it, none has them, and nothing of them is recalled', async () => {
  const calls = DETAILS.map((_, n) => ({ id: `c${n}`, name: 'show', input: { n } }));
  const { say, run, agent, session, store, provider, writer } = await sceneWith({
    tools: [shower(true)],
    window: 100_000,
    model: (index) => (index % 2 === 0 ? { calls } : { text: `answer ${index}` }),
  });
  for (const words of ['one', 'two', 'three', 'four', 'five', 'six']) await say(`${words} ${'a long story; '.repeat(400)}`);
  const { done } = await run(agent.compact(session, new AbortController().signal));
  assert.ok(done);
  await say('and on');
  assert.ok(writer.requests.length > 0);
  const entries = await store.entries(session.id);
  assert.ok(JSON.stringify(entries).includes(MARK));
  const compactions = entries.filter((entry) => entry.type === 'compaction');
  for (const said of [writer.requests, provider.requests, compactions]) assert.ok(!JSON.stringify(said).includes(MARK));
  const recall = openRecall({ entries: (id) => store.entries(id) });
  const asked = [{}, { query: 'shown 3' }, { query: 'faces alone' }, { from: 1, to: entries.length }];
  for (const input of asked) {
    const page = JSON.stringify(await recall(input, session.id, new AbortController().signal));
    assert.ok(page.length > 40 && !page.includes(MARK));
  }
});
