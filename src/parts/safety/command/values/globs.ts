import { MARK } from './marks.ts';

const ESCAPED = /[\\^$.*+?()[\]{}|/]/g;
const SIGNS: Readonly<Record<string, string>> = {
  [MARK.star]: '[^/]*',
  [MARK.one]: '[^/]',
  [MARK.name]: '[^/]+',
  [MARK.unknown]: '.*',
  [MARK.secret]: '',
  [MARK.carried]: '',
  [MARK.outside]: '',
};
const SIGN = /([\uE000-\uE006])/;
/** More signs than this in one pattern are not followed: matching would cost too much. */
const MAX_SIGNS = 6;

/** A marked text as a pattern for names; `undefined` when it holds too much. */
export function compileMarkedGlob(marked: string): RegExp | undefined {
  const pieces = marked.split(SIGN);
  if (pieces.length > 2 * MAX_SIGNS + 1) return undefined;
  // Case never tells two guarded places apart: on some disks it means nothing.
  return new RegExp(`^${pieces.map((piece) => SIGNS[piece] ?? piece.replaceAll(ESCAPED, '\\$&')).join('')}$`, 'isu');
}

/** `*`, `?` and `[…]` of a pattern inside `${x#…}` as a regular expression; `undefined` when it is not simple. */
export function toGlobSource(glob: string, greedy: boolean): string | undefined {
  if ((glob.match(/\*/g)?.length ?? 0) > 3 || glob.length > 200 || /[[\uE000-\uE006]/.test(glob)) return undefined;
  return glob
    .split(/([*?])/)
    .map((piece) => (piece === '*' ? (greedy ? '[^]*' : '[^]*?') : piece === '?' ? '[^]' : piece.replaceAll(ESCAPED, '\\$&')))
    .join('');
}
