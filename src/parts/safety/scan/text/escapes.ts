/** Entities that are used to hide letters and signs. The rest is left as it stands. */
const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  zerowidthspace: '',
  zwnj: '',
  zwj: '',
  newline: '\n',
  tab: ' ',
  period: '.',
  colon: ':',
};
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,16}));?/iy;
const ESCAPED = /\\(?:x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4}))/iy;
const PERCENT = /%([2-7][0-9a-f])/iy;

/** One character that was written as `&#105;`, `\x69`, `\u0069` or `%69`. */
export function readEscape(text: string, at: number): { readonly code: number; readonly length: number } | undefined {
  const first = text[at];
  if (first === '&') return entity(text, at);
  if (first === '%') return numbered(PERCENT, text, at);
  return numbered(ESCAPED, text, at);
}

function entity(text: string, at: number) {
  ENTITY.lastIndex = at;
  const [all = '', hex, decimal, name] = ENTITY.exec(text) ?? [];
  if (all === '') return undefined;
  if (name === undefined) return valid(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), all.length);
  const sign = NAMED[name.toLowerCase()];
  if (sign === undefined || !all.endsWith(';')) return undefined;
  return { code: sign === '' ? SOFT_HYPHEN : (sign.codePointAt(0) ?? 32), length: all.length };
}
const SOFT_HYPHEN = 0xad;

function numbered(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) return undefined;
  return valid(Number.parseInt(found[1] ?? found[2] ?? found[3] ?? '', 16), found[0].length);
}

const valid = (code: number, length: number) => (code > 0 && code <= 0x10ffff ? { code, length } : undefined);
