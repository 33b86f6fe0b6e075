import { basename, dirname } from 'node:path';
import { decodeAnsiCEscapes } from '../../../../base/shell/ansi.ts';
import { isUnknown, MARK } from '../values/marks.ts';
import type { Call } from '../call/call.ts';
import { findMatches, findByName } from './finds.ts';
import { findCreatedId } from './made.ts';
import { decodeBytes, formatPrintf, translateText } from './texts.ts';

type FindOutputs = (call: Call) => readonly string[] | undefined;
const flags = ({ args }: Call): string => args.filter((word) => /^-\w/.test(word)).join('');
const operands = ({ args }: Call): string[] => args.filter((word) => !/^-./.test(word));
/** One name without a slash, whatever it is. */
const aName: FindOutputs = () => [MARK.name];

/** The whole environment, secrets among it. */
const SECRETS = [MARK.unknown + MARK.secret];

/** What programs put out, where that can be told before they run. */
const OUTPUTS: Readonly<Record<string, FindOutputs>> = {
  echo: ({ args }) => {
    const start = args.findIndex((word) => !/^-[neE]+$/.test(word));
    const text = (start < 0 ? [] : args.slice(start)).join(' ');
    const escapes = args.slice(0, Math.max(start, 0)).some((word) => word.includes('e'));
    return [(escapes ? decodeAnsiCEscapes(text) : text) + (args[0]?.includes('n') === true && args[0].startsWith('-') ? '' : '\n')];
  },
  printf: ({ args }) => (args[0] === '-v' ? [''] : [formatPrintf(args)]),
  cat: (call) => (operands(call).length === 0 || operands(call).every((word) => word === '-') ? call.fed : undefined),
  tee: ({ fed }) => fed,
  true: () => [''],
  ':': () => [''],
  pwd: ({ place }) => [place.cwd ?? MARK.unknown],
  mktemp: madeUp,
  basename: (call) => [safe(operands(call)[0], (path) => basename(path, operands(call)[1] ?? ''))],
  dirname: (call) => [safe(operands(call)[0], dirname)],
  realpath: (call) => [operands(call)[0] ?? MARK.unknown],
  readlink: (call) => (flags(call).includes('f') ? [operands(call)[0] ?? MARK.unknown] : undefined),
  which: (call) => [operands(call)[0] ?? MARK.unknown],
  rev: ({ fed }) =>
    fed.map((text) =>
      text
        .split('\n')
        .map((line) => Array.from(line).toReversed().join(''))
        .join('\n'),
    ),
  base64: (call) =>
    (operands(call).length === 0 && /d|D/.test(flags(call))) || call.args.includes('--decode')
      ? call.fed.map((text) => decodeBytes(text, 'base64'))
      : undefined,
  xxd: (call) => (flags(call).includes('r') ? call.fed.map((text) => decodeBytes(text, 'hex')) : undefined),
  tr: ({ args, fed }) => fed.map((text) => translateText(text, args)),
  git: ({ args, place }) => {
    if (args.some((word) => /^--(?:absolute-git-dir|git-dir|git-common-dir)$/.test(word))) return [`${place.base}/.git`];
    if (args.includes('rev-parse')) return [args.includes('--show-toplevel') ? place.base : MARK.name];
    return args.some((word) => /^(?:ls-files|--name-only|describe|branch|ls-tree|config|merge-base|rev-list|diff-tree)$/.test(word))
      ? [MARK.name]
      : undefined;
  },
  npm: ({ args, place }) => (args[0] === 'prefix' || args[0] === 'root' ? [place.base] : undefined),
  find: (call) =>
    call.args.some((word) => /^-(?:printf|fprintf|exec|ls)/.test(word))
      ? undefined
      : [...new Set([...findMatches(call), ...findByName(call)])].map((path) => `${path}\n`),
  fd: aName,
  lsblk: (call) => (/p|--paths/.test(call.args.filter((word) => word.startsWith('-')).join('')) ? ['/dev/sda\n'] : undefined),
  findmnt: (call) => (/SOURCE/.test(call.args.join(' ')) ? ['/dev/sda1\n'] : undefined),
  ls: (call) =>
    flags(call).includes('d') || operands(call).some((word) => /[\uE001\uE002]/.test(word))
      ? operands(call).map((word) => `${word}\n`)
      : [`${MARK.star}\n`],
  sort: passed,
  uniq: passed,
  head: some,
  tail: some,
  grep: (call) => (/[lL]/.test(flags(call)) ? namesBelow(call, 1) : some(call)),
  rg: (call) => (/l/.test(flags(call)) ? namesBelow(call, 1) : some(call)),
  tac: passed,
  shuf: passed,
  nl: () => undefined,
  direnv: quiet,
  'ssh-agent': quiet,
  pyenv: quiet,
  rbenv: quiet,
  brew: (call) => (call.args[0] === 'shellenv' ? [''] : undefined),
  starship: quiet,
  zoxide: quiet,
  fnm: quiet,
  mise: quiet,
  conda: quiet,
  dircolors: quiet,
  kubectl: (call) => (call.args[0] === 'completion' ? [''] : undefined),
  docker: findCreatedId,
  podman: findCreatedId,
  env: (call) => (call.args.length === 0 ? SECRETS : undefined),
  printenv: (call) => (call.args.length === 0 ? SECRETS : undefined),
  export: () => SECRETS,
  set: (call) => (call.args.length === 0 ? SECRETS : undefined),
  declare: (call) => (call.args.every((word) => /^-[px]+$/.test(word)) ? SECRETS : undefined),
  seq: aName,
  date: aName,
  nproc: aName,
  whoami: aName,
  id: aName,
  hostname: aName,
  uname: aName,
  uuidgen: aName,
  wc: aName,
  arch: aName,
  lsof: aName,
  // Processes by their name may be anybody's.
  pgrep: () => [MARK.star],
  pidof: () => [MARK.star],
};

