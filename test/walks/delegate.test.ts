import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { bodyOf, lastUser, marks, place, results, taskOf } from './delegate-stage.ts';
import { hermes, jsonLines, toServer } from './hermes.ts';

const TASKS = ['A', 'B', 'C', 'D'].map((name) => ({ goal: `TASK-${name}: write ${name}.txt`, context: 'one word is enough' }));

/** The parent hands out four tasks; each child writes a file, leaves a mark by a command, and reports. */
function working(pause: (task: string) => number = () => 0, waits: (task: string) => boolean = () => false) {
  return (request: RecordedRequest): Reply => {
    const task = taskOf(request);
    const done = results(request).length;
    if (task === undefined)
      return done === 0
        ? { calls: [{ id: 'd1', name: 'tool_call', arguments: { name: 'delegate_task', arguments: { tasks: TASKS } } }] }
        : { text: 'All tasks are reported.' };
    if (done === 0) return { calls: [{ name: 'write_file', arguments: { path: `${task}.txt`, content: `${task}\n` } }] };
    if (waits(task)) return { fault: { type: 'stall_before_headers' } };
    if (done === 1) return { calls: [{ name: 'terminal', arguments: { command: `echo ${task} >> marks; sleep ${pause(task)}` } }] };
    return { text: `Wrote ${task}.txt.` };
  };
}

test('tasks run in children with conversations of their own, and their reports come back in order', async () => {
  const { home, cwd } = place();
  await using server = await startWireServer({ answer: working() });
  const { out, err, code } = await hermes(['chat', '-q', 'hand it out', ...toServer(server.url)], { home, cwd });
  assert.equal(code, 0, err);
  assert.equal(out, 'All tasks are reported.\n');
  assert.deepEqual(marks(cwd), ['A', 'B', 'C', 'D']);
  const report = results(server.requests.at(-1) as RecordedRequest)[0] ?? '';
  assert.deepEqual(
    [...report.matchAll(/child (\d) of 4: done; 3 steps/g)].map(([, at]) => at),
    ['1', '2', '3', '4'],
  );
  assert.match(report, /Wrote A\.txt\.\\nFiles it wrote: [^\\]*\/A\.txt/);
  const first = server.requests.find((request) => taskOf(request) === 'A') as RecordedRequest;
  assert.equal(bodyOf(first).messages.filter(({ role }) => role === 'user').length, 1, 'nothing of the parent’s conversation');
  const names =
    bodyOf(first)
      .tools?.map((tool) => `${tool.function?.name} ${tool.function?.description}`)
      .join('\n') ?? '';
  assert.doesNotMatch(names, /clarify|delegate_task|send_message|cronjob|^memory/m);
  const sessions = JSON.parse((await hermes(['sessions', 'list', '--json'], { home, cwd })).out) as {
    readonly source: string;
    readonly title: string;
  }[];
  assert.equal(sessions.filter(({ source }) => source === 'child').length, 4);
  assert.equal((await hermes(['chat', '--continue', '-q', 'x', ...toServer(server.url)], { home, cwd })).code, 0);
  assert.doesNotMatch(lastUser(server.requests.at(-1) as RecordedRequest), /TASK/);
});

test('a parent that is killed mid-way finds its children again: what they did stays, and nothing is done twice', async () => {
  const { home, cwd } = place();
  let gone = false;
  // A is through before the end, B and C are in the middle of a command, D waits for the model.
  const waits = (task: string) => task === 'D' && !gone;
  await using server = await startWireServer({ answer: working((task) => ('BC'.includes(task) ? 20 : 0), waits) });
  const killed = await hermes(['chat', '--json', '-q', 'hand it out', ...toServer(server.url)], {
    home,
    cwd,
    started: (child) => {
      const timer = setInterval(() => {
        if (!existsSync(join(cwd, 'marks')) || marks(cwd).length < 3 || !server.requests.some((request) => taskOf(request) === 'D')) return;
        clearInterval(timer);
        child.kill('SIGKILL');
      }, 10);
      child.once('exit', () => clearInterval(timer));
    },
  });
  assert.equal(killed.signal, 'SIGKILL');
  gone = true;
  const id = String(jsonLines(killed.out).find(({ type }) => type === 'session')?.['id']);
  const resumed = await hermes(['chat', '--resume', id, ...toServer(server.url)], { home, cwd });
  assert.equal(resumed.code, 0, resumed.err);
  assert.equal(resumed.out, 'All tasks are reported.\n');
  const written = marks(cwd);
  assert.deepEqual([...new Set(written)], ['A', 'B', 'C', 'D']);
  assert.equal(written.length, 4, 'no command ran twice');
  const sessions = JSON.parse((await hermes(['sessions', 'list', '--json'], { home, cwd })).out) as { readonly source: string }[];
  assert.equal(sessions.filter(({ source }) => source === 'child').length, 4, 'no child was begun twice');
  assert.match(results(server.requests.at(-1) as RecordedRequest)[0] ?? '', /child 1 of 4: done/);
});

test('a child cannot be given tools its parent does not have', async () => {
  const { home, cwd } = place();
  const answer = (request: RecordedRequest): Reply => {
    if (taskOf(request) !== undefined) return { text: 'I have nothing to work with.' };
    return results(request).length === 0
      ? { calls: [{ name: 'delegate_task', arguments: { goal: 'TASK-A', toolsets: ['terminal', 'todo'] } }] }
      : { text: 'done' };
  };
  await using server = await startWireServer({ answer });
  const { code, err } = await hermes(['chat', '-t', 'delegation,todo', '-q', 'x', ...toServer(server.url)], { home, cwd });
  assert.equal(code, 0, err);
  const child = server.requests.find((request) => taskOf(request) !== undefined) as RecordedRequest;
  assert.deepEqual(
    bodyOf(child).tools?.map((tool) => tool.function?.name),
    ['todo', 'context_recall'],
  );
});
