import { dirname, join, relative } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { isWithin } from '../../../base/within.ts';
import type { HeldChange } from '../../../contracts/wall.ts';
import { findWorktree, judgeChange, listChanges, type GuardedChange } from './changes.ts';
import { compareConfigs } from './config-change.ts';
import { readState, tryLstat, type FileState } from './file-state.ts';
import { graftSettings } from './git-config.ts';
import { createLooker, type GuardedLook, type LookOptions, type SeenFile } from './look.ts';
import { findOwnerVersions, readStartCommits, type StartCommits } from './owner-versions.ts';
import { cutLines, describeChange } from './preview.ts';
import { makeFolderAgain, moveFolderBack, putState } from './put-back.ts';
import type { Repository } from './repository.ts';

/** The guarded files of a session's folders. */
export interface GuardedFiles {
  /** Takes everything as it is now for the owner's own. */
  accept(): void;
  /** Takes one file as it is now for the owner's own: a tool wrote it, with his consent where that is needed. */
  acceptFile(path: string): void;
  /** Puts back what has changed and could run or instruct later, and tells of it. */
  putBack(): Promise<readonly HeldChange[]>;
  /** Folders in which a change is worth a look at once. */
  watched(): readonly string[];
}
export interface GuardedFilesOptions extends LookOptions {
  /** A line for the owner. */
  notice(words: string): void;
}
/** Versions of one file that may come back. */
const MAX_EARLIER = 20;

