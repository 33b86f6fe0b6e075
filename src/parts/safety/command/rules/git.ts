import type { CommandRule } from '../call/call.ts';
import { resolveTargetPath } from '../places/paths.ts';
import { MARK } from '../values/marks.ts';
import { ask, listOperands, askAboutVerbs } from './rows.ts';

/** Options of git itself that take the next word. */
const OWN_VALUES = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix']);

/** The verb and what follows it. */
function gitVerb(args: readonly string[]): readonly [verb: string, rest: readonly string[]] {
  let at = 0;
  while (at < args.length && (args[at] ?? '').startsWith('-')) at += OWN_VALUES.has(args[at] ?? '') ? 2 : 1;
  return [args[at] ?? '', args.slice(at + 1)];
}

type LosesWork = (rest: readonly string[], said: string) => boolean;
const has = (rest: readonly string[], letters: RegExp, long: RegExp): boolean => rest.some((word) => letters.test(word) || long.test(word));

/** Verbs that lose commits or changes nobody has saved, with the uses of them that do. */
const LOSES: Readonly<Record<string, LosesWork>> = {
  reset: (rest) => rest.some((word) => shortFor(word, 'hard', 'merge', 'keep')),
  clean: (rest) =>
    (has(rest, /^-[a-zA-Z]*[fxXd]/, /^$/) || rest.some((word) => shortFor(word, 'force'))) && !has(rest, /^-[a-zA-Z]*n/, /^--dry-run/),
  push: (rest) =>
    !has(rest, /^-n$/, /^--dry-run$/) &&
    (has(rest, /^-[a-zA-Z]*[fd]$/, /^--(?:force|delete|mirror|prune)/) ||
      rest.some((word) => shortFor(word, 'force', 'delete', 'mirror', 'prune')) ||
      listOperands(rest)
        .slice(1)
        .some((word) => /^[:+]/.test(word))),
  checkout: (rest) =>
    has(rest, /^-[a-zA-Z]*[fp]$/, /^--(?:force|ours|theirs|merge|orphan|patch)$/) ||
    (rest.includes('--') && !has(rest, /^-[bB]$/, /^$/)) ||
    rest.some((word) => word === '-B') ||
    (!has(rest, /^-[bt]$/, /^--(?:detach|track)/) && listOperands(rest).length > 1) ||
    (!has(rest, /^-[bt]$/, /^--(?:detach|track)/) &&
      listOperands(rest).some((word) => /^(?:\.|\.\/.*|:\/?|[\w./-]+\/?[\uE001].*|\uE001.*)$/.test(word) || isFileName(word))),
  restore: (rest) => !has(rest, /^-S$/, /^--staged$/) || has(rest, /^-[a-zA-Z]*W/, /^--worktree/),
  switch: (rest) => has(rest, /^-[a-zA-Z]*[fC]/, /^--(?:force|discard-changes|force-create|orphan)/),
  branch: (rest) =>
    has(rest, /^-[a-zA-Z]*[DMCf]/, /^--force$/) ||
    (has(rest, /^-[a-zA-Z]*d/, /^--delete/) && has(rest, /^-[a-zA-Z]*[frD]/, /^--(?:force|remotes)/)),
  stash: (rest) => /^(?:drop|clear)$/.test(listOperands(rest)[0] ?? ''),
  tag: (rest) => has(rest, /^-[a-zA-Z]*[df]/, /^--(?:delete|force)/),
  lfs: (rest) => /^(?:prune|migrate)$/.test(listOperands(rest)[0] ?? ''),
  merge: (rest) => has(rest, /^$/, /^--abort$/) || isOneSided(rest),
  pull: (rest) => has(rest, /^-[a-zA-Z]*f/, /^--force$/) || isOneSided(rest) || listOperands(rest).some((word) => word.startsWith('+')),
  fetch: (rest) =>
    listOperands(rest).some(
      (word) => /^\+[^:]*:(?!refs\/remotes)/.test(word) || (/^[^:/]+:[^/]/.test(word) && has(rest, /^-[a-zA-Z]*f/, /^--force$/)),
    ),
  'filter-branch': () => true,
  'filter-repo': () => true,
  'update-ref': (rest) => has(rest, /^-d$/, /^--(?:stdin|delete)/) || listOperands(rest).length > 1,
  reflog: (rest) => /^(?:expire|delete)$/.test(listOperands(rest)[0] ?? ''),
  gc: (rest) => has(rest, /^$/, /^--prune(?:=|$)|^--aggressive$/) && has(rest, /^$/, /^--prune/),
  prune: (rest) => !has(rest, /^-n/, /^--dry-run/),
  worktree: (rest) => listOperands(rest)[0] === 'remove' && has(rest, /^-[a-zA-Z]*f/, /^--force/),
  submodule: (rest) => listOperands(rest)[0] === 'deinit' && has(rest, /^-[a-zA-Z]*f/, /^--(?:force|all)/),
  'read-tree': (rest) => has(rest, /^-u$/, /^--reset/),
  'checkout-index': (rest) => has(rest, /^-[a-zA-Z]*f/, /^--force/),
  rm: (rest) => has(rest, /^-[a-zA-Z]*f/, /^--force/) && !has(rest, /^$/, /^--cached$/) && !has(rest, /^-n/, /^--dry-run/),
  rebase: (rest) => has(rest, /^$/, /^--(?:root|skip|abort|quit)$/) || isOneSided(rest),
  am: (rest) => has(rest, /^$/, /^--(?:skip|abort|quit)$/),
  'cherry-pick': (rest) => has(rest, /^$/, /^--(?:skip|quit|abort)$/) || isOneSided(rest),
  bisect: (rest) => listOperands(rest)[0] === 'reset' && listOperands(rest).length > 1,
  svn: (rest) => /^(?:reset|set-tree|dcommit)$/.test(listOperands(rest)[0] ?? ''),
  init: (rest) => has(rest, /^$/, /^--separate-git-dir/),
  config: (rest) =>
    /core\.(?:bare|worktree|repositoryformatversion)\s+\S/.test(rest.join(' ')) ||
    has(rest, /^$/, /^--(?:remove-section|rename-section)$/) ||
    (has(rest, /^$/, /^--unset(?:-all)?$/) && rest.some((word) => /^(?:remote|branch)\./.test(word))),
  replace: (rest) => has(rest, /^-[df]/, /^--(?:delete|force)/),
  notes: (rest) => /^(?:remove|prune)$/.test(listOperands(rest)[0] ?? ''),
  apply: (rest) => has(rest, /^$/, /^--(?:unsafe-paths)$/),
  'symbolic-ref': (rest) => has(rest, /^-d$/, /^--delete/) || listOperands(rest).length > 1,
  'fast-import': (rest) => has(rest, /^$/, /^--force/),
  repack: (rest) => has(rest, /^-[a-zA-Z]*[ad]/, /^$/) && has(rest, /^$/, /^--(?:unpack-unreachable|cruft-expiration|keep-unreachable)/),
};
/** Git takes a long flag that is cut short. */
function shortFor(word: string, ...flags: readonly string[]): boolean {
  const said = /^--([a-z]{2,})$/.exec(word)?.[1];
  return said !== undefined && flags.some((flag) => flag.startsWith(said));
}
/** One side of a merge is thrown away unseen. */
function isOneSided(rest: readonly string[]): boolean {
  return /(?:-s\s*|--strategy[= ])ours\b|(?:-X\s*|--strategy-option[= ])(?:theirs|ours)\b/.test(rest.join(' '));
}
/** A name with an ending, but no version. */
const isFileName = (word: string): boolean =>
  /^[\w./-]*[A-Za-z_-][\w-]*\.[A-Za-z]{1,5}$/.test(word) && !/^(?:origin|upstream|v?\d|release|feature|hotfix)\b/.test(word);

