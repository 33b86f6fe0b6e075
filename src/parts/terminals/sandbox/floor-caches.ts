import type { CacheMount } from './mounts.ts';

/** Nothing can be laid over a cache of the owner's: by these variables its program uses one of the agent's. One without a row keeps its place, read-only. */
const VARIABLES: Readonly<Record<string, string>> = {
  xdg: 'XDG_CACHE_HOME',
  state: 'XDG_STATE_HOME',
  npm: 'npm_config_cache',
  pnpm: 'npm_config_store_dir',
  yarn: 'YARN_GLOBAL_FOLDER',
  'yarn-cache': 'YARN_CACHE_FOLDER',
  bun: 'BUN_INSTALL_CACHE_DIR',
  deno: 'DENO_DIR',
  node: 'COREPACK_HOME',
  pip: 'PIP_CACHE_DIR',
  uv: 'UV_CACHE_DIR',
  conda: 'CONDA_PKGS_DIRS',
  'cargo-registry': 'CARGO_HOME',
  go: 'GOPATH',
  'go-modules': 'GOMODCACHE',
  'go-build': 'GOCACHE',
  gradle: 'GRADLE_USER_HOME',
  'nuget-packages': 'NUGET_PACKAGES',
  dotnet: 'DOTNET_CLI_HOME',
  bundle: 'BUNDLE_USER_HOME',
  composer: 'COMPOSER_CACHE_DIR',
  'composer-cache': 'COMPOSER_CACHE_DIR',
  mix: 'MIX_HOME',
  hex: 'HEX_HOME',
  stack: 'STACK_ROOT',
  cabal: 'CABAL_DIR',
  julia: 'JULIA_DEPOT_PATH',
  dart: 'PUB_CACHE',
  ccache: 'CCACHE_DIR',
  'hugging-face': 'HF_HOME',
  torch: 'TORCH_HOME',
  terraform: 'TF_PLUGIN_CACHE_DIR',
};

export const listCacheVariables = (caches: readonly CacheMount[]): Record<string, string> =>
  Object.fromEntries(
    caches.flatMap(({ name, own }) => {
      const variable = VARIABLES[name];
      return variable === undefined ? [] : [[variable, own] as const];
    }),
  );
