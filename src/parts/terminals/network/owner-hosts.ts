import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseGitConfig, type GitConfigEntry } from '../../../base/git-config.ts';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { OwnerRemotes } from '../../../contracts/owner-remotes.ts';
import { listGitRemotes, type GitRemote } from './git-remotes.ts';
import { toHostEntry } from './host-list.ts';

/** What the owner has set up before any command of the session ran. Files of the project count only where git alone writes them. */
export interface OwnerHosts {
  readonly registries: readonly string[];
  readonly remotes: readonly GitRemote[];
  /** Remotes that commands of an earlier session may have added. The owner is asked before git speaks with one. */
  readonly unproven: readonly UnprovenRemote[];
  /** Where Go modules come from is the owner's to say, and said. */
  readonly hasGoProxy?: true;
  /** Where the project's repository keeps its objects; absent without one. */
  readonly objects?: string;
  /** The owner's files of what git is to ignore in every repository. */
  readonly excludes?: readonly string[];
  /** How git is to call ssh; absent for the usual way. */
  readonly sshCommand?: string;
}
export interface UnprovenRemote {
  readonly remote: GitRemote;
  /** What makes it the owner's. */
  agree(): void;
}
export interface OwnerHostsOptions {
  readonly workspace: string;
  /** Folders commands may write to: configuration that lies there is nobody's. */
  readonly writable?: readonly string[];
  /** Absent where everything that is there is the owner's. */
  readonly owners?: OwnerRemotes;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Configuration of package managers in the owner's home, and the lines in it that name where packages come from. */
const FILES: readonly { readonly paths: readonly string[]; readonly line: RegExp }[] = [
  { paths: ['.npmrc', '.yarnrc'], line: /^\s*(?:(?:@[\w.-]+:)?registry|"?registry"?)\s*[=\s]\s*(\S+)/gm },
  { paths: ['.yarnrc.yml'], line: /^\s*npmRegistryServer:\s*(\S+)/gm },
  { paths: ['.config/pip/pip.conf', '.pip/pip.conf', '/etc/pip.conf'], line: /^\s*(?:extra-)?index-url\s*=\s*(\S+)/gm },
  { paths: ['.config/uv/uv.toml'], line: /^\s*(?:url|index-url|extra-index-url)\s*=\s*(.+)/gm },
  { paths: ['.cargo/config.toml', '.cargo/config'], line: /^\s*(?:registry|index)\s*=\s*(\S+)/gm },
  { paths: ['.config/go/env'], line: /^\s*(?:GOPROXY|GOSUMDB)=(.+)/gm },
  { paths: ['.m2/settings.xml'], line: /<url>\s*([^<\s]+)/g },
  { paths: ['.gradle/init.gradle', '.gradle/init.gradle.kts'], line: /(https?:\/\/[^\s"')]+)/g },
  { paths: ['.bundle/config', '.gemrc'], line: /(https?:\/\/[^\s"']+)/g },
];
const VARIABLES =
  'npm_config_registry NPM_CONFIG_REGISTRY YARN_NPM_REGISTRY_SERVER PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL UV_DEFAULT_INDEX UV_INDEX GOPROXY GOSUMDB CARGO_REGISTRIES_CRATES_IO_INDEX RUBYGEMS_HOST'.split(
    ' ',
  );

export function readOwnerHosts(options: OwnerHostsOptions): OwnerHosts {
  const global = readGlobalGitConfig(options);
  const folder = findGitFolder(options.workspace);
  const all = folder === undefined ? [] : readRepositoryConfig(folder);
  const isOwners = ({ at, ...setting }: PlacedEntry): boolean => options.owners?.isOwners(at, setting) !== false;
  const [repository, others] = [all.filter(isOwners), all.filter((each) => !isOwners(each))];
  const top = dirname(folder ?? options.workspace);
  const sshCommand = options.env['GIT_SSH_COMMAND'] ?? findLast([...global, ...repository], 'core.sshcommand');
  return {
    registries: [...new Set(registryTexts(options).flatMap(hostsIn))],
    remotes: listGitRemotes(repository, global, top),
    unproven: others.flatMap((setting) =>
      listGitRemotes([setting], [...global, ...repository], top).map((remote) => ({
        remote,
        agree: () => options.owners?.agree(setting.at, [setting]),
      })),
    ),
    ...((options.env['GOPROXY'] !== undefined || /^GOPROXY=/m.test(readText(resolve(options.home, '.config/go/env')))) && {
      hasGoProxy: true as const,
    }),
    ...(folder !== undefined && { objects: join(folder, 'objects'), excludes: listExcludes(global, options) }),
    ...(sshCommand !== undefined && sshCommand.trim() !== '' && { sshCommand }),
  };
}

const registryTexts = ({ home, env, writable = [] }: OwnerHostsOptions): string[] => [
  ...FILES.flatMap(({ paths, line }) =>
    paths
      .map((path) => resolve(home, path))
      .filter((path) => !writable.some((root) => isWithin(root, realPath(path) ?? path)))
      .flatMap((path) => [...readText(path).matchAll(line)].map(([, value = '']) => value)),
  ),
  ...VARIABLES.flatMap((name) => env[name] ?? []),
];

/** A value may name several, with words between them that are none (`direct`, `off`, `sparse+`). */
const hostsIn = (text: string): string[] =>
  text.split(/[\s,|"'[\]]+/).flatMap((word) => {
    const url = word.replace(/^sparse\+/, '');
    return /^https?:\/\//.test(url) ? (toHostEntry(url.replace(/^(\w+:\/\/)[^/@]*@/, '$1')) ?? []) : [];
  });

function readGlobalGitConfig({ home, env }: OwnerHostsOptions): readonly GitConfigEntry[] {
  const config = env['XDG_CONFIG_HOME'] ?? join(home, '.config');
  return ['/etc/gitconfig', join(config, 'git', 'config'), join(home, '.gitconfig')].flatMap(
    (path) => parseGitConfig(readText(path)) ?? [],
  );
}

const listExcludes = (global: readonly GitConfigEntry[], { home, env }: OwnerHostsOptions): readonly string[] =>
  [join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git', 'ignore'), findLast(global, 'core.excludesfile')].flatMap((path) =>
    path === undefined ? [] : resolve(home, path.replace(/^~\//, '')),
  );

type PlacedEntry = GitConfigEntry & {
  /** The git folder it stands in. */
  readonly at: string;
};
/** The configuration of a repository and of the submodules it has checked out. */
function readRepositoryConfig(folder: string): readonly PlacedEntry[] {
  const modules = existsSync(join(folder, 'modules')) ? globSync('modules/**/config', { cwd: folder }).slice(0, MAX_MODULES) : [];
  return ['config', ...modules].flatMap((name) =>
    (parseGitConfig(readText(join(folder, name))) ?? []).map((entry) => ({ ...entry, at: dirname(join(folder, name)) })),
  );
}
const MAX_MODULES = 100;

/** Where a repository keeps its configuration: a worktree and a submodule point there by a file. */
function findGitFolder(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = join(folder, '.git');
    const kind = statSync(found, { throwIfNoEntry: false });
    if (kind?.isDirectory() === true) return found;
    const pointed = kind?.isFile() === true ? /^gitdir:\s*(.+)$/m.exec(readText(found))?.[1] : undefined;
    if (pointed !== undefined) {
      const own = resolve(folder, pointed.trim());
      const common = readText(join(own, 'commondir')).trim();
      return common === '' ? own : resolve(own, common);
    }
    if (dirname(folder) === folder) return undefined;
  }
}

const findLast = (settings: readonly GitConfigEntry[], key: string): string | undefined =>
  settings.findLast((each) => each.key === key)?.value;

const MAX_BYTES = 1024 * 1024;
function readText(path: string): string {
  try {
    return statSync(path).size > MAX_BYTES ? '' : readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
