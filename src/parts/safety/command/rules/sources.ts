import { toWordSet } from './rows.ts';

/** Files that say where packages come from, also when a project says so: whoever changes one chooses what is run. */
const FILES = toWordSet(`
  .npmrc .yarnrc .yarnrc.yml pip.conf .pypirc .cargo/config .cargo/config.toml .bundle/config .gemrc nuget.config
`);
export function isSourceFile(path: string): boolean {
  const parts = path.toLowerCase().split('/');
  return FILES.has(parts.at(-1) ?? '') || FILES.has(parts.slice(-2).join('/'));
}

/** Variables that say the same; some as a beginning. */
const VARIABLES = toWordSet(`
  GOPROXY PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS UV_INDEX UV_INDEX_URL UV_DEFAULT_INDEX UV_DEFAULT_INDEX_URL UV_EXTRA_INDEX
  UV_EXTRA_INDEX_URL NPM_CONFIG_REGISTRY YARN_NPM_REGISTRY_SERVER YARN_REGISTRY RUSTUP_DIST_SERVER HEX_MIRROR PUB_HOSTED_URL
`);
const BEGINNINGS: readonly RegExp[] = [/^BUNDLE_MIRROR/, /^HOMEBREW_\w*(?:DOMAIN|REMOTE)$/, /^CARGO_REGISTRIES_/, /^CONDA_CHANNEL/];
/** Where everybody takes them from. */
const USUAL = toWordSet(`
  proxy.golang.org goproxy.io pypi.org test.pypi.org registry.npmjs.org registry.yarnpkg.com npm.pkg.github.com download.pytorch.org
  index.crates.io rubygems.org static.rust-lang.org pub.dev localhost 127.0.0.1
`);
/** Variables that switch the check of what arrives off. */
const UNCHECKED = toWordSet('GOINSECURE GONOSUMDB GONOSUMCHECK PIP_TRUSTED_HOST UV_INSECURE_HOST');

/** `name=value` that makes packages come from another place than usual, or unchecked. */
export function changesPackageSource(setting: string): boolean {
  const name = setting.slice(0, Math.max(0, setting.indexOf('='))).toUpperCase();
  const value = setting.slice(name.length + 1);
  if (UNCHECKED.has(name)) return value !== '';
  if ((name === 'GOFLAGS' && value.includes('-insecure')) || (name === 'GOSUMDB' && value === 'off')) return true;
  if (!VARIABLES.has(name) && !BEGINNINGS.some((each) => each.test(name))) return false;
  return [...value.matchAll(/https?:\/\/(?:[^@/]*@)?([^/,|:]+)/gi)].some((found) => !USUAL.has((found[1] ?? '').toLowerCase()));
}

/** Variables that say where programs and libraries are looked for. */
const SEARCHES = toWordSet(`
  PATH LD_LIBRARY_PATH PYTHONPATH PERL5LIB NODE_PATH RUBYLIB GEM_PATH GEM_HOME CLASSPATH MANPATH CDPATH GIT_EXEC_PATH GOBIN
`);
/** Folders anybody may put a program into. */
export const OPEN_FOLDER = /^\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/;
export const opensSearch = (setting: string): boolean => {
  const [name = '', value = ''] = setting.split(/=(.*)/s);
  return SEARCHES.has(name) && value.split(':').some((folder) => OPEN_FOLDER.test(folder));
};

/** A repository's own files, besides those that only tell git what to leave out or hold a lock. */
const UNIMPORTANT: readonly RegExp[] = [
  /^info\/(?:exclude|sparse-checkout|attributes)$/,
  /^(?:COMMIT_EDITMSG|MERGE_MSG)$/,
  /^[\w.-]+\.lock$/,
  /^hooks\/[\w.-]+\.sample$/,
];
export function isRepositoryFile(path: string): boolean {
  const own = /(?:^|\/)\.git\/(.+)$/.exec(path)?.[1];
  return own !== undefined && !UNIMPORTANT.some((each) => each.test(own));
}

/** Scripts a package tool runs by itself. */
const BY_ITSELF = toWordSet(`
  install preinstall postinstall uninstall preuninstall postuninstall pack prepack postpack publish prepublish postpublish prepare
  preprepare postprepare prepublishOnly dependencies
`);
export const runsByItself = (word: string): boolean => BY_ITSELF.has(/^scripts\.(\w+)=/.exec(word)?.[1] ?? '');

/** Where repositories usually live. */
const FORGES = toWordSet('github.com gitlab.com bitbucket.org codeberg.org ssh.dev.azure.com dev.azure.com git.sr.ht');
export const isOnForge = (address: string): boolean =>
  FORGES.has(/(?:^|@|\/\/)(?:[\w-]+@)?([\w-]+(?:\.[\w-]+)+)[:/]/.exec(address)?.[1] ?? '');
