/** Characters of the private range stand for what a word holds besides its text; what the user wrote of them is taken out first. */
export const MARK = {
  /** A dollar sign that is only a character. */
  dollar: '\uE000',
  /** Something only known when the line runs. */
  unknown: '\uE001',
  /** The dollar sign of a variable inside double quotes: its value stays one word. */
  quoted: '\uE002',
  /** Where an unquoted value falls apart into words. */
  field: '\uE003',
} as const;

export const withoutMarks = (line: string): string => line.replace(/[\uE000-\uE003]/g, '?');
export const isUnknown = (word: string): boolean => word.includes(MARK.unknown);
export const fields = (value: string): string => value.replace(/\s+/g, MARK.field);

/** The words one word becomes when its variables are put in. */
export function expandWord(word: string, valueOf: (name: string) => string | undefined): string[] {
  const text = expandText(word, valueOf);
  return text.includes(MARK.field) ? text.split(MARK.field).filter((part) => part !== '') : [text];
}

/** The same as one text, with the places where it would fall apart still marked. */
function expandText(word: string, valueOf: (name: string) => string | undefined): string {
  return word
    .replace(/([$\uE002])(?:\{(\w+)\}|([A-Za-z_]\w*|[0-9@*#?!$-]))/g, (_whole, dollar: string, braced?: string, plain?: string) => {
      const value = valueOf(braced ?? plain ?? '') ?? MARK.unknown;
      return dollar === '$' ? fields(value) : value;
    })
    .replaceAll(MARK.quoted, '$')
    .replaceAll(MARK.dollar, '$');
}

export const expandWhole = (word: string, valueOf: (name: string) => string | undefined): string =>
  expandText(word, valueOf).replaceAll(MARK.field, ' ');

const SHORT: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', e: '\u001b', f: '\f', v: '\v' };

/** The text of `$'…'`, whose escapes can spell any character. */
export const ansiText = (text: string): string =>
  text.replace(
    /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g,
    (_whole, hex?: string, short?: string, long?: string, octal?: string, other = '') => {
      const digits = hex ?? short ?? long;
      const code = digits === undefined ? (octal === undefined ? undefined : parseInt(octal, 8)) : parseInt(digits, 16);
      if (code === undefined) return SHORT[other] ?? other;
      return code > 0x10ffff ? '?' : withoutMarks(String.fromCodePoint(code));
    },
  );
