import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageReport } from '../../src/contracts/context-engine.ts';
import type { Entry } from '../../src/contracts/entry.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import { long, NOTES, sceneWith, SMALL, talk, type Options } from './compaction-scene.ts';
import { collect, says, testTool } from './setup.ts';

const OVERFLOW = { fails: { type: 'context_overflow', detail: 'too many tokens' } } as const;
const of = <Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type) =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
const reportsIn = (entries: readonly Entry[]) => entries.flatMap((entry) => (entry.type === 'note' ? (entry.compaction ?? []) : []));
const OPEN = new AbortController().signal;

test('the calls that write notes are in the ledger, marked, and count as spent', async () => {
  const scene = await sceneWith({ price: () => 0.25 });
  const events = await talk(scene, 6);
  const [compacted] = of(events, 'compacted');
  assert.equal(compacted?.report.outcome, 'summary');
  const calls = await scene.calls();
  const [written, ...more] = calls.filter(({ purpose }) => purpose === 'compaction');
  assert.deepEqual(
    [written?.runtime.model, written?.usage.input, written?.price, written?.result, more.length],
    ['writer', 900, 0.25, 'stop', scene.writer.requests.length - 1],
  );
  assert.equal((await scene.store.entries(scene.session.id)).find(({ turnId }) => turnId === written?.turnId)?.type, 'message');
  const spent = await scene.store.spent(scene.session.id);
  assert.deepEqual([spent.calls, spent.price], [calls.length, calls.length * 0.25]);
});

test('a budget counts what notes took', async () => {
  const settings = { 'agent.budget_tokens': 60_000 };
  const cheap = await sceneWith({ settings });
  const dear = await sceneWith({ settings, writer: () => ({ text: NOTES, usage: { input: 59_000, output: 900 } }) });
  for (const [scene, stops] of [
    [cheap, false],
    [dear, true],
  ] as const) {
    const outcomes = of(await talk(scene, 6), 'settled').map(({ outcome }) => outcome.exitReason);
    assert.equal(outcomes.includes('token_budget'), stops, outcomes.join());
    assert.ok(scene.writer.requests.length > 0);
  }
});

test('nothing is summed up where a limit forbids the call it would be for', async () => {
  const scene = await sceneWith({ settings: { 'agent.budget_tokens': 30_000 }, model: () => ({ text: 'ok', usage: { input: 6_000 } }) });
  const outcomes = of(await talk(scene, 6), 'settled').map(({ outcome }) => outcome.exitReason);
  assert.equal(outcomes.at(-1), 'token_budget');
  assert.equal(scene.writer.requests.length, 0);
});

/** A turn that a limit closes, and whose closing call the provider finds too large. */
async function closedTooLarge(options: Options, calls: number) {
  const scene = await sceneWith({
    window: 200_000,
    ...options,
    model: (index) => (index === calls ? OVERFLOW : (options.model?.(index) ?? { text: `answer ${index}` })),
  });
  await talk(scene, 5);
  const { events, outcome } = await scene.say('go on');
  const reports = of(events, 'compacted').map(({ report }) => [report.reason, report.outcome]);
  return { reports, notes: scene.writer.requests.length, exit: outcome?.exitReason, text: outcome?.text };
}

