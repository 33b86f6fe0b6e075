import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { lazyByKey } from '../../../base/lazy.ts';
import { listIfThere, readIfThere } from '../../../base/peek.ts';
import { realPath } from '../../../base/real-path.ts';
import { sha256 } from '../../../base/sha256.ts';
import { isWithin } from '../../../base/within.ts';
import { openTemporaryFolder } from '../shell/temporary-folder.ts';
import type { CacheMount } from './mounts.ts';
import { canBeLayer } from './preparation.ts';

/** A folder that a tool fills by itself and reads again. */
interface ToolCache {
  /** Below the home, where nothing else is said. */
  readonly path?: string;
  /** The variable by which owners put it elsewhere, and what of that folder is meant. */
  readonly env?: string;
  readonly below?: string;
  /** Where nothing can be laid over it, the variable that leads its program to the agent's folder: `env` when left out, '' for none. */
  readonly variable?: string;
  /** Where the folder is not there yet, it is made for this program's sake, if that is installed; `*` means always. */
  readonly tool?: string;
}
const CACHES: Readonly<Record<string, ToolCache>> = {
  xdg: { path: '.cache', env: 'XDG_CACHE_HOME', tool: '*' },
  state: { path: '.local/state', env: 'XDG_STATE_HOME', tool: '*' },
  npm: { path: '.npm', env: 'npm_config_cache', tool: 'npm' },
  pnpm: { path: '.local/share/pnpm/store', env: 'PNPM_HOME', below: 'store', tool: 'pnpm', variable: 'npm_config_store_dir' },
  yarn: { path: '.yarn', tool: 'yarn', variable: 'YARN_GLOBAL_FOLDER' },
  'yarn-cache': { env: 'YARN_CACHE_FOLDER' },
  bun: { path: '.bun/install/cache', env: 'BUN_INSTALL', below: 'install/cache', tool: 'bun', variable: 'BUN_INSTALL_CACHE_DIR' },
  deno: { env: 'DENO_DIR' },
  node: { path: '.node', env: 'COREPACK_HOME' },
  pip: { env: 'PIP_CACHE_DIR' },
  uv: { env: 'UV_CACHE_DIR' },
  'uv-data': { path: '.local/share/uv', tool: 'uv' },
  conda: { path: '.conda', tool: 'conda', variable: 'CONDA_PKGS_DIRS' },
  'cargo-registry': { path: '.cargo/registry', env: 'CARGO_HOME', below: 'registry', tool: 'cargo' },
  'cargo-git': { path: '.cargo/git', env: 'CARGO_HOME', below: 'git', tool: 'cargo', variable: '' },
  rustup: { path: '.rustup', env: 'RUSTUP_HOME', variable: '' },
  go: { path: 'go/pkg', env: 'GOPATH', below: 'pkg', tool: 'go' },
  'go-modules': { env: 'GOMODCACHE' },
  'go-build': { env: 'GOCACHE' },
  gradle: { path: '.gradle', env: 'GRADLE_USER_HOME', tool: 'java' },
  maven: { path: '.m2', tool: 'java' },
  ivy: { path: '.ivy2' },
  sbt: { path: '.sbt' },
  nuget: { path: '.nuget', tool: 'dotnet' },
  'nuget-packages': { env: 'NUGET_PACKAGES' },
  dotnet: { path: '.dotnet', tool: 'dotnet', variable: 'DOTNET_CLI_HOME' },
  gem: { path: '.local/share/gem', tool: 'gem' },
  bundle: { path: '.bundle', tool: 'bundle', variable: 'BUNDLE_USER_HOME' },
  composer: { path: '.composer/cache', env: 'COMPOSER_HOME', below: 'cache', tool: 'composer', variable: 'COMPOSER_CACHE_DIR' },
  'composer-cache': { env: 'COMPOSER_CACHE_DIR' },
  mix: { path: '.mix', tool: 'mix', variable: 'MIX_HOME' },
  hex: { path: '.hex', tool: 'mix', variable: 'HEX_HOME' },
  stack: { path: '.stack', env: 'STACK_ROOT' },
  cabal: { path: '.cabal', variable: 'CABAL_DIR' },
  julia: { path: '.julia', variable: 'JULIA_DEPOT_PATH' },
  dart: { path: '.pub-cache', env: 'PUB_CACHE' },
  ccache: { path: '.ccache', env: 'CCACHE_DIR' },
  'hugging-face': { env: 'HF_HOME' },
  torch: { env: 'TORCH_HOME' },
  terraform: { env: 'TF_PLUGIN_CACHE_DIR' },
};

