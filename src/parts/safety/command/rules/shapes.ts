import { isGuarded, resolveTargetPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { ask, toWordSet } from './rows.ts';

/** What keys look like, and the words that stand beside them, in a pattern that is searched for. */
const SHAPES =
  /gh[pousr]\b|\bgh[pousr]_|gh\[\w+\]_|github_pat|glpat|AKIA|ASIA|AIza|xox[abprs[]|sk[-_](?:live|ant|proj|test)|\bsk-|eyJ|BEGIN\b.*(?:KEY|PRIVATE|CERT)|BEGIN\[|PRIVATE.{0,4}KEY|pass(?:w(?:or)?d|wd|phrase)|secret|token|api.{0,3}key|credential|bearer|authorization|aws_access|hf_\[/i;
const READERS = toWordSet(`
  grep egrep fgrep zgrep rg ag ack ugrep pcregrep pcre2grep git-grep awk gawk mawk sed perl python python3 ruby node strings ripgrep sift
`);
/** Places where everybody's things lie. */
const WIDE = /^\/(?:etc|proc|home|root|Users|var|opt|srv|mnt|media|run)?$|^\/proc\/[^/]+(?:\/|$)|^\/(?:home|Users)\/[^/]+$|^\/root$/;
/** A file that only bears such a name. */
const PATH = /^(?:~|\/(?:etc|home|root|proc|var|usr|opt|srv|Users)(?:\/|$))/;
const SOMEBODYS = /^\/(?:home|root|etc|Users|proc)(?:\/|$)/;
const FINDS = toWordSet('find fd fdfind locate plocate mlocate xargs parallel');

const isWide = (word: string, place: ShellContext): boolean => {
  if (word === '' || /\s/.test(word)) return false;
  const path = /^[/~]|^\.{1,2}(?:\/|$)/.test(word) ? resolveTargetPath(word, place) : undefined;
  if (path === undefined || path === place.base) return false;
  if (/[\uE001\uE002]/.test(path) && SOMEBODYS.test(path) && !path.startsWith(`${place.base}/`)) return true;
  const bare = path.replace(/\/[\uE000-\uE006]+$/, '') || '/';
  return bare === place.home || WIDE.test(bare) || (isGuarded(word, place) && !/^\/(?:usr|lib|bin|sbin|boot)/.test(bare));
};
/** It looks through a wide place itself, or through what another program finds there. */
const looksWide = ({ args, from, reads }: Call, place: ShellContext): boolean =>
  [...args, ...reads].some((word) => isWide(word, place)) ||
  (from.some((each) => FINDS.has(each)) && args.some((word) => isWide(word.replace(/\/[^/]*$/, '') || '/', place)));

/** Whoever looks for the shapes of keys where everything lies finds some. */
export const SECRET_SHAPES: readonly CommandRule[] = [
  ask(
    'secret_read',
    'it searches wide places for what looks like keys or passwords',
    (name, args, call, place) => READERS.has(name) && args.some((word) => SHAPES.test(word) && !PATH.test(word)) && looksWide(call, place),
  ),
];
