import { findRow } from '../../../../base/word-tables.ts';
import { dirname, resolve } from 'node:path';
import { isHarmlessSetting, type GitConfigScope } from '../../../../base/harmless-git-settings.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { resolveTargetPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import { hasMarks, MARK } from '../values/marks.ts';
import { ask, listFlagValues, listOperands, says } from './rows.ts';

/** Options of git itself that take the next word. */
const OWN_VALUES = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix']);

/** The verb and what follows it. */
export function gitVerb(args: readonly string[]): readonly [verb: string, rest: readonly string[]] {
  let at = 0;
  while (at < args.length && (args[at] ?? '').startsWith('-')) at += OWN_VALUES.has(args[at] ?? '') ? 2 : 1;
  return [args[at] ?? '', args.slice(at + 1)];
}

type Losing = RegExp | ((rest: readonly string[], said: string) => boolean);
const has = (rest: readonly string[], flag: RegExp): boolean => rest.some((word) => flag.test(word));
/** Git takes a long flag that is cut short: `--ha` is `--hard`. */
const HARD = /^--(?:ha|har|hard|me|mer|merg|merge|ke|kee|keep)$/;
const CLEANS = /^-[a-zA-Z]*[fxXd]|^--(?:fo|for|forc|force)$/;
const TRIES = /^-[a-zA-Z]*n|^--dry-run$/;
/** One side of a merge is thrown away unseen. */
const ONE_SIDED = String.raw`(?:-s\s*|--strategy[= ])ours\b|(?:-X\s*|--strategy-option[= ])(?:theirs|ours)\b`;

/** Verbs that lose commits, branches, what is stashed, or what others have: no checkpoint brings those back. Patterns are for all that is said behind the verb. */
const LOSES_HISTORY: Readonly<Record<string, Losing>> = {
  reset: (rest) => has(rest, HARD) && listOperands(rest).some((word) => !/^(?:HEAD|@)$/.test(word)),
  // What git leaves out, checkpoints mostly leave out too.
  clean: (rest) => has(rest, CLEANS) && has(rest, /^-[a-zA-Z]*[xX]/) && !has(rest, TRIES),
  push: (rest) =>
    !has(rest, TRIES) &&
    (has(rest, /^-[a-zA-Z]*[fd]$|^--(?:for|del|mir|prun)/) ||
      listOperands(rest)
        .slice(1)
        .some((word) => /^[:+]/.test(word))),
  checkout: /(?:^|\s)(?:-B|--orphan)(?:\s|$)/,
  switch: /(?:^|\s)(?:-[a-zA-Z]*C|--force-create|--orphan)/,
  branch: /(?:^|\s)(?:-[a-zA-Z]*[DMCf]|--force)(?:\s|$)|(?:-d|--delete)\b.*(?:\s-r|--remotes)|\s-[a-z]*r[a-z]*d/,
  stash: /^(?:-\S+\s+)*(?:drop|clear)\b/,
  tag: /(?:^|\s)(?:-[a-zA-Z]*[df]|--delete|--force)(?:\s|$)/,
  lfs: /^(?:prune|migrate)\b/,
  pull: new RegExp(`(?:^|\\s)(?:-[a-zA-Z]*f|--force)(?:\\s|$)|\\s\\+\\S|${ONE_SIDED}`),
  fetch: /(?:^|\s)\+[^:\s]*:(?!refs\/remotes)|(?:-[a-zA-Z]*f|--force)\s.*\s[^:/\s]+:[^/]/,
  'filter-branch': /^/,
  'filter-repo': /^/,
  'update-ref': (rest) => has(rest, /^(?:-d|--stdin|--delete)/) || listOperands(rest).length > 1,
  reflog: /^(?:expire|delete)\b/,
  gc: /--prune/,
  prune: (rest) => !has(rest, TRIES),
  rebase: new RegExp(`--(?:root|skip|abort|quit)(?:\\s|$)|${ONE_SIDED}`),
  merge: new RegExp(ONE_SIDED),
  am: /--(?:skip|abort|quit)(?:\s|$)/,
  'cherry-pick': new RegExp(`--(?:skip|quit|abort)(?:\\s|$)|${ONE_SIDED}`),
  init: /--separate-git-dir/,
  config: /core\.(?:bare|worktree|repositoryformatversion)\s+\S|--(?:remove|rename)-section|--unset\S*\s+(?:remote|branch)\./,
  replace: /(?:^|\s)(?:-[df]|--delete|--force)/,
  notes: /^(?:remove|prune)\b/,
  'symbolic-ref': (rest) => has(rest, /^(?:-d|--delete)/) || listOperands(rest).length > 1,
  'fast-import': /--force/,
  repack: /--(?:unpack-unreachable|cruft-expiration)/,
  remote: /^(?:remove|rm|set-url|rename|prune)\b/,
  svn: /^(?:reset|set-tree|dcommit)\b/,
};

