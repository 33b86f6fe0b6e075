import { join } from 'node:path';
import { isWithin } from '../../../base/within.ts';
import { isSameState, type KeptState, type CheckpointRecord } from './model.ts';
import { groupRecords, type CheckpointGroup } from './retention.ts';

/** One place as the calls since a checkpoint changed it. */
export interface FileTrail {
  readonly root: string;
  /** Below the root. */
  readonly path: string;
  /** What stood there before the first of these calls. */
  readonly target: KeptState;
  /** What may stand there now if nobody but the agent was at it. */
  readonly expected: readonly KeptState[];
  /** Why it is not the agent's alone any more; absent when it is. */
  readonly disputed?: string;
  readonly sessions: readonly string[];
}
/** A file that is not as it was before the checkpoint. */
export interface ChangedSince extends FileTrail {
  readonly full: string;
  readonly present: KeptState;
  /** Why it is left alone unless everything is asked for. */
  readonly conflict?: string;
}

/** What a call did to one place; `after` is unknown when the call was cut off. */
interface FileStep {
  readonly root: string;
  readonly path: string;
  readonly at: number;
  readonly end: number;
  readonly before: KeptState;
  readonly after?: KeptState;
  readonly sessionId: string;
}

/** Whose checkpoints are meant: those of one session, and those that lie in, or around, one folder. */
export interface CheckpointFilter {
  readonly folder?: string;
  readonly sessionId?: string;
}

/** Newest first: the first is number 1. */
export const filterCheckpoints = (records: readonly CheckpointRecord[], { folder, sessionId }: CheckpointFilter): CheckpointGroup[] =>
  groupRecords(records).filter(
    ({ members }) =>
      (folder === undefined && sessionId === undefined) ||
      members.some(
        (record) =>
          record.sessionId === sessionId || (folder !== undefined && (isWithin(folder, record.root) || isWithin(record.root, folder))),
      ),
  );

/**
 * Everything that has to be undone to be back before a checkpoint: its own changes and those of every later one in scope.
 * What calls that were cut off changed must have been found out before (`left` without an end).
 */
export function collectTrailsSince(groups: readonly CheckpointGroup[], since: CheckpointGroup): FileTrail[] {
  const later = groups.flatMap(({ members }) => members).filter(({ at }) => at >= since.head.at);
  const steps = Map.groupBy(later.flatMap(stepsOf), ({ root, path }) => join(root, path));
  return [...steps.values()].map(trailOf);
}

function stepsOf({ root, at, sessionId, files, left }: CheckpointRecord): FileStep[] {
  if (left === undefined) return files.map(({ path, before }) => ({ root, path, at, end: at, before, sessionId }));
  return left.files.map(({ path, before, after }) => ({ root, path, at, end: left.at, before, after, sessionId }));
}

function trailOf(unordered: readonly FileStep[]): FileTrail {
  const steps = unordered.toSorted((one, other) => one.at - other.at);
  const last = steps.toSorted((one, other) => one.end - other.end).at(-1);
  const [first] = steps;
  if (first === undefined || last === undefined) throw new Error('a trail without a step');
  const disputed = strangerBetween(steps) ? 'somebody else changed it between two calls of the agent' : undefined;
  return {
    root: first.root,
    path: first.path,
    target: first.before,
    expected: last.after === undefined ? [last.before] : [last.after, last.before],
    ...(disputed !== undefined && { disputed }),
    sessions: [...new Set(steps.map(({ sessionId }) => sessionId))],
  };
}

/** A call met something none of the earlier ones met or left. After a call that was cut off that says nothing. */
function strangerBetween(steps: readonly FileStep[]): boolean {
  const known: KeptState[] = [];
  for (const [index, { before, after }] of steps.entries()) {
    if (index > 0 && !known.some((state) => isSameState(state, before))) return true;
    if (after === undefined) return false;
    known.push(before, after);
  }
  return false;
}
