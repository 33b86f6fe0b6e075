import type { CommandRule } from '../call/call.ts';
import { NETWORK } from '../run/arrivals.ts';
import { SHELL } from '../run/shells.ts';
import { MARK } from '../values/marks.ts';
import { isKnownOwner } from './popular.ts';
import { ask, toWordSet, listOperands, listFlagValues } from './rows.ts';
import { WORKSHOP } from './workshop.ts';

/** A tool that installs what others wrote: where it may take it from without a question. */
interface Installer {
  /** Verbs behind which an address is taken as a package; any when there are none. */
  readonly verbs?: RegExp;
  /** Flags that name another place to take packages from. */
  readonly from?: RegExp;
  readonly trusted?: RegExp;
  /** A word that stands for an address of its own making: `owner/name`. */
  readonly short?: RegExp;
  /** Flags that leave out the check of what arrives. */
  readonly unchecked?: RegExp;
}
const PYPI =
  /^https:\/\/(?:test\.)?pypi\.org\/|^https:\/\/download\.pytorch\.org\/|^https:\/\/[\w.-]*pythonhosted\.org\/|^https:\/\/pypi\.nvidia\.com/;
const NPM = /^https:\/\/(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com)(?:\/|$)/;
const LOCAL = /^https?:\/\/(?:localhost|127\.0\.0\.1)(?:[:/]|$)/;
const SYSTEM: Installer = {
  verbs: /^(?:install|add|create|reinstall|localinstall|update|upgrade|in|fetch|-i|-U|-Uvh|-ivh|tap|import)$/,
  from: /^(?:--source|--git|--from|--index|--repository|-X|--repofrompath|--remote)$/,
  unchecked:
    /^(?:--allow-untrusted|--allow-unauthenticated|--nogpgcheck|--no-gpg-checks?|--no-gpg-check|--force-yes|--no-verify-ssl|--dangerous|--allow-insecure-repositories|--no-quarantine|--nosignature|--nodigest|--no-check-certificate|--insecure|--disable-gpg-check)$/,
};
const PYTHON: Installer = {
  verbs: /^(?:install|add|download|wheel|sync|inject|run|tool|pip)$/,
  from: /^(?:--index-url|--extra-index-url|-i|--index|--find-links|-f|--default-index|--source)$/,
  trusted: PYPI,
  unchecked: /^--trusted-host$|^--allow-insecure-host$/,
};
const NODE: Installer = {
  verbs: /^(?:install|i|add|update|up|ci|exec|x|dlx|create|init|link|in|isntall|upgrade|global)$/,
  from: /^--registry$/,
  short: /^[A-Za-z\d][\w-]*\/[\w.-]+(?:#\S+)?$/,
  trusted: NPM,
  unchecked: /^--unsafe-perm$|^--no-audit-signatures$/,
};
const INSTALLERS: Readonly<Record<string, Installer>> = {
  pip: PYTHON,
  pip3: PYTHON,
  pipx: PYTHON,
  uv: PYTHON,
  uvx: { ...PYTHON, verbs: /^/ },
  poetry: { verbs: /^(?:add|source)$/, from: /^--source$/, trusted: PYPI },
  pdm: { verbs: /^add$/, trusted: PYPI },
  conda: {
    verbs: /^(?:install|create|update)$/,
    from: /^(?:-c|--channel)$/,
    trusted: /^https:\/\/(?:conda\.anaconda\.org|repo\.anaconda\.com)/,
  },
  npm: NODE,
  npx: { ...NODE, verbs: /^/ },
  pnpx: { ...NODE, verbs: /^/ },
  bunx: { ...NODE, verbs: /^/ },
  yarn: NODE,
  pnpm: NODE,
  bun: NODE,
  gem: {
    verbs: /^(?:install|specific_install|git_install|fetch|update)$/,
    from: /^(?:-s|--source|-l|--location)$/,
    trusted: /^https:\/\/rubygems\.org/,
  },
  brew: { ...SYSTEM, verbs: /^(?:install|reinstall|upgrade|tap|fetch)$/, short: /^[\w-]+\/[\w-]+(?:\/[\w@.+-]+)?$/ },
  cpanm: { verbs: /^/ },
  luarocks: { verbs: /^install$/, from: /^--server$/ },
  nimble: { verbs: /^install$/ },
  cargo: { verbs: /^(?:install|binstall|add)$/, from: /^(?:--index|--git)$/ },
  opam: { verbs: /^(?:pin|repository|repo|install)$/ },
  asdf: { verbs: /^plugin$/ },
  'ansible-galaxy': { verbs: /^install$/, from: /^(?:-s|--server)$/, trusted: /^https:\/\/galaxy\.ansible\.com/ },
  helm: { verbs: /^(?:install|upgrade|template|plugin)$/ },
  terraform: { verbs: /^init$/, from: /^-from-module$/ },
  tofu: { verbs: /^init$/, from: /^-from-module$/ },
  kubectl: { verbs: /^(?:apply|create|replace)$/, from: /^(?:-f|--filename|-k)$/ },
  oc: { verbs: /^(?:apply|create|replace|new-app)$/, from: /^(?:-f|--filename|-k)$/ },
  docker: {
    verbs: /^(?:build|import|load|buildx|compose|plugin)$/,
    from: /^(?:-f|--file)$/,
    unchecked: /^--disable-content-trust(?:=true)?$/,
  },
  podman: { verbs: /^(?:build|import|load|play|kube)$/ },
  crontab: { verbs: /^/ },
  vagrant: { verbs: /^(?:box|plugin|init)$/, trusted: /^https:\/\/(?:app\.vagrantup\.com|portal\.cloud\.hashicorp\.com)/ },
};
const SYSTEM_TOOLS = toWordSet(`
  apt apt-get aptitude dpkg rpm dnf yum zypper apk pacman yay snap flatpak brew port pkg opkg code codium cursor nix-env guix winget choco
  scoop gdebi alien installer
`);

const ADDRESS = /^(?:[\w.-]+\s*@\s*)?(?:git\+|git::)?(?:https?|ssh|git|ftp):\/\/\S+|^git@[\w.-]+:|^(?:github|gitlab|bitbucket|gist):\S/;
/** Any other tool people build with, when it is told to install or add an address. */
const ANY: Installer = { verbs: /(?:^|[._:-])(?:install|add|require|pin|plugin|extension|repositor\w+)(?:$|[._:-])/ };
const SPEAKS_OF_ADDRESSES = /^(?:git|gh|glab|hub|hg|svn|jj|yt-dlp|youtube-dl|playwright|cypress|lighthouse|newman|k6)$/;
const INSTALLS = /^(?:install|i|in|add|tap|reinstall)$/;
const installerOf = (name: string): Installer | undefined =>
  Object.hasOwn(INSTALLERS, name)
    ? INSTALLERS[name]
    : SYSTEM_TOOLS.has(name)
      ? SYSTEM
      : WORKSHOP.has(name) && !SPEAKS_OF_ADDRESSES.test(name)
        ? ANY
        : undefined;

function takesFromElsewhere(name: string, args: readonly string[]): boolean {
  const installer = installerOf(name);
  if (installer === undefined) return false;
  if (args.some((word) => installer.unchecked?.test(word) === true)) return true;
  // Behind other verbs stand programs and their files.
  const isShort = (word: string): boolean => installer.short?.test(word) === true && args.some((each) => INSTALLS.test(each));
  const isStrange = (word: string): boolean =>
    (ADDRESS.test(word) || isShort(word)) && installer.trusted?.test(word) !== true && !LOCAL.test(word) && !isKnownOwner(word);
  if (installer.from !== undefined && listFlagValues(args, installer.from).some(isStrange)) return true;
  const words = listOperands(args);
  const at = installer.verbs === undefined ? 0 : args.findIndex((word) => installer.verbs?.test(word) === true);
  return at >= 0 && words.some(isStrange);
}

const INTERPRETER = /^(?:python|node|deno|bun|perl|ruby|php)[\d.]*$/;
/** A shell or an interpreter that is told what to run by its input alone. */
function runsItsInput(name: string, args: readonly string[]): boolean {
  const words = args.filter((word) => !/^-./.test(word) && word !== '-' && word !== '/dev/stdin');
  if (SHELL.test(name)) return args.some((word) => /^-[a-z]*s[a-z]*$/.test(word)) || (words.length === 0 && !args.some(isCommandFlag));
  return INTERPRETER.test(name) && words.length === 0 && !args.some((word) => /^-[a-zA-Z]*[cemnprv]|^--[a-z]/.test(word));
}
const isCommandFlag = (word: string): boolean => /^-[a-zA-Z]*c|^-{1,2}command$|^--(?:help|version)$/i.test(word);

/** Code that somebody else wrote, on its way into this machine. */
export const REMOTE_CODE: readonly CommandRule[] = [
  ask(
    'remote_code',
    'it runs code from the network',
    (name, args, { from }) => from.some((program) => NETWORK.test(program)) && runsItsInput(name, args),
  ),
  ask('remote_code', 'it installs or runs code from an address that nobody vouches for', takesFromElsewhere),
  ask(
    'remote_code',
    'it installs code from an address that nobody vouches for',
    (name, args) =>
      /^python[\d.]*$/.test(name) && args[0] === '-m' && /^pip$/.test(args[1] ?? '') && takesFromElsewhere('pip', args.slice(2)),
  ),
  ask(
    'remote_code',
    'it runs what another command puts out',
    (name, args) => /^(?:php|lua|Rscript)$/.test(name) && args.some((word) => word.includes(MARK.unknown) && /^-[er]/.test(word)),
  ),
  ask('remote_code', 'it fetches a program and trusts it by a tool of the system', (name) =>
    /^(?:mshta|regsvr32|bitsadmin|certutil)$/.test(name),
  ),
];
