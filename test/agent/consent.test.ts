import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { isMessageEntry } from '../../src/contracts/entry.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import { createTextBlock, joinTextBlocks } from '../../src/contracts/message.ts';
import type { UserQuestion } from '../../src/contracts/ports.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import type { AnyTool } from '../../src/contracts/tool.ts';
import { createApproval } from '../../src/parts/safety/approval/approval.ts';
import { openGrants } from '../../src/parts/safety/approval/grants.ts';
import { retryUntil } from '../../src/testing/conformance/terminal-commands.ts';
import { createFreshQuestions } from '../fresh-questions.ts';
import { openQuestions, type OpenQuestions } from '../../src/parts/safety/approval/open-questions.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { spillTo } from '../../src/parts/tools/budget.ts';
import { toolSettings } from '../../src/parts/tools/settings.ts';
import { createToolkit } from '../../src/parts/tools/toolkit.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { deskAt } from '../parts/tools/setup.ts';
import { collect, RUNTIME, says, setup, testTool, type Played, type Setup } from './setup.ts';

type Ask = (question: UserQuestion, signal: AbortSignal) => Promise<string>;
/** Who has died holds nothing. */
const NOBODY = { host: hostname(), pid: 2 ** 30, started: 'long ago' };

/** A process with the real door, the real approval and the questions of one home in a file; its tool counts what it did. */
interface Life {
  send(words: string): AsyncGenerator<AgentEvent, unknown>;
  resume(): Promise<Played>;
  readonly scene: Setup;
}
interface World {
  readonly ran: string[];
  readonly questions: OpenQuestions;
  begin(ask?: Ask): Promise<Life>;
}

async function world(calls: readonly { readonly id: string; readonly name: string }[]): Promise<World> {
  const first = await setup(scriptedProvider([]));
  const { folder, session } = first;
  const ran: string[] = [];
  const danger: AnyTool = testTool(
    'danger',
    async (_input, { callId }) => {
      ran.push(callId);
      return { content: [createTextBlock('done', 'tool')] };
    },
    {
      replay: 'never',
      effects: () => ({ kind: 'write', resources: ['*'] }),
      asks: async () => ({
        action: { tool: 'danger', summary: 'make a mess', reason: 'it cannot be undone', key: 'unknown_command' },
        refusal: (why) => `Not run: ${why}`,
      }),
    },
  );
  const outer = testTool(
    'outer',
    async (_input, { call }) => ({ content: [createTextBlock(JSON.stringify((await call('danger', {})).data), 'tool')] }),
    {
      replay: 'never',
      effects: () => ({ kind: 'write', resources: ['*'] }),
      timeoutMs: 0,
    },
  );
  const questions = openQuestions(createFreshQuestions(), { keepMs: 1_000_000 });
  let lines = 0;
  const begin = async (ask?: Ask): Promise<Life> => {
    const store = await openSqliteStore({ path: join(folder, 'state.db'), holder: NOBODY });
    after(() => store[Symbol.asyncDispose]());
    const approval = createApproval({
      grants: openGrants({ lasting: () => [] }),
      open: questions,
      timeoutMs: 60_000,
      breaker: 0,
      allowAlways: async () => {},
      ...(ask !== undefined && { ask }),
    });
    const toolkit = await createToolkit({
      tools: [danger, outer],
      toolsets: ['test'],
      terminal: deskAt(folder),
      ports: {},
      approval,
      spill: spillTo(join(folder, 'spill'), collectDefaults(toolSettings)),
    });
    const provider = scriptedProvider(() => (lines++ === 0 ? { calls } : { text: 'over' }));
    const scene = { ...first, store, deps: { ...first.deps, provider, toolkit } };
    const agent = createAgent(store, scene.deps, RUNTIME);
    const signal = new AbortController().signal;
    return { scene, send: (words) => agent.send(session, says(words), signal), resume: () => collect(agent.resume(session, signal)) };
  };
  return { ran, questions, begin };
}

const DANGER = [{ id: 'c1', name: 'danger' }];
const never: Ask = () => new Promise(() => {});

/** Follows a turn until a question is told, and then the process is no more. */
async function diesAsking(
  turn: AsyncGenerator<AgentEvent, unknown>,
  questions: OpenQuestions,
): Promise<Extract<AgentEvent, { type: 'asking' }>['question']> {
  for (;;) {
    const { value, done } = await turn.next();
    if (done === true) assert.fail('no question came');
    if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'asking') {
      const { question } = value;
      // The question is put while nobody follows any more.
      await retryUntil('the question stands open', async () => (await questions.list()).some(({ id }) => id === question.id));
      return question;
    }
  }
}

