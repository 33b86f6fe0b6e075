import { join } from 'node:path';
import { isWithin } from '../../../base/within.ts';
import { isSameState, type ChangedFile, type KeptState, type CheckpointRecord } from './model.ts';

/** What the calls of one session did to files, as far as it was kept. */
export interface SessionChanges {
  readonly files: readonly SessionChange[];
  /** Every call was followed to its end: none goes on, none was cut off. */
  readonly complete: boolean;
}
export interface SessionChange {
  /** Absolute, links in it followed. */
  readonly path: string;
  readonly fate: 'written' | 'deleted' | 'as_before';
  /** A call of another session ran at the same time and may have been it as well. */
  readonly shared: boolean;
}

/** Each file once, with what became of it in the end. */
export function collectSessionChanges(records: readonly CheckpointRecord[], sessionId: string): SessionChanges {
  const own = records.filter((record) => record.sessionId === sessionId).toSorted((a, b) => a.at - b.at);
  const others = records.filter((record) => record.sessionId !== sessionId);
  const traces = own.flatMap((record) => (record.left?.files ?? []).flatMap((file) => traceOf(record, file, others)));
  const byPath = Map.groupBy(traces, ({ path }) => path);
  return { files: [...byPath.values()].flatMap(sumUp), complete: own.every(({ left }) => left !== undefined) };
}

interface Trace {
  readonly path: string;
  readonly before: KeptState;
  readonly after: KeptState;
  readonly shared: boolean;
}

/** A call that keeps a whole folder sees what others do there meanwhile: what another call set out to write is that one's. */
function traceOf(record: CheckpointRecord, { path, before, after }: ChangedFile, others: readonly CheckpointRecord[]): Trace[] {
  const full = join(record.root, path);
  const rivals = record.tree === undefined ? [] : others.filter((other) => overlap(record, other) && mayHaveChanged(other, full));
  if (rivals.some(({ tree }) => tree === undefined)) return [];
  return [{ path: full, before, after, shared: rivals.length > 0 }];
}

const overlap = (one: CheckpointRecord, other: CheckpointRecord): boolean =>
  other.at <= (one.left?.at ?? Infinity) && one.at <= (other.left?.at ?? Infinity);

/** A call that is not over may still turn out to be it. */
function mayHaveChanged({ root, files, left, tree }: CheckpointRecord, path: string): boolean {
  if (left === undefined && tree !== undefined) return isWithin(root, path);
  return (left?.files ?? files).some((file) => join(root, file.path) === path);
}

/** Folders are only where files lie. */
function sumUp(traces: readonly Trace[]): SessionChange[] {
  const [first, last] = [traces[0], traces.at(-1)];
  if (first === undefined || last === undefined) return [];
  const gone = last.after.is === 'absent';
  if ((gone ? first.before : last.after).is === 'folder') return [];
  const fate = isSameState(first.before, last.after) ? 'as_before' : gone ? 'deleted' : 'written';
  return [{ path: last.path, fate, shared: traces.every(({ shared }) => shared) }];
}
