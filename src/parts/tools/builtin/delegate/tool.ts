import { createTextBlock, labelSources } from '../../../../contracts/message.ts';
import type { ChildResult, Ports } from '../../../../contracts/ports.ts';
import type { SliceValues } from '../../../../contracts/settings.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../../contracts/tool.ts';
import { render } from './render.ts';
import type { delegationSettings } from './settings.ts';

export interface DelegateInput {
  readonly goal?: string;
  readonly context?: string;
  readonly toolsets?: readonly string[];
  readonly max_iterations?: number;
  readonly tasks?: readonly DelegatedTask[];
}
export interface DelegatedTask {
  readonly goal: string;
  readonly context?: string;
  readonly toolsets?: readonly string[];
}
export interface DelegateOptions {
  readonly ports: Ports;
  readonly settings: SliceValues<typeof delegationSettings>;
  /** How deep the session itself is: 0 for the owner's. */
  readonly depth: number;
}

const TASK = { goal: { type: 'string' }, context: { type: 'string' }, toolsets: { type: 'array', items: { type: 'string' } } } as const;

/** Those a child is likely to need; the error for another name lists the rest. */
const TOOLSET_NAMES = 'Default: all of yours. E.g. terminal, file, web, browser, vision, memory, skills, code_execution';

/** Hands work to child agents with conversations of their own and waits for their reports. */
export const delegateTool = (options: DelegateOptions): Tool<DelegateInput> => ({
  name: 'delegate_task',
  description:
    'Give one or more tasks to child agents with a fresh context, and wait for their reports. They know nothing of this conversation: put everything they need into goal and context.',
  input: {
    type: 'object',
    properties: {
      ...TASK,
      toolsets: { ...TASK.toolsets, description: TOOLSET_NAMES },
      tasks: {
        type: 'array',
        items: { type: 'object', properties: TASK, required: ['goal'] },
        description: 'Several instead; they run in parallel',
      },
      max_iterations: { type: 'integer', minimum: 1 },
    },
    additionalProperties: false,
  },
  effects: () => ({ kind: 'write', resources: ['*'] }),
  // A repeat finds the children that were begun: nothing is done twice.
  replay: 'safe',
  idempotent: false,
  offTerminal: true,
  trust: 'tool',
  timeoutMs: 0,
  maxResult: Infinity,
  available: () => options.ports.spawn !== undefined && options.depth < options.settings['delegation.max_spawn_depth'],
  needs: 'a session that may have children: delegation.max_spawn_depth says how deep',
  run: (input, context) => delegate(input, context, options),
});

async function delegate(input: DelegateInput, context: ToolContext, options: DelegateOptions): Promise<ToolOutput> {
  if (context.ports.spawn === undefined) throw new ToolFailure('Not started: this session cannot have child agents. Do the work yourself.');
  const tasks = tasksOf(input);
  const results = await inLanes(tasks, options.settings['delegation.max_concurrent_children'], (task, index) =>
    runTask(task, index, tasks.length, input, context, options),
  );
  const { source } = labelSources([...new Set(results.flatMap((result) => result.foreign))], 'tool');
  return {
    content: [createTextBlock(render(tasks, results, options.settings['delegation.max_summary_chars']), 'tool')],
    failed: results.every(({ status }) => status === 'failed'),
    ...(source !== undefined && { foreign: source }),
    details: {
      kind: 'children',
      children: results.map(({ status, sessionId }) => ({ status, ...(sessionId !== undefined && { sessionId }) })),
    },
  };
}

/**
 * The one of `goal`, then those of `tasks`. Nothing is left out in silence: a task without a goal stops them all, and what
 * is said beside tasks alone holds for each of them.
 */
function tasksOf({ goal = '', context, toolsets, tasks = [] }: DelegateInput): readonly DelegatedTask[] {
  const blank = tasks.flatMap((task, index) => (isBlank(task.goal) ? [index + 1] : []));
  if (blank.length > 0)
    throw new ToolFailure(
      `None of the ${tasks.length} tasks was started: number ${blank.join(', ')} has no goal. Give each task a goal, or leave it out.`,
    );
  const beside = { ...(context !== undefined && { context }), ...(toolsets !== undefined && { toolsets }) };
  if (!isBlank(goal)) return [{ goal, ...beside }, ...tasks];
  if (tasks.length > 0) return tasks.map((task) => ({ ...beside, ...task }));
  throw new ToolFailure('Not started: there is no goal. Give a goal, or tasks with a goal each.');
}

const isBlank = (goal: string): boolean => goal.trim() === '';

async function runTask(
  task: DelegatedTask,
  index: number,
  count: number,
  { max_iterations: asked }: DelegateInput,
  context: ToolContext,
  { settings, depth }: DelegateOptions,
): Promise<ChildResult> {
  const most = settings['delegation.max_iterations'];
  const name = count === 1 ? '' : `${index + 1}/${count} `;
  const result = await context.ports.spawn?.({
    ...task,
    parentId: context.sessionId,
    key: `${context.callId}:${index}`,
    maxTurns: Math.min(asked ?? most, most),
    depth: depth + 1,
    taint: context.taint,
    signal: context.signal,
    progress: (note, childId) => context.report(`${name}${note}\n`, childId),
  });
  if (result === undefined) throw new ToolFailure('Not started: this session cannot have child agents.');
  return result;
}

/** So many at a time, results in the order of the tasks. */
async function inLanes<Item, Value>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, index: number) => Promise<Value>,
): Promise<Value[]> {
  const results = new Map<number, Value>();
  const waiting = items.map((item, index) => ({ item, index }));
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.set(next.index, await work(next.item, next.index));
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return items.flatMap((_, index) => results.get(index) ?? []);
}
