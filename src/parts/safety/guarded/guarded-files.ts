import { dirname, join, relative } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { isWithin } from '../../../base/within.ts';
import type { OwnerRemotes, RemoteSetting } from '../../../contracts/owner-remotes.ts';
import type { HeldChange } from '../../../contracts/wall.ts';
import { findWorktree, judgeChange, listChanges, type GuardedChange } from './changes.ts';
import type { GitConfigScope } from '../../../base/harmless-git-settings.ts';
import { holdFile, holdRepositories, holdSettings } from './hold.ts';
import { createKnownFiles, type KnownFiles } from './known-files.ts';
import { createLooker, MAX_SOURCES, type GuardedLook, type GuardedLookOptions } from './look.ts';
import { listProgramFolders } from './programs.ts';
import { createUnwatchedFiles } from './unwatched.ts';
import { findOwnerVersions } from './owner-versions.ts';
import { identifyFolder, tryLstat } from './file-state.ts';

/** The guarded files of a session's folders. */
export interface GuardedFiles {
  /** Takes everything as it is now for the owner's own. */
  accept(): void;
  /** Takes one file as it is now for the owner's own: a tool wrote it, with his consent where that is needed. */
  acceptFile(path: string): void;
  /** Another folder that commands may write to from now on. */
  addRoot(path: string): void;
  /** Another session here has this `PATH`: programs in its folders are guarded from now on. */
  addPrograms(path: string): void;
  /**
   * Puts back what has changed and could run or instruct later, and tells of it. While a command is running, what it may still
   * be writing waits for a later look.
   */
  putBack(isRunning?: boolean): Promise<readonly HeldChange[]>;
  /** Whether git is changing files at this moment, or says so. */
  isGitBusy(): boolean;
  /** Folders in which a change is worth a look at once. */
  watched(): readonly string[];
}
export interface GuardedFilesOptions extends GuardedLookOptions {
  /** Which remotes are the owner's. */
  readonly remotes?: OwnerRemotes;
  /** Whether the owner's settings name a host. */
  isNamedHost?(host: string): boolean;
  /** A line for the owner. */
  notice(words: string): void;
}