/** The variables by which programs use the agent's caches where nothing is mounted. One without a variable is read where it lies. */
export const listCacheVariables = (caches: readonly CacheMount[]): Record<string, string> =>
  Object.fromEntries(
    caches.flatMap(({ name, own }) => {
      const variable = CACHES[name]?.variable ?? CACHES[name]?.env ?? '';
      return variable === '' ? [] : [[variable, own] as const];
    }),
  );

export interface CacheOptions {
  readonly home: string;
  readonly layers: CacheLayers;
  readonly env: Readonly<Record<string, string>>;
  /** Folders commands may write to anyway. */
  readonly writable: readonly string[];
}
/** Where the agent's own folders lie. */
export interface CacheLayers extends Pick<CacheStore, 'store' | 'isShared'> {
  /** A folder of this session, on the host, for where they are laid over the owner's; absent where that cannot be done. */
  readonly merge?: string;
}
/** The caches of one workspace, kept between sessions: programs run what they find there, as Gradle its `init.gradle`. */
interface CacheStore {
  readonly store: string;
  /** Another session works there: its caches are read, and what this one writes is gone with it. No layer takes two writers. */
  readonly isShared: boolean;
  close(): void;
}

/** The folders tools write to by themselves, each with a folder of the agent's in its place. */
export function findCaches({ home, layers, env, writable }: CacheOptions): CacheMount[] {
  const found = new Map<string, CacheMount>();
  for (const [name, cache] of Object.entries(CACHES)) {
    const path = pathOf(cache, home, env);
    if (path === undefined || isWithin(path, home) || [...found.keys(), ...writable].some((other) => isWithin(other, path))) continue;
    const lower = realPath(path);
    if (lower === undefined ? !isWanted(cache, env) : !statSync(lower).isDirectory()) continue;
    found.set(path, { name, path, ...layersOf(name, lower, layers) });
  }
  return [...found.values()];
}

const PROJECTS = 'projects';
const WORKSPACE = 'workspace';

/** Opens the folder that a workspace has to itself. The first session there may write to it; of two that come at once, neither may. */
export function openCacheStore(profile: string, workspace: string): CacheStore {
  const all = join(profile, 'cache', 'tools');
  sweepStore(all);
  const store = makeOwn(join(all, PROJECTS, sha256(workspace).slice(0, 16)));
  writeFileSync(join(store, WORKSPACE), workspace, { mode: 0o600 });
  const { close } = openTemporaryFolder(store, CLAIM);
  return { store, isShared: readdirSync(store).filter((name) => name.startsWith(CLAIM)).length > 1, close };
}
const CLAIM = 'claim-';

/** Removes what all projects once shared, and the stores of workspaces that are gone. Beside other work, once in a process. */
const sweepStore = lazyByKey((store) => {
  const projects = join(store, PROJECTS);
  const gone = listIfThere(projects).filter(({ name }) => {
    const workspace = readIfThere(join(projects, name, WORKSPACE));
    return workspace !== '' && !existsSync(workspace);
  });
  const old = listIfThere(store).filter(({ name }) => name !== PROJECTS);
  // What the kernel left there and nobody may look into stays.
  for (const path of [...gone, ...old].map(({ name, parentPath }) => join(parentPath, name)))
    void rm(path, { recursive: true, force: true }).catch(() => {});
});

function layersOf(name: string, owners: string | undefined, { store, merge, isShared }: CacheLayers): Pick<CacheMount, 'own' | 'over'> {
  const kept = makeOwn(join(store, name, 'files'));
  const below = [...(isShared ? [kept] : []), ...(owners === undefined ? [] : [owners])];
  if (merge === undefined || below.length === 0 || ![kept, merge, ...below].every(canBeLayer)) return { own: kept };
  const folder = isShared ? join(merge, `${name}-own`) : join(store, name);
  const work = makeOwn(join(folder, 'work'));
  openUp(work);
  return { own: makeOwn(join(folder, 'files')), over: { lower: below.join(':'), work, at: makeOwn(join(merge, name)) } };
}

/** The kernel leaves a folder that nobody may look into; whoever deletes all of it could not. */
export function openUp(work: string): void {
  try {
    chmodSync(join(work, 'work'), 0o700);
  } catch {
    // There is none yet.
  }
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