/** Verbs that lose changes nobody has committed: files, which a checkpoint keeps where there is one. */
const LOSES_FILES: Readonly<Record<string, Losing>> = {
  reset: (rest) => has(rest, HARD),
  clean: (rest) => has(rest, CLEANS) && !has(rest, TRIES),
  checkout: (rest) =>
    has(rest, /^-[a-zA-Z]*[fp]$|^--(?:force|ours|theirs|merge|patch)$/) ||
    (rest.includes('--') && !has(rest, /^-[bB]$/)) ||
    (!has(rest, /^-[bt]$|^--(?:detach|track)/) &&
      (listOperands(rest).length > 1 ||
        listOperands(rest).some((word) => /^(?:\.|\.\/.*|:\/?|[\w./-]+\/?[\uE001].*|\uE001.*)$/.test(word) || isFileName(word)))),
  restore: (rest) => !has(rest, /^(?:-S|--staged)$/) || has(rest, /^-[a-zA-Z]*W|^--worktree/),
  switch: /(?:^|\s)(?:-[a-zA-Z]*f|--force|--discard-changes)/,
  merge: /--abort/,
  worktree: /^remove\b.*(?:\s-[a-zA-Z]*f|--force)/,
  submodule: /^deinit\b.*(?:\s-[a-zA-Z]*f|--force|--all)/,
  'read-tree': /(?:^|\s)-u|--reset/,
  'checkout-index': /(?:^|\s)-[a-zA-Z]*f|--force/,
  rm: (rest) => has(rest, /^-[a-zA-Z]*f|^--force/) && !has(rest, /^--cached$/) && !has(rest, TRIES),
  bisect: /^reset\s+\S/,
  apply: /--unsafe-paths/,
};
/** A name with an ending, but no version. */
const isFileName = (word: string): boolean =>
  /^[\w./-]*[A-Za-z_-][\w-]*\.[A-Za-z]{1,5}$/.test(word) && !/^(?:origin|upstream|v?\d|release|feature|hotfix)\b/.test(word);

const loses = (table: Readonly<Record<string, Losing>>, args: readonly string[]): boolean => {
  const [verb, rest] = gitVerb(args);
  const losing = findRow(table, verb);
  return losing instanceof RegExp ? losing.test(rest.join(' ')) : losing?.(rest, rest.join(' ')) === true;
};

/** What this very line has begun, and could not end, takes nothing of anybody's along. */
const endsOwn = (args: readonly string[], { made }: ShellContext): boolean => {
  const [verb, rest] = gitVerb(args);
  return rest.includes('--abort') && (made?.has(`git ${verb}`) === true || (verb === 'rebase' && made?.has('git pull') === true));
};

/** `git checkout NAME`, where that is a file. */
function discardsByName(args: readonly string[], place: ShellContext): boolean {
  const [verb, rest] = gitVerb(args);
  if (verb !== 'checkout' || listOperands(rest).length !== 1 || rest.some((word) => /^-[bBt]/.test(word))) return false;
  const path = resolveTargetPath(listOperands(rest)[0] ?? '', place);
  return path !== undefined && place.look?.(path) !== undefined;
}
/** Whether a checkpoint keeps all a call may discard: the files it names, or else everything of its repository. It looks through folders: ask it last. */
function isKept({ args }: Call, place: ShellContext): boolean {
  const { keeps, look, cwd } = place;
  if (keeps === undefined || look === undefined || cwd === undefined || place.remote !== undefined) return false;
  const [verb, rest] = gitVerb(args);
  const named = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : verb === 'restore' || verb === 'rm' ? listOperands(rest) : [];
  const isPlain = named.length > 0 && !named.some((word) => hasMarks(word) || /[*?[\]:]/.test(word)) && args[0] === verb;
  if (isPlain) return named.every((word) => keeps(resolve(cwd, word)));
  let root = listFlagValues(args.slice(0, args.indexOf(verb)), /^(?:-C|--git-dir|--work-tree)$/).length > 0 ? '/' : cwd;
  while (root !== '/' && look(`${root}/.git`) === undefined) root = dirname(root);
  return root !== '/' && keeps(root);
}

/** An older state put over files by another way than a checkout of them. */
function overwrites({ args, from, piped, writes }: Call): boolean {
  const [verb, rest] = gitVerb(args);
  if (/^(?:show|cat-file)$/.test(verb))
    return rest.some((word) => word.includes(':') && writes.includes(word.slice(word.indexOf(':') + 1)));
  if (verb === 'apply') return piped && from.at(-1) === 'git' && has(rest, /^(?:-R|--reverse)$/);
  return /^(?:checkout|restore)$/.test(verb) && from.includes('xargs') && !has(rest, /^(?:-[bS]|--staged)$/);
}

