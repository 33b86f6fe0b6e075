import type { Call } from '../call/call.ts';
import { hasFlag, operandsAfterFlags, valuesOf } from './rows.ts';

export type FindTargets = (call: Pick<Call, 'args'>) => readonly string[];
const last: FindTargets = ({ args }) => {
  const into = valuesOf(args, /^(?:-t|--target-directory)$/);
  return (into.length > 0 ? into : operandsAfterFlags(args).length > 1 ? operandsAfterFlags(args).slice(-1) : []).map(within);
};
/** A folder is written into. */
const within = (word: string): string => (word.endsWith('/') ? `${word}x` : word);
const all: FindTargets = ({ args }) => operandsAfterFlags(args);
function inPlace({ args }: Pick<Call, 'args'>): readonly string[] {
  return args.some((word) => /^-[a-zA-Z]*[kclt]|^--(?:keep|stdout|list|test)/.test(word)) ? [] : operandsAfterFlags(args);
}
function scripted({ args }: Pick<Call, 'args'>): readonly string[] {
  return args.some((word) => /^-(?:c|es?|s)$|^--cmd$/.test(word)) ? operandsAfterFlags(args).slice(-1) : [];
}
const isRemote = (word: string): boolean => /^[^/]+:/.test(word);
export const outputTargets: FindTargets = ({ args }) =>
  valuesOf(args, /^(?:-[a-zA-Z]*o|--output|--out|-out|--output-file|--outfile|--log-file)$/);

/** Where an archive is unpacked: where it is told to, or where the program stands. */
const unpacked = (args: readonly string[], flag: RegExp): string[] => {
  const folders = valuesOf(args, flag);
  return (folders.length > 0 ? folders : ['.']).map((folder) => `${folder}/x`);
};
/** `python -m zipfile -e a.zip folder`. */
function unpackedByModule({ args }: Pick<Call, 'args'>): readonly string[] {
  return args[0] === '-m' && /^(?:zipfile|tarfile)$/.test(args[1] ?? '') && args.some((word) => /^(?:-e|--extract)$/.test(word))
    ? [`${operandsAfterFlags(args.slice(2))[1] ?? '.'}/x`]
    : [];
}
/** The last of several: what a converter writes. */
const converted: FindTargets = ({ args }) => (operandsAfterFlags(args).length > 1 ? operandsAfterFlags(args).slice(-1) : []);
/** A copy out of the cloud, towards this machine. */
const fromCloud: FindTargets = ({ args }) =>
  args.some((word) => /^(?:cp|mv|sync|copy|copyto|move|mirror|get)$/.test(word))
    ? operandsAfterFlags(args)
        .slice(-1)
        .filter((word) => /^[~/.]/.test(word))
        .map((word) => `${word.replace(/\/$/, '')}/x`)
    : [];
