import type { Call } from '../call/call.ts';
import { SED } from './reading.ts';
import { gitVerb } from './git.ts';
import { findRow, toWordSet } from '../../../../base/word-tables.ts';

/** Programs that change files and do nothing else: where those lie is judged by the rules for places. */
const EDITORS = toWordSet(`
  mkdir touch cp mv ln tee tar install truncate rm rmdir unlink chmod unzip zip gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd 7z patch split csplit
  rename dd sponge dos2unix unix2dos sort uniq xxd yq shuf rsync mkfifo iconv pandoc fallocate strip hermes
`);
/** Words by which one of those runs a program or reaches further. */
const REACHES: Readonly<Record<string, RegExp>> = {
  tar: /^--(?:to-command|checkpoint|info-script|new-volume-script|rsh-command|use-compress-program|absolute|remove-files)|^-I|^-[a-zA-Z]*[FP]|^-?[a-zA-Z]*P[a-zA-Z]*$/,
  zip: /^-(?:TT|-unzip-command|-move)|^-[a-zA-Z]*m/,
  rsync: /^-[a-zA-Z]*e$|^--(?:rsh|rsync-path|delete|del$|remove-source|daemon|password)|^[^/]+:|::/,
  patch: /^--(?:get|posix)|^-[a-zA-Z]*[eg]/,
  sort: /^--compress-program/,
  install: /^-[a-zA-Z]*[go]|^--(?:owner|group|strip-program)|^[2-7][0-7]{3}$/,
  mkdir: /^[0-7]*[0-7][0-7][2367]$/,
  '7z': /^-sdel/,
  pandoc: /^--(?:filter|lua-filter|extract|data-dir|defaults|pdf-engine-opt)|^-[dFL]/,
  split: /^--filter/,
};

/** Verbs of git that work on the repository here. What they lose is judged by the rules for git. */
const GIT_EDITS = toWordSet(`
  add commit checkout switch restore reset branch tag merge rebase cherry-pick revert stash mv rm init apply am worktree submodule notes
  bisect fetch pull push clone remote config clean gc maintenance archive format-patch bundle sparse-checkout lfs rerere update-index
  read-tree write-tree commit-tree update-ref symbolic-ref hash-object reflog mktag mktree pack-refs repack prune subtree cherry
`);

/** Whether a call only edits files, by a program that is known for it. */
export function isEditing({ name, args, path }: Call): boolean {
  if (path.includes('/') && !/^\/(?:usr\/)?(?:local\/)?s?bin\//.test(path)) return false;
  if (name === 'git') return GIT_EDITS.has(gitVerb(args)[0]);
  if (/^g?sed$/.test(name)) return !args.some((word) => SED.test(word.replace(/^-[a-zA-Z]*i.*$|^--in-place.*$/, '')));
  const reaches = findRow(REACHES, name);
  return EDITORS.has(name) && !args.some((word) => reaches?.test(word));
}
