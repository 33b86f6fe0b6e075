/** Words in a variable's name that make it a secret until the owner says otherwise. */
const SECRET_WORDS = ['KEY', 'TOKEN', 'SECRET', 'PASSWORD', 'PASSWD', 'PASSPHRASE', 'CREDENTIAL', 'AUTH', 'COOKIE', 'PRIVATE', 'WEBHOOK'];
/** The same where nothing else is joined to it: `DB_PASS` and `userPin`, not `PATH`, `PING` or `BYPASS`. */
const WHOLE_WORDS = new Set(
  'PASS PASSCODE PW PWD PAT PIN OTP TOTP PSK DSN CRED CREDS SALT SIGNING JWT BEARER DBPASS SSHPASS PGPASS'.split(' '),
);
/** Names with such a word that commands need and that hold no secret. */
const HARMLESS = [
  'PWD',
  'OLDPWD',
  'SSH_AUTH_SOCK',
  'XAUTHORITY',
  'KEYBOARD_LAYOUT',
  'GOPRIVATE',
  'GIT_AUTHOR_*',
  'HOMEBREW_NO_*',
  'TOKENIZERS_PARALLELISM',
];

/** What commands get of our environment. A star stands for any rest. Adding one is a word here. */
const ALLOWED = words(`
  PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TERM TERMINFO TERM_PROGRAM* TZ TMPDIR TMP TEMP PWD OLDPWD SHLVL HOSTNAME HOSTTYPE OSTYPE
  EDITOR VISUAL PAGER LESS LESSOPEN LESSCLOSE MANPATH INFOPATH BROWSER COLUMNS LINES UMASK
  COLORTERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE LS_COLORS GREP_COLORS
  XDG_* DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK SSH_AGENT_PID SSH_CONNECTION GPG_TTY GPG_AGENT_INFO
  CI GITHUB_ACTIONS GITLAB_CI BUILD_NUMBER DEBIAN_FRONTEND SOURCE_DATE_EPOCH
  HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy ftp_proxy all_proxy no_proxy
  SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS GIT_SSL_CAINFO
  GIT_AUTHOR_* GIT_COMMITTER_* GIT_DIR GIT_WORK_TREE GIT_EDITOR GIT_PAGER GIT_SSH GIT_SSH_COMMAND GIT_CONFIG_GLOBAL GIT_TERMINAL_PROMPT
  CC CXX CPP LD AR CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MAKELEVEL CMAKE_* PKG_CONFIG_PATH LD_LIBRARY_PATH LIBRARY_PATH CPATH
  DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH SDKROOT MACOSX_DEPLOYMENT_TARGET
  JAVA_HOME JDK_HOME JAVA_OPTS MAVEN_HOME MAVEN_OPTS M2_HOME GRADLE_HOME GRADLE_USER_HOME GRADLE_OPTS SCALA_HOME KOTLIN_HOME SDKMAN_*
  ANDROID_HOME ANDROID_SDK_ROOT ANDROID_NDK_HOME FLUTTER_ROOT DART_SDK
  GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS GOOS GOARCH GOPROXY GOPRIVATE GONOSUMDB GOSUMDB GOTOOLCHAIN CGO_*
  CARGO_HOME CARGO_TARGET_DIR CARGO_BUILD_* CARGO_TERM_* CARGO_INCREMENTAL RUSTUP_* RUSTFLAGS RUST_* RUSTC_WRAPPER
  NODE_* NVM_* VOLTA_HOME FNM_* N_PREFIX COREPACK_* PNPM_HOME YARN_* BUN_INSTALL DENO_DIR DENO_INSTALL npm_config_prefix npm_config_cache
  PYTHON* PYENV_* VIRTUAL_ENV VIRTUAL_ENV_PROMPT CONDA_* MAMBA_* PIP_CACHE_DIR PIP_REQUIRE_VIRTUALENV PIPX_* POETRY_HOME
  POETRY_VIRTUALENVS_* PIPENV_* UV_CACHE_DIR UV_PYTHON* JUPYTER_* TOKENIZERS_PARALLELISM HF_HOME TORCH_HOME CUDA_* NVIDIA_VISIBLE_DEVICES
  RUBY* GEM_HOME GEM_PATH BUNDLE_PATH BUNDLE_GEMFILE RBENV_* RVM_* ASDF_* MISE_* DIRENV_DIR PERL5LIB PERLBREW_* LUA_PATH LUA_CPATH
  GHCUP_* STACK_ROOT OPAM_* OPAMSWITCH DOTNET_* NUGET_PACKAGES PHP_INI_SCAN_DIR COMPOSER_HOME COMPOSER_CACHE_DIR ERL_* MIX_* HEX_HOME JULIA_*
  R_HOME R_LIBS* TEXMFHOME NIX_PATH NIX_PROFILES NIX_SSL_CERT_FILE NIXPKGS_CONFIG HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY
  HOMEBREW_NO_* DOCKER_HOST DOCKER_CONTEXT DOCKER_BUILDKIT COMPOSE_FILE COMPOSE_PROJECT_NAME CONTAINER_HOST KUBECONFIG
  AWS_PROFILE AWS_REGION AWS_DEFAULT_REGION CLOUDSDK_ACTIVE_CONFIG_NAME TF_PLUGIN_CACHE_DIR TF_WORKSPACE
  HERMES_HOME WSL_DISTRO_NAME WSLENV WSL_INTEROP LD_PRELOAD MALLOC_ARENA_MAX`);

