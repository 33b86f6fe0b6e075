import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { parseGitConfig, type GitConfigEntry } from '../../../base/git-config.ts';
import { realPath, resolveFromNearestParent } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { readState, type FileState } from './file-state.ts';
import { TICK_MS, type ListFolder } from './folders.ts';
import { isHarmlessSetting, type GitConfigScope } from '../../../base/harmless-git-settings.ts';
import { openRepository, type GuardedPath } from './repository.ts';

/** The settings of a config file that make git run or read further files. Most have none. */
export function namingSettingsOf(state: FileState): readonly GitConfigEntry[] {
  const found =
    NAMING.get(state) ??
    (parseGitConfig(state.content.toString('latin1')) ?? []).filter(
      (setting) => isHooksPath(setting) || isInclude(setting) || isProgram(setting),
    );
  NAMING.set(state, found);
  return found;
}
/** A state that is the same need not be read again. */
const NAMING = new WeakMap<FileState, readonly GitConfigEntry[]>();

const isHooksPath = ({ section, name }: GitConfigEntry): boolean => section === 'core' && name === 'hookspath';
const isInclude = ({ section, name }: GitConfigEntry): boolean => (section === 'include' || section === 'includeif') && name === 'path';
/** Which settings run a program changes with every version of git: all do that are not known to run nothing or to name a text. */
const isProgram = (setting: GitConfigEntry): boolean =>
  !isHarmlessSetting(setting, ANYWHERE) && !TEXTS.has(`${setting.section}.${setting.name}`) && setting.section !== 'url';
/** Folders as remotes and work trees are no programs, wherever they lie. */
const ANYWHERE: GitConfigScope = { gitFolder: '/', roots: ['/'], isMain: false };
const TEXTS: ReadonlySet<string> = new Set([
  'commit.template',
  'core.attributesfile',
  'core.excludesfile',
  'blame.ignorerevsfile',
  'mailmap.file',
  'diff.orderfile',
  'gpg.allowedsignersfile',
]);

/** Where settings count. */
export interface NamingScope {
  /** The config file they stand in. */
  readonly config: GuardedPath;
  readonly worktree: string | undefined;
  /** Folders that commands may write to. */
  readonly roots: readonly string[];
}

/** What settings make git run or read inside these folders: hooks in a folder of the project, a file that is included, a filter's script. */
export function listNamedPaths(settings: readonly GitConfigEntry[], scope: NamingScope, list: ListFolder): readonly GuardedPath[] {
  const { config } = scope;
  return settings.flatMap((setting): readonly GuardedPath[] => {
    if (isInclude(setting)) {
      const path = resolveInclude(setting, config);
      return isInRoots(path, scope)
        ? [{ path, what: 'git config', rule: 'settings', ...(config.gitFolder !== undefined && { gitFolder: config.gitFolder }) }]
        : [];
    }
    if (!isHooksPath(setting)) return listPrograms(setting, scope).map((path) => ({ path, what: 'git program', rule: 'whole' }));
    const folder = resolveHooksPath(setting, scope);
    const names = isInRoots(folder, scope) ? (list(folder)?.names ?? []) : [];
    return [...names].map((name): GuardedPath => ({ path: join(folder, name), what: 'git hook', rule: 'whole' }));
  });
}

/** A config file of git, and what its settings name. */
export interface NamingFile {
  readonly config: GuardedPath;
  readonly settings: readonly GitConfigEntry[];
}

/**
 * A config file with all that it includes, and that those include. Conditions are met another day, so each counts. A file is
 * read when it is its turn: whoever goes through them can take up first what the one before it names.
 */
export function* followIncludes(config: GuardedPath, read: (path: string) => readonly GitConfigEntry[]): Generator<NamingFile> {
  const open = [{ config, depth: 0 }];
  const seen = new Set([config.path]);
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { config: current, depth } = next;
    const settings = read(current.path);
    yield { config: current, settings };
    if (depth === MAX_INCLUDES) continue;
    for (const path of settings.filter(isInclude).map((setting) => resolveInclude(setting, current))) {
      if (seen.has(path) || seen.size > MAX_FILES) continue;
      seen.add(path);
      open.push({ config: { ...current, path }, depth: depth + 1 });
    }
  }
}
/** How deep, and how many: git itself gives up at ten. */
const [MAX_INCLUDES, MAX_FILES] = [10, 200];