export function openGuardedFiles({ notice, remotes, isNamedHost = () => false, ...options }: GuardedFilesOptions): GuardedFiles {
  const tellOnce = createNoticeOnce(notice);
  const [roots, programs] = [[...options.roots], [...(options.programs ?? [])]];
  const look = createLooker({ ...options, roots, programs });
  const known = createKnownFiles();
  const unwatched = createUnwatchedFiles();
  /** What is looked at from now on is the owner's as it is. */
  const acceptNew = (isNew: (path: string) => boolean): void => {
    for (const [path, file] of look().files) if (isNew(path) && !known.files.has(path)) known.remember(path, file);
  };
  /** What cannot be put back is tried again with the next look. */
  const attempt = (change: GuardedChange, hold: () => HeldChange | undefined): readonly HeldChange[] => {
    try {
      return [hold() ?? []].flat();
    } catch (error) {
      tellOnce(
        change.path,
        `A command changed ${change.path}, and it could not be put back: ${toErrorMessage(error)}. Look at it before you use it.`,
      );
      return [];
    }
  };
  /** What a setting names that the owner agreed to is the owner's as it is. */
  const acceptNamed = (config: string): void => {
    for (const [path, file] of look().files) if (file.via === config && !known.files.has(path)) known.remember(path, file);
  };
  let start: readonly string[] = [];
  const identify = (): readonly string[] => roots.map(identifyFolder);
  const isWritten = createSettledCheck();
  const putBack = async (isRunning = false): Promise<readonly HeldChange[]> => {
    const found = identify();
    const moved = roots.filter((_root, at) => found[at] !== start[at]).join(', ');
    if (moved !== '') {
      tellOnce(
        moved,
        `A command moved, replaced or removed ${moved}. Look at it before you use it: what it holds now cannot be compared with what it held.`,
      );
      return [];
    }
    const first = look();
    const swapped = holdRepositories(known, first);
    const second = swapped.length > 0 ? look() : first;
    const listWritten = (now: GuardedLook) => listChanges(known.files, now.files).filter((change) => !isRunning || isWritten(change));
    const changes = listWritten(second);
    const settings = changes.filter(isSetting);
    // Git is asked below about the rest, and must find nothing that it would run.
    const fromConfigs = settings
      .flatMap((change) => attempt(change, () => holdConfig(change, second, { known, roots, remotes, isNamedHost })))
      .map((change) => ({ ...change, apply: () => change.apply().then(() => acceptNamed(change.path)) }));
    // With settings that may stay, what they name counts at once; with those that were put back, no longer.
    const third = settings.length > 0 ? look() : second;
    const hold = (change: GuardedChange) => attempt(change, () => holdFile(change, known));
    const others = await holdFiles(third, third === second ? changes : listWritten(third), { known, roots, look, list: listWritten, hold });
    return [...swapped, ...fromConfigs, ...others, ...unwatched.putBack(third)];
  };
  return {
    accept: () => {
      start = identify();
      const now = look();
      known.accept(now);
      unwatched.accept(now);
      if (!now.isWhole) tellOnce(roots.join(), describeCut(roots));
    },
    acceptFile: (path) => known.remember(path, look().files.get(path)),
    addRoot: (path) => {
      if (roots.some((root) => isWithin(root, path))) return;
      remotes?.begin([path]);
      roots.push(path);
      start = identify();
      acceptNew((each) => isWithin(path, each));
    },
    addPrograms: (path) => {
      if (programs.includes(path)) return;
      programs.push(path);
      const folders = listProgramFolders(path, roots);
      if (folders.length > 0) acceptNew((each) => folders.includes(dirname(each)));
    },
    putBack,
    isGitBusy: () =>
      [...known.repositories.values()].some(({ gitFolder }) => BUSY.some((name) => tryLstat(join(gitFolder, name)) !== undefined)),
    watched: () => [
      ...new Set([...roots, ...[...known.repositories.values()].flatMap(({ gitFolder, common }) => [gitFolder, join(common, 'hooks')])]),
    ],
  };
}

interface FileHolding {
  readonly known: KnownFiles;
  readonly roots: readonly string[];
  look(): GuardedLook;
  list(now: GuardedLook): readonly GuardedChange[];
  hold(change: GuardedChange): readonly HeldChange[];
}
/** A file that was put back may run further ones, which the command has changed too: those are looked for again. */
async function holdFiles(
  now: GuardedLook,
  changes: readonly GuardedChange[],
  holding: FileHolding,
  round = 0,
): Promise<readonly HeldChange[]> {
  const { known, roots, look, list, hold } = holding;
  const files = changes.filter((change) => !isSetting(change));
  const held = (await sortOut(files, known, now, roots)).flatMap(hold);
  known.learn(now);
  if (held.length === 0 || round === MAX_SOURCES) return held;
  const next = look();
  return [...held, ...(await holdFiles(next, list(next), holding, round + 1))];
}

const describeCut = (roots: readonly string[]): string =>
  `${roots.join(', ')} has too many folders to look at all of them. Files that run or instruct later are not guarded in the deepest ones: start Hermes further down.`;

interface ConfigHolding extends Pick<GuardedFilesOptions, 'isNamedHost'> {
  readonly known: KnownFiles;
  readonly roots: readonly string[];
  readonly remotes: OwnerRemotes | undefined;
}
function holdConfig(
  change: GuardedChange,
  now: GuardedLook,
  { known, roots, remotes, isNamedHost }: ConfigHolding,
): HeldChange | undefined {
  const scope = scopeOf(change, roots, now);
  const common = now.repositories.get(scope.gitFolder)?.common ?? scope.gitFolder;
  // Whoever cloned a repository was asked about its host.
  const isKnown = [...known.repositories.values()].some((each) => each.common === common);
  const named = {
    ...(isKnown && isNamedHost !== undefined && { isNamedHost }),
    ...(isKnown && remotes !== undefined && { isOwnersRemote: (setting: RemoteSetting) => remotes.isOwners(common, setting) }),
  };
  return holdSettings(change, known, { ...scope, ...named }, (settings) => remotes?.agree(common, settings));
}

