import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder, UNFINISHED, writeWhole } from './durable.ts';
import {
  parseCheckpointBefore,
  parseCheckpointAfter,
  type CheckpointBefore,
  type CheckpointAfter,
  type CheckpointRecord,
} from './model.ts';

/** The records of a store: one file for what was kept, one beside it for what was left. */
export interface CheckpointRecords {
  write(keeping: CheckpointBefore): Promise<void>;
  finish(id: string, leaving: CheckpointAfter): Promise<void>;
  /** Oldest first. What cannot be read is left out. */
  all(): CheckpointRecord[];
  one(id: string): CheckpointRecord | undefined;
  remove(ids: readonly string[]): void;
  sweep(olderThan: number): void;
}

const KEPT = '.json';
const LEFT = '.after.json';

export function openRecords(folder: string): CheckpointRecords {
  const kept = (id: string): string => join(folder, `${id}${KEPT}`);
  const left = (id: string): string => join(folder, `${id}${LEFT}`);
  const one = (id: string): CheckpointRecord | undefined => {
    const keeping = read(kept(id), parseCheckpointBefore);
    const leaving = keeping === undefined ? undefined : read(left(id), parseCheckpointAfter);
    return keeping === undefined || keeping.id !== id ? undefined : { ...keeping, ...(leaving !== undefined && { left: leaving }) };
  };
  return {
    write: async (keeping) => {
      await writeWhole(kept(keeping.id), JSON.stringify(keeping));
      syncFolder(folder);
    },
    finish: (id, leaving) => writeWhole(left(id), JSON.stringify(leaving)),
    all: () =>
      idsIn(folder)
        .map(one)
        .filter((record) => record !== undefined)
        .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)),
    one,
    remove: (ids) => {
      // What was left goes last: without it the rest would look cut off.
      for (const id of ids) rmSync(kept(id), { force: true });
      if (ids.length > 0) syncFolder(folder);
      for (const id of ids) rmSync(left(id), { force: true });
    },
    sweep: (olderThan) => {
      const ids = new Set(idsIn(folder));
      for (const name of namesIn(folder)) {
        const lost = name.endsWith(LEFT) ? !ids.has(name.slice(0, -LEFT.length)) : name.endsWith(UNFINISHED);
        const path = join(folder, name);
        if (lost && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < olderThan) rmSync(path, { force: true });
      }
    },
  };
}

const idsIn = (folder: string): string[] =>
  namesIn(folder).flatMap((name) => (name.endsWith(KEPT) && !name.endsWith(LEFT) ? [name.slice(0, -KEPT.length)] : []));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read<Value>(path: string, parse: (text: string) => Value | undefined): Value | undefined {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
