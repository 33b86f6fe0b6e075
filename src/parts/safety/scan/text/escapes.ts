/** Entities that are used to hide letters and signs. The rest is left as it stands. */
const NAMED: Readonly<Record<string, number>> = {
  lt: 60,
  gt: 62,
  amp: 38,
  quot: 34,
  apos: 39,
  nbsp: 32,
  newline: 10,
  tab: 32,
  period: 46,
  colon: 58,
};
const UNSEEN = new Set(['shy', 'zerowidthspace', 'zwnj', 'zwj']);
const SOFT_HYPHEN = 0xad;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,16})(?=;));?/iy;
const ESCAPED = /\\(?:x([0-9a-f]{2})|u\{?([0-9a-f]{4,6})\}?)/iy;

/** One character that was written as `&#105;`, `&lt;`, `\x69` or `\u0069`. */
export function readEscape(text: string, at: number): { readonly code: number; readonly length: number } | undefined {
  const pattern = text[at] === '&' ? ENTITY : ESCAPED;
  pattern.lastIndex = at;
  const [all = '', first, second, name = ''] = pattern.exec(text) ?? [];
  if (all === '') return undefined;
  if (name !== '') {
    const code = UNSEEN.has(name.toLowerCase()) ? SOFT_HYPHEN : NAMED[name.toLowerCase()];
    return code === undefined ? undefined : { code, length: all.length };
  }
  const code = pattern === ENTITY && first === undefined ? Number(second) : Number.parseInt(first ?? second ?? '', 16);
  return code > 0 && code <= 0x10ffff ? { code, length: all.length } : undefined;
}