export function openGuardedFiles(options: GuardedFilesOptions): GuardedFiles {
  const look = createLooker(options);
  const earlier = new Map<string, FileState[]>();
  const started = new Map<string, StartCommits>();
  const files = new Map<string, SeenFile>();
  let repositories: ReadonlyMap<string, Repository> = new Map();
  let startFolders: ReadonlySet<string> | undefined;

  const remember = (path: string, file: SeenFile | undefined): void => {
    const old = files.get(path);
    if (old !== undefined && old.state !== file?.state) earlier.set(path, [...(earlier.get(path) ?? []), old.state].slice(-MAX_EARLIER));
    if (file === undefined) files.delete(path);
    else files.set(path, file);
  };
  const learnRepositories = (now: GuardedLook): void => {
    for (const [path, each] of now.repositories)
      if (!repositories.has(path) && !started.has(each.common)) started.set(each.common, readStartCommits(each));
    repositories = now.repositories;
  };
  const accept = (now: GuardedLook): void => {
    learnRepositories(now);
    startFolders ??= now.folders;
    for (const path of files.keys()) if (!now.files.has(path)) remember(path, undefined);
    for (const [path, file] of now.files) remember(path, file);
  };

  const put = (path: string, state: FileState | undefined): boolean => {
    try {
      putState(path, state);
      return true;
    } catch (error) {
      options.notice(`${path} was changed by a command and could not be put back: ${toErrorMessage(error)}. Look at it before you use it.`);
      return false;
    }
  };

  /** Asks git, once for each repository, which of these the owner had before. */
  const findOwned = async (changes: readonly GuardedChange[], now: GuardedLook): Promise<ReadonlySet<string>> => {
    const groups = Map.groupBy(changes, ({ path }) => findWorktree(path, now.repositories.values())?.gitFolder);
    const found = await Promise.all(
      [...groups].map(async ([gitFolder, group]): Promise<readonly string[]> => {
        const repository = gitFolder === undefined ? undefined : now.repositories.get(gitFolder);
        const worktree = repository?.worktree;
        if (repository === undefined || worktree === undefined) return [];
        const known = started.get(repository.common);
        // A folder that was there is not made another project by a new repository in it.
        if (known === undefined && (startFolders?.has(worktree) === true || !options.roots.some((root) => isWithin(root, worktree))))
          return [];
        const asked = group.flatMap(({ path, before, after }) => {
          const file = after ?? before;
          return file === undefined ? [] : [{ name: relative(worktree, path), content: file.state.content, isGone: after === undefined }];
        });
        return [...(await findOwnerVersions(repository, known, asked))].map((name) => join(worktree, name));
      }),
    );
    return new Set(found.flat());
  };

  const holdFile = ({ path, before, after }: GuardedChange, what: SeenFile['what']): HeldChange | undefined => {
    if (before?.gitFolder !== undefined) restoreParent(path, before.gitFolder);
    if (!put(path, before?.state)) return undefined;
    return {
      path,
      what,
      change: before === undefined ? 'created' : after === undefined ? 'removed' : 'changed',
      preview: describeChange(before?.state, after?.state),
      apply: async () => {
        putState(path, after?.state);
        acceptFile(path, after ?? before);
      },
    };
  };
  const holdSettings = ({ path, before, after }: GuardedChange, now: GuardedLook): HeldChange | undefined => {
    if (after === undefined || after.state.kind !== 'file' || (before !== undefined && before.state.kind !== 'file'))
      return holdFile({ path, before, after }, 'git config');
    const [old, text] = [before?.state.content.toString('latin1') ?? '', after.state.content.toString('latin1')];
    const gitFolder = after.gitFolder ?? dirname(path);
    const isMain =
      (now.repositories.get(gitFolder)?.worktree ?? '') === options.roots[0] || !options.roots.some((root) => isWithin(root, gitFolder));
    const { held, text: kept = text, preview } = compareConfigs(old, text, { gitFolder, roots: options.roots, isMain });
    const state = { ...after.state, content: Buffer.from(kept, 'latin1') };
    if (held.size > 0 && !put(path, kept === '' && before === undefined ? undefined : state)) return undefined;
    remember(path, { ...after, state: held.size === 0 ? after.state : state });
    if (held.size === 0) return undefined;
    return {
      path,
      what: 'git config',
      change: before === undefined ? 'created' : 'changed',
      preview: Buffer.from(cutLines(preview), 'latin1').toString(),
      apply: async () => {
        const current = readState(path, undefined, 0);
        const grafted = held.has('*') ? undefined : graftSettings(current?.content.toString('latin1') ?? '', text, held);
        putState(path, { ...after.state, content: grafted === undefined ? after.state.content : Buffer.from(grafted, 'latin1') });
        acceptFile(path, after);
      },
    };
  };
  const acceptFile = (path: string, like: SeenFile | undefined): void => {
    const state = readState(path, undefined, 0);
    if (state === undefined || like === undefined) remember(path, undefined);
    else remember(path, { ...like, state });
  };

  const putBack = async (): Promise<readonly HeldChange[]> => {
    let now = look();
    const swapped = swapBack(now);
    if (swapped.length > 0) now = look();
    const known = { files, repositories, earlier };
    const changes = listChanges(files, now.files);
    if (changes.length === 0) {
      learnNew(now);
      return swapped;
    }
    const isSetting = ({ before, after }: GuardedChange): boolean => (after ?? before)?.rule === 'settings';
    const judged = changes.map((change) => ({
      change,
      verdict: isSetting(change) && change.after !== undefined ? 'held' : judgeChange(change, known, now),
    }));
    const settings = judged
      .filter(({ change, verdict }) => verdict === 'held' && isSetting(change))
      .map(({ change }) => holdSettings(change, now));
    const perhaps = judged.filter(({ verdict }) => verdict === 'perhaps').map(({ change }) => change);
    const owned = perhaps.length === 0 ? new Set<string>() : await findOwned(perhaps, now);
    const isFine = ({ change, verdict }: (typeof judged)[number]): boolean => verdict === 'fine' || owned.has(change.path);
    for (const each of judged) if (isFine(each)) remember(each.change.path, each.change.after);
    const rest = judged.filter((each) => !isFine(each) && (each.change.after === undefined || !isSetting(each.change)));
    // What was added goes first: a link may stand where a folder has to be made again.
    const whole = rest.toSorted((a, b) => Number(a.change.after === undefined) - Number(b.change.after === undefined));
    const held = whole.map(({ change }) => holdFile(change, (change.after ?? change.before)?.what ?? 'start-up file'));
    learnNew(now);
    return [...swapped, ...settings, ...held].filter((each) => each !== undefined);
  };
  /** A repository that a command made has no commits of the owner's. */
  const learnNew = (now: GuardedLook): void => void (repositories = new Map([...repositories, ...now.repositories]));

  /** Another repository, or a way to one, in the place of a known one that lies elsewhere now. */
  const swapBack = (now: GuardedLook): readonly HeldChange[] =>
    [...repositories.values()].flatMap((old): readonly HeldChange[] => {
      const moved = [...now.repositories.values()].find(
        ({ identity, gitFolder }) => identity === old.identity && gitFolder !== old.gitFolder,
      );
      const isSame = now.repositories.get(old.gitFolder)?.identity === old.identity;
      if (isSame) return [];
      if (moved === undefined || tryLstat(old.gitFolder) === undefined || moved.gitFolder.includes('/modules/')) {
        forgetRepository(old, moved);
        return [];
      }
      const aside = moveFolderBack(moved.gitFolder, old.gitFolder);
      return [
        {
          path: old.gitFolder,
          what: 'git link',
          change: 'changed',
          preview: `- the repository that was there\n+ another one; it lies in ${aside ?? ''} now`,
          apply: async () => {
            moveFolderBack(old.gitFolder, moved.gitFolder);
            if (aside !== undefined) moveFolderBack(aside, old.gitFolder);
          },
        },
      ];
    });
  /** Its files are known where it is now; another one in its place begins anew. */
  const forgetRepository = (old: Repository, moved: Repository | undefined): void => {
    for (const [path, file] of [...files]) {
      if (!path.startsWith(`${old.gitFolder}/`)) continue;
      files.delete(path);
      if (moved !== undefined) {
        const to = join(moved.gitFolder, relative(old.gitFolder, path));
        files.set(to, { ...file, path: to, gitFolder: moved.gitFolder });
      }
    }
    const commits = started.get(old.common);
    if (moved !== undefined && commits !== undefined) started.set(moved.common, commits);
    repositories = new Map([...repositories].filter(([path]) => path !== old.gitFolder));
  };

  return {
    accept: () => accept(look()),
    acceptFile: (path) => {
      const seen = look().files.get(path);
      remember(path, seen);
    },
    putBack,
    watched: () => [
      ...new Set([...options.roots, ...[...repositories.values()].flatMap(({ gitFolder, common }) => [gitFolder, join(common, 'hooks')])]),
    ],
  };
}

const restoreParent = (path: string, gitFolder: string): void => {
  for (const folder of [dirname(dirname(path)), dirname(path)])
    if (isWithin(gitFolder, folder) && folder !== gitFolder) makeFolderAgain(folder);
};
