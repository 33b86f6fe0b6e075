import { basename, resolve } from 'node:path';
import { isInside, resolveTargetPath } from '../places/paths.ts';
import { hasMarks, MARK } from '../values/marks.ts';
import type { Call } from '../call/call.ts';
import type { Shell } from './shell.ts';

type ApplyArrival = (shell: Shell, call: Call) => undefined;
const operands = ({ args }: Call): string[] => args.filter((word) => !/^-./.test(word));
const saved = (shell: Shell, call: Call, words: readonly string[]): undefined => {
  for (const word of words)
    if (call.place.cwd !== undefined && (!hasMarks(word) || isMadeUp(word))) shell.remember(resolve(call.place.cwd, word), [MARK.unknown]);
};
/** Below a folder that was made for it. */
const isMadeUp = (word: string): boolean => word.replaceAll(MARK.name, '') === word.replaceAll(/[\uE000-\uE006]/g, '');
const valuesOf = ({ args }: Call, flag: RegExp): string[] =>
  args.flatMap((word, index) =>
    flag.test(word) ? (args[index + 1] ?? []) : (/^--[\w-]+=([^]+)$/.exec(flag.test(word.split('=')[0] ?? '') ? word : '')?.[1] ?? []),
  );

/** What comes from another machine is somebody else's. */
const copied: ApplyArrival = (shell, call) => {
  const [from = '', ...rest] = operands(call).slice(call.name === 'aws' ? 2 : call.name === 'gsutil' ? 1 : 0);
  const to = rest.at(-1);
  if (!/^[^/]+:/.test(from) || to === undefined) return undefined;
  return saved(shell, call, [to, `${to.replace(/\/$/, '')}/${basename(from)}`]);
};
/** Fetched under a name of its own, or under the one its address gives it; below a folder, when one is named. */
const fetched =
  (into: RegExp, byAddress: RegExp, below = /^$/): ApplyArrival =>
  (shell, call) => {
    const folder = valuesOf(call, below).at(-1);
    const placed = (name: string): string => (folder === undefined || name.startsWith('/') ? name : `${folder.replace(/\/$/, '')}/${name}`);
    saved(shell, call, valuesOf(call, into).map(placed));
    if (folder !== undefined) filled(shell, call, folder);
    if (!call.args.some((word) => byAddress.test(word))) return undefined;
    const addresses = call.args.filter((word) => /\/\/|\.\w+\//.test(word));
    const names = addresses.map((word) => (word.split(/[?#]/)[0] ?? '').split('/').at(-1) ?? '');
    return saved(shell, call, names.filter((name) => name !== '').map(placed));
  };
/** A folder of its own that is filled from elsewhere. In the project, others may have put things there too. */
const filled = (shell: Shell, call: Call, folder: string): undefined => {
  const path = resolveTargetPath(folder, call.place);
  if (path !== undefined && !isHereNow(path, call)) shell.foreign.add(path);
};
const isHereNow = (path: string, { place }: Call): boolean => path === place.cwd || path === place.base || isInside(path, place);
export const NETWORK = /^(?:curl|wget|http|https|xh|aria2c|axel|nc|ncat|ssh|ftp|lynx|aws|gsutil|openssl|socat)$/;

const CLONE_VALUES =
  /^(?:-b|--branch|--depth|-o|--origin|--reference|--separate-git-dir|-c|--config|-C|-j|--jobs|--filter|--shallow-since|--shallow-exclude|--template|-r|--revision|-u|--upload-pack|--upstream-remote-name)$/;
/** A folder that is filled by somebody else: whatever is run from there is theirs. */
const cloned: ApplyArrival = (shell, call) => {
  // Behind `--` stand words for another program, and behind some flags a depth or a branch.
  const own = call.args.includes('--') ? call.args.slice(0, call.args.indexOf('--')) : call.args;
  const words = own.filter((word, index) => !/^-./.test(word) && !CLONE_VALUES.test(own[index - 1] ?? ''));
  const at = words.findIndex(
    (word, index) => /^(?:clone|checkout|co|export)$/.test(word) || (word === 'add' && words[index - 1] === 'submodule'),
  );
  const rest = at < 0 ? [] : words.slice(at + 1);
  const [address, folder] = rest;
  if (address === undefined || !/:\/\/|^[\w.-]+@|^gh:|^[\w-]+\/[\w.-]+$/.test(address)) return undefined;
  const from = valuesOf(call, /^-C$/)[0];
  const place = from === undefined ? call.place : { ...call.place, cwd: resolveTargetPath(from, call.place) };
  const path = resolveTargetPath(folder ?? basename(address).replace(/\.git$/, ''), place);
  if (path !== undefined) shell.foreign.add(path);
  return undefined;
};
/** `gh release download`: files of that release, into a folder or under a name. */
const released: ApplyArrival = (shell, call) => {
  const [what, verb] = operands(call);
  if (!/^(?:release|run)$/.test(what ?? '') || verb !== 'download') return cloned(shell, call);
  saved(shell, call, valuesOf(call, /^(?:-O|--output)$/));
  const names = valuesOf(call, /^(?:-p|--pattern|-n|--name)$/);
  const folder = valuesOf(call, /^(?:-D|--dir)$/)[0];
  const path = folder === undefined ? undefined : resolveTargetPath(folder, call.place);
  if (path !== undefined) shell.foreign.add(path);
  return saved(shell, call, names);
};
/** Building in a folder somebody else filled runs their recipes, and installing puts their code where it is run later. */
const installs: ApplyArrival = (shell, call) => {
  if (!shell.strict || shell.foreign.size === 0) return undefined;
  const path = resolveTargetPath(valuesOf(call, /^(?:-C|--directory|--install)$/)[0] ?? '.', call.place);
  const isTheirs = path !== undefined && [...shell.foreign].some((folder) => `${path}/`.startsWith(`${folder}/`));
  if (isTheirs) shell.note('ask', 'remote_code', 'it builds or installs what it has just brought in from elsewhere');
  return undefined;
};
const unpacked: ApplyArrival = (shell, call) => {
  const fromAfar =
    call.from.some((name) => NETWORK.test(name)) ||
    call.args.some((word) => shell.textsOf(word, call.place.cwd)?.some((text) => text === MARK.unknown) === true);
  const folder = valuesOf(call, /^(?:-C|--directory|-d)$/)[0] ?? '.';
  const path = fromAfar ? resolveTargetPath(folder, call.place) : undefined;
  if (path !== undefined) shell.foreign.add(path);
  return undefined;
};

export const ARRIVALS: Readonly<Record<string, ApplyArrival>> = {
  scp: copied,
  rsync: copied,
  aws: copied,
  gsutil: copied,
  curl: fetched(/^(?:-[a-zA-Z]*o|--output)$/, /^-[a-zA-Z]*O|^--remote-name/, /^--output-dir$/),
  wget: fetched(/^(?:-[a-zA-Z]*O|--output-document)$/, /^(?!-)/, /^(?:-[a-zA-Z]*P|--directory-prefix)$/),
  aria2c: fetched(/^(?:-o|--out)$/, /^(?!-)/, /^(?:-d|--dir)$/),
  axel: fetched(/^(?:-o|--output)$/, /^(?!-)/),
  http: fetched(/^(?:-o|--output)$/, /^(?:-d|--download)$/),
  xh: fetched(/^(?:-o|--output)$/, /^(?:-d|--download)$/),
  lwp: fetched(/^-o$/, /^(?!-)/),
  go: (shell, call) => {
    const [verb, name = ''] = operands(call);
    return verb === 'install' && name.includes('@')
      ? saved(shell, call, [`${call.place.home}/go/bin/${basename(name.replace(/@.*$/, ''))}`])
      : undefined;
  },
  hg: cloned,
  svn: cloned,
  gh: released,
  tar: unpacked,
  bsdtar: unpacked,
  unzip: unpacked,
  '7z': unpacked,
  cpio: unpacked,
  make: installs,
  gmake: installs,
  ninja: installs,
  cmake: installs,
  meson: installs,
  just: installs,
};
export const noteClone = cloned;
