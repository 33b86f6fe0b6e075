/** Longer ones are refused: nobody reads them. */
const MAX_LENGTH = 200;
const ALTERNATIVE = /^[\w.*:/-]+$/;

export type MatcherReading =
  | { readonly ok: true; readonly matches: (tool: string) => boolean }
  | { readonly ok: false; readonly why: string };

/**
 * Reads which tools are meant: names with `|` between them, in which `*` stands for anything, also written `.*`. Nothing else of
 * a regular expression is understood, so that no pattern can take long.
 */
export function readMatcher(text: string): MatcherReading {
  const given = text.trim();
  if (given === '' || given === '*') return { ok: true, matches: () => true };
  if (given.length > MAX_LENGTH) return { ok: false, why: `its matcher is longer than ${MAX_LENGTH} characters` };
  const names = given.split('|').map((name) => name.trim().replaceAll('.*', '*'));
  if (!names.every((name) => ALTERNATIVE.test(name)))
    return { ok: false, why: `its matcher is not a list of tool names: write terminal|write_file, and * for anything, as in browser_*` };
  const patterns = names.map((name) => name.split('*'));
  return { ok: true, matches: (tool) => patterns.some((pieces) => fits(tool, pieces)) };
}

/** Whether the pieces stand in the name in their order, from its beginning to its end. Takes each at its first place: linear. */
function fits(name: string, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
