import type { JsonObject } from '../../base/json-types.ts';

export interface QueuedGroup extends JsonObject {
  readonly tokens: number[][];
  readonly env_id: number | null;
}

const sizeOf = ({ tokens }: QueuedGroup): number => tokens.length;
const countSequences = (groups: readonly QueuedGroup[]): number => groups.reduce((sum, group) => sum + sizeOf(group), 0);
export const findLargest = (groups: readonly QueuedGroup[]): number => Math.max(1, ...groups.map(sizeOf));

/** A batch of exactly so many sequences, made of groups that add up to the largest group each; or nothing. */
export function takeBatch(queue: QueuedGroup[], batchSize: number): QueuedGroup[] | undefined {
  const largest = findLargest(queue);
  const collected = new Map<number, QueuedGroup[]>();
  const packed = queue.flatMap((group) => {
    const same = [...(collected.get(sizeOf(group)) ?? []), group];
    const isPack = countSequences(same) === largest;
    collected.set(sizeOf(group), isPack ? [] : same);
    return isPack ? same : [];
  });
  for (let count = 1; count <= packed.length; count++) {
    const batch = packed.slice(0, count);
    const sequences = countSequences(batch);
    if (sequences > batchSize) return undefined;
    if (sequences !== batchSize) continue;
    for (const group of batch) queue.splice(queue.indexOf(group), 1);
    return batch;
  }
  return undefined;
}

/** Groups that add up to the size an environment registered with, the oldest first; they leave the buffer. */
export function takeWhole(buffer: QueuedGroup[], size: number): readonly QueuedGroup[] {
  const find = (from: number, left: number): readonly QueuedGroup[] | undefined => {
    if (left === 0) return [];
    for (let index = from; index < buffer.length; index++) {
      const group = buffer[index];
      if (group === undefined || sizeOf(group) > left) continue;
      const rest = find(index + 1, left - sizeOf(group));
      if (rest !== undefined) return [group, ...rest];
    }
    return undefined;
  };
  const found = find(0, size) ?? [];
  for (const group of found) buffer.splice(buffer.indexOf(group), 1);
  return found;
}

/** What waits in front of an environment, in groups of its own size: its own, and what others have beyond their minimum. */
export function countQueued(
  queue: readonly QueuedGroup[],
  envId: number,
  size: number,
  minimums: ReadonlyMap<number, number>,
): { readonly queued: number; readonly own: number } {
  const largest = findLargest(queue);
  const byEnv = Map.groupBy(queue, ({ env_id: id }) => id);
  const own = countSequences(byEnv.get(envId) ?? []);
  const others = [...byEnv].filter(([id]) => id !== envId && largest > 1);
  const free = others.map(([id, groups]) =>
    Math.max(0, Math.ceil(countSequences(groups) / largest) * largest - (minimums.get(id ?? -1) ?? 0)),
  );
  return {
    queued: Math.floor((own + free.reduce((sum, count) => sum + count, 0)) / size),
    own: Math.floor(own / size),
  };
}
