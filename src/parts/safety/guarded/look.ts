import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { isSkippedFolder } from '../checkpoints/scan.ts';
import { readState, toStamp, tryLstat, type FileState } from './file-state.ts';
import { createFolderLister, TICK_MS, type FolderItems, type ListFolder } from './folders.ts';
import { listIndexedRepositories } from './git-index.ts';
import { findRepositoryAbove, listModules, listRepositoryPaths, openRepository, type GuardedPath, type Repository } from './repository.ts';
import { followIncludes, listGlobalConfigs, listNamedPaths, namingSettingsOf, readNamingSettings } from './named-paths.ts';
import { listHomeFiles } from './home-files.ts';
import { createShadowCheck, listProgramFolders, listShadowing } from './programs.ts';
import { listSourced, type SourcedPaths } from './sourced.ts';
import { beginsGuarded, findGuardedRow, isGuardedFolder, type GuardedKind } from './table.ts';

export type SeenFile = GuardedPath & { readonly state: FileState };
/** All guarded files of some folders as they are at one moment. */
export interface GuardedLook {
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly repositories: ReadonlyMap<string, Repository>;
  readonly folders: ReadonlySet<string>;
  /** No folder was left out because there are too many. */
  readonly isWhole: boolean;
  /** What a file at this path is, or would be if it were there; nothing for an ordinary one. A real path. */
  find(path: string): GuardedKind | undefined;
}
export interface GuardedLookOptions {
  /** Real paths. */
  readonly roots: readonly string[];
  /** Git folders elsewhere that commands may write to. */
  readonly gitFolders?: readonly string[];
  /** The owner's `PATH`, as each session has it: a program in one of the roots could stand in the place of one of the system's. */
  readonly programs?: readonly string[];
  /** Folders of a project that are looked at, the upper ones first; deeper ones in a larger tree are not, of which the owner is told. */
  readonly maxFolders?: number;
}

const MAX_FOLDERS = 40_000;
/** Folders within one that is not walked through, in which a repository may lie. */
const MAX_INNER = 2_000;
/** How many start-up files may run one another in turn. */
export const MAX_SOURCES = 8;
/** Files behind a link to a folder. */
const MAX_LINKED = 200;

