import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { bodyOf, call, chat, family, goals, marks, ownSession, place, reportOf, results, sessionsIn, taskOf } from './delegate-stage.ts';
import { hermes } from './hermes.ts';

const write: Reply = { text: 'Begun.', ...call('write_file', { path: 'half.txt', content: 'half\n' }) };
const STALL: Reply = { fault: { type: 'stall_before_headers' } };

/** How a child can be cut short after its first file, and what its parent is told. */
const CUT: readonly (readonly [what: string, settings: object, more: object, next: Reply, told: RegExp])[] = [
  ['runs out of calls', {}, { max_iterations: 1 }, { text: 'Half of it is done.' }, /ended early[^]*Half of it is done/],
  ['runs out of time', { child_timeout_seconds: 2 }, {}, call('terminal', { command: 'sleep 60' }), /ran out of time[^]*Begun\./],
  ['falls silent', { idle_seconds: 2 }, {}, STALL, /stalled and was stopped[^]*Begun\./],
  ['falls silent in a tool', { tool_idle_seconds: 2 }, {}, call('terminal', { command: 'sleep 60' }), /stalled and was stopped[^]*Begun\./],
  ['fails', {}, {}, { fault: { type: 'unauthorized' } }, /child: failed[^]*What went wrong: [^]*Begun\./],
];
for (const [what, delegation, more, next, told] of CUT)
  test(`a child that ${what} tells what it has and which files it wrote`, async () => {
    const at = place({ delegation });
    await using server = await startWireServer({
      answer: family({ goal: 'TASK-A', ...more }, (_task, step) => (step === 0 ? write : next)),
    });
    const ran = await chat(server, at);
    assert.deepEqual([ran.code, ran.out], [0, 'All is reported.\n'], ran.err);
    const report = reportOf(server);
    assert.match(report, told);
    assert.ok(report.includes(`Files it wrote: ${join(at.cwd, 'half.txt')}`), report);
    assert.ok(existsSync(join(at.cwd, 'half.txt')));
  });