const resultsOf = async ({ scene: { store, session } }: Life): Promise<readonly string[]> =>
  (await store.entries(session.id))
    .filter(isMessageEntry)
    .flatMap(({ message }) => (message.role === 'tool' ? [joinTextBlocks(message)] : []));

const asking = (events: readonly AgentEvent[]) =>
  events.flatMap((event): readonly (string | boolean)[] =>
    event.type === 'asking' ? [event.question.id] : event.type === 'asked' ? [event.allowed] : [],
  );

test('a call that waits for consent when its process dies is asked about again under the same id, and then runs once', async () => {
  const { ran, questions, begin } = await world(DANGER);
  const question = await diesAsking((await begin(never)).send('go'), questions);
  assert.deepEqual(
    (await questions.list()).map(({ id, state }) => [id, state]),
    [[question.id, 'open']],
  );
  const heard: UserQuestion[] = [];
  const second = await begin(async (put) => (heard.push(put), 'yes'));
  const { events, outcome } = await second.resume();
  assert.equal(outcome?.exitReason, 'answered');
  assert.deepEqual(asking(events), [question.id, true]);
  assert.deepEqual(
    heard.map(({ id, sessionId, act }) => ({ id, sessionId, act })),
    [{ id: question.id, sessionId: second.scene.session.id, act: 'make a mess' }],
  );
  assert.deepEqual([ran, await questions.list(), await resultsOf(second)], [['c1'], [], ['done']]);
});

for (const [state, runs, words] of [
  ['allowed', ['c1'], /^done$/],
  ['denied', [], /^Not run: the user said no/],
] as const) {
  test(`an answer that came by its id while no process lived (${state}) is taken when the turn goes on, and nobody is asked`, async () => {
    const { ran, questions, begin } = await world(DANGER);
    const { id } = await diesAsking((await begin(never)).send('go'), questions);
    await questions.decide(id, state);
    const second = await begin(() => assert.fail('nobody is asked'));
    await second.resume();
    assert.deepEqual(ran, runs);
    assert.match((await resultsOf(second)).join('\n'), words);
    // Used up: nothing is left that would allow it a second time.
    assert.ok(!(await questions.list()).some((row) => row.state === 'allowed' || row.state === 'open'));
  });
}

test('an answer by its id ends a question that is being asked, whoever holds the card', async () => {
  const { ran, questions, begin } = await world(DANGER);
  const closed = Promise.withResolvers<void>();
  const life = await begin(
    (_question, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => (closed.resolve(), reject(new Error('taken away'))), { once: true });
        void questions.list().then(([row]) => questions.decide(row?.id ?? '', 'allowed'));
      }),
  );
  const { events } = await collect(life.send('go') as AsyncGenerator<AgentEvent, undefined>);
  await closed.promise;
  assert.deepEqual([ran, asking(events).at(-1)], [['c1'], true]);
});

test('whoever leaves while a question waits leaves the call asking; nobody has to answer first', async () => {
  const { ran, questions, begin } = await world(DANGER);
  const turn = (
    await begin((_question, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone')))))
  ).send('go');
  const { id } = await diesAsking(turn, questions);
  await turn.return(undefined);
  assert.deepEqual(
    (await questions.list()).map((row) => [row.id, row.state]),
    [[id, 'open']],
  );
  const second = await begin(async () => 'yes');
  assert.deepEqual(asking((await second.resume()).events), [id, true]);
  assert.deepEqual(ran, ['c1']);
});

test('a no is told, runs nothing, and leaves nothing open', async () => {
  const { ran, questions, begin } = await world(DANGER);
  const life = await begin(async () => 'No');
  const { events } = await collect(life.send('go') as AsyncGenerator<AgentEvent, undefined>);
  assert.deepEqual([asking(events).at(-1), ran, await questions.list()], [false, [], []]);
  assert.match((await resultsOf(life)).join(), /^Not run: the user said no/);
});

test('a question from inside a running call dies with it: the outcome is unknown, and nothing is left to be allowed', async () => {
  const { ran, questions, begin } = await world([{ id: 'c1', name: 'outer' }]);
  const put = Promise.withResolvers<UserQuestion>();
  const first = await begin((question) => (put.resolve(question), never(question, AbortSignal.abort())));
  const turn = first.send('go');
  void (async () => {
    for await (const _ of turn);
  })();
  assert.equal((await put.promise).id, undefined, 'it is no durable question');
  const second = await begin(() => assert.fail('nobody is asked again'));
  const { events } = await second.resume();
  assert.deepEqual([asking(events), ran, await questions.list()], [[], [], []]);
  assert.match((await resultsOf(second)).join(), /Whether it took effect is unknown/);
});
