import { resolve } from 'node:path';
import { resolveById } from '../base/by-id.ts';
import { UsageError } from '../base/errors.ts';
import { resolveFromNearestParent } from '../base/real-path.ts';
import { toVisibleLine } from '../base/visible.ts';
import type {
  CheckpointLine,
  CheckpointScope,
  CheckpointService,
  RollbackDiff,
  RollbackRequest,
  RolledBackFile,
} from '../contracts/services/undo.ts';

/** Where checkpoints are looked for, and from where a file is named. */
export interface RollbackSource {
  readonly base: string;
  readonly scope: CheckpointScope;
  /** The session that asks; empty when the owner does so outside of one. */
  readonly sessionId: string;
  /** The words that ask for a rollback from here: a checkpoint, a file, `--all`. */
  say(words: readonly string[]): string;
}
export interface RollbackChoice {
  /** A number of the list, an id, or the beginning of one. */
  readonly checkpoint: string;
  readonly file: string | undefined;
  /** Also what somebody else changed since. */
  readonly all?: boolean | undefined;
}

/** What became of the files, and what to type to go on; or why nothing was done. */
export type RollbackResult =
  | { readonly ok: boolean; readonly files: readonly RolledBackFile[]; readonly next: NextRollbacks }
  | { readonly ok: false; readonly why: string };
/** What to type to go on, in full: after a rollback a number means another checkpoint. */
export interface NextRollbacks {
  /** Takes what was left alone, too. */
  readonly all: string;
  /** Undoes the rollback; absent when there is nothing to undo. */
  readonly undo?: string;
}

export async function restoreFiles(choice: RollbackChoice, place: RollbackSource, checkpoints: CheckpointService): Promise<RollbackResult> {
  const request = { ...requestFor(choice, place, checkpoints), ...(choice.all === true && { all: true }) };
  const outcome = await checkpoints.restore(request);
  if (!outcome.ok) return outcome;
  refuseUntouched(outcome.touched, choice, request);
  const { files, sessions, made } = outcome;
  const changed = files.filter(isDone);
  if (changed.length > 0) for (const id of new Set([place.sessionId, ...sessions])) await checkpoints.tell(id, toldTo(changed));
  return { ok: files.every(isDone), files, next: nextOf(request, choice.file, place, made) };
}
const isDone = ({ fate }: RolledBackFile): boolean => fate === 'restored' || fate === 'removed';

/** By ids: the rollback itself is a checkpoint, so that every number means another one now. */
const nextOf = (
  { checkpoint }: RollbackRequest,
  file: string | undefined,
  { say }: RollbackSource,
  made: string | undefined,
): NextRollbacks => ({
  all: say([checkpoint, ...(file === undefined ? [] : [file]), '--all']),
  ...(made !== undefined && { undo: say([made]) }),
});

export async function diffFiles(
  choice: RollbackChoice,
  place: RollbackSource,
  checkpoints: CheckpointService,
): Promise<readonly RollbackDiff[]> {
  const request = requestFor(choice, place, checkpoints);
  const { rows, touched } = await checkpoints.diff(request);
  refuseUntouched(touched, choice, request);
  return rows;
}

/** A file no checkpoint knows is sooner mistyped than as it was. */
function refuseUntouched(touched: boolean, { checkpoint, file }: RollbackChoice, request: RollbackRequest): void {
  if (file !== undefined && !touched)
    throw new UsageError(
      `no checkpoint since ${toVisibleLine(checkpoint)} touched ${toVisibleLine(file)}; hermes checkpoints show ${request.checkpoint} names the files of that one.`,
    );
}

function requestFor({ checkpoint, file }: RollbackChoice, place: RollbackSource, checkpoints: CheckpointService): RollbackRequest {
  const { base, scope, sessionId } = place;
  const { id } = resolveCheckpoint(checkpoint, checkpoints.list(scope));
  if (file === '') throw new UsageError('the name of the file is empty; leave it out to mean all files.');
  return { scope, checkpoint: id, sessionId, ...(file !== undefined && { only: resolveFromNearestParent(resolve(base, file)) }) };
}

export const isNumber = (ref: string): boolean => /^\d{1,4}$/.test(ref);
const SHOWN_BY = '/rollback or hermes checkpoints list';

/** By number, newest first from 1, or by an id or the beginning of one. */
export function resolveCheckpoint(ref: string, lines: readonly CheckpointLine[]): CheckpointLine {
  if (lines.length > 0 && !isNumber(ref)) return resolveById(ref, lines, ({ id }) => [id], { what: 'checkpoint', shownBy: SHOWN_BY });
  const found = lines[Number(ref) - 1];
  if (found !== undefined) return found;
  const there = lines.length === 0 ? 'there is none here' : `there are 1 to ${lines.length}`;
  throw new UsageError(`there is no checkpoint ${toVisibleLine(ref)}: ${there}; ${SHOWN_BY} shows them.`);
}

const MAX_PATHS = 40;
/** What a session is told of its own files. */
function toldTo(changed: readonly RolledBackFile[]): string {
  const named = changed.slice(0, MAX_PATHS).map(({ path, fate }) => `- ${path} (${fate})`);
  const more = changed.length > MAX_PATHS ? [`- and ${changed.length - MAX_PATHS} more`] : [];
  return [
    'I rolled back changes you made to files. They are again as they were before:',
    ...named,
    ...more,
    'Read them anew before you rely on what is in them, and do not repeat the changes unless I ask.',
  ].join('\n');
}
