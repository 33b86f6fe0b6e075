import { isObject, parseJson } from '../../../base/json.ts';
import type { TrajectoryMessage } from '../../../contracts/environment.ts';
import type { ToolTally } from '../../../contracts/services/batches.ts';

const NONE: ToolTally = { count: 0, success: 0, failure: 0 };

/** How often each tool was called, and how that went; tools of `known` that were not called are there with zeros. */
export function countTools(messages: readonly TrajectoryMessage[], known: readonly string[] = []): Readonly<Record<string, ToolTally>> {
  const names = new Map(messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id, function: { name } }) => [id, name] as const)));
  const counts = new Map<string, ToolTally>(known.map((name) => [name, NONE]));
  const add = (name: string, key: keyof ToolTally): void => {
    const count = counts.get(name) ?? NONE;
    counts.set(name, { ...count, [key]: count[key] + 1 });
  };
  for (const { role, content, tool_calls: calls = [], tool_call_id: id = '' } of messages) {
    for (const {
      function: { name },
    } of calls)
      add(name, 'count');
    const name = names.get(id);
    if (role === 'tool' && name !== undefined) add(name, hasFailed(content) ? 'failure' : 'success');
  }
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The rule of the Python system: an exit code other than 0 is no failure, the model can go on from it. */
function hasFailed(content: string): boolean {
  const value = parseJson(content);
  if (value === undefined) return content === '' || /^\s*error:/i.test(content);
  if (!isObject(value)) return false;
  const { error, content: inner, success } = value;
  const isSet = (given: unknown): boolean => given !== undefined && given !== null;
  return isSet(error) || (isObject(inner) && isSet(inner['error'])) || success === false;
}

export function addToolCounts(all: readonly Readonly<Record<string, ToolTally>>[]): Readonly<Record<string, ToolTally>> {
  const sums = new Map<string, ToolTally>();
  for (const counts of all)
    for (const [name, { count, success, failure }] of Object.entries(counts)) {
      const sum = sums.get(name) ?? NONE;
      sums.set(name, { count: sum.count + count, success: sum.success + success, failure: sum.failure + failure });
    }
  return Object.fromEntries([...sums].toSorted(([, a], [, b]) => b.count - a.count));
}