test('a tool that takes its time is no stall, as long as tools are given that time', async () => {
  const at = place({ delegation: { idle_seconds: 1, tool_idle_seconds: 60 } });
  const child = (_task: string, step: number): Reply =>
    step === 0 ? call('terminal', { command: 'sleep 3; echo awake' }) : { text: 'Done.' };
  await using server = await startWireServer({ answer: family({ goal: 'TASK-A' }, child) });
  assert.equal((await chat(server, at)).code, 0);
  assert.match(reportOf(server), /\[child: done; 2 steps/);
});

/** Tools a child must not have, however it asks. */
const BLOCKED: readonly (readonly [name: string, input: object])[] = [
  ['clarify', { question: 'may I?' }],
  ['memory', { action: 'add', target: 'memory', content: 'remember me' }],
  ['skill_manage', { action: 'create', name: 'mine', content: 'x' }],
  ['send_message', { action: 'send', target: 'telegram', message: 'hi' }],
  ['cronjob', { action: 'create', schedule: '30m', prompt: 'again' }],
  ['delegate_task', { goal: 'TASK-Z' }],
];
/** By name, and through the bridge where the table is too large for all tools. */
const ASKING: readonly (readonly [how: string, settings: object, ask: (name: string, input: object) => Reply])[] = [
  ['by name', {}, call],
  ['through the bridge', { tools: { tool_search: { enabled: 'on' } } }, (name, input) => call('tool_call', { name, arguments: input })],
];
for (const [how, settings, ask] of ASKING)
  test(`tools that are the owner’s alone are not in a child’s table and do not answer when it asks ${how}`, async () => {
    const at = place(settings);
    const all: Reply = { calls: BLOCKED.flatMap(([name, input]) => ask(name, input).calls ?? []) };
    const answer = family({ goal: 'TASK-A' }, (_task, step) => (step === 0 ? all : { text: 'None of them answered.' }));
    await using server = await startWireServer({
      answer: (request) =>
        taskOf(request) !== undefined || results(request).length > 0 ? answer(request) : ask('delegate_task', { goal: 'TASK-A' }),
    });
    const ran = await chat(server, at);
    assert.equal(ran.code, 0, ran.err);
    const asked = server.requests.filter((request) => taskOf(request) === 'A');
    const table = bodyOf(asked[0] as RecordedRequest).tools?.map((tool) => `${tool.function?.name} ${tool.function?.description}`) ?? [];
    assert.match(table.join('\n'), /^terminal /m);
    for (const [name] of BLOCKED) assert.doesNotMatch(table.join('\n'), new RegExp(`\\b${name}\\b(?! tool)`), name);
    const answers = results(asked.at(-1) as RecordedRequest);
    assert.equal(answers.length, BLOCKED.length, answers.join('\n'));
    for (const [index, [name]] of BLOCKED.entries())
      assert.match(answers[index] ?? '', new RegExp(`Not run: ${name} is not available in this session`));
    assert.equal(
      server.requests.some((request) => taskOf(request) === 'Z'),
      false,
    );
    const memories = join(at.home, 'memories');
    assert.deepEqual(existsSync(memories) ? readdirSync(memories).filter((name) => name.endsWith('.md')) : [], []);
  });

test('a child has model calls of its own: few for its parent are not few for it, and the other way round', async () => {
  const at = place({ delegation: { max_iterations: 4 } });
  const child = (_task: string, step: number): Reply => call('terminal', { command: `echo ${step} >> marks` });
  await using server = await startWireServer({ answer: family({ goal: 'TASK-A' }, child) });
  const ran = await chat(server, at, '--max-turns', '2');
  assert.deepEqual([ran.code, ran.out], [0, 'All is reported.\n'], ran.err);
  assert.deepEqual(marks(at.cwd), ['0', '1', '2', '3']);
  const asked = server.requests.map((request) => taskOf(request) ?? 'parent');
  assert.deepEqual(asked, ['parent', 'A', 'A', 'A', 'A', 'A', 'parent'], 'four calls and the closing one');
});

test('reports stand in the order of the tasks, whoever is done first, and no more than so many work at once', async () => {
  const at = place({ delegation: { max_concurrent_children: 2 } });
  const child = (task: string, step: number): Reply => {
    const wait = task === 'A' ? 'until [ -e C.done ]; do sleep 0.05; done' : 'true';
    return step === 0 ? call('terminal', { command: `${wait}; touch ${task}.done; echo ${task} >> order` }) : { text: `Words of ${task}.` };
  };
  await using server = await startWireServer({ answer: family({ tasks: goals('ABCD') }, child) });
  const ran = await chat(server, at);
  assert.equal(ran.code, 0, ran.err);
  assert.deepEqual(
    [...reportOf(server).matchAll(/child (\d) of 4: done[^]*?Task: TASK-(\w)[^]*?Words of (\w)\./g)].map(([, ...all]) => all.join('')),
    ['1AA', '2BB', '3CC', '4DD'],
  );
  const first = (task: string) => server.requests.findIndex((request) => taskOf(request) === task);
  const done = (task: string) => server.requests.findIndex((request) => taskOf(request) === task && results(request).length > 0);
  assert.ok(first('C') > done('B') && first('D') > done('C'), 'two lanes: the third begins when one of the first is through');
});

test('the log of a child is there when its parent was killed and never came back, and when its parent is removed', async () => {
  const at = place({});
  const child = (_task: string, step: number): Reply => (step === 0 ? write : call('terminal', { command: 'touch here; sleep 20' }));
  await using server = await startWireServer({ answer: family({ goal: 'TASK-A: the plumber’s errand' }, child) });
  const killed = await chat(server, {
    ...at,
    started: (running) => {
      const timer = setInterval(() => {
        if (!existsSync(join(at.cwd, 'here'))) return;
        clearInterval(timer);
        running.kill('SIGKILL');
      }, 10);
      running.once('exit', () => clearInterval(timer));
    },
  });
  assert.equal(killed.signal, 'SIGKILL');
  const [session] = await sessionsIn(at, 'child');
  const log = async () => (await hermes(['sessions', 'show', session?.id ?? '', '--json'], at)).out;
  const before = await log();
  assert.match(before, /plumber’s errand[^]*Begun\.[^]*half\.txt/);
  const id = await ownSession(at);
  const removed = await hermes(['sessions', 'delete', id, '--yes'], at);
  assert.equal(removed.code, 0, removed.err);
  const entries = (text: string): unknown => (JSON.parse(text) as { readonly entries: unknown }).entries;
  assert.deepEqual(entries(await log()), entries(before));
  assert.match((await hermes(['sessions', 'search', 'plumber'], at)).out, /errand/);
});
