import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer, type Reply } from '../../src/testing/wire-server/index.ts';
import { noPython } from '../parts/tools/builtin/execute-code/stage.ts';
import { bodyOf, call, chat, family, goals, place, reportOf, sessionsIn, taskOf } from './delegate-stage.ts';

const SCRIPT =
  'from hermes_tools import write_file\nprint(write_file(path="by-script.txt", content="x")["text"])\nopen("by-open.txt", "w").write("x")';
/** A child that changes files in every way it has. */
const WAYS: readonly Reply[] = [
  call('terminal', { command: 'echo x > by-command.txt; echo x > came-and-went.txt' }),
  call('execute_code', { code: SCRIPT }),
  call('write_file', { path: 'by-tool.txt', content: 'x\n' }),
  call('write_file', { path: 'short-lived.txt', content: 'x\n' }),
  call('terminal', { command: 'unlink came-and-went.txt; unlink short-lived.txt; unlink old.txt' }),
  { text: 'All ways tried.' },
];
const inAllWays = family({ goal: 'TASK-A' }, (_task, step) => WAYS[step] ?? {});
const filesTold = (report: string): string[] => [...report.matchAll(/(Files it [^\\"]+)/g)].map(([, line = '']) => line);

test(
  'a report names what a child wrote by commands and by scripts too, each file once, and what it deleted',
  { skip: noPython },
  async () => {
    const at = place({ approvals: { mode: 'off' } });
    writeFileSync(join(at.cwd, 'old.txt'), 'old\n');
    await using server = await startWireServer({ answer: inAllWays });
    const ran = await chat(server, at, '--yolo');
    assert.equal(ran.code, 0, ran.err);
    const paths = (names: string) =>
      names
        .split(' ')
        .map((name) => join(at.cwd, name))
        .join(', ');
    assert.deepEqual(filesTold(reportOf(server)), [
      `Files it wrote: ${paths('by-tool.txt by-command.txt by-open.txt by-script.txt')}`,
      `Files it deleted: ${paths('old.txt')}`,
    ]);
  },
);

test('where nothing is kept, a report says that it knows of file tools alone', async () => {
  const at = place({ checkpoints: { enabled: false } });
  writeFileSync(join(at.cwd, 'old.txt'), 'old\n');
  await using server = await startWireServer({ answer: inAllWays });
  assert.equal((await chat(server, at, '--yolo')).code, 0);
  assert.deepEqual(filesTold(reportOf(server)), [
    `Files it wrote by file tools (what its commands wrote is not known here): ${['by-tool.txt', 'short-lived.txt'].map((name) => join(at.cwd, name)).join(', ')}`,
  ]);
});

test('a folder that is too large to be kept makes a report say that it may lack something', async () => {
  const at = place({ checkpoints: { max_files: 1 } });
  for (const name of ['a', 'b', 'c']) writeFileSync(join(at.cwd, name), name);
  const child = (_task: string, step: number): Reply =>
    step === 0 ? call('terminal', { command: 'make; echo x > new.txt' }) : { text: 'Made.' };
  await using server = await startWireServer({ answer: family({ goal: 'TASK-A' }, child) });
  assert.equal((await chat(server, at)).code, 0);
  assert.match(reportOf(server), /Files it wrote, as far as its commands could be followed: /);
});

test('a file that is reached by a link is one file', async () => {
  const at = place({});
  const link = `${at.cwd}-link`;
  symlinkSync(at.cwd, link);
  try {
    const child = (_task: string, step: number): Reply =>
      [call('write_file', { path: join(link, 'one.txt'), content: 'x\n' }), call('terminal', { command: 'echo y >> one.txt' })][step] ?? {
        text: 'ok',
      };
    await using server = await startWireServer({ answer: family({ goal: 'TASK-A' }, child) });
    assert.equal((await chat(server, at)).code, 0);
    // By either of its names: which is told first depends on when the command is seen.
    const told = filesTold(reportOf(server)).map((line) => line.replace(link, at.cwd));
    assert.deepEqual(told, [`Files it wrote: ${join(at.cwd, 'one.txt')}`]);
  } finally {
    rmSync(link, { force: true });
  }
});

test('a child that would have no tool of those it was to have is not begun; one that lacks some of them says so', async () => {
  const at = place({});
  const tasks = [
    { goal: 'TASK-A', toolsets: ['memory', 'clarify'] },
    { goal: 'TASK-B', toolsets: ['memory', 'todo'] },
    { goal: 'TASK-C', toolsets: ['delegation'] },
    { goal: 'TASK-D', toolsets: ['none'] },
    { goal: 'TASK-E', toolsets: ['tdo'] },
  ];
  await using server = await startWireServer({ answer: family({ tasks }, (task) => ({ text: `Words of ${task}.` })) });
  const ran = await chat(server, at);
  assert.equal(ran.code, 0, ran.err);
  const [a = '', b = '', c = '', d = '', e = ''] = reportOf(server).split('\\n\\n');
  assert.match(a, /child 1 of 5: failed; 0 steps[^]*It was not started: a child of this session gets no tools from memory, clarify/);
  assert.match(b, /child 2 of 5: done[^]*Toolsets that gave it no tools: memory\\nWords of B\./);
  assert.match(c, /child 3 of 5: failed[^]*no tools from delegation/);
  assert.match(d, /child 4 of 5: done[^]*Words of D\./);
  assert.match(e, /child 5 of 5: failed[^]*there is no toolset tdo; did you mean todo\?/);
  assert.deepEqual(server.requests.flatMap((request) => taskOf(request) ?? []).toSorted(), ['B', 'D'], 'the others never asked a model');
  const b1 = server.requests.find((request) => taskOf(request) === 'B');
  assert.deepEqual(b1 && bodyOf(b1).tools?.map((tool) => tool.function?.name), ['todo', 'context_recall']);
  assert.equal((await sessionsIn(at, 'child')).length, 2);
});

test('tasks of which one is blank are not begun at all', async () => {
  const at = place({});
  const answer = family({ tasks: [...goals('A'), { goal: ' ' }, ...goals('B')] }, () => ({ text: 'Done.' }));
  await using server = await startWireServer({ answer });
  assert.equal((await chat(server, at)).code, 0);
  assert.match(reportOf(server), /None of the 3 tasks was started: number 2 has no goal/);
  assert.deepEqual(await sessionsIn(at, 'child'), []);
});
