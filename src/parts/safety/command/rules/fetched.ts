import { resolveTargetPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import type { CommandRule } from '../call/call.ts';
import { parsePackageName } from '../run/runners.ts';
import { hasMarks } from '../values/marks.ts';
import { isKnownOwner, NPM, NPM_SCOPES, PYPI } from './popular.ts';
import { ask, listOperands, listFlagValues } from './rows.ts';
import { EVERYDAY } from './vocabulary.ts';

type PackageSource = 'npm' | 'pypi' | 'create';
/** Programs that fetch a package and run it at once: where its name stands. */
interface PackageRunner {
  readonly source: PackageSource;
  /** The verbs before it; none when the program does nothing else. */
  readonly verbs?: RegExp;
  /** Flags that take the next word. */
  readonly values: RegExp;
}
const NPM_VALUES =
  /^(?:-p|--package|-c|--call|--registry|--prefix|-w|--workspace|--filter|-C|--dir|--cwd|--cache|--userconfig|--loglevel)$/;
const PY_VALUES =
  /^(?:--from|--with|-p|--python|--spec|--index-url|-i|--index|--pip-args|--with-requirements|--directory|--extra-index-url|--with-editable|--env-file|--project)$/;
const RUNNERS: Readonly<Record<string, readonly PackageRunner[]>> = {
  npx: [{ source: 'npm', values: NPM_VALUES }],
  pnpx: [{ source: 'npm', values: NPM_VALUES }],
  bunx: [{ source: 'npm', values: NPM_VALUES }],
  npm: [
    { source: 'npm', verbs: /^(?:exec|x)$/, values: NPM_VALUES },
    { source: 'create', verbs: /^(?:create|init|innit)$/, values: NPM_VALUES },
  ],
  pnpm: [
    { source: 'npm', verbs: /^dlx$/, values: NPM_VALUES },
    { source: 'create', verbs: /^create$/, values: NPM_VALUES },
  ],
  yarn: [
    { source: 'npm', verbs: /^dlx$/, values: NPM_VALUES },
    { source: 'create', verbs: /^create$/, values: NPM_VALUES },
  ],
  bun: [
    { source: 'npm', verbs: /^x$/, values: NPM_VALUES },
    { source: 'create', verbs: /^(?:create|c)$/, values: NPM_VALUES },
  ],
  uvx: [{ source: 'pypi', values: PY_VALUES }],
  uv: [{ source: 'pypi', verbs: /^tool run$/, values: PY_VALUES }],
  pipx: [{ source: 'pypi', verbs: /^run$/, values: PY_VALUES }],
  deno: [{ source: 'npm', verbs: /^(?:run|x)$/, values: /^(?:-c|--config|--import-map|--lock|--env-file|--cert|--location|--seed)$/ }],
};

/** The packages a call fetches and runs: those behind `--package` or `--from`, or else the first word. */
function packagesOf(args: readonly string[], { verbs, values }: PackageRunner): string[] {
  const words = args.filter((word, index) => !/^-./.test(word) && !values.test(args[index - 1] ?? ''));
  // Flags behind the package are its own.
  const first = args.indexOf(words[verbs === undefined ? 0 : words[1] === 'run' ? 2 : 1] ?? '');
  const named = listFlagValues(first < 0 ? args : args.slice(0, first), /^(?:-p|--package|--from|--spec)$/);
  if (verbs !== undefined && !verbs.test(words[0] ?? '') && !verbs.test(`${words[0] ?? ''} ${words[1] ?? ''}`)) return [];
  const rest = verbs === undefined ? words : words.slice(words[1] === 'run' ? 2 : 1);
  return named.length > 0 ? named : rest.slice(0, 1);
}

const isInstalled = (name: string, { look, base }: ShellContext): boolean =>
  look !== undefined &&
  [`${base}/node_modules/.bin/${name}`, `${base}/node_modules/${name}`, `${base}/.venv/bin/${name}`].some(
    (path) => look(path) !== undefined,
  );

/** `@scope/name` is `scope`. */
const scopeOf = (name: string): string => /^@([^/]+)\//.exec(name)?.[1] ?? '';
function isTrusted(word: string, source: PackageSource, place: ShellContext): boolean {
  if (/^\.{0,2}\//.test(word) || hasMarks(word)) return /^\.{0,2}\//.test(word);
  // A file of the project, run by its name.
  if (/\.[cm]?[jt]sx?$/.test(word)) return true;
  const name = parsePackageName(word);
  if (isInstalled(name, place)) return true;
  if (source === 'pypi') return PYPI.has(name.toLowerCase());
  if (source === 'create') return NPM.has(`create-${name}`) || NPM_SCOPES.has(scopeOf(`${name}/`)) || NPM.has(name);
  return NPM.has(name) || NPM_SCOPES.has(scopeOf(name));
}

/** Where code comes from when it is named by an address. */
const ADDRESS = /^(?:git\+)?(?:https?|ssh|git):\/\/|^git@|^(?:github|gitlab|bitbucket|gist|gh|sourcehut|flake|tarball|path):[\w./-]+/;

const NETWORK = /^(?:curl|wget|http|https|xh|aria2c|nc|ncat|ssh|ftp|aws|gsutil|fetch|lynx)$/;
const READS_CODE =
  /^(?:uv|npm|pnpm|yarn|pip|pip3|deno|bun|tsx|ts-node|kubectl|oc|ansible-playbook|R|Rscript|julia|lua|osascript|crontab|at|batch|git|patch|terraform|helm)$/;
const LANGUAGES =
  /^(?:lua|luajit|tclsh|julia|elixir|iex|erl|groovy|scala|racket|guile|osascript|Rscript|R|swift|runghc|clojure|clj|bb|octave|sbcl|raku|crystal|dart|perl|ruby|php)[\d.]*$/;
const LOADS =
  /\b(?:source|include|load|eval|require|import|dofile|loadstring|download|install|use|do|exec|system|Code\.eval_string|compile_string)\b/;

const AFAR = /(?:https?|ftp):\/\/(?!localhost|127\.0\.0\.1)/;
/** `require "net/http"`: what the language brings along. */
const OWN_LIBRARY = /\b(?:require|use|import)\s*\(?["']?(?!\S*:\/\/)[\w:/.-]+["']?/g;

/** Code that is fetched and run at once. What everybody uses is let through. */
export const FETCHED: readonly CommandRule[] = [
  ask('remote_code', 'it fetches a package hardly anybody knows and runs it at once', (name, args, _call, place) => {
    const runners = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
    return runners?.some((runner) => packagesOf(args, runner).some((word) => !isTrusted(word, runner.source, place))) === true;
  }),
  ask('remote_code', 'it lets another program fetch a package hardly anybody knows and run it', (name, args, _call, place) => {
    const at = EVERYDAY.has(name) || Object.hasOwn(RUNNERS, name) ? -1 : args.findIndex((word) => /^(?:npx|uvx|bunx|pnpx)$/.test(word));
    const runner = at < 0 ? undefined : RUNNERS[args[at] ?? '']?.[0];
    return runner !== undefined && packagesOf(args.slice(at + 1), runner).some((word) => !isTrusted(word, runner.source, place));
  }),
  ask('remote_code', 'it runs code straight from an address', (name, args) => {
    const words = listOperands(args);
    if (name === 'nix')
      return (
        /^(?:run|shell|develop|profile)$/.test(words[0] ?? '') &&
        words.slice(1).some((word) => ADDRESS.test(word) && !/^github:NixOS\//i.test(word))
      );
    if (name === 'nix-shell' || name === 'nix-env' || name === 'nix-build') return args.some((word) => /^https?:\/\//.test(word));
    if (name === 'go')
      return (
        words[0] === 'run' &&
        words.slice(1, 2).some((word) => /^[\w-]+\.[\w.-]+\/\S+@/.test(word) && !word.startsWith('golang.org/x/') && !isKnownOwner(word))
      );
    if (name === 'cargo')
      return /^(?:install|binstall)$/.test(words[0] ?? '') && args.some((word) => /^--(?:git|index|registry-url)/.test(word));
    if (name === 'deno' || name === 'bun')
      return words.some((word) => /^https?:\/\//.test(word)) && /^(?:run|install|x|eval|test|serve|add)$/.test(words[0] ?? 'run');
    if (name === 'gh')
      return (
        /^ext(?:ension)?s?$/.test(words[0] ?? '') &&
        words[1] === 'install' &&
        !/^(?:https:\/\/github\.com\/)?(?:github|cli)\//.test(words[2] ?? '')
      );
    if (name === 'vim' || name === 'nvim' || name === 'emacs')
      return args.some((word) => /https?:\/\//.test(word) && /source|load|eval|execute/.test(word));
    return /^(?:ansible-pull|mshta|regsvr32|bitsadmin|add-apt-repository|easy_install)$/.test(name);
  }),
  ask(
    'remote_code',
    'its code loads more code from an address',
    (name, args, { fed }) =>
      LANGUAGES.test(name) && [...args, ...fed].some((text) => AFAR.test(text) && LOADS.test(text.replaceAll(OWN_LIBRARY, ''))),
  ),
  ask('remote_code', 'it runs or loads what comes from another machine', (name, args, { from, piped, reads }) => {
    const arrives = (piped && from.some((each) => NETWORK.test(each))) || reads.some((word) => word.startsWith('/dev/fd/'));
    return (
      arrives &&
      ((/^(?:docker|podman|nerdctl|ctr)$/.test(name) && /^(?:load|import)$/.test(listOperands(args)[0] ?? '')) ||
        (READS_CODE.test(name) && args.includes('-')))
    );
  }),
  ask(
    'remote_code',
    'it builds by recipes that another command puts out',
    (name, args) =>
      /^(?:g?make|ninja|just|task)$/.test(name) &&
      listFlagValues(args, /^(?:-\w*f|--file|--makefile|--justfile)$/).some((file) => file.startsWith('/dev/fd/')),
  ),
  ask('remote_code', 'it runs a file that was downloaded', (name, args, { path }, place) =>
    [
      path,
      ...(/^(?:ba|z|da|k)?sh$|^(?:python[\d.]*|node|perl|ruby|java|source|\.|open|installer|wine)$/.test(name)
        ? listOperands(args).slice(0, 1)
        : []),
    ].some((word) => word.includes('/') && (resolveTargetPath(word, place) ?? '').startsWith(`${place.home}/Downloads/`)),
  ),
  ask('remote_code', 'it installs what lies outside the working folder, by the recipes it finds there', (name, args, _call, place) => {
    if (!/^(?:g?make|ninja|cmake|meson)$/.test(name)) return false;
    if (
      !args.some((word) => /^(?:install|install-strip|--install)$/.test(word)) ||
      args.some((word) => /^(?:DESTDIR|PREFIX|prefix)=/.test(word))
    )
      return false;
    const folder = listFlagValues(args, /^(?:-C|--directory|--install)$/)[0] ?? '.';
    const path = /^[/~]/.test(folder) ? folder : `${place.cwd ?? '/tmp'}/${folder}`;
    return /^(?:\/|~)/.test(path) && !`${path}/`.startsWith(`${place.base}/`);
  }),
];
