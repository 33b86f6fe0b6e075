import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { parseGitConfig, type GitConfigEntry } from '../../../base/git-config.ts';
import { lazy } from '../../../base/lazy.ts';
import { resolveFromNearestParent } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { ListFolder } from './folders.ts';
import { isHarmlessSetting, type GitConfigScope } from '../../../base/harmless-git-settings.ts';
import { openRepository, type GuardedPath } from './repository.ts';

/** The settings of a config file that make git run or read further files. Most have none. */
export const parseNamingSettings = (text: string): readonly GitConfigEntry[] =>
  (parseGitConfig(text) ?? []).filter((setting) => isHooksPath(setting) || isInclude(setting) || isProgram(setting));

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
      const path = resolveNamed(toText(setting), dirname(config.path));
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

/** Whether a file, which need not be there yet, is one that the settings of a repository around it make git run or read. A real path. */
export function isRunByGit(path: string, roots: readonly string[]): boolean {
  for (let folder = dirname(path), last = path; folder !== last; last = folder, folder = dirname(folder)) {
    const repository = openRepository(join(folder, '.git'), folder);
    if (repository === undefined) continue;
    const { config: global, settings: ofOwner } = readGlobalSettings();
    if (isNamedPath(path, ofOwner, { config: global, worktree: folder, roots })) return true;
    const files = [join(repository.common, 'config'), join(repository.gitFolder, 'config.worktree')];
    for (const file of files) {
      const config: GuardedPath = { path: file, what: 'git config', rule: 'settings' };
      if (isNamedPath(path, parseNamingSettings(tryRead(file)), { config, worktree: folder, roots })) return true;
    }
  }
  return false;
}

const isNamedPath = (path: string, settings: readonly GitConfigEntry[], scope: NamingScope): boolean =>
  settings.some((setting) => {
    if (isHooksPath(setting)) return dirname(path) === resolveFromNearestParent(resolveHooksPath(setting, scope));
    const named = isInclude(setting) ? [resolveNamed(toText(setting), dirname(scope.config.path))] : listPrograms(setting, scope);
    return named.some((each) => resolveFromNearestParent(each) === path);
  });

const resolveHooksPath = (setting: GitConfigEntry, { config, worktree }: NamingScope): string =>
  resolveNamed(toText(setting), worktree ?? dirname(config.path));

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

/** The settings of the owner that count in every repository, as they were when the first asked. Nobody inside a wall can change them. */
export const readGlobalSettings = lazy((): { readonly config: GuardedPath; readonly settings: readonly GitConfigEntry[] } => ({
  config: { path: join(homedir(), '.gitconfig'), what: 'git config', rule: 'settings' },
  settings: ['.gitconfig', '.config/git/config'].flatMap((name) => parseNamingSettings(tryRead(join(homedir(), name)))),
}));
function tryRead(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
