import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { isSkippedFolder } from '../checkpoints/scan.ts';
import { readState, toStamp, tryLstat, type FileState } from './file-state.ts';
import { createFolderLister, TICK_MS, type FolderItems, type ListFolder } from './folders.ts';
import { listIndexedRepositories } from './git-index.ts';
import { findRepositoryAbove, listModules, listRepositoryPaths, openRepository, type GuardedPath, type Repository } from './repository.ts';
import { followIncludes, listGlobalConfigs, listNamedPaths, namingSettingsOf, readNamingSettings } from './named-paths.ts';
import { listProgramFolders, listShadowing } from './programs.ts';
import { listHomeFiles, listRunFromHome } from './home-files.ts';
import { listSourced } from './sourced.ts';
import { findGuardedRow, isGuardedFolder, type GuardedKind } from './table.ts';

export type SeenFile = GuardedPath & { readonly state: FileState };
/** All guarded files of some folders as they are at one moment. */
export interface GuardedLook {
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly repositories: ReadonlyMap<string, Repository>;
  readonly folders: ReadonlySet<string>;
  /** No folder was left out because there are too many. */
  readonly isWhole: boolean;
}
export interface GuardedLookOptions {
  /** Real paths. */
  readonly roots: readonly string[];
  /** Git folders elsewhere that commands may write to. */
  readonly gitFolders?: readonly string[];
  /** The owner's `PATH`, as each session has it: a program in one of the roots could stand in the place of one of the system's. */
  readonly programs?: readonly string[];
}

/** Folders of a project that are looked at, the upper ones first; deeper ones in a larger tree are not, of which the owner is told. */
const MAX_FOLDERS = 40_000;
/** Folders within one that is not walked through, in which a repository may lie. */
const MAX_INNER = 2_000;
/** What a file is that such a file runs. */
export const RUN_BY: Partial<Readonly<Record<GuardedKind, GuardedKind>>> = {
  'start-up file': 'start-up file',
  'package source': 'package source',
  'git hook': 'git program',
  'git program': 'git program',
};
/** How many files may run one another in turn. */
export const MAX_SOURCES = 8;
/** Files behind a link to a folder. */
const MAX_LINKED = 200;

/** Looks at the disk again and again, and reads only what has changed since the last time. Links are seen, never followed out of the roots. */
export function createLooker({ roots, gitFolders = [], programs = [] }: GuardedLookOptions): () => GuardedLook {
  const list = createFolderLister();
  const since = Date.now() - TICK_MS;
  let known: ReadonlyMap<string, SeenFile> = new Map();
  const listIndexed = createIndexReader();
  return () => {
    const files = new Map<string, SeenFile>();
    const add = (found: GuardedPath): SeenFile | undefined => {
      const seen = files.get(found.path);
      if (seen !== undefined) return seen;
      const state = readState(found.path, known.get(found.path)?.state, since);
      if (state === undefined || state.kind === 'folder') return undefined;
      const file = { ...found, state };
      files.set(found.path, file);
      return file;
    };
    const walked = roots.map((root) => walk(root, list));
    const added: string[] = [];
    for (const found of walked.flatMap(({ paths }) => paths)) addWithTarget(found, add, roots, list);
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
      for (const found of listRepositoryPaths(repository, list))
        if (addWithTarget(found, add, roots, list)?.rule === 'settings') addAllNamed(found, repository.worktree);
    const trees = new Set([...repositories.values()].map(({ worktree, gitFolder }) => worktree ?? dirname(gitFolder)));
    for (const config of listGlobalConfigs()) {
      addNamed({ ...config, path: realPath(config.path) ?? config.path }, add, roots, list);
      for (const worktree of trees) addAllNamed(config, worktree);
    }
    // Those that lead into the project from the home, and what all of them run besides: what is found is looked at in its turn.
    for (const path of listHomeFiles(homedir())) addFromHome(path, add, roots, list);
    for (const file of files.values()) {
      const what = RUN_BY[file.what];
      if (file.state.kind !== 'file' || what === undefined) continue;
      const sourced = listSourced(file.path, file.state.content.toString('latin1'), what === 'git program' ? [...trees] : []);
      added.push(...sourced.folders);
      for (const path of sourced.files) if (!files.has(path)) addNamed({ path, what, rule: 'whole', via: file.path }, add, roots, list);
    }
    const folders = walked.flatMap((each) => each.folders);
    for (const folder of new Set(listProgramFolders([...programs, ...added].join(delimiter), roots, folders)))
      for (const path of listShadowing(folder, list, { programs, roots })) add({ path, what: 'start-up file', rule: 'whole' });
    known = files;
    return { files, repositories, folders: new Set(folders), isWhole: walked.every((each) => each.isWhole) };
  };
}
const named = (gitFolders: readonly string[]): readonly Repository[] => gitFolders.flatMap((path) => openRepository(path, undefined) ?? []);
const aboveOf = (roots: readonly string[]): readonly Repository[] => roots.slice(0, 1).flatMap((root) => findRepositoryAbove(root) ?? []);

/** A start-up file of the home, or a folder of settings there: what it leads to or runs in the project, as `~/.bashrc` and `~/.config/nvim` do. */
function addFromHome(path: string, add: (path: GuardedPath) => SeenFile | undefined, roots: readonly string[], list: ListFolder): void {
  const target = realPath(path);
  if (target === undefined) return;
  const row: Omit<GuardedPath, 'path'> = { what: 'start-up file', rule: 'whole', via: path };
  if (roots.some((root) => isWithin(root, target))) {
    const inside = tryLstat(target)?.isDirectory() === true ? listBelow(target, list) : [target];
    for (const each of inside) add({ ...row, path: each });
    return;
  }
  for (const file of listRunFromHome(target, roots)) addNamed({ ...row, path: file }, add, roots, list);
}

interface FoundInFolder {
  readonly paths: readonly GuardedPath[];
  readonly repositories: readonly Repository[];
  readonly folders: readonly string[];
  readonly isWhole: boolean;
}

/** A home is no project: of that, and of what holds it, only the uppermost names are looked at. */
function walk(root: string, list: ListFolder): FoundInFolder {
  const [paths, repositories]: [GuardedPath[], Repository[]] = [[], []];
  const isHome = isWithin(root, realPath(homedir()) ?? homedir());
  const open = [root];
  for (let at = 0; at < open.length && at < MAX_FOLDERS; at++) {
    const folder = open[at] ?? root;
    const items = list(folder);
    if (items === undefined) continue;
    paths.push(...pathsIn(root, folder, items));
    repositories.push(...repositoriesIn(folder, items));
    if (isHome) continue;
    for (const name of items.folders) {
      const path = `${folder}/${name}`;
      if (VIRTUAL_ENVIRONMENT.test(name)) paths.push(...environmentIn(path, list));
      if (!isSkippedFolder(name)) open.push(path);
      else if (name !== '.git') repositories.push(...repositoriesWithin(path, list));
    }
  }
  return { paths, repositories, folders: open.slice(0, MAX_FOLDERS), isWhole: open.length <= MAX_FOLDERS };
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
