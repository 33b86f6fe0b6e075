import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { call, chat, family, goals, marks, place, reportOf, ownSession, taskOf } from './delegate-stage.ts';
import { hermes, jsonLines, toServer } from './hermes.ts';

const own = (request: RecordedRequest): boolean => taskOf(request) === undefined;
const spend = (input: number, output = 100): Pick<Reply, 'usage'> => ({ usage: { input, output } });
const budget = (tokens: number) => ({ agent: { budget_tokens: tokens } });

interface Figures {
  readonly total: Record<string, number>;
  readonly children?: Record<string, number>;
  readonly models: readonly Record<string, number>[];
  readonly by_day: readonly Record<string, number>[];
}
const figures = async (home: string, ...args: readonly string[]): Promise<Figures> =>
  JSON.parse((await hermes(['usage', ...args, '--json'], { home })).out) as Figures;
const tokensIn = ({ total }: Figures): number => Number(total['input']) + Number(total['output']);

test('what a child spent stops its parent before the next call', async () => {
  const at = place(budget(100_000));
  await using server = await startWireServer({
    answer: family({ goal: 'TASK-A' }, () => ({ text: 'Done.', ...spend(95_500) }), spend(1_000)),
  });
  const ran = await chat(server, at, '--json');
  assert.equal(ran.code, 3, ran.err);
  assert.equal(jsonLines(ran.out).at(-1)?.['exit_reason'], 'token_budget');
  assert.deepEqual(server.requests.map(own), [true, false, true], 'the call, the child, and the closing call that was set aside');
  assert.match(JSON.stringify(server.requests.at(-1)?.body), /token budget of this session is used up/);
});

test('a child gets no more than its parent has left, and what it did is reported', async () => {
  const at = place(budget(90_000));
  const child = (_task: string, step: number): Reply => ({
    ...call('terminal', { command: `echo ${step} >> marks` }),
    ...spend(6_000, 2_000),
  });
  await using server = await startWireServer({ answer: family({ goal: 'TASK-A' }, child, spend(1_000)) });
  const ran = await chat(server, at);
  assert.deepEqual([ran.code, ran.out], [0, 'All is reported.\n'], `what its parent had set aside for itself is still there: ${ran.err}`);
  assert.match(reportOf(server), /\[child: ended early/);
  assert.ok(marks(at.cwd).length > 1, 'it worked as long as it could');
  const id = await ownSession(at);
  const used = tokensIn(await figures(at.home, '--session', id));
  assert.ok(used > 40_000 && used <= 90_000, String(used));
});

test('a child for whom nothing is left makes no call at all', async () => {
  const at = place(budget(60_000));
  await using server = await startWireServer({ answer: family({ goal: 'TASK-A' }, () => ({ text: 'Never said.' }), spend(42_000)) });
  const ran = await chat(server, at);
  assert.equal(ran.code, 3, `its parent has only its report left: ${ran.err}`);
  assert.deepEqual(server.requests.map(own), [true, true]);
  assert.match(reportOf(server), /ended early[^]*Stopped: the token budget of this session is used up/);
});

test('children side by side do not take the same rest each for their own', async () => {
  const at = place(budget(120_000));
  // As dear as a call may get: what is asked for with it and all it may answer.
  const child = (): Reply => ({ ...call('terminal', { command: 'true' }), usage: { output: 8_000 }, paceMs: 40 });
  await using server = await startWireServer({ answer: family({ tasks: goals('ABC') }, child, spend(1_000)) });
  const ran = await chat(server, at);
  assert.equal(ran.code, 0, ran.err);
  assert.equal([...reportOf(server).matchAll(/child \d of 3: ended early/g)].length, 3);
  const id = await ownSession(at);
  const used = tokensIn(await figures(at.home, '--session', id));
  assert.ok(used > 40_000 && used <= 120_000, String(used));
});

test('a parent that is killed counts what its children spent once, and days count every call once', async () => {
  const at = place({});
  const child = (task: string, step: number): Reply => {
    if (step > 0) return { text: `Done ${task}.`, ...spend(300) };
    return { ...call('terminal', { command: `echo ${task} >> marks; sleep 20` }), ...spend(200) };
  };
  await using server = await startWireServer({ answer: family({ tasks: goals('AB') }, child, spend(1_000)) });
  const killed = await chat(
    server,
    {
      ...at,
      started: (running) => {
        const timer = setInterval(() => {
          if (!existsSync(join(at.cwd, 'marks')) || marks(at.cwd).length < 2) return;
          clearInterval(timer);
          running.kill('SIGKILL');
        }, 10);
        running.once('exit', () => clearInterval(timer));
      },
    },
    '--json',
  );
  assert.equal(killed.signal, 'SIGKILL');
  const id = String(jsonLines(killed.out)[0]?.['id']);
  const midway = await figures(at.home, '--session', id);
  assert.deepEqual([midway.total['calls'], midway.children?.['calls'], midway.children?.['input']], [3, 2, 400]);
  const resumed = await hermes(['chat', '--resume', id, ...toServer(server.url)], at);
  assert.deepEqual([resumed.code, resumed.out], [0, 'All is reported.\n'], resumed.err);
  const [whole, days] = [await figures(at.home, '--session', id), await figures(at.home)];
  const { children = {} } = whole;
  assert.deepEqual([children['sessions'], children['calls'], children['input'], children['output']], [2, 4, 1_000, 400]);
  assert.deepEqual([whole.models[0]?.['calls'], whole.models[0]?.['input']], [2, 2_000], 'its own calls are told apart');
  assert.deepEqual([whole.total['calls'], whole.total['input']], [6, 3_000]);
  assert.deepEqual([days.total['calls'], days.total['input'], days.children], [6, 3_000, undefined]);
  assert.equal(server.requests.length, 6);
  const screen = await hermes(['usage', '--session', id], at);
  assert.match(screen.out, /^children +4 +1,000 +400 /m);
  assert.match(screen.out, /^total +6 +3,000 /m);
});
