import type { Call } from '../call/call.ts';
import { findRow, toRows } from '../../../../base/word-tables.ts';
import { hasFlag, listOperands, listFlagValues } from './rows.ts';

type FindTargets = (call: Pick<Call, 'args'>) => readonly string[];
const all: FindTargets = ({ args }) => listOperands(args);
const isRemote = (word: string): boolean => /^[^/]+:/.test(word);
/** A folder is written into. */
const inside = (word: string): string => (word.endsWith('/') ? `${word}x` : word);
/** The last of several, or the folder that a flag names. */
const last: FindTargets = ({ args }) => {
  const into = listFlagValues(args, /^(?:-t|--target-directory)$/);
  return (into.length > 0 ? into : listOperands(args).length > 1 ? listOperands(args).slice(-1) : [])
    .filter((word) => !isRemote(word))
    .map(inside);
};
/** Where an archive is unpacked: where it is told to, or where the program stands. */
const unpacked = (args: readonly string[], flag: RegExp): string[] => {
  const folders = listFlagValues(args, flag);
  return (folders.length > 0 ? folders : ['.']).map((folder) => `${folder}/x`);
};
const inPlace: FindTargets = ({ args }) =>
  args.some((word) => /^-[a-zA-Z]*[kclt]|^--(?:keep|stdout|list|test)/.test(word)) ? [] : listOperands(args);
const output: FindTargets = ({ args }) =>
  listFlagValues(args, /^(?:-[a-zA-Z]*o|--output|--out|-out|--output-file|--outfile|--log-file|--dump-header|--output-document)$/);
const dumped: FindTargets = ({ args }) => args.flatMap((word) => (word.startsWith('of=') ? word.slice(3) : []));

/** Files that programs which edit replace or change, besides those their output is sent to. All others are asked about anyway. */
const TARGETS: Readonly<Record<string, FindTargets>> = {
  ...toRows('tee sponge touch mkdir mkfifo strip shred fallocate dos2unix unix2dos', all),
  ...toRows('cp mv install ln scp', last),
  ...toRows('gzip gunzip bzip2 bunzip2 xz unxz', inPlace),
  ...toRows('dd dcfldd', dumped),
  ...toRows('split rename', ({ args }) => listOperands(args).slice(1)),
  ...toRows('uniq xxd', ({ args }) => listOperands(args).slice(1, 2)),
  rsync: (call) => (hasFlag(call.args, 'n', '--dry-run') ? [] : last(call)),
  sed: ({ args }) =>
    hasFlag(args, 'i', '--in-place') ? listOperands(args).slice(args.some((word) => /^-e|^--expr/.test(word)) ? 0 : 1) : [],
  perl: ({ args }) => (args.some((word) => /^-[a-z]*i/.test(word)) ? listOperands(args).slice(1) : []),
  truncate: ({ args }) => listOperands(args).filter((word) => !/^[+-]?\d+[KMGT]?B?$/i.test(word)),
  tar: ({ args }) =>
    args.some((word, at) => (at === 0 || word.startsWith('-')) && /^-?[a-zA-Z]*x[a-zA-Z]*$|^--(?:extract|get)$/.test(word))
      ? unpacked(args, /^(?:-C|--directory)$/)
      : args.some((word, at) => (at === 0 || word.startsWith('-')) && /^-?[a-zA-Z]*[cru][a-zA-Z]*$|^--(?:create|append|update)$/.test(word))
        ? listFlagValues(args, /^-?[a-zA-Z]*f$|^--file$/).filter((word) => word !== '-')
        : [],
  unzip: ({ args }) => (args.some((word) => /^-[a-zA-Z]*[lptvZ]/.test(word)) ? [] : unpacked(args, /^-d$/)),
  zip: ({ args }) => listOperands(args).slice(0, 1),
  '7z': ({ args }) => args.flatMap((word) => (/^-o./.test(word) ? `${word.slice(2)}/x` : [])),
  patch: ({ args }) => [
    ...listFlagValues(args, /^(?:-o|--output)$/),
    ...listOperands(args).slice(0, 1),
    ...unpacked(args, /^(?:-d|--directory)$/),
  ],
  find: ({ args }) => listFlagValues(args, /^-f(?:print0?|printf|ls)$/),
  csplit: ({ args }) => listFlagValues(args, /^(?:-f|--prefix)$/),
  zstd: ({ args }) => (args.includes('--rm') ? listOperands(args) : output({ args })),
  yq: ({ args }) => (hasFlag(args, 'i', '--inplace', '--in-place') ? listOperands(args).slice(1) : []),
  curl: ({ args }) => listFlagValues(args, /^(?:-[a-zA-Z]*o|--output|-D|--dump-header|-c|--cookie-jar|--output-dir)$/),
  git: ({ args }) =>
    args.some((word) => /^(?:archive|format-patch|bundle)$/.test(word)) ? listFlagValues(args, /^(?:-o|--output|--output-directory)$/) : [],
};
/** Programs without a row: an output named as such. */
const usual: FindTargets = ({ args }) => output({ args }).filter((word) => /^[~/.]/.test(word));

/** Everything a call writes to: by redirection and by its own means. */
export const findWriteTargets = (call: Call): readonly string[] => [...call.writes, ...(findRow(TARGETS, call.name) ?? usual)(call)];
/** Verbs of git that put files into the folder it stands in. */
const PUTS = /^(?:apply|am|pull|merge|rebase|checkout|switch|restore|cherry-pick|revert|reset|init|mv|submodule|read-tree)$/;
/** Folders a call makes and fills: nothing is lost by that, but what lies there may run later. */
export const findFilledFolders = ({ name, args }: Call): readonly string[] => {
  if (name !== 'git') return [];
  if (args.some((word) => PUTS.test(word))) return [`${listFlagValues(args, /^(?:-C|--work-tree|--directory)$/).at(-1) ?? '.'}/x`];
  const at = args.findIndex((word) => word === 'clone' || word === 'worktree');
  const named = at < 0 ? [] : listOperands(args.slice(at + 1));
  return named.length < 2 ? [] : [`${named[1] === 'add' ? '.' : args[at] === 'worktree' ? named[1] : named.at(-1)}/x`];
};