interface CommandEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that commands do not get, and that are no secrets by their name. */
  readonly withheld: readonly string[];
}

/** The environment commands get: what is allowed and does not look like a secret, and what the owner passes through. */
export const filterCommandEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
  passthrough: readonly string[],
): Record<string, string> => splitEnvironment(env, passthrough).env;

export function splitEnvironment(env: Readonly<Record<string, string | undefined>>, passthrough: readonly string[]): SplitEnvironment {
  const passes = handedOn(passthrough);
  const found: SplitEnvironment = { env: {}, withheld: [] };
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (passes(name)) found.env[name] = value;
    else if (!isSecretNamed(name)) found.withheld.push(name);
  }
  return found;
}
interface SplitEnvironment extends CommandEnvironment {
  readonly env: Record<string, string>;
  readonly withheld: string[];
}

/** A name the owner wrote out is passed whatever it looks like; a pattern with a star passes no name of a secret. */
function handedOn(passthrough: readonly string[]): (name: string) => boolean {
  const named = new Set(passthrough);
  const patterns = matcher([...ALLOWED, ...passthrough]);
  return (name) => named.has(name) || (!isSecretNamed(name) && patterns(name));
}

/** Whether a variable is a secret by its name. */
export const isSecretNamed = (name: string): boolean => {
  const folded = name.toUpperCase();
  return (SECRET_WORDS.some((word) => folded.includes(word)) || wordsOf(name).some((word) => WHOLE_WORDS.has(word))) && !harmless(name);
};

/** The words a name is made of, also where only capitals part them. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1_')
    .toUpperCase()
    .split(/[^A-Z0-9]+|(?<=[A-Z])(?=\d)/);

/** Names written out, and patterns with a star. Two hundred of them as one regular expression cost the start five milliseconds. */
function matcher(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names);
  const starred = names.flatMap((name) => (name.includes('*') ? [name.split('*')] : []));
  return (name) => exact.has(name) || starred.some((pieces) => fits(name, pieces));
}

/** The pieces between stars, in their order, the first at the beginning and the last at the end. */
function fits(name: string, pieces: readonly string[]): boolean {
  const last = pieces.at(-1) ?? '';
  let at = pieces[0]?.length ?? 0;
  if (!name.startsWith(pieces[0] ?? '') || !name.endsWith(last)) return false;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at + last.length <= name.length;
}
const harmless = matcher(HARMLESS);

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
