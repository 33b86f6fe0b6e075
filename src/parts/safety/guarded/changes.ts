import { basename, dirname, join, resolve } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isSameState, tryLstat } from './file-state.ts';
import type { KnownFiles } from './known-files.ts';
import type { GuardedLook, SeenFile } from './look.ts';
import { parseGitFile, type Repository } from './repository.ts';

/** A guarded file that is another than it was. One of the two is there. */
export interface GuardedChange {
  readonly path: string;
  readonly before: SeenFile | undefined;
  readonly after: SeenFile | undefined;
}

export function listChanges(before: ReadonlyMap<string, SeenFile>, after: ReadonlyMap<string, SeenFile>): readonly GuardedChange[] {
  const changes: GuardedChange[] = [];
  const isNew = (path: string): boolean => !isSameState(before.get(path)?.state, after.get(path)?.state);
  for (const [path, file] of after) {
    const old = before.get(path);
    // It was there before something led to it, and is left alone: what leads to it is put back.
    if (old === undefined && file.via !== undefined && isNew(file.via)) continue;
    if (old?.state !== file.state && !isSameState(old?.state, file.state)) changes.push({ path, before: old, after: file });
  }
  for (const [path, file] of before)
    if (!after.has(path) && (file.via === undefined || !isNew(file.via))) changes.push({ path, before: file, after: undefined });
  return changes;
}

/** Whether a change can do nothing by itself; `perhaps` when only git can tell whose version it is. */
export function judgeChange({ path, before, after }: GuardedChange, known: KnownFiles, now: GuardedLook): 'fine' | 'held' | 'perhaps' {
  if (isHarmlessText(before, after)) return 'fine';
  if (after === undefined) return isGone(path, before, now) ? 'fine' : before?.gitFolder === undefined ? 'perhaps' : 'held';
  if (after.rule === 'link') return isHarmlessLink(after, known, now) ? 'fine' : 'held';
  if (known.earlier.get(path)?.some((state) => isSameState(state, after.state)) === true) return 'fine';
  if (isCopy(after, known)) return 'fine';
  const isNew = after.gitFolder !== undefined && !known.repositories.has(after.gitFolder);
  if (isNew && basename(path) === 'alternates') return 'fine';
  return after.gitFolder === undefined && after.state.kind === 'file' ? 'perhaps' : 'held';
}

function isHarmlessText(before: SeenFile | undefined, after: SeenFile | undefined): boolean {
  if (before === undefined && after?.isFineWhenNew === true) return true;
  const counts = (after ?? before)?.counts;
  return (
    counts !== undefined && (after === undefined || (after.state.kind === 'file' && !counts.test(after.state.content.toString('latin1'))))
  );
}

/** With the folder it was in, so that nothing is left that could run. Of a repository that is there its hooks and settings are not. */
const isGone = (path: string, before: SeenFile | undefined, now: GuardedLook): boolean =>
  before?.gitFolder !== undefined && now.repositories.has(before.gitFolder) && !path.includes('/worktrees/')
    ? false
    : tryLstat(dirname(path))?.isDirectory() !== true || (before?.gitFolder !== undefined && !now.repositories.has(before.gitFolder));

/** The same words under the same name elsewhere: a folder was copied or moved. */
const isCopy = ({ path, what, state }: SeenFile, { files }: KnownFiles): boolean =>
  state.kind === 'file' &&
  [...files.values()].some((file) => file.what === what && basename(file.path) === basename(path) && isSameState(file.state, state));

/** A linked worktree or a submodule of a repository that is known: what lies there is looked at as well. */
function isHarmlessLink({ path, state }: SeenFile, known: KnownFiles, now: GuardedLook): boolean {
  if (state.kind !== 'file') return false;
  const text = state.content.toString();
  if (basename(path) === 'commondir') {
    const above = dirname(dirname(path));
    return basename(above) === 'worktrees' && resolve(dirname(path), text.trimEnd()) === dirname(above);
  }
  const named = parseGitFile(text);
  const target = named === undefined ? undefined : resolve(dirname(path), named);
  // A link on the way could lead elsewhere tomorrow.
  if (target === undefined || realPath(target) !== target) return false;
  const homes = [...known.repositories.values(), ...[...now.repositories.values()].filter(isInPlace)].map(({ common }) => common);
  return (
    target !== undefined && homes.some((common) => ['worktrees', 'modules'].some((name) => target.startsWith(`${join(common, name)}/`)))
  );
}
/** Not one that is only known by what a `.git` file says. */
const isInPlace = ({ gitFolder, common, worktree }: Repository): boolean =>
  gitFolder === common && (worktree === undefined || gitFolder === join(worktree, '.git'));

/** The repository a file belongs to as part of a project: the nearest above it. */
export const findWorktree = (path: string, repositories: Iterable<Repository>): (Repository & { readonly worktree: string }) | undefined =>
  [...repositories]
    .flatMap((each) => (each.worktree !== undefined && path.startsWith(`${each.worktree}/`) ? [{ ...each, worktree: each.worktree }] : []))
    .toSorted((a, b) => b.worktree.length - a.worktree.length)[0];
