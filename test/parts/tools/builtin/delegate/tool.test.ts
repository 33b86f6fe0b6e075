import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChildResult, ChildTask, Ports } from '../../../../../src/contracts/ports.ts';
import { collectDefaults } from '../../../../../src/contracts/settings.ts';
import { delegationSettings } from '../../../../../src/parts/tools/builtin/delegate/settings.ts';
import { delegateTool, type DelegateInput } from '../../../../../src/parts/tools/builtin/delegate/tool.ts';
import { answer, contextIn, deskAt } from '../../setup.ts';

const DONE: ChildResult = {
  status: 'completed',
  sessionId: 's1',
  summary: 'Done.',
  artefacts: { written: [], deleted: [], shared: [], known: 'all' },
  withheld: [],
  steps: 1,
  seconds: 0,
  foreign: [],
};

/** What the model reads, and the tasks children were begun with. */
async function delegated(input: DelegateInput, result: Partial<ChildResult> = {}) {
  const begun: ChildTask[] = [];
  const ports: Ports = {
    spawn: async (task) => {
      begun.push(task);
      return { ...DONE, ...result };
    },
  };
  const tool = delegateTool({ ports, settings: collectDefaults(delegationSettings), depth: 0 });
  return { words: await answer(tool, input, contextIn(deskAt('/'), { ports })), begun };
}

/** Calls of which a part has no goal, and what is said of it. */
const BLANK: readonly (readonly [what: string, input: DelegateInput, words: RegExp])[] = [
  ['nothing at all', {}, /^FAILED Not started: there is no goal/],
  ['a blank goal', { goal: ' ' }, /^FAILED Not started: there is no goal/],
  [
    'one blank task',
    { tasks: [{ goal: 'a' }, { goal: ' \n' }, { goal: 'c' }] },
    /^FAILED None of the 3 tasks was started: number 2 has no goal/,
  ],
  [
    'blank tasks beside a goal',
    { goal: 'a', tasks: [{ goal: '' }, { goal: '' }] },
    /None of the 2 tasks was started: number 1, 2 has no goal/,
  ],
];
for (const [what, input, words] of BLANK)
  test(`${what}: no child is begun, and the call says what is missing`, async () => {
    const told = await delegated(input);
    assert.match(told.words, words);
    assert.deepEqual(told.begun, []);
  });

test('what stands beside tasks holds for each that has nothing of its own, and a goal beside them is a task too', async () => {
  const shared = await delegated({
    goal: '',
    context: 'all of it',
    toolsets: ['file'],
    tasks: [{ goal: 'a' }, { goal: 'b', toolsets: ['web'] }],
  });
  assert.deepEqual(
    shared.begun.map(({ goal, context, toolsets }) => [goal, context, toolsets]),
    [
      ['a', 'all of it', ['file']],
      ['b', 'all of it', ['web']],
    ],
  );
  const beside = await delegated({ goal: 'first', context: 'its own', tasks: [{ goal: 'second' }] });
  assert.deepEqual(
    beside.begun.map(({ goal, context }) => [goal, context]),
    [
      ['first', 'its own'],
      ['second', undefined],
    ],
  );
  assert.match(beside.words, /child 1 of 2[^]*child 2 of 2/);
});

/** What is known of a child's files, and the last lines of its report. */
const FILES: readonly (readonly [artefacts: Partial<ChildResult['artefacts']>, lines: string])[] = [
  [{}, 'Done.'],
  [{ written: ['/w/a', '/w/b'], deleted: ['/w/c'] }, 'Done.\nFiles it wrote: /w/a, /w/b\nFiles it deleted: /w/c'],
  [{ shared: ['/w/d'] }, 'Done.\nFiles changed while it and another session worked, by either: /w/d'],
  [{ written: ['/w/a'], known: 'partly' }, 'Done.\nFiles it wrote, as far as its commands could be followed: /w/a'],
  [{ known: 'partly' }, 'Done.\nFiles it wrote, as far as its commands could be followed: none'],
  [{ written: ['/w/a'], known: 'file_tools' }, 'Done.\nFiles it wrote by file tools (what its commands wrote is not known here): /w/a'],
];
for (const [artefacts, lines] of FILES)
  test(`a report on ${JSON.stringify(artefacts)} says how much is known`, async () => {
    const { words } = await delegated({ goal: 'a' }, { artefacts: { ...DONE.artefacts, ...artefacts } });
    assert.equal(words, `[child: done; 1 step, 0 s, session s1]\n${lines}`);
  });

test('toolsets that came to nothing are named; a child that was not begun has no files to tell of', async () => {
  const { words } = await delegated({ goal: 'a' }, { withheld: ['memory', 'clarify'] });
  assert.match(words, /\]\nToolsets that gave it no tools: memory, clarify\nDone\.$/);
  const { sessionId: _, ...none } = DONE;
  const ports: Ports = {
    spawn: async () => ({ ...none, status: 'failed', summary: '', error: 'no', artefacts: { ...DONE.artefacts, known: 'file_tools' } }),
  };
  const tool = delegateTool({ ports, settings: collectDefaults(delegationSettings), depth: 0 });
  const failed = await answer(tool, { goal: 'a' }, contextIn(deskAt('/'), { ports }));
  assert.match(failed, /What went wrong: no\nIt returned no report\.$/);
});
