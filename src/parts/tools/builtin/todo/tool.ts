import { createTextBlock, type ToolMessage } from '../../../../contracts/message.ts';
import { ToolFailure, type Tool } from '../../../../contracts/tool.ts';
import { changeList, findEqualIds, MAX_ITEMS, renderList, STATUSES, restoreTodos, type TodoItemInput, type TodoList } from './list.ts';

export interface TodoInput {
  readonly todos?: readonly TodoItemInput[];
  readonly merge?: boolean;
}
export interface TodoOptions {
  /** Results stored for a session, asked once when it is first seen here: its list as the log has it. */
  recall?(sessionId: string): Promise<readonly ToolMessage[]>;
}

export const todoTool = (options: TodoOptions): Tool<TodoInput> => {
  const lists = new Map<string, TodoList>();
  const listOf = async (sessionId: string): Promise<TodoList> =>
    lists.get(sessionId) ?? restoreTodos((await options.recall?.(sessionId)) ?? []);
  return {
    name: 'todo',
    description:
      'Task list for this session. Use it for work of three or more steps; keep one task in_progress. Omit todos to read it. New tasks need content.',
    input: {
      type: 'object',
      properties: {
        todos: {
          type: 'array',
          maxItems: MAX_ITEMS,
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              content: { type: 'string' },
              status: { type: 'string', enum: [...STATUSES] },
              parent: { type: 'string', description: 'id of the parent task' },
            },
            required: ['id'],
          },
        },
        merge: { type: 'boolean', description: 'Update by id instead of replacing the list' },
      },
      additionalProperties: false,
    },
    effects: () => ({ kind: 'write', resources: ['todo'] }),
    replay: 'safe',
    housekeeping: true,
    idempotent: true,
    offTerminal: true,
    trust: 'tool',
    timeoutMs: 10_000,
    maxResult: 100_000,
    // The log has it, without what was taken back; where there is no log to ask, this is all there is.
    ...(options.recall !== undefined && { forget: (sessionId) => void lists.delete(sessionId) }),
    run: async ({ todos, merge = false }, { sessionId }) => {
      const list = await listOf(sessionId);
      const changed = todos === undefined ? { ok: true as const, list } : changeList(list, todos, merge);
      if (!changed.ok) throw new ToolFailure(`The list was not changed: ${changed.problems.join('; ')}.`);
      lists.set(sessionId, changed.list);
      return {
        content: [createTextBlock(renderList(changed.list, findEqualIds(todos ?? [])), 'tool')],
        details: { kind: 'tasks', tasks: changed.list.todos },
      };
    },
  };
};