test('a closing call that is too large is shortened, and notes are paid for only where no budget closed the turn', async () => {
  const dear: Options['model'] = (index) => ({ text: `answer ${index}`, usage: { input: index < 4 ? 10 : 30_000 } });
  const look = testTool('look', async () => ({ content: [createTextBlock('seen', 'tool')] }));
  const looking: Options['model'] = (index) => (index === 5 ? { calls: [{ id: '1', name: 'look' }] } : { text: `answer ${index}` });
  const budgets = { 'agent.budget_tokens': 50_000 };
  const digest = { reports: [['overflow', 'digest']], notes: 0, exit: 'token_budget', text: 'answer 6' };
  assert.deepEqual(await closedTooLarge({ settings: budgets, model: dear }, 5), digest);
  const priced: Options['model'] = (index) => ({ text: `answer ${index}`, usage: { input: 10 } });
  const price: Options['price'] = (_runtime, usage) => (usage.input + usage.cacheWrite === 0 ? 0 : 0.18);
  const money = { settings: { 'agent.budget_usd': 1.1 }, price, model: priced };
  assert.deepEqual(await closedTooLarge(money, 5), { ...digest, exit: 'money_budget' });
  const steps = { reports: [['overflow', 'summary']], notes: 1, exit: 'turn_limit', text: 'answer 7' };
  assert.deepEqual(await closedTooLarge({ settings: { 'agent.max_turns': 1 }, tools: [look], model: looking }, 6), steps);
});

test('notes do not calibrate the size of requests', async () => {
  // The same model writes and answers; its notes are counted as many times what their size says, or not at all.
  const gauged = async (input: number) => {
    const scene = await sceneWith({ writer: () => ({ text: NOTES, usage: { input } }), writes: SMALL.model });
    return of(await talk(scene, 8), 'compacting').map(({ tokens }) => tokens);
  };
  const [loud, silent] = [await gauged(900_000), await gauged(0)];
  assert.ok(silent.length > 1, 'there is a compaction after the first notes');
  assert.deepEqual(loud, silent);
});

test('an engine is told of a session and of every real count, and what it throws harms nothing', async () => {
  const heard: string[] = [];
  const used: UsageReport[] = [];
  const watch = (word: string) => (sessionId: string) => void heard.push(`${word} ${sessionId}`);
  const lines = [{ text: 'one', usage: { input: 10, output: 2 } }, { text: 'two' }, { text: 'three', usage: { input: 30 } }];
  const scene = await sceneWith({
    model: (index) => lines[index] ?? { text: 'more' },
    engine: (engine) => ({ ...engine, begin: watch('begin'), end: watch('end'), used: (report) => void used.push(report) }),
  });
  for (const words of ['a', 'b', 'c']) assert.equal((await scene.say(words)).outcome?.type, 'answered');
  const { id } = scene.session;
  assert.deepEqual(heard, [`begin ${id}`]);
  assert.deepEqual(
    used.map(({ sessionId, usage, runtime }) => [sessionId, usage.input, runtime.model]),
    [
      [id, 10, SMALL.model],
      [id, 30, SMALL.model],
    ],
  );
  assert.ok(used.every(({ estimate }) => estimate > 0));
  scene.agent.close('somebody else');
  scene.agent.close();
  scene.agent.close(id);
  await scene.say('d');
  assert.deepEqual(heard, [`begin ${id}`, `end ${id}`, `begin ${id}`]);
});

test('hooks that throw, now or later, change nothing of a turn', async () => {
  const broken = (): never => {
    throw new Error('no');
  };
  const later = async (): Promise<void> => broken();
  for (const hook of [broken, later]) {
    const scene = await sceneWith({ engine: (engine) => ({ ...engine, begin: hook, used: hook, end: hook }) });
    const { outcome } = await scene.say('hi');
    scene.agent.close();
    assert.deepEqual(outcome, { type: 'answered', exitReason: 'answered', text: 'answer 0' });
  }
});

test('a compaction that a refused request needs and does not get leaves a note with its report, and the failure says why', async () => {
  const scene = await sceneWith({ model: () => OVERFLOW, engine: (engine) => ({ ...engine, shouldCompress: () => false }) });
  const { events, outcome } = await scene.say('short');
  assert.equal(outcome?.exitReason, 'context_overflow');
  assert.match(outcome?.text ?? '', /could not be made smaller: .+\.\n/s);
  const [report, ...more] = reportsIn(await scene.store.entries(scene.session.id));
  assert.deepEqual([report?.engine, report?.reason, report?.outcome, more.length], ['compressor', 'overflow', 'refused', 0]);
  assert.ok(report !== undefined && report.tokensBefore > 0 && report.tokensAfter === report.tokensBefore && report.messagesBefore === 1);
  assert.deepEqual(
    of(events, 'compacted').map((event) => event.report),
    [report],
  );
});