/** The same by other names. */
const rewrites = says(
  'bfg|git-filter-repo|svn .*(?:revert.*(?:-R|--recursive|--depth)|(?:delete|rm) .*https?|cleanup.*--remove).*',
  'hg .*(?:strip|update.*(?:-C|--clean)|purge|revert.*(?:-a|--all)|histedit)|jj .*(?:abandon|op\\s+restore)',
);

/** What git loses, or puts where others see it. */
export const GIT: readonly CommandRule[] = [
  ask(
    'git_history',
    'it discards commits, branches or stashes, here or on the remote',
    ({ name, args }, place) => name === 'git' && loses(LOSES_HISTORY, args) && !endsOwn(args, place),
  ),
  ask('git_loss', 'it discards uncommitted changes', (call, place) => {
    const { name, args } = call;
    if (name !== 'git' || endsOwn(args, place) || loses(LOSES_HISTORY, args)) return false;
    return (loses(LOSES_FILES, args) || discardsByName(args, place)) && !isKept(call, place);
  }),
  ask(
    'git_history',
    'which git command it runs is only known at run time',
    ({ name, args }) => name === 'git' && gitVerb(args)[0].includes(MARK.unknown),
  ),
  ask(
    'git_loss',
    'it overwrites uncommitted changes with an older version',
    (call, place) => call.name === 'git' && overwrites(call) && !isKept(call, place),
  ),
  ask('git_history', 'it rewrites the history of a repository, or removes it', rewrites),
];

/** Whether a setting, as `key=value`, runs nothing and leads nowhere: what the guard of the repository lets be, a pager that only shows, a short name of a verb. */
function isHarmlessPair(pair: string): boolean {
  const [key = '', value = ''] = pair.split(/=(.*)/s);
  const [section = '', ...rest] = key.toLowerCase().split('.');
  if (section === 'alias') return !value.startsWith('!');
  const name = rest.pop() ?? '';
  const entry = { section, name, value, subsection: rest.length > 0 ? rest.join('.') : undefined };
  return SHOWS.test(value) || (!/(?:url|gpgsign)$/.test(name) && isHarmlessSetting(entry, NOWHERE));
}
const TALKING_VERBS = /^(?:fetch|pull|clone|ls-remote|archive|remote|submodule)$/;
const NOWHERE: GitConfigScope = { gitFolder: '/', roots: [], isMain: false };
const SHOWS = /^(?:cat|less(?: -\w+)?|true|vim?|nano|code --wait|delta|bat|)$/;
/** Settings given for one command, and those `git config` writes. */
function settingsIn(args: readonly string[]): string[] {
  const [verb, rest] = gitVerb(args);
  const given = args.flatMap((word, at) =>
    /^(?:-c|--config(?:-env)?)$/.test(args[at - 1] ?? '') ? word : (/^(?:-c|--config=)(\w+\..*)$/s.exec(word)?.[1] ?? []),
  );
  if (verb !== 'config' || has(rest, /^(?:--get\S*|--list|-l|--unset\S*|get|list|unset)$/)) return given;
  const [key, ...value] = listOperands(rest).filter((word) => word !== 'set');
  return value.length > 0 ? [...given, `${key}=${value.join(' ')}`] : given;
}
const RUNNING_FLAGS =
  /^--(?:upload-pack|receive-pack|exec|extcmd|tool-help|tree-filter|index-filter|msg-filter|commit-filter|env-filter|tag-name-filter|open-files-in-pager|exec-path|ext-diff|textconv|template)(?:=|$)|^ext::/;
const RUNNING_VERBS =
  /^(?:(?:difftool|mergetool|send-email|daemon|instaweb|web--browse|svn|p4|cvsimport|http-backend|shell)(?: |$)|submodule (?:add|set-url))/;
export const GIT_REACH: readonly CommandRule[] = [
  ask(
    'git_runs_program',
    'it makes git run another program',
    ({ name, args }) =>
      name === 'git' &&
      (!settingsIn(args).every(isHarmlessPair) || has(args, RUNNING_FLAGS) || RUNNING_VERBS.test(gitVerb(args).flat().join(' '))),
  ),
  ask(
    'guard_off',
    'it skips the checks of the project (hooks or signatures)',
    ({ name, args }) => name === 'git' && has(args, /^--no-(?:verify|gpg-sign$)/),
  ),
  ask(
    'data_sent',
    'it asks for a git address made of what it read, which tells that to the host',
    ({ name, args }) =>
      name === 'git' && TALKING_VERBS.test(gitVerb(args)[0]) && has(args, new RegExp(`(?::\\/\\/|@[\\w.-]+:).*${MARK.outside}`, 's')),
  ),
  ask('data_sent', 'it uses a git address that is not one of the remotes of this repository', ({ name, args }) => {
    const [verb, rest] = gitVerb(args);
    return (
      name === 'git' &&
      /^(?:push|remote)$/.test(verb) &&
      listOperands(rest).some((word) => /:\/\/|^[\w.-]+@[\w.-]+:/.test(word) || (verb === 'push' && /^[./~]|\uE000/.test(word)))
    );
  }),
];
