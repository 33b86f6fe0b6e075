const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v' };
const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|c([\s\S])|([\s\S]))/g;

/** The text `$'…'`, `echo -e` and `printf` mean. */
export const decodeAnsiCEscapes = (text: string): string =>
  text.replaceAll(ESCAPE, (whole, hex, short, long, octal, control, named): string => {
    const code = hex ?? short ?? long;
    if (typeof code === 'string') return character(Number.parseInt(code, 16));
    if (typeof octal === 'string') return character(Number.parseInt(octal, 8) & 0xff);
    if (typeof control === 'string') return character(control.charCodeAt(0) & 0x1f);
    return typeof named === 'string' ? (NAMED[named] ?? named) : whole;
  });

const character = (code: number): string => (code > 0x10_ffff || code === 0 ? '' : String.fromCodePoint(code));