test('with compactions switched off an overflow says so and what to do', async () => {
  const scene = await sceneWith({
    compression: { 'compression.enabled': false },
    model: (index) => (index < 6 ? { text: 'ok' } : OVERFLOW),
  });
  await talk(scene, 6);
  const { outcome } = await scene.say('one more');
  assert.equal(outcome?.exitReason, 'context_overflow');
  assert.match(outcome?.text ?? '', /compression\.enabled is off; .*hermes config set compression\.enabled true/);
  assert.equal(reportsIn(await scene.store.entries(scene.session.id)).length, 1);
  assert.equal(scene.writer.requests.length, 0);
});

test('a way out that was closed is on record also when the next one helps', async () => {
  const tooLarge = { fails: { type: 'payload_too_large', detail: '413' } } as const;
  const scene = await sceneWith({
    model: (index) => (index === 0 ? tooLarge : { text: 'without the picture' }),
    compression: { 'compression.enabled': false },
  });
  const picture = { type: 'image', mime: 'image/png', data: 'AAAA', trust: 'owner' } as const;
  const { outcome } = await collect(scene.agent.send(scene.session, { role: 'user', content: [picture] }, OPEN));
  assert.equal(outcome?.text, 'without the picture');
  const entries = await scene.store.entries(scene.session.id);
  assert.deepEqual(
    reportsIn(entries).map(({ reason }) => reason),
    ['overflow'],
  );
});

test('an engine that declines is not announced, and its reason is told once a session', async () => {
  const scene = await sceneWith({ compression: { 'compression.threshold': 0 } });
  const events = await talk(scene, 3);
  assert.equal(of(events, 'compacting').length, 0);
  const notices = of(events, 'notice').map((notice) => notice.text);
  assert.equal(notices.length, 1);
  assert.match(notices[0] ?? '', /not shortened: the system prompt and the tools alone take/);
  const notes = (await scene.store.entries(scene.session.id)).filter((entry) => entry.type === 'note');
  assert.deepEqual(
    notes.map((note) => [note.text, note.declined, note.compaction]),
    [[notices[0], true, undefined]],
  );
  assert.equal(of(events, 'settled').filter(({ outcome }) => outcome.type === 'answered').length, 3);
});

test('a compaction that is really tried is announced before a model is asked, and who leaves then pays for nothing', async () => {
  const scene = await sceneWith();
  await talk(scene, 3);
  const order: string[] = [];
  for (let turn = 3; turn < 9 && order.length === 0; turn++) {
    for await (const event of scene.agent.send(scene.session, says(long(`message ${turn}`)), OPEN)) {
      if (event.type !== 'compacting') continue;
      order.push(event.reason);
      break;
    }
  }
  assert.deepEqual(order, ['threshold']);
  assert.equal(scene.writer.requests.length, 0);
});

test('an engine that throws leaves the view as it is, and the turn goes on', async () => {
  const scene = await sceneWith({ engine: (engine) => ({ ...engine, compress: () => Promise.reject(new Error('out of paper')) }) });
  const events = await talk(scene, 6);
  assert.equal(of(events, 'settled').filter(({ outcome }) => outcome.type === 'answered').length, 6);
  assert.match(of(events, 'notice')[0]?.text ?? '', /context engine compressor broke off: out of paper/);
});

test('an engine that does not say when it begins is announced with its result', async () => {
  const scene = await sceneWith({
    engine: (engine) => ({
      ...engine,
      compress: (ask) => {
        const { begins: _, ...rest } = ask;
        return engine.compress(rest);
      },
    }),
  });
  const told = (await talk(scene, 6)).flatMap(({ type }) => (type === 'compacting' || type === 'compacted' ? [type] : []));
  assert.deepEqual(told.slice(0, 2), ['compacting', 'compacted']);
});
