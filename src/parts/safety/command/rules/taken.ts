import { resolveTargetPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import { holdsSecrets } from '../places/sensitive.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { ask, hasFlag, listOperands, listFlagValues } from './rows.ts';

type FindSources = (args: readonly string[], call: Call) => readonly string[];
const butLast: FindSources = (args) =>
  listFlagValues(args, /^(?:-t|--target-directory)$/).length > 0 ? listOperands(args) : listOperands(args).slice(0, -1);
const all: FindSources = (args) => listOperands(args);
const searched: FindSources = (args, { name }) =>
  !name.endsWith('grep') || hasFlag(args, 'rR', '--recursive', '--dereference-recursive') ? listOperands(args).slice(1) : [];
/** What is packed; below the folder it goes to first, when there is one. */
const packed: FindSources = (args) => {
  if (
    args.some(
      (word, index) =>
        /^--(?:extract|list|get)$/.test(word) || (/^-?[a-zA-Z]*[xt][a-zA-Z]*$/.test(word) && (index === 0 || word.startsWith('-'))),
    )
  )
    return [];
  const folders = listFlagValues(args, /^(?:-C|--directory)$/);
  return [...listOperands(args), ...folders.flatMap((folder) => listOperands(args).map((word) => `${folder}/${word}`))];
};
const mounted: FindSources = (args) => [
  ...(args.some((word) => /^(?:build|buildx)$/.test(word)) ? listOperands(args).slice(-1) : []),
  ...listFlagValues(args, /^(?:-v|--volume|--mount)$/).map((word) => /(?:source|src)=([^,]+)/.exec(word)?.[1] ?? word.split(':')[0] ?? ''),
];
/** What is entered into a repository. */
const entered: FindSources = (args) => {
  const at = args.findIndex((word) => /^(?:add|stage)$/.test(word));
  const folder = listFlagValues(args.slice(0, Math.max(at, 0)), /^-C$/).at(-1) ?? '.';
  return at < 0 ? [] : listOperands(args.slice(at + 1)).map((word) => (/^[~/]/.test(word) ? word : `${folder}/${word}`));
};

/** Programs that take a folder with all that is in it, and which of their words name it. */
const TAKERS: Readonly<Record<string, FindSources>> = {
  cp: (args, call) => (hasFlag(args, 'rRa', '--recursive', '--archive') ? butLast(args, call) : []),
  rsync: butLast,
  scp: butLast,
  rclone: all,
  tar: packed,
  bsdtar: packed,
  zip: all,
  '7z': all,
  cpio: all,
  restic: all,
  borg: all,
  grep: searched,
  egrep: searched,
  fgrep: searched,
  rg: searched,
  ag: searched,
  ack: searched,
  git: entered,
  docker: mounted,
  podman: mounted,
  nerdctl: mounted,
};

const holds = (word: string, place: ShellContext): boolean => {
  const path = /^[^/~.]+:/.test(word) ? undefined : resolveTargetPath(word, place);
  return path !== undefined && path !== place.base && holdsSecrets(path, place);
};

/** Whoever takes a folder takes the keys in it. */
export const TAKEN: readonly CommandRule[] = [
  ask('secret_read', 'it takes a whole folder that holds secrets', (name, args, call, place) => {
    const sources = Object.hasOwn(TAKERS, name) ? TAKERS[name] : undefined;
    return sources?.(args, call).some((word) => holds(word, place)) === true;
  }),
];
