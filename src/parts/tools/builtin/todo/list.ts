import { isObject, parseJson } from '../../../../base/json.ts';
import type { TodoItem } from '../../../../contracts/details.ts';
import { joinTextBlocks, type Json, type ToolMessage } from '../../../../contracts/message.ts';

export const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const satisfies readonly TodoItem['status'][];
/** A task as a call may give it: in a merge only what changes. */
export type TodoItemInput = Pick<TodoItem, 'id'> & Partial<TodoItem>;

export interface TodoList {
  readonly revision: number;
  readonly todos: readonly TodoItem[];
}
export const EMPTY_LIST: TodoList = { revision: 0, todos: [] };

export const MAX_ITEMS = 256;
export const MAX_CONTENT = 4_000;
/** The list is a tool result: beyond this it would be spilled to disk and lost to a resumed session. */
const MAX_TOTAL = 80_000;

export type TodoChangeResult =
  | { readonly ok: true; readonly list: TodoList }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The list after a call: replaced whole, or merged by id. Refused with every reason at once. */
export function changeList(list: TodoList, given: readonly TodoItemInput[], merge: boolean): TodoChangeResult {
  const known = new Map(merge ? list.todos.map((todo) => [todo.id, todo]) : []);
  const problems: string[] = [];
  for (const item of given) {
    const before = known.get(item.id);
    const content = (item.content ?? before?.content ?? '').trim();
    if (item.id.trim() === '') problems.push('a task has an empty id');
    if (content === '') problems.push(`task ${item.id} has no content`);
    if (content.length > MAX_CONTENT) problems.push(`task ${item.id} has ${content.length} characters, at most ${MAX_CONTENT}`);
    const parent = item.parent ?? before?.parent;
    known.set(item.id, {
      id: item.id,
      content,
      status: item.status ?? before?.status ?? 'pending',
      ...(parent !== undefined && parent !== '' && { parent }),
    });
  }
  if (known.size > MAX_ITEMS) problems.push(`${known.size} tasks, at most ${MAX_ITEMS}`);
  const todos = arrange([...known.values()]);
  if (problems.length === 0 && JSON.stringify(todos).length > MAX_TOTAL)
    problems.push(`the list has more than ${MAX_TOTAL} characters in all; shorten the contents`);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, list: { revision: list.revision + 1, todos } };
}

/** Parents that are not there or lead in a ring are dropped; in a flat list what is in progress stands before what is pending. */
function arrange(todos: readonly TodoItem[]): TodoItem[] {
  const byId = new Map(todos.map((todo) => [todo.id, todo]));
  const rooted = todos.map((todo) => (todo.parent === undefined || leadsToRoot(todo, byId) ? todo : withoutParent(todo)));
  const firstPending = rooted.findIndex(({ status }) => status === 'pending');
  if (firstPending < 0 || rooted.some(({ parent }) => parent !== undefined)) return rooted;
  const isLate = (todo: TodoItem, index: number) => todo.status === 'in_progress' && index > firstPending;
  return [
    ...rooted.slice(0, firstPending),
    ...rooted.filter(isLate),
    ...rooted.slice(firstPending).filter((todo) => todo.status !== 'in_progress'),
  ];
}

function leadsToRoot(todo: TodoItem, byId: ReadonlyMap<string, TodoItem>): boolean {
  const seen = new Set([todo.id]);
  for (let { parent } = todo; parent !== undefined;) {
    const next = byId.get(parent);
    if (next === undefined || seen.has(next.id)) return false;
    seen.add(next.id);
    parent = next.parent;
  }
  return true;
}

const withoutParent = ({ id, content, status }: TodoItem): TodoItem => ({ id, content, status });

/** Ids that a call gave to several tasks. */
export const findEqualIds = (given: readonly TodoItemInput[]): readonly string[] => [
  ...new Set(given.flatMap(({ id }, index) => (given.findIndex((other) => other.id === id) < index ? [id] : []))),
];

/** The list as a tool result: plain JSON, so that a later process can read it back. */
export function renderList({ revision, todos }: TodoList, equalIds: readonly string[] = []): string {
  const count = (status: TodoItem['status']) => todos.filter((todo) => todo.status === status).length;
  const summary = { total: todos.length, ...Object.fromEntries(STATUSES.map((status) => [status, count(status)])) };
  const note = `Several tasks had the same id (${equalIds.join(', ')}): only the last of each is in the list. Give each task an id of its own.`;
  return JSON.stringify({ todos, revision, summary, ...(equalIds.length > 0 && { note }) });
}

/** The newest list in stored tool results, so that tasks survive a restart; an empty one when there is none. */
export function restoreTodos(results: readonly ToolMessage[]): TodoList {
  for (const result of results.toReversed()) {
    const list = result.name === 'todo' && !result.failed ? parseList(parseJson(joinTextBlocks(result))) : undefined;
    if (list !== undefined) return list;
  }
  return EMPTY_LIST;
}

function parseList(value: Json | undefined): TodoList | undefined {
  if (!isObject(value) || !Array.isArray(value['todos'])) return undefined;
  const rows: readonly Json[] = value['todos'];
  const { revision } = value;
  return { revision: typeof revision === 'number' ? revision : 0, todos: rows.flatMap(parseTodo).slice(0, MAX_ITEMS) };
}

function parseTodo(value: Json): TodoItem[] {
  if (!isObject(value)) return [];
  const { id, content, parent } = value;
  const status = STATUSES.find((each) => each === value['status']);
  if (typeof id !== 'string' || typeof content !== 'string' || status === undefined) return [];
  return [{ id, content, status, ...(typeof parent === 'string' && { parent }) }];
}
