import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock, type ToolMessage } from '../../../../src/contracts/message.ts';
import type { TodoItem } from '../../../../src/contracts/details.ts';
import { changeList, EMPTY_LIST, restoreTodos, type TodoItemInput } from '../../../../src/parts/tools/builtin/todo/list.ts';
import { todoTool } from '../../../../src/parts/tools/builtin/todo/tool.ts';
import { answer, contextIn, deskAt } from '../setup.ts';

const todo = (id: string, status: TodoItem['status'] = 'pending', parent?: string): TodoItem => ({
  id,
  content: `task ${id}`,
  status,
  ...(parent !== undefined && { parent }),
});
const context = contextIn(deskAt('/'));

test('replacing and merging', () => {
  const table: readonly {
    readonly what: string;
    readonly had: readonly TodoItem[];
    readonly given: readonly TodoItemInput[];
    readonly merge: boolean;
    readonly has: readonly TodoItem[];
  }[] = [
    { what: 'replace drops what is not given', had: [todo('a')], given: [todo('b')], merge: false, has: [todo('b')] },
    { what: 'replace with nothing empties', had: [todo('a')], given: [], merge: false, has: [] },
    {
      what: 'the last of equal ids wins',
      had: [],
      given: [todo('a'), todo('b'), todo('a', 'completed')],
      merge: false,
      has: [todo('a', 'completed'), todo('b')],
    },
    { what: 'status defaults to pending', had: [], given: [{ id: 'a', content: ' task a ' }], merge: false, has: [todo('a')] },
    {
      what: 'merge changes only what is given',
      had: [todo('a'), todo('b')],
      given: [{ id: 'b', status: 'completed' }],
      merge: true,
      has: [todo('a'), todo('b', 'completed')],
    },
    { what: 'merge appends new ids', had: [todo('a')], given: [todo('c')], merge: true, has: [todo('a'), todo('c')] },
    {
      what: 'a flat list lifts what is in progress',
      had: [],
      given: [todo('a', 'completed'), todo('b'), todo('c'), todo('d', 'in_progress')],
      merge: false,
      has: [todo('a', 'completed'), todo('d', 'in_progress'), todo('b'), todo('c')],
    },
    {
      what: 'a tree keeps its order',
      had: [],
      given: [todo('a'), todo('b', 'in_progress', 'a')],
      merge: false,
      has: [todo('a'), todo('b', 'in_progress', 'a')],
    },
    { what: 'a parent that is not there is dropped', had: [], given: [todo('a', 'pending', 'nobody')], merge: false, has: [todo('a')] },
    {
      what: 'a ring becomes roots',
      had: [],
      given: [todo('a', 'pending', 'b'), todo('b', 'pending', 'a'), todo('c', 'pending', 'c')],
      merge: false,
      has: [todo('a'), todo('b'), todo('c')],
    },
  ];
  for (const { what, had, given, merge, has } of table) {
    assert.deepEqual(changeList({ revision: 4, todos: had }, given, merge), { ok: true, list: { revision: 5, todos: has } }, what);
  }
});

test('limits are told all at once and change nothing', async () => {
  const refused = (given: readonly TodoItemInput[], merge = false) => {
    const changed = changeList(EMPTY_LIST, given, merge);
    return changed.ok ? 'accepted' : changed.problems.join('; ');
  };
  assert.equal(refused([{ id: 'a' }, { id: ' ', content: 'x' }], true), 'task a has no content; a task has an empty id');
  assert.match(refused([{ id: 'a', content: 'x'.repeat(4_001) }]), /4001 characters, at most 4000/);
  assert.match(refused(Array.from({ length: 257 }, (_, index) => todo(String(index)))), /257 tasks, at most 256/);
  assert.match(
    refused(Array.from({ length: 100 }, (_, index) => ({ id: String(index), content: 'x'.repeat(3_000) }))),
    /more than 80000 characters/,
  );
  assert.equal(refused(Array.from({ length: 256 }, (_, index) => todo(String(index)))), 'accepted');
  const tool = todoTool({});
  await answer(tool, { todos: [todo('a')] }, context);
  assert.match(await answer(tool, { todos: [{ id: 'b' }] }, context), /^FAILED The list was not changed: task b has no content/);
  assert.match(await answer(tool, {}, context), /"revision":1/);
});

test('lists belong to their session, and the result is the whole list as JSON', async () => {
  const tool = todoTool({});
  assert.deepEqual(JSON.parse(await answer(tool, { todos: [todo('a', 'in_progress'), todo('b')] }, context)), {
    todos: [todo('a', 'in_progress'), todo('b')],
    revision: 1,
    summary: { total: 2, pending: 1, in_progress: 1, completed: 0, cancelled: 0 },
  });
  assert.match(await answer(tool, {}, { ...context, sessionId: 'other' }), /"todos":\[\]/);
});

const stored = (value: string, name = 'todo', failed = false): ToolMessage => ({
  role: 'tool',
  callId: 'c',
  name,
  content: [createTextBlock(value, 'tool')],
  failed,
});

test('a resumed session starts from the newest list in its log', async () => {
  const before = todoTool({});
  const first = await answer(before, { todos: [todo('a'), todo('b')] }, context);
  const second = await answer(before, { todos: [{ id: 'a', status: 'completed' }], merge: true }, context);
  const log = [
    stored(first),
    stored(second),
    stored('{"todos":[]}', 'terminal'),
    stored('The list is as before', 'todo', true),
    stored('{"todos": cut of'),
  ];
  assert.deepEqual(restoreTodos(log), { revision: 2, todos: [todo('a', 'completed'), todo('b')] });
  assert.deepEqual(restoreTodos([]), EMPTY_LIST);
  assert.deepEqual(restoreTodos([stored('{"todos":[{"id":1},{"id":"a","content":"task a","status":"pending"}]}')]), {
    revision: 0,
    todos: [todo('a')],
  });
  let asked = 0;
  const resumed = todoTool({ recall: async () => (asked++, log) });
  assert.equal(await answer(resumed, {}, context), second);
  await answer(resumed, {}, context);
  assert.equal(asked, 1);
});

test('a list is read off the log again when the view changed, and kept where there is no log to ask', async () => {
  const before = todoTool({});
  const kept = await answer(before, { todos: [todo('a')] }, context);
  before.forget?.('s');
  assert.equal(await answer(before, {}, context), kept);
  let log = [stored(kept)];
  const recalling = todoTool({ recall: async () => log });
  await answer(recalling, { todos: [todo('b')] }, context);
  log = [];
  recalling.forget?.(context.sessionId);
  assert.match(await answer(recalling, {}, context), /"todos":\[\]/, 'taken back with its turn');
});

test('equal ids in one call are told', async () => {
  const tool = todoTool({});
  assert.match(
    await answer(tool, { todos: [todo('a'), todo('b'), todo('a', 'completed')] }, context),
    /"note":"Several tasks had the same id \(a\): only the last/,
  );
  assert.doesNotMatch(await answer(tool, { todos: [todo('a'), todo('b')] }, context), /note/);
});