export const GIT: readonly CommandRule[] = [
  ask('git_loss', 'it discards changes or commits that nothing else keeps', (name, args, _call, place) => {
    if (name !== 'git') return false;
    const [verb, rest] = gitVerb(args);
    // What this very line has begun, and could not end, takes nothing of anybody's along.
    if (rest.includes('--abort') && place.made?.has(`git ${verb}`) === true) return false;
    if (verb === 'checkout' && place.look !== undefined && listOperands(rest).length === 1 && !rest.some((word) => /^-[bBt]/.test(word))) {
      const path = resolveTargetPath(listOperands(rest)[0] ?? '', place);
      if (path !== undefined && place.look(path) !== undefined) return true;
    }
    return Object.hasOwn(LOSES, verb) && LOSES[verb]?.(rest, rest.join(' ')) === true;
  }),
  ask(
    'git_loss',
    'which of its verbs git runs is only known when it runs',
    (name, args) => name === 'git' && gitVerb(args)[0].includes(MARK.unknown),
  ),
  ask('git_loss', 'it puts an older state over files whose changes nobody has saved', (name, args, { from, piped, writes }) => {
    if (name !== 'git') return false;
    const [verb, rest] = gitVerb(args);
    if (/^(?:show|cat-file)$/.test(verb))
      return rest.some((word) => writes.includes(word.slice(word.indexOf(':') + 1)) && word.includes(':'));
    if (verb === 'apply') return piped && from.at(-1) === 'git' && has(rest, /^-R$/, /^--reverse$/);
    return /^(?:checkout|restore)$/.test(verb) && from.includes('xargs') && !has(rest, /^-[bS]$/, /^--staged$/);
  }),
  askAboutVerbs('git_loss', 'it rewrites or removes a repository', {
    bfg: true,
    'git-filter-repo': true,
    gh: /repo\s+(?:delete|archive|rename)|release\s+delete|issue\s+delete|secret\s+delete|variable\s+delete|run\s+delete|cache\s+delete|codespace\s+delete|api\b.*(?:-X|--method)\s*=?\s*DELETE|pr\s+close.*(?:--delete-branch|-d\b)|label\s+delete/i,
    glab: /repo\s+delete|release\s+delete|api.*DELETE/,
    svn: /revert.*(?:-R|--recursive|--depth)|delete.*https?:|rm.*https?:|cleanup.*--remove/,
    hg: /\bstrip\b|update.*(?:-C|--clean)|purge|revert.*(?:-a|--all)|histedit/,
    jj: /abandon|op\s+restore/,
    fossil: /revert/,
    dolt: /reset.*--hard/,
    repo: /forall.*reset/,
  }),
];