/** Looks at the disk again and again, and reads only what has changed since the last time. Links are seen, never followed out of the roots. */
export function createLooker({ roots, gitFolders = [], programs = [], maxFolders = MAX_FOLDERS }: GuardedLookOptions): () => GuardedLook {
  const list = createFolderLister();
  const since = Date.now() - TICK_MS;
  let known: ReadonlyMap<string, SeenFile> = new Map();
  const listIndexed = createIndexReader();
  let start: ReadonlySet<string> | undefined;
  return () => {
    const files = new Map<string, SeenFile>();
    const missing = new Map<string, GuardedKind>();
    const add = (found: GuardedPath): SeenFile | undefined => {
      const seen = files.get(found.path);
      if (seen !== undefined) return seen;
      const state = readState(found.path, known.get(found.path)?.state, since);
      if (state === undefined && found.isFineWhenNew !== true) missing.set(found.path, found.what);
      if (state === undefined || state.kind === 'folder') return undefined;
      const file = { ...found, state };
      files.set(found.path, file);
      return file;
    };
    const walked = roots.map((root) => walk(root, { list, maxFolders, ...(start !== undefined && { start }) }));
    start ??= new Set(walked.flatMap((each) => each.folders));
    const added: string[] = [];
    /** A start-up file or a hook with what it runs besides. */
    const follow = (file: SourcingFile | undefined, depth = 0): void => {
      if (file === undefined || !FOLLOWED.has(file.what) || file.state.kind !== 'file' || depth > MAX_SOURCES) return;
      const top = file.what === 'git hook' ? (roots.find((root) => isWithin(root, file.path)) ?? roots[0]) : undefined;
      const sourced = SOURCED.get(file.state) ?? listSourced(file.path, file.state.content.toString('latin1', 0, MAX_SOURCE), top);
      SOURCED.set(file.state, sourced);
      added.push(...sourced.folders.flatMap((folder) => expandStar(folder, list)));
      for (const path of sourced.files.filter((each) => !files.has(each))) {
        addNamed({ path, what: file.what, rule: 'whole', via: file.path }, add, roots, list);
        follow(files.get(path), depth + 1);
      }
    };
    for (const found of walked.flatMap(({ paths }) => paths)) follow(addWithTarget(found, add, roots, list));
    for (const found of listHomeFiles()) {
      addNamed(found, add, roots, list);
      follow(files.get(found.path) ?? found);
    }
    const repositories = collectRepositories(
      [...walked.flatMap((each) => each.repositories), ...aboveOf(roots), ...named(gitFolders)],
      list,
      listIndexed,
    );
    /** What was seen in this look speaks: a file may be another one by now. */
    const read = (path: string) => {
      const state = files.get(realPath(path) ?? path)?.state;
      return state?.kind === 'file' ? namingSettingsOf(state) : readNamingSettings(path);
    };
    const addAllNamed = (first: GuardedPath, worktree: string | undefined): void => {
      for (const { config, settings } of followIncludes(first, read))
        for (const more of listNamedPaths(settings, { config, worktree, roots }, list))
          addNamed({ ...more, via: realPath(config.path) ?? config.path }, add, roots, list);
    };
    for (const repository of repositories.values())
      for (const found of listRepositoryPaths(repository, list)) {
        const seen = addWithTarget(found, add, roots, list);
        if (seen?.rule === 'settings') addAllNamed(found, repository.worktree);
        else follow(seen);
      }
    const trees = new Set([...repositories.values()].map(({ worktree, gitFolder }) => worktree ?? dirname(gitFolder)));
    for (const config of listGlobalConfigs()) {
      addNamed({ ...config, path: realPath(config.path) ?? config.path }, add, roots, list);
      for (const worktree of trees) addAllNamed(config, worktree);
    }
    const folders = walked.flatMap((each) => each.folders);
    const programFolders = new Set(listProgramFolders([...programs, ...added].join(delimiter), roots, folders));
    for (const folder of programFolders)
      for (const path of listShadowing(folder, list, { programs, roots })) add({ path, what: 'start-up file', rule: 'whole' });
    known = files;
    const isShadowing = (path: string): boolean =>
      programFolders.has(dirname(path)) && createShadowCheck(dirname(path), list, { programs, roots })(basename(path));
    return {
      files,
      repositories,
      folders: new Set(folders),
      isWhole: walked.every((each) => each.isWhole),
      find: (path) => files.get(path)?.what ?? missing.get(path) ?? (isShadowing(path) ? 'start-up file' : undefined),
    };
  };
}
/** Files that run by themselves, and whatever they run in turn. */
const FOLLOWED: ReadonlySet<GuardedKind> = new Set(['start-up file', 'git hook']);
type SourcingFile = Pick<SeenFile, 'path' | 'what' | 'state'>;

/** A state that is the same need not be read again. */
const SOURCED = new WeakMap<FileState, SourcedPaths>();
const MAX_SOURCE = 256 * 1024;

const expandStar = (folder: string, list: ListFolder): readonly string[] => {
  const [before = '', after] = folder.split('/*/');
  return after === undefined ? [folder] : (list(before)?.folders ?? []).map((name) => join(before, name, after));
};
const named = (gitFolders: readonly string[]): readonly Repository[] => gitFolders.flatMap((path) => openRepository(path, undefined) ?? []);
const aboveOf = (roots: readonly string[]): readonly Repository[] => roots.slice(0, 1).flatMap((root) => findRepositoryAbove(root) ?? []);

interface WalkOptions {
  readonly list: ListFolder;
  readonly maxFolders: number;
  readonly start?: ReadonlySet<string>;
}
interface FoundInFolder {
  readonly paths: readonly GuardedPath[];
  readonly repositories: readonly Repository[];
  readonly folders: readonly string[];
  readonly isWhole: boolean;
}

/**
 * A home is no project: of that, and of what holds it, only the uppermost names are looked at. Folders that were there with the
 * first look come first, so that commands cannot make so many that others are left out.
 */
