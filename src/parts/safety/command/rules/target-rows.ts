import type { Call } from '../call/call.ts';
import { hasFlag, listOperands, listFlagValues } from './rows.ts';

export type FindTargets = (call: Pick<Call, 'args'>) => readonly string[];
const last: FindTargets = ({ args }) => {
  const into = listFlagValues(args, /^(?:-t|--target-directory)$/);
  return (into.length > 0 ? into : listOperands(args).length > 1 ? listOperands(args).slice(-1) : []).map(within);
};
/** A folder is written into. */
const within = (word: string): string => (word.endsWith('/') ? `${word}x` : word);
const all: FindTargets = ({ args }) => listOperands(args);
function inPlace({ args }: Pick<Call, 'args'>): readonly string[] {
  return args.some((word) => /^-[a-zA-Z]*[kclt]|^--(?:keep|stdout|list|test)/.test(word)) ? [] : listOperands(args);
}
function scripted({ args }: Pick<Call, 'args'>): readonly string[] {
  return args.some((word) => /^-(?:c|es?|s)$|^--cmd$/.test(word)) ? listOperands(args).slice(-1) : [];
}
const isRemote = (word: string): boolean => /^[^/]+:/.test(word);
export const findOutputTargets: FindTargets = ({ args }) =>
  listFlagValues(args, /^(?:-[a-zA-Z]*o|--output|--out|-out|--output-file|--outfile|--log-file)$/);

/** Where an archive is unpacked: where it is told to, or where the program stands. */
const unpacked = (args: readonly string[], flag: RegExp): string[] => {
  const folders = listFlagValues(args, flag);
  return (folders.length > 0 ? folders : ['.']).map((folder) => `${folder}/x`);
};
/** `python -m zipfile -e a.zip folder`. */
function unpackedByModule({ args }: Pick<Call, 'args'>): readonly string[] {
  return args[0] === '-m' && /^(?:zipfile|tarfile)$/.test(args[1] ?? '') && args.some((word) => /^(?:-e|--extract)$/.test(word))
    ? [`${listOperands(args.slice(2))[1] ?? '.'}/x`]
    : [];
}
/** The last of several: what a converter writes. */
const converted: FindTargets = ({ args }) => (listOperands(args).length > 1 ? listOperands(args).slice(-1) : []);
/** A copy out of the cloud, towards this machine. */
const fromCloud: FindTargets = ({ args }) =>
  args.some((word) => /^(?:cp|mv|sync|copy|copyto|move|mirror|get)$/.test(word))
    ? listOperands(args)
        .slice(-1)
        .filter((word) => /^[~/.]/.test(word))
        .map((word) => `${word.replace(/\/$/, '')}/x`)
    : [];
/** The file that is named, or whatever the patch names below the folder it is put on. */
function patched({ args }: Pick<Call, 'args'>): readonly string[] {
  const named = listOperands(args.filter((_, index) => !/^-[idpoDFrYBzV]$/.test(args[index - 1] ?? ''))).slice(0, 1);
  const folder = listFlagValues(args, /^(?:-d|--directory)$/)[0] ?? '.';
  return [...listFlagValues(args, /^(?:-o|--output)$/), ...(named.length > 0 ? named : [`${folder}/x`])];
}
/** `cp` of a container tool, towards this machine. */
const copiedOut: FindTargets = ({ args }) =>
  args.includes('cp')
    ? listOperands(args)
        .slice(-1)
        .filter((word) => !isRemote(word))
    : [];

