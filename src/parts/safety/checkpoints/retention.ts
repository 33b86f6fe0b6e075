import type { CheckpointRecord } from './model.ts';

export interface CheckpointLimits {
  /** Turns of a folder whose checkpoints are kept. */
  readonly maxTurns: number;
  readonly maxBytes: number;
  readonly keepMs: number;
}

/** A checkpoint with everything that is part of it: they stand and fall together. */
export interface CheckpointGroup {
  readonly head: CheckpointRecord;
  readonly members: readonly CheckpointRecord[];
}

/** Newest first. A part whose head is gone stands for itself. */
export function groupRecords(records: readonly CheckpointRecord[]): CheckpointGroup[] {
  const heads = new Set(records.filter(({ joins }) => joins === undefined).map(({ id }) => id));
  const headOf = ({ id, joins }: CheckpointRecord): string => (joins !== undefined && heads.has(joins) ? joins : id);
  const groups = Map.groupBy(records, headOf);
  return [...groups]
    .flatMap(([id, members]) => {
      const head = members.find((record) => record.id === id);
      return head === undefined ? [] : [{ head, members }];
    })
    .toSorted((one, other) => other.head.at - one.head.at || (one.head.id < other.head.id ? 1 : -1));
}

/** What has had its time: by age, and by the number of turns in its folder. */
export function findOutlived(groups: readonly CheckpointGroup[], { maxTurns, keepMs }: CheckpointLimits, now: number): CheckpointGroup[] {
  const turns = new Map<string, Set<string>>();
  return groups.filter(({ head, members }) => {
    const here = turns.get(head.root) ?? new Set();
    turns.set(head.root, here.add(`${head.sessionId}\0${head.turnId}`));
    const newest = Math.max(...members.map(({ at }) => at));
    return here.size > maxTurns || newest < now - keepMs;
  });
}

/**
 * What has to go, oldest first, until the rest fits. The newest stays whatever it takes: it is the one most likely wanted.
 * `hashesOf` gives what a group names, `sizes` what that takes on the disk.
 */
export function findOverweight(
  groups: readonly CheckpointGroup[],
  hashesOf: (group: CheckpointGroup) => Iterable<string>,
  sizes: ReadonlyMap<string, number>,
  maxBytes: number,
): CheckpointGroup[] {
  const uses = new Map<string, number>();
  const named = groups.map((group) => ({ group, hashes: new Set(hashesOf(group)) }));
  for (const { hashes } of named) for (const hash of hashes) uses.set(hash, (uses.get(hash) ?? 0) + 1);
  let total = [...uses.keys()].reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0);
  const going: CheckpointGroup[] = [];
  for (const { group, hashes } of named.slice(1).toReversed()) {
    if (total <= maxBytes) break;
    going.push(group);
    for (const hash of hashes) {
      const left = (uses.get(hash) ?? 1) - 1;
      uses.set(hash, left);
      if (left === 0) total -= sizes.get(hash) ?? 0;
    }
  }
  return going;
}
