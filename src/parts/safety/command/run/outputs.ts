import { findRow, toRows } from '../../../../base/word-tables.ts';
import { basename, dirname } from 'node:path';
import { decodeAnsiCEscapes } from '../../../../base/shell/ansi.ts';
import { isUnknown, LONGEST_VALUE, MARK } from '../values/marks.ts';
import type { Call } from '../call/call.ts';
import { findMatches, findByName } from './find.ts';
import { findCreatedId } from './made.ts';

type FindOutputs = (call: Call) => readonly string[] | undefined;
const flags = ({ args }: Call): string => args.filter((word) => /^-\w/.test(word)).join('');
const operands = ({ args }: Call): string[] => args.filter((word) => !/^-./.test(word));
/** The whole environment, secrets among it. */
const SECRETS: FindOutputs = ({ args }) => (args.every((word) => /^-[0px]+$/.test(word)) ? [MARK.unknown + MARK.secret] : undefined);

/** What programs put out, where that can be told before they run. */
const OUTPUTS: Readonly<Record<string, FindOutputs>> = {
  // One name without a slash, whatever it is.
  ...toRows('fd seq date nproc whoami id hostname uname uuidgen wc arch lsof', () => [MARK.name]),
  // Lines of what it was fed: all of them, or some.
  ...toRows('sort uniq tac shuf head tail grep rg', passed),
  ...toRows('env printenv export set declare', SECRETS),
  ...toRows('docker podman', findCreatedId),
  // Processes by their name may be anybody's.
  ...toRows('pgrep pidof', () => [MARK.star]),
  ...toRows('true :', () => ['']),
  echo: ({ args }) => {
    const start = args.findIndex((word) => !/^-[neE]+$/.test(word));
    const text = (start < 0 ? [] : args.slice(start)).join(' ');
    const escapes = args.slice(0, Math.max(start, 0)).some((word) => word.includes('e'));
    return [(escapes ? decodeAnsiCEscapes(text) : text) + (args[0]?.includes('n') === true && args[0].startsWith('-') ? '' : '\n')];
  },
  printf: ({ args }) => (args[0] === '-v' ? [''] : [formatPrintf(args)]),
  cat: (call) => (operands(call).every((word) => word === '-') ? call.fed : undefined),
  tee: ({ fed }) => fed,
  pwd: ({ place }) => [place.cwd ?? MARK.unknown],
  mktemp: madeUp,
  basename: (call) => [safe(operands(call)[0], (path) => basename(path, operands(call)[1] ?? ''))],
  dirname: (call) => [safe(operands(call)[0], dirname)],
  realpath: (call) => [operands(call)[0] ?? MARK.unknown],
  readlink: (call) => (flags(call).includes('f') ? [operands(call)[0] ?? MARK.unknown] : undefined),
  which: (call) => [operands(call)[0] ?? MARK.unknown],
  // `-d` of base64 is the usual way to hide a line in plain sight.
  base64: (call) =>
    /d|D/.test(flags(call)) || call.args.includes('--decode')
      ? call.fed.map((text) => (isUnknown(text) ? MARK.unknown : Buffer.from(text.replaceAll(/\s/g, ''), 'base64').toString('utf8')))
      : undefined,
  git: ({ args, place }) => {
    if (args.some((word) => /^--(?:absolute-git-dir|git-dir|git-common-dir)$/.test(word))) return [`${place.base}/.git`];
    if (args.includes('rev-parse')) return [args.includes('--show-toplevel') ? place.base : MARK.name];
    return args.some((word) => /^(?:ls-files|--name-only|grep|describe|branch|ls-tree|config|merge-base|rev-list|diff-tree)$/.test(word))
      ? [MARK.name]
      : undefined;
  },
  find: (call) =>
    call.args.some((word) => /^-(?:printf|fprintf|exec|ls)/.test(word))
      ? undefined
      : [...new Set([...findMatches(call), ...findByName(call)])].map((path) => `${path}\n`),
  ls: (call) =>
    flags(call).includes('d') || operands(call).some((word) => /[\uE001\uE002]/.test(word))
      ? operands(call).map((word) => `${word}\n`)
      : [`${MARK.star}\n`],
};

export const findCallOutputs: FindOutputs = (call) => {
  const texts = findRow(OUTPUTS, call.name)?.(call);
  return texts === undefined || texts.length === 0 ? undefined : texts.slice(0, 8);
};

/** A name nobody has, in the folder that is said or among the temporary files. */
function madeUp({ args }: Call): readonly string[] {
  const folder = args.flatMap((word, at) => (/^-\w*p$/.test(args[at - 1] ?? '') ? [word] : (/^--tmpdir=(.+)$/.exec(word)?.[1] ?? [])))[0];
  const name = args.find((word, at) => !/^-./.test(word) && !/^-\w*p$|^--suffix$/.test(args[at - 1] ?? ''))?.replace(/X{3,}/, MARK.name);
  if (folder !== undefined) return [`${folder.replace(/\/$/, '')}/${name ?? MARK.name}`];
  return [name === undefined || args.some((word) => /^-\w*t/.test(word)) ? `/tmp/${MARK.name}` : name];
}

function passed(call: Call): readonly string[] | undefined {
  const seeks = call.name === 'grep' || call.name === 'rg';
  if (seeks && /[lL]/.test(flags(call))) return namesBelow(operands(call).slice(1));
  const files = seeks ? operands(call).slice(1) : operands(call).filter((word) => !/^\d+$/.test(word));
  if (files.length > 0 || call.fed.length === 0 || (/^(?:head|tail|grep|rg)$/.test(call.name) && flags(call).includes('c')))
    return undefined;
  // Names picked out by what secrets are called are such names.
  if (
    seeks &&
    call.fed.every((text) => /^[\uE000-\uE003/.\s]*$/.test(text)) &&
    /env|\.pem|\.key|id_|secret|credential/i.test(call.args.join(' '))
  )
    return ['.env\n'];
  // Of all the names in a folder, a few; and a line of the environment that is picked out need be no secret.
  const some = /^(?:head|tail|grep|rg)$/.test(call.name) && !flags(call).includes('v');
  return call.fed.map((text) =>
    some ? text.replaceAll(/(?<=^|\n)\uE001(?=\n|$)/g, MARK.name).replaceAll(seeks ? MARK.secret : /$^/g, '') : text,
  );
}
const namesBelow = (roots: readonly string[]): readonly string[] =>
  roots.length === 0 ? [`${MARK.name}\n`] : roots.map((root) => `${root.replace(/\/$/, '')}/${MARK.name}\n`);
const safe = (word: string | undefined, change: (path: string) => string): string =>
  word === undefined || isUnknown(word) ? MARK.unknown : change(word);

const PLACEHOLDER = /%(?:%|[-+ #]*0?\d*(?:\.\d+)?([a-zA-Z]))/g;
/** `printf` with its words filled in, again and again while there are words left. */
function formatPrintf([format = '', ...words]: readonly string[]): string {
  let [text, at] = ['', 0];
  const fill = (): string =>
    decodeAnsiCEscapes(format).replaceAll(PLACEHOLDER, (_whole, kind: unknown) => {
      if (typeof kind !== 'string') return '%';
      const word = words[at++] ?? '';
      return kind === 'b' ? decodeAnsiCEscapes(word) : kind === 'c' ? word.slice(0, 1) : /[oxX]/.test(kind) ? MARK.unknown : word;
    });
  do {
    const before = at;
    text += fill();
    if (at === before) break;
  } while (at < words.length && text.length < LONGEST_VALUE);
  return text;
}