/** A name nobody has, in the folder that is said or among the temporary files. */
function madeUp({ args }: Call): readonly string[] {
  const folder = args.flatMap((word, at) => (/^-\w*p$/.test(args[at - 1] ?? '') ? [word] : (/^--tmpdir=(.+)$/.exec(word)?.[1] ?? [])))[0];
  const name = args.find((word, at) => !/^-./.test(word) && !/^-\w*p$|^--suffix$/.test(args[at - 1] ?? ''))?.replace(/X{3,}/, MARK.name);
  if (folder !== undefined) return [`${folder.replace(/\/$/, '')}/${name ?? MARK.name}`];
  return [name === undefined || args.some((word) => /^-\w*t/.test(word)) ? `/tmp/${MARK.name}` : name];
}

/** Lines of what it was fed. */
function passed(call: Call): readonly string[] | undefined {
  const files = call.name === 'grep' || call.name === 'rg' ? operands(call).slice(1) : operands(call).filter((word) => !/^\d+$/.test(word));
  return files.length === 0 &&
    call.fed.length > 0 &&
    !/c/.test(call.name === 'tail' || call.name === 'head' || call.name === 'grep' ? flags(call) : '')
    ? call.fed
    : undefined;
}
const SECRETISH = /\benv\b|\.env|\.pem|\.key|id_(?:rsa|ed)|secret|credential/i;
/** Some of those lines: of all the names in a folder, a few. */
function some(call: Call): readonly string[] | undefined {
  const lines = passed(call)?.map((text) => (call.name === 'grep' || call.name === 'rg' ? text.replaceAll(MARK.secret, '') : text));
  if (call.name === 'grep' && /v/.test(flags(call))) return lines;
  // Names picked out by what secrets are called are such names.
  if (
    /^(?:e?grep|rg)$/.test(call.name) &&
    SECRETISH.test(call.args.join(' ')) &&
    lines?.every((text) => /^[\uE000-\uE003/.\s]*$/.test(text)) === true
  )
    return ['.env\n'];
  return lines?.map((text) => text.replaceAll(/(?<=^|\n)\uE001(?=\n|$)/g, MARK.name));
}
/** Set-up lines of tools everybody lets into the shell. */
function quiet(): readonly string[] {
  return [''];
}
const namesBelow = (call: Call, first: number): readonly string[] => {
  const roots = operands(call).slice(first);
  return roots.length === 0 ? [`${MARK.name}\n`] : roots.map((root) => `${root.replace(/\/$/, '')}/${MARK.name}\n`);
};

export const findCallOutputs: FindOutputs = (call) => {
  const texts = Object.hasOwn(OUTPUTS, call.name) ? OUTPUTS[call.name]?.(call) : undefined;
  return texts === undefined || texts.length === 0 ? undefined : texts.slice(0, 8);
};

const safe = (word: string | undefined, change: (path: string) => string): string =>
  word === undefined || isUnknown(word) ? MARK.unknown : change(word);
