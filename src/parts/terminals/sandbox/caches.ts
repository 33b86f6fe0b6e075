import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { CacheMount } from './mounts.ts';
import { canBeLayer } from './preparation.ts';

/** A folder that a tool fills by itself and reads again. */
interface ToolCache {
  /** Below the home, where nothing else is said. */
  readonly path?: string;
  /** The variable by which owners put it elsewhere, and what of that folder is meant. */
  readonly env?: string;
  readonly below?: string;
  /** Where the folder is not there yet, it is made for this program's sake, if that is installed; `*` means always. */
  readonly tool?: string;
}
const CACHES: Readonly<Record<string, ToolCache>> = {
  xdg: { path: '.cache', env: 'XDG_CACHE_HOME', tool: '*' },
  state: { path: '.local/state', env: 'XDG_STATE_HOME', tool: '*' },
  npm: { path: '.npm', env: 'npm_config_cache', tool: 'npm' },
  pnpm: { path: '.local/share/pnpm/store', env: 'PNPM_HOME', below: 'store', tool: 'pnpm' },
  yarn: { path: '.yarn', tool: 'yarn' },
  'yarn-cache': { env: 'YARN_CACHE_FOLDER' },
  bun: { path: '.bun/install/cache', env: 'BUN_INSTALL', below: 'install/cache', tool: 'bun' },
  deno: { env: 'DENO_DIR' },
  node: { path: '.node', env: 'COREPACK_HOME' },
  pip: { env: 'PIP_CACHE_DIR' },
  uv: { env: 'UV_CACHE_DIR' },
  'uv-data': { path: '.local/share/uv', tool: 'uv' },
  conda: { path: '.conda', tool: 'conda' },
  'cargo-registry': { path: '.cargo/registry', env: 'CARGO_HOME', below: 'registry', tool: 'cargo' },
  'cargo-git': { path: '.cargo/git', env: 'CARGO_HOME', below: 'git', tool: 'cargo' },
  rustup: { path: '.rustup', env: 'RUSTUP_HOME' },
  go: { path: 'go/pkg', env: 'GOPATH', below: 'pkg', tool: 'go' },
  'go-modules': { env: 'GOMODCACHE' },
  'go-build': { env: 'GOCACHE' },
  gradle: { path: '.gradle', env: 'GRADLE_USER_HOME', tool: 'java' },
  maven: { path: '.m2', tool: 'java' },
  ivy: { path: '.ivy2' },
  sbt: { path: '.sbt' },
  nuget: { path: '.nuget', tool: 'dotnet' },
  'nuget-packages': { env: 'NUGET_PACKAGES' },
  dotnet: { path: '.dotnet', tool: 'dotnet' },
  gem: { path: '.local/share/gem', tool: 'gem' },
  bundle: { path: '.bundle', tool: 'bundle' },
  composer: { path: '.composer/cache', env: 'COMPOSER_HOME', below: 'cache', tool: 'composer' },
  'composer-cache': { env: 'COMPOSER_CACHE_DIR' },
  mix: { path: '.mix', tool: 'mix' },
  hex: { path: '.hex', tool: 'mix' },
  stack: { path: '.stack', env: 'STACK_ROOT' },
  cabal: { path: '.cabal' },
  julia: { path: '.julia' },
  dart: { path: '.pub-cache', env: 'PUB_CACHE' },
  ccache: { path: '.ccache', env: 'CCACHE_DIR' },
  'hugging-face': { env: 'HF_HOME' },
  torch: { env: 'TORCH_HOME' },
  terraform: { env: 'TF_PLUGIN_CACHE_DIR' },
};

export interface CacheOptions {
  readonly home: string;
  /** The agent's own folder for all of them; kept between sessions. */
  readonly store: string;
  /** A folder of this session, on the host, for where they are laid over the owner's; absent where that cannot be done. */
  readonly merge?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folders commands may write to anyway. */
  readonly writable: readonly string[];
}

/** The folders tools write to by themselves, each with a folder of the agent's in its place. */
export function findCaches({ home, store, merge, env, writable }: CacheOptions): CacheMount[] {
  const found = new Map<string, CacheMount>();
  for (const [name, cache] of Object.entries(CACHES)) {
    const path = pathOf(cache, home, env);
    if (path === undefined || isWithin(path, home) || [...found.keys(), ...writable].some((other) => isWithin(other, path))) continue;
    const lower = realPath(path);
    if (lower === undefined ? !isWanted(cache, env) : !statSync(lower).isDirectory()) continue;
    const own = makeOwn(join(store, name, 'files'));
    const over = merge === undefined || lower === undefined || !canBeLayer(lower) || !canBeLayer(store) ? undefined : { lower, merge };
    found.set(path, {
      path,
      own,
      ...(over !== undefined && {
        over: { lower: over.lower, work: makeOwn(join(store, name, 'work')), at: makeOwn(join(over.merge, name)) },
      }),
    });
  }
  return [...found.values()];
}

/** A variable that leads to the system, or nowhere at all, names no cache. */
function pathOf({ path, env: name, below = '' }: ToolCache, home: string, env: Readonly<Record<string, string>>): string | undefined {
  const set = name === undefined ? undefined : env[name]?.split(delimiter)[0];
  if (set !== undefined && set.startsWith('/') && set !== '/') return join(set, below);
  return path === undefined ? undefined : join(home, path);
}

const isWanted = ({ tool, path }: ToolCache, env: Readonly<Record<string, string>>): boolean =>
  path !== undefined && tool !== undefined && (tool === '*' || isInstalled(tool, env['PATH'] ?? ''));
const isInstalled = (tool: string, path: string): boolean =>
  path.split(delimiter).some((folder) => folder.startsWith('/') && existsSync(join(folder, tool)));

function makeOwn(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  accessSync(path, constants.W_OK);
  return path;
}