/** The file that is named, or whatever the patch names below the folder it is put on. */
function patched({ args }: Pick<Call, 'args'>): readonly string[] {
  const named = operandsAfterFlags(args.filter((_, index) => !/^-[idpoDFrYBzV]$/.test(args[index - 1] ?? ''))).slice(0, 1);
  const folder = valuesOf(args, /^(?:-d|--directory)$/)[0] ?? '.';
  return [...valuesOf(args, /^(?:-o|--output)$/), ...(named.length > 0 ? named : [`${folder}/x`])];
}
/** `cp` of a container tool, towards this machine. */
const copiedOut: FindTargets = ({ args }) =>
  args.includes('cp')
    ? operandsAfterFlags(args)
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
  ln: ({ args }) => (operandsAfterFlags(args).length > 1 ? operandsAfterFlags(args).slice(-1) : []),
  rsync: ({ args }) =>
    hasFlag(args, 'n', '--dry-run')
      ? []
      : operandsAfterFlags(args)
          .slice(-1)
          .filter((word) => !isRemote(word)),
  scp: ({ args }) =>
    operandsAfterFlags(args)
      .slice(-1)
      .filter((word) => !isRemote(word)),
  dd: ({ args }) => args.flatMap((word) => (word.startsWith('of=') ? word.slice(3) : [])),
  sed: ({ args }) =>
    hasFlag(args, 'i', '--in-place') ? operandsAfterFlags(args).slice(args.some((word) => /^-e|^--expr/.test(word)) ? 0 : 1) : [],
  perl: ({ args }) => (args.some((word) => /^-[a-z]*i/.test(word)) ? operandsAfterFlags(args).slice(1) : []),
  ruby: ({ args }) => (args.some((word) => /^-[a-z]*i/.test(word)) ? operandsAfterFlags(args).slice(1) : []),
  truncate: ({ args }) => operandsAfterFlags(args).filter((word) => !/^[+-]?\d+[KMGT]?B?$/i.test(word)),
  tar: ({ args }) =>
    /^-?[a-zA-Z]*x|--extract/.test(args.join(' ')) || args.some((word) => /^-?[a-zA-Z]*x[a-zA-Z]*$/.test(word))
      ? [
          ...unpacked(args, /^(?:-C|--directory)$/),
          ...(args.some((word) => /^-?[a-zA-Z]*x[a-zA-Z]*P|^-?[a-zA-Z]*P[a-zA-Z]*x|^-P$|^--absolute-names$/.test(word)) ? ['/x'] : []),
        ]
      : valuesOf(args, /^-?[a-z]*f$|^--file$/),
  unzip: ({ args }) => (args.some((word) => /^-[a-zA-Z]*[lptvZ]/.test(word)) ? [] : unpacked(args, /^-d$/)),
  csplit: ({ args }) => valuesOf(args, /^(?:-f|--prefix)$/),
  script: ({ args }) =>
    operandsAfterFlags(args)
      .filter((word) => !/\s/.test(word))
      .slice(-1),
  logsave: ({ args }) => operandsAfterFlags(args).slice(0, 1),
  xxd: ({ args }) => operandsAfterFlags(args).slice(1, 2),
  objcopy: ({ args }) => operandsAfterFlags(args).slice(-1),
  strip: all,
  ffmpeg: converted,
  convert: converted,
  magick: converted,
  sox: converted,
  'qemu-img': converted,
  ntfsclone: ({ args }) => valuesOf(args, /^(?:-O|--overwrite|-o|--output)$/),
  crudini: ({ args }) => (args.some((word) => /^--(?:set|del|merge)$/.test(word)) ? operandsAfterFlags(args).slice(0, 1) : []),
  touch: ({ args }) => (args.some((word) => /^-[a-z]*[dtr]$|^--(?:date|reference)/.test(word)) ? operandsAfterFlags(args) : []),
  docker: copiedOut,
  podman: copiedOut,
  kubectl: copiedOut,
  emacs: ({ args }) => (args.some((word) => /save-buffer|write-file|write-region/.test(word)) ? operandsAfterFlags(args) : []),
  git: ({ args }) =>
    args.includes('apply') || args.includes('am')
      ? valuesOf(args, /^(?:--directory|-C|--work-tree)$/).map((folder) => `${folder}/x`)
      : args.includes('archive') || args.includes('format-patch') || args.includes('bundle')
        ? valuesOf(args, /^(?:-o|--output|--output-directory)$/)
        : [],
  stow: ({ args }) => valuesOf(args, /^(?:-t|--target)$/).map((folder) => `${folder}/.profile`),
  zip: ({ args }) => operandsAfterFlags(args).slice(0, 1),
  '7z': ({ args }) => args.flatMap((word) => (/^-o./.test(word) ? `${word.slice(2)}/x` : [])),
  curl: ({ args }) => valuesOf(args, /^(?:-[a-zA-Z]*o|--output|-D|--dump-header|-c|--cookie-jar|--output-dir)$/),
  wget: ({ args }) => [
    ...valuesOf(args, /^(?:-[a-zA-Z]*O|--output-document|-o|--output-file)$/),
    ...valuesOf(args, /^(?:-P|--directory-prefix)$/).map((folder) => `${folder}/x`),
  ],
  python: unpackedByModule,
  python3: unpackedByModule,
  patch: patched,
  split: ({ args }) => operandsAfterFlags(args).slice(1),
  sort: outputTargets,
  gcc: outputTargets,
  cc: outputTargets,
  openssl: ({ args }) => valuesOf(args, /^-out$/),
  'ssh-keygen': ({ args }) => (args.includes('-f') && !args.some((word) => /^-[lyBeFHRQ]/.test(word)) ? valuesOf(args, /^-f$/) : []),
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
  gawk: ({ args }) => (args.includes('inplace') ? operandsAfterFlags(args).slice(2) : []),
  awk: ({ args }) => (args.includes('inplace') ? operandsAfterFlags(args).slice(2) : []),
  gzip: inPlace,
  bzip2: inPlace,
  xz: inPlace,
  zstd: ({ args }) => (args.includes('--rm') ? operandsAfterFlags(args) : outputTargets({ args })),
  rename: ({ args }) => operandsAfterFlags(args).slice(1),
  mogrify: all,
  dos2unix: all,
  unix2dos: all,
  exiftool: ({ args }) => (args.some((word) => /^-(?:overwrite|all=|[A-Z]\w*=)/.test(word)) ? operandsAfterFlags(args) : []),
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
    ...valuesOf(args, /^(?:-o|--output|-L|--log-file)$/),
    ...args.flatMap((word) => /(?:\\o|\\w|\\s|\bto)\s+'?([~/][^\s';]+)/i.exec(word)?.[1] ?? []),
  ],
  yq: ({ args }) => (hasFlag(args, 'i', '--inplace', '--in-place') ? operandsAfterFlags(args).slice(1) : []),
  gofmt: ({ args }) => (hasFlag(args, 'w') ? operandsAfterFlags(args) : []),
  shfmt: ({ args }) => (hasFlag(args, 'w', '--write') ? operandsAfterFlags(args) : []),
  black: all,
  isort: all,
  autopep8: ({ args }) => (hasFlag(args, 'i', '--in-place') ? operandsAfterFlags(args) : []),
  gunzip: inPlace,
  bunzip2: inPlace,
  unxz: inPlace,
  lzma: inPlace,
  compress: inPlace,
  uncompress: inPlace,
  optipng: all,
  jpegoptim: all,
  bsdtar: ({ args }) => valuesOf(args, /^-C$/).map((folder) => `${folder}/x`),
  unrar: last,
  uniq: ({ args }) => operandsAfterFlags(args).slice(1, 2),
  ddrescue: ({ args }) => operandsAfterFlags(args).slice(1, 2),
  dcfldd: ({ args }) => args.flatMap((word) => (word.startsWith('of=') ? word.slice(3) : [])),
  shred: all,
  gpg: outputTargets,
};