/** Files a program replaces or changes, besides those its output is sent to. */
export const TARGETS: Readonly<Record<string, FindTargets>> = {
  tee: all,
  sponge: all,
  cp: last,
  mv: last,
  install: last,
  ln: ({ args }) => (listOperands(args).length > 1 ? listOperands(args).slice(-1) : []),
  rsync: ({ args }) =>
    hasFlag(args, 'n', '--dry-run')
      ? []
      : listOperands(args)
          .slice(-1)
          .filter((word) => !isRemote(word)),
  scp: ({ args }) =>
    listOperands(args)
      .slice(-1)
      .filter((word) => !isRemote(word)),
  dd: ({ args }) => args.flatMap((word) => (word.startsWith('of=') ? word.slice(3) : [])),
  sed: ({ args }) =>
    hasFlag(args, 'i', '--in-place') ? listOperands(args).slice(args.some((word) => /^-e|^--expr/.test(word)) ? 0 : 1) : [],
  perl: ({ args }) => (args.some((word) => /^-[a-z]*i/.test(word)) ? listOperands(args).slice(1) : []),
  ruby: ({ args }) => (args.some((word) => /^-[a-z]*i/.test(word)) ? listOperands(args).slice(1) : []),
  truncate: ({ args }) => listOperands(args).filter((word) => !/^[+-]?\d+[KMGT]?B?$/i.test(word)),
  tar: ({ args }) =>
    /^-?[a-zA-Z]*x|--extract/.test(args.join(' ')) || args.some((word) => /^-?[a-zA-Z]*x[a-zA-Z]*$/.test(word))
      ? [
          ...unpacked(args, /^(?:-C|--directory)$/),
          ...(args.some((word) => /^-?[a-zA-Z]*x[a-zA-Z]*P|^-?[a-zA-Z]*P[a-zA-Z]*x|^-P$|^--absolute-names$/.test(word)) ? ['/x'] : []),
        ]
      : listFlagValues(args, /^-?[a-z]*f$|^--file$/),
  unzip: ({ args }) => (args.some((word) => /^-[a-zA-Z]*[lptvZ]/.test(word)) ? [] : unpacked(args, /^-d$/)),
  csplit: ({ args }) => listFlagValues(args, /^(?:-f|--prefix)$/),
  script: ({ args }) =>
    listOperands(args)
      .filter((word) => !/\s/.test(word))
      .slice(-1),
  logsave: ({ args }) => listOperands(args).slice(0, 1),
  xxd: ({ args }) => listOperands(args).slice(1, 2),
  objcopy: ({ args }) => listOperands(args).slice(-1),
  strip: all,
  ffmpeg: converted,
  convert: converted,
  magick: converted,
  sox: converted,
  'qemu-img': converted,
  ntfsclone: ({ args }) => listFlagValues(args, /^(?:-O|--overwrite|-o|--output)$/),
  crudini: ({ args }) => (args.some((word) => /^--(?:set|del|merge)$/.test(word)) ? listOperands(args).slice(0, 1) : []),
  touch: ({ args }) => (args.some((word) => /^-[a-z]*[dtr]$|^--(?:date|reference)/.test(word)) ? listOperands(args) : []),
  docker: copiedOut,
  podman: copiedOut,
  kubectl: copiedOut,
  emacs: ({ args }) => (args.some((word) => /save-buffer|write-file|write-region/.test(word)) ? listOperands(args) : []),
  git: ({ args }) =>
    args.includes('apply') || args.includes('am')
      ? listFlagValues(args, /^(?:--directory|-C|--work-tree)$/).map((folder) => `${folder}/x`)
      : args.includes('archive') || args.includes('format-patch') || args.includes('bundle')
        ? listFlagValues(args, /^(?:-o|--output|--output-directory)$/)
        : [],
  stow: ({ args }) => listFlagValues(args, /^(?:-t|--target)$/).map((folder) => `${folder}/.profile`),
  zip: ({ args }) => listOperands(args).slice(0, 1),
  '7z': ({ args }) => args.flatMap((word) => (/^-o./.test(word) ? `${word.slice(2)}/x` : [])),
  curl: ({ args }) => listFlagValues(args, /^(?:-[a-zA-Z]*o|--output|-D|--dump-header|-c|--cookie-jar|--output-dir)$/),
  wget: ({ args }) => [
    ...listFlagValues(args, /^(?:-[a-zA-Z]*O|--output-document|-o|--output-file)$/),
    ...listFlagValues(args, /^(?:-P|--directory-prefix)$/).map((folder) => `${folder}/x`),
  ],
  python: unpackedByModule,
  python3: unpackedByModule,
  patch: patched,
  split: ({ args }) => listOperands(args).slice(1),
  sort: findOutputTargets,
  gcc: findOutputTargets,
  cc: findOutputTargets,
  openssl: ({ args }) => listFlagValues(args, /^-out$/),
  'ssh-keygen': ({ args }) => (args.includes('-f') && !args.some((word) => /^-[lyBeFHRQ]/.test(word)) ? listFlagValues(args, /^-f$/) : []),
  ex: all,
  ed: all,
  sqlite3: ({ args }) =>
    args.flatMap(
      (word) =>
        /^\s*\.(?:save|backup|output|once|clone|dump\s*>|log|excel)\s+(\S+)/.exec(word)?.[1] ??
        /\bvacuum\b[^;]*\binto\s+['"]([^'"]+)/i.exec(word)?.[1] ??
        /\bwritefile\s*\(\s*['"]([^'"]+)/i.exec(word)?.[1] ??
        [],
    ),
  fallocate: all,
  gawk: ({ args }) => (args.includes('inplace') ? listOperands(args).slice(2) : []),
  awk: ({ args }) => (args.includes('inplace') ? listOperands(args).slice(2) : []),
  gzip: inPlace,
  bzip2: inPlace,
  xz: inPlace,
  zstd: ({ args }) => (args.includes('--rm') ? listOperands(args) : findOutputTargets({ args })),
  rename: ({ args }) => listOperands(args).slice(1),
  mogrify: all,
  dos2unix: all,
  unix2dos: all,
  exiftool: ({ args }) => (args.some((word) => /^-(?:overwrite|all=|[A-Z]\w*=)/.test(word)) ? listOperands(args) : []),
  vim: scripted,
  vi: scripted,
  nvim: scripted,
  // Both take names as they stand in the archive, those from the root as well.
  cpio: ({ args }) => (hasFlag(args, 'i', '--extract') && !hasFlag(args, 't', '--list') ? ['/x'] : []),
  pax: ({ args }) => (hasFlag(args, 'r') ? ['/x'] : []),
  aws: fromCloud,
  gsutil: fromCloud,
  rclone: fromCloud,
  mc: fromCloud,
  psql: ({ args }) => [
    ...listFlagValues(args, /^(?:-o|--output|-L|--log-file)$/),
    ...args.flatMap((word) => /(?:\\o|\\w|\\s|\bto)\s+'?([~/][^\s';]+)/i.exec(word)?.[1] ?? []),
  ],
  yq: ({ args }) => (hasFlag(args, 'i', '--inplace', '--in-place') ? listOperands(args).slice(1) : []),
  gofmt: ({ args }) => (hasFlag(args, 'w') ? listOperands(args) : []),
  shfmt: ({ args }) => (hasFlag(args, 'w', '--write') ? listOperands(args) : []),
  black: all,
  isort: all,
  autopep8: ({ args }) => (hasFlag(args, 'i', '--in-place') ? listOperands(args) : []),
  gunzip: inPlace,
  bunzip2: inPlace,
  unxz: inPlace,
  lzma: inPlace,
  compress: inPlace,
  uncompress: inPlace,
  optipng: all,
  jpegoptim: all,
  bsdtar: ({ args }) => listFlagValues(args, /^-C$/).map((folder) => `${folder}/x`),
  unrar: last,
  uniq: ({ args }) => listOperands(args).slice(1, 2),
  ddrescue: ({ args }) => listOperands(args).slice(1, 2),
  dcfldd: ({ args }) => args.flatMap((word) => (word.startsWith('of=') ? word.slice(3) : [])),
  shred: all,
  gpg: findOutputTargets,
};