/** The settings of a file as it is now, wherever it lies and whichever links lead there. */
export function readNamingSettings(path: string): readonly GitConfigEntry[] {
  const real = realPath(path);
  const state = real === undefined ? undefined : readState(real, READ.get(real), Date.now() - TICK_MS);
  if (real === undefined || state?.kind !== 'file') return [];
  if (READ.size > MAX_FILES) READ.clear();
  READ.set(real, state);
  return namingSettingsOf(state);
}
const READ = new Map<string, FileState>();

/** The owner's own config files, which count in every repository. */
export function listGlobalConfigs(): readonly GuardedPath[] {
  const { XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = process.env;
  const paths = [
    '/etc/gitconfig',
    join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'git/config'),
    join(homedir(), '.gitconfig'),
    ...(GIT_CONFIG_GLOBAL ? [resolve(GIT_CONFIG_GLOBAL)] : []),
  ];
  return paths.map((path) => ({ path, what: 'git config', rule: 'settings' }));
}

/** Whether a file, which need not be there yet, is one that the settings of a repository around it make git run or read. A real path. */
export function isRunByGit(path: string, roots: readonly string[]): boolean {
  const isNamedBy = (config: GuardedPath, worktree: string): boolean => {
    for (const file of followIncludes(config, readNamingSettings))
      if (isNamedPath(path, file.settings, { config: file.config, worktree, roots })) return true;
    return false;
  };
  const global = listGlobalConfigs();
  if (global.some((config) => realPath(config.path) === path)) return true;
  for (let folder = dirname(path), last = path; folder !== last; last = folder, folder = dirname(folder)) {
    const repository = openRepository(join(folder, '.git'), folder);
    if (repository === undefined) continue;
    const own = [join(repository.common, 'config'), join(repository.gitFolder, 'config.worktree')];
    const files = [...global, ...own.map((file): GuardedPath => ({ path: file, what: 'git config', rule: 'settings' }))];
    if (files.some((config) => isNamedBy(config, folder))) return true;
  }
  return false;
}

const isNamedPath = (path: string, settings: readonly GitConfigEntry[], scope: NamingScope): boolean =>
  settings.some((setting) => {
    if (isHooksPath(setting)) return dirname(path) === resolveFromNearestParent(resolveHooksPath(setting, scope));
    const named = isInclude(setting) ? [resolveInclude(setting, scope.config)] : listPrograms(setting, scope);
    return named.some((each) => resolveFromNearestParent(each) === path);
  });

const resolveHooksPath = (setting: GitConfigEntry, { config, worktree }: NamingScope): string =>
  resolveNamed(toText(setting), worktree ?? config.gitFolder ?? dirname(config.path));
const resolveInclude = (setting: GitConfigEntry, config: GuardedPath): string => resolveNamed(toText(setting), dirname(config.path));

/** Files of these folders that a command line names. Git runs it at the top of the project. */
function listPrograms(setting: GitConfigEntry, scope: NamingScope): readonly string[] {
  const { worktree } = scope;
  if (worktree === undefined) return [];
  const paths = listWords(toText(setting)).flatMap((word) => {
    const named = word.replace(/^\$\{?\w+\}?\//, './');
    // After `$(git rev-parse --show-toplevel)` a path begins with a slash and is meant from the top.
    return [resolveNamed(named, worktree), join(worktree, named)];
  });
  return [...new Set(paths)].filter((path) => path !== worktree && isInRoots(path, scope));
}

/** Words that can be a file of a project: with a slash or a dot in them. Others are programs of the `PATH`, verbs and options. */
const listWords = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'/g)]
    .flatMap(([, double, single]) => double ?? single ?? [])
    .concat(line.split(/(?:[\s"'`;|&()<>=!]|::)+/))
    .filter((word) => /[./]\w/.test(word) && word.length < MAX_WORD)
    .slice(0, MAX_WORDS);
const [MAX_WORD, MAX_WORDS] = [1_024, 64];

const toText = ({ value = '' }: GitConfigEntry): string => Buffer.from(value, 'latin1').toString();
const isInRoots = (path: string, { roots }: NamingScope): boolean => roots.some((root) => isWithin(root, path));
const resolveNamed = (value: string, from: string): string => {
  const path = value.replace(/^~(?=\/)/, homedir());
  return isAbsolute(path) ? resolve(path) : resolve(from, path);
};
