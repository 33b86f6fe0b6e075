import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { identifyOwnProcess } from '../../src/base/process-identity.ts';
import { collect, RUNTIME, says, setup, testTool } from './setup.ts';

/** Processes of this machine that are no more. */
const dead = (number: number) => ({ host: identifyOwnProcess().host, pid: 4_000_000 + number, started: `${number}` });

async function openStory(maxCrashes: number | undefined) {
  const first = await setup(scriptedProvider([]));
  const { folder, session } = first;
  await first.store[Symbol.asyncDispose]();
  let asked = 0;
  const count = (): number => asked;
  const provider = scriptedProvider(() => (asked++, { text: 'there', paceMs: asked > 3 ? 0 : 3_600_000 }));
  const open = async (holder?: ReturnType<typeof dead>) => {
    const store = await openSqliteStore({ path: join(folder, 'state.db'), ...(holder !== undefined && { holder }) });
    after(async () => store[Symbol.asyncDispose]());
    const agent = createAgent(store, { ...first.deps, provider, ...(maxCrashes !== undefined && { maxCrashes }) }, RUNTIME);
    return { store, agent };
  };
  const signal = new AbortController().signal;
  // What is left of the dead ends with the test.
  const gone = new AbortController();
  after(() => gone.abort());
  /** The process dies while the model is asked. */
  const die = async (turn: AsyncGenerator<unknown, unknown>): Promise<void> => {
    const before = count();
    void Array.fromAsync(turn).catch(() => undefined);
    while (count() === before) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await die((await open(dead(1))).agent.send(session, says('begin'), gone.signal));
  for (const number of [2, 3]) await die((await open(dead(number))).agent.resume(session, gone.signal));
  const { agent, store } = await open();
  return { outcome: (await collect(agent.resume(session, signal))).outcome, turn: await store.turn(session.id), asked: count };
}

test('a turn that was at work at three deaths of the process is given up and told', async () => {
  const { outcome, turn, asked } = await openStory(3);
  assert.deepEqual([outcome?.type, outcome?.exitReason], ['failed', 'crashed']);
  assert.match(outcome?.text ?? '', /stopped unexpectedly 3 times in a row at the same step of it/);
  assert.deepEqual([turn, asked()], [undefined, 3]);
});

test('where nobody set a limit it is gone on with', async () => {
  const { outcome } = await openStory(undefined);
  assert.equal(outcome?.type, 'answered');
});

test('a turn that gets further between deaths of the process goes on, however many there are', async () => {
  const first = await setup(scriptedProvider([]), {
    tools: [testTool('note', async () => ({ content: [createTextBlock('noted', 'tool')] }))],
  });
  await first.store[Symbol.asyncDispose]();
  let asked = 0;
  // Every second request is one at which the process dies; the one before it brings a step.
  const provider = scriptedProvider(() => {
    asked++;
    if (asked > 12) return { text: 'done' };
    return asked % 2 === 0 ? { text: 'x', paceMs: 3_600_000 } : { calls: [{ id: `c${asked}`, name: 'note', input: { step: asked } }] };
  });
  const gone = new AbortController();
  after(() => gone.abort());
  const open = async (number?: number) => {
    const holder = number === undefined ? {} : { holder: dead(number) };
    const store = await openSqliteStore({ path: join(first.folder, 'state.db'), ...holder });
    after(async () => store[Symbol.asyncDispose]());
    return createAgent(store, { ...first.deps, provider, maxCrashes: 3 }, RUNTIME);
  };
  const die = async (turn: AsyncGenerator<unknown, unknown>): Promise<void> => {
    const [before, state] = [asked, { isOver: false }];
    const end = () => void (state.isOver = true);
    void Array.fromAsync(turn).then(end, end);
    const isDue = (): boolean => state.isOver || asked >= before + 2;
    while (!isDue()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await die((await open(11)).send(first.session, says('begin'), gone.signal));
  for (const number of [12, 13, 14, 15, 16]) await die((await open(number)).resume(first.session, gone.signal));
  const { outcome } = await collect((await open()).resume(first.session, new AbortController().signal));
  assert.equal(outcome?.type, 'answered');
});