function walk(root: string, { list, maxFolders, start }: WalkOptions): FoundInFolder {
  const [paths, repositories]: [GuardedPath[], Repository[]] = [[], []];
  const isHome = isWithin(root, realPath(homedir()) ?? homedir());
  const [open, later, seen]: [string[], string[], string[]] = [[root], [], []];
  let [at, atLater] = [0, 0];
  for (let count = 0; count < maxFolders; count++) {
    const folder = open[at] ?? later[atLater];
    if (folder === undefined) break;
    if (at < open.length) at++;
    else atLater++;
    seen.push(folder);
    const items = list(folder);
    if (items === undefined) continue;
    paths.push(...pathsIn(root, folder, items));
    repositories.push(...repositoriesIn(folder, items));
    if (isHome) continue;
    for (const name of items.folders) {
      const path = `${folder}/${name}`;
      if (VIRTUAL_ENVIRONMENT.test(name)) paths.push(...environmentIn(path, list));
      if (!isSkippedFolder(name)) (start === undefined || start.has(path) ? open : later).push(path);
      else if (name !== '.git') {
        repositories.push(...repositoriesWithin(path, list));
        if (beginsGuarded(name)) paths.push(...guardedWithin(root, path, list));
      }
    }
  }
  return { paths, repositories, folders: seen, isWhole: at === open.length && atLater === later.length };
}

const VIRTUAL_ENVIRONMENT = /^\.?(?:v|virtual)?env/i;
/** The owner's shell runs these words by hand, in an environment that is there. One that a command makes is a part of the project. */
const environmentIn = (folder: string, list: ListFolder): readonly GuardedPath[] =>
  list(folder)?.names.has('pyvenv.cfg') === true
    ? ['activate', 'activate.fish', 'activate.csh'].map((name) => ({
        path: `${folder}/bin/${name}`,
        what: 'start-up file',
        rule: 'whole',
        isFineWhenNew: true,
      }))
    : [];

/** Caches and packages are not walked through, but git works in a repository there as anywhere: two levels deep they are looked for. */
function repositoriesWithin(folder: string, list: ListFolder): readonly Repository[] {
  const names = (path: string): readonly string[] => (list(path)?.folders ?? []).slice(0, MAX_INNER).map((name) => `${path}/${name}`);
  const first = names(folder);
  const isDeep = (path: string): boolean => !folder.endsWith('/node_modules') || path.includes('/@');
  return [folder, ...first, ...first.filter(isDeep).flatMap(names)]
    .slice(0, MAX_INNER)
    .flatMap((path) => (tryLstat(`${path}/.git`) === undefined ? [] : (openRepository(`${path}/.git`, path) ?? [])));
}

/** Some files count also in a folder that is not walked through: `.hg/hgrc`, the program that yarn is. */
const guardedWithin = (root: string, folder: string, list: ListFolder): readonly GuardedPath[] =>
  [folder, ...(list(folder)?.folders ?? []).map((name) => `${folder}/${name}`)].flatMap((path) => {
    const items = isGuardedFolder(relative(root, path)) ? list(path) : undefined;
    return items === undefined ? [] : pathsIn(root, path, items);
  });

/** What a folder holds is the same as long as the same list is given for it. */
const KNOWN = new WeakMap<FolderItems, readonly GuardedPath[]>();
function pathsIn(root: string, folder: string, items: FolderItems): readonly GuardedPath[] {
  const known = KNOWN.get(items);
  if (known !== undefined) return known;
  const prefix = folder === root ? '' : `${relative(root, folder)}/`;
  const found = [...items.files, ...items.links].flatMap((name): readonly GuardedPath[] => {
    const path = `${folder}/${name}`;
    if (name === '.git') return [{ path, what: 'git link', rule: 'link' }];
    const row = findGuardedRow(prefix + name);
    if (row !== undefined) return [{ path, what: row.what, rule: 'whole', ...(row.counts !== undefined && { counts: row.counts }) }];
    const isLinkedFolder = items.links.includes(name) && isGuardedFolder(prefix + name);
    return isLinkedFolder ? [{ path, what: findGuardedRow(`${prefix}${name}/x`)?.what ?? 'editor task', rule: 'whole' }] : [];
  });
  KNOWN.set(items, found);
  return found;
}