/** Every look would say it again. */
function createNoticeOnce(notice: (words: string) => void): (path: string, words: string) => void {
  const told = new Set<string>();
  return (path, words) => {
    if (!told.has(path)) notice(words);
    told.add(path);
  };
}

/** A file that changed just now may be half written, and one that is gone may be on its way. Whoever keeps it young is not waited for. */
function createSettledCheck(): (change: GuardedChange) => boolean {
  const seen = new Map<string, number>();
  return ({ path, after }) => {
    const times = (seen.get(path) ?? 0) + 1;
    const isSettled = times > MAX_YOUNG || (after !== undefined && Date.now() - after.state.changedAt > SETTLED_MS);
    if (isSettled) seen.delete(path);
    else seen.set(path, times);
    return isSettled;
  };
}
const SETTLED_MS = 250;
const MAX_YOUNG = 4;

const BUSY = ['index.lock', 'rebase-merge', 'rebase-apply'];

/** One that is gone is judged as a whole. */
const isSetting = ({ after }: GuardedChange): boolean => after?.rule === 'settings';

function scopeOf({ path, after }: GuardedChange, roots: readonly string[], now: GuardedLook): GitConfigScope {
  const gitFolder = after?.gitFolder ?? dirname(path);
  const isMain = now.repositories.get(gitFolder)?.worktree === roots[0] || !roots.some((root) => isWithin(root, gitFolder));
  return { gitFolder, roots, isMain };
}

/** What has to be put back, what was added first: a link may stand where a folder has to be made again. The rest is known from now on. */
async function sortOut(
  changes: readonly GuardedChange[],
  known: KnownFiles,
  now: GuardedLook,
  roots: readonly string[],
): Promise<readonly GuardedChange[]> {
  const judged = changes.map((change) => ({ change, verdict: judgeChange(change, known, now) }));
  const perhaps = judged.flatMap(({ change, verdict }) => (verdict === 'perhaps' ? [change] : []));
  const owned = perhaps.length === 0 ? new Set<string>() : await findOwned(perhaps, known, now, roots);
  const isFine = ({ change, verdict }: (typeof judged)[number]): boolean => verdict === 'fine' || owned.has(change.path);
  for (const each of judged) if (isFine(each)) known.remember(each.change.path, each.change.after);
  return judged
    .filter((each) => !isFine(each))
    .map(({ change }) => change)
    .toSorted((a, b) => Number(a.after === undefined) - Number(b.after === undefined));
}

/** Asks git, once for each repository, which of these the owner had before. */
async function findOwned(
  changes: readonly GuardedChange[],
  known: KnownFiles,
  now: GuardedLook,
  roots: readonly string[],
): Promise<ReadonlySet<string>> {
  const groups = Map.groupBy(changes, ({ path }) => findWorktree(path, now.repositories.values())?.gitFolder ?? '');
  const found = await Promise.all(
    [...groups].map(async ([gitFolder, group]): Promise<readonly string[]> => {
      const repository = now.repositories.get(gitFolder);
      const worktree = repository?.worktree;
      if (repository === undefined || worktree === undefined) return [];
      const started = known.started.get(repository.common);
      // A folder that was there is not made another project by a new repository in it.
      if (started === undefined && (known.isStartFolder(worktree) || !roots.some((root) => isWithin(root, worktree)))) return [];
      const files = group.flatMap(({ path, before, after }) => {
        const file = after ?? before;
        return file === undefined ? [] : [{ name: relative(worktree, path), content: file.state.content, isGone: after === undefined }];
      });
      return [...(await findOwnerVersions(repository, started, files))].map((name) => join(worktree, name));
    }),
  );
  return new Set(found.flat());
}
