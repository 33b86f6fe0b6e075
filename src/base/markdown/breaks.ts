/** Scripts that put no blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff60]/u;
const FIRST_UNSPACED = 0x2e80;
/** What does not begin a line, and what does not end one. */
const CLOSING = /[\p{Pe}\p{Pf}\p{M}、。〃々〜ー，．：；？！・％]/u;
const OPENING = /[\p{Ps}\p{Pi}]/u;

/** Whether a line may break before this place although no blank stands there: between two signs of such a script. */
export function isBreakBetween(text: string, at: number): boolean {
  const after = text.codePointAt(at);
  if ((after ?? 0) < FIRST_UNSPACED) return false;
  if (at <= 0 || after === undefined || isHalf(text.charCodeAt(at))) return false;
  const [before, next] = [signBefore(text, at), String.fromCodePoint(after)];
  return UNSPACED.test(before) && UNSPACED.test(next) && !CLOSING.test(next) && !OPENING.test(before);
}

/** The text in pieces that may stand on lines of their own. */
export function splitAtBreaks(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 1; at < text.length; at++) {
    if (!isBreakBetween(text, at)) continue;
    pieces.push(text.slice(from, at));
    from = at;
  }
  return [...pieces, text.slice(from)];
}

/** The second half of a sign that takes two. */
const isHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
const signBefore = (text: string, at: number): string => (isHalf(text.charCodeAt(at - 1)) ? text.slice(at - 2, at) : (text[at - 1] ?? ''));