function repositoriesIn(folder: string, { names }: FolderItems): readonly Repository[] {
  const isBare = names.has('HEAD') && names.has('objects') && names.has('refs');
  return [
    ...(names.has('.git') ? [openRepository(`${folder}/.git`, folder)] : []),
    ...(isBare ? [openRepository(folder, undefined)] : []),
  ].flatMap((found) => found ?? []);
}

/** With those that lie inside or are named by another one. */
function collectRepositories(found: readonly Repository[], list: ListFolder, listIndexed: IndexReader): ReadonlyMap<string, Repository> {
  const all = new Map<string, Repository>();
  const open = [...found];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (all.has(next.gitFolder)) continue;
    all.set(next.gitFolder, next);
    const { worktree } = next;
    open.push(...listModules(next.common, list).flatMap((folder) => openRepository(folder, undefined) ?? []));
    if (worktree !== undefined)
      open.push(
        ...listIndexed(join(next.gitFolder, 'index')).flatMap(
          (path) => openRepository(join(worktree, path, '.git'), join(worktree, path)) ?? [],
        ),
      );
  }
  return all;
}

type IndexReader = (path: string) => readonly string[];
const MAX_INDEX = 128n * 1024n * 1024n;
function createIndexReader(): IndexReader {
  const known = new Map<string, { readonly stamp: string; readonly paths: readonly string[] }>();
  return (path) => {
    const found = tryLstat(path);
    if (found?.isFile() !== true || found.size > MAX_INDEX) return [];
    const before = known.get(path);
    if (before?.stamp === toStamp(found)) return before.paths;
    try {
      const paths = listIndexedRepositories(readFileSync(path));
      if (Date.now() - Number(found.ctimeMs) > TICK_MS) known.set(path, { stamp: toStamp(found), paths });
      return paths;
    } catch {
      return [];
    }
  };
}

/** A guarded name that is a link: what it leads to inside the roots speaks in its place. */
function addWithTarget(
  found: GuardedPath,
  add: (path: GuardedPath) => SeenFile | undefined,
  roots: readonly string[],
  list: ListFolder,
): SeenFile | undefined {
  const seen = add(found);
  if (seen?.state.kind !== 'link' || found.rule === 'link') return seen;
  const target = realPath(found.path);
  if (target === undefined || !roots.some((root) => isWithin(root, target))) return seen;
  const linked = tryLstat(target)?.isDirectory() === true ? listBelow(target, list) : [target];
  for (const path of linked) add({ ...found, path, via: found.path });
  return seen;
}

/** A file by a path that somebody wrote down. A link on the way is guarded as well, and what lies where it leads inside the roots. */
function addNamed(
  found: GuardedPath,
  add: (path: GuardedPath) => SeenFile | undefined,
  roots: readonly string[],
  list: ListFolder,
  depth = 0,
): void {
  const root = roots.find((each) => isWithin(each, found.path));
  if (root === undefined || depth > MAX_LINKS) return;
  const names = relative(root, found.path).split('/');
  const link = names
    .slice(0, -1)
    .map((_, at) => join(root, ...names.slice(0, at + 1)))
    .find((folder) => tryLstat(folder)?.isSymbolicLink() === true);
  const target = link === undefined ? undefined : realPath(link);
  if (link === undefined) addWithTarget(found, add, roots, list);
  else add({ ...found, path: link });
  if (link !== undefined && target !== undefined)
    addNamed({ ...found, path: join(target, relative(link, found.path)), via: link }, add, roots, list, depth + 1);
}
const MAX_LINKS = 8;

function listBelow(folder: string, list: ListFolder): readonly string[] {
  const found: string[] = [];
  const open = [folder];
  for (let next = open.shift(); next !== undefined && found.length < MAX_LINKED; next = open.shift()) {
    const items = list(next);
    found.push(...[...(items?.files ?? []), ...(items?.links ?? [])].map((name) => join(next, name)));
    open.push(...(items?.folders ?? []).map((name) => join(next, name)));
  }
  return found.slice(0, MAX_LINKED);
}
