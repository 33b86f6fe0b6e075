/** What stands around an invisible character. */
export interface CharacterContext {
  readonly code: number;
  /** The code points directly before and after; 0 at the ends of the text. */
  readonly before: number;
  readonly after: number;
  readonly atStart: boolean;
  /** The nearest characters that can be seen. */
  readonly seenBefore: number;
  readonly seenAfter: number;
  /** The line holds letters written from right to left. */
  readonly rightToLeft: boolean;
  /** Embeddings and isolates of this line are opened and closed in pairs. */
  readonly balanced: boolean;
  /** Inside a flag emoji made of tag characters. */
  readonly flag: boolean;
}

export interface Allowance {
  readonly name: string;
  readonly codes: readonly number[] | ((code: number) => boolean);
  readonly honest: (around: CharacterContext) => boolean;
}

const test = (pattern: RegExp) => (code: number) => code !== 0 && pattern.test(String.fromCodePoint(code));
const joining = test(
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u,
);
const emoji = test(/[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u20E3/u);
const styled = test(
  /[\p{Extended_Pictographic}\p{Emoji}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Mongolian}\p{Script=Myanmar}\p{So}\p{Sm}]/u,
);
const unspaced = test(
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Tibetan}\u3000-\u303f\u30fc\uff00-\uffef]/u,
);
const blank = test(/[ \n]/);
const printed = test(/[\p{N}\p{P}]/u);
const opens = test(/[{$%]/);
const closes = test(/[}\p{L}]/u);
const letter = test(/[\p{L}\p{M}]/u);
const mark = test(/\p{M}/u);
const mongolian = test(/\p{Script=Mongolian}/u);
const jamo = test(/\p{Script=Hangul}/u);
export const rightToLeft = test(/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u);

const variation = (code: number) => (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
const tag = (code: number) => code >= 0xe0020 && code <= 0xe007f;

/** Where an invisible character does honest work. Whatever no row allows is a finding. */
export const ALLOWANCES: readonly Allowance[] = [
  { name: 'a byte order mark opens the text', codes: [0xfeff], honest: (a) => a.atStart },
  {
    name: 'a non-joiner between joining letters',
    codes: [0x200c],
    honest: (a) => joining(a.before) && (joining(a.after) || (!letter(a.after) && !isZeroWidth(a.after))),
  },
  // Persian plurals and particles stand before punctuation and quotes too, but never in a row of their own.
  {
    name: 'a joiner after an Indic or Arabic letter',
    codes: [0x200d],
    honest: (a) => joining(a.before) && (joining(a.after) || !letter(a.after)),
  },
  {
    name: 'a joiner in an emoji sequence',
    codes: [0x200d],
    honest: (a) => (emoji(a.before) || variation(a.before)) && emoji(a.after) && emoji(a.seenBefore),
  },
  { name: 'one variation selector after an emoji or an ideograph', codes: variation, honest: (a) => styled(a.before) },
  {
    name: 'a zero-width space in a script without blanks',
    codes: [0x200b],
    honest: (a) => unspaced(a.before) && (unspaced(a.after) || !letter(a.after)) && !isZeroWidth(a.after),
  },
  // Left behind by editors; it hides no letter, and a message would need many of them.
  {
    name: 'one zero-width space at the edge of a word',
    codes: [0x200b],
    honest: (a) => (blank(a.before) && letter(a.after)) || (letter(a.before) && blank(a.after)),
  },
  { name: 'a word joiner between figures and signs', codes: [0x2060], honest: (a) => printed(a.before) && printed(a.after) },
  {
    name: 'balanced isolates around a placeholder',
    codes: [0x2068, 0x2069],
    honest: (a) => a.balanced && (a.code === 0x2068 ? opens(a.after) : closes(a.before)),
  },
  {
    name: 'a directional mark in a line from right to left',
    codes: [0x200e, 0x200f, 0x061c],
    honest: (a) => a.rightToLeft && !(letter(a.before) && letter(a.after) && !rightToLeft(a.before) && !rightToLeft(a.after)),
  },
  {
    name: 'balanced embeddings in a line from right to left',
    codes: [0x202a, 0x202b, 0x202c, 0x2066, 0x2067, 0x2068, 0x2069],
    honest: (a) => a.rightToLeft && a.balanced,
  },
  { name: 'a soft hyphen between letters', codes: [0x00ad], honest: (a) => letter(a.before) && letter(a.after) },
  { name: 'tags of a flag', codes: tag, honest: (a) => a.flag },
  { name: 'a grapheme joiner between vowel points', codes: [0x034f], honest: (a) => mark(a.before) && mark(a.after) },
  { name: 'Mongolian selectors and separators', codes: [0x180b, 0x180c, 0x180d, 0x180e, 0x180f], honest: (a) => mongolian(a.before) },
  {
    name: 'Hangul fillers in Korean text',
    codes: [0x115f, 0x1160, 0x3164, 0xffa0],
    honest: (a) => !filler(a.before) && (jamo(a.seenBefore) || jamo(a.seenAfter) || !letter(a.seenBefore)) && jamoNear(a),
  },
];

const filler = (code: number) => code === 0x115f || code === 0x1160 || code === 0x3164 || code === 0xffa0;
const isZeroWidth = (code: number) => code === 0x200b || code === 0x200c || code === 0x200d;
const latin = test(/\p{Script=Latin}/u);
const jamoNear = (a: CharacterContext) => !latin(a.seenBefore) && !latin(a.seenAfter);

export const isAllowed = (around: CharacterContext): boolean =>
  ALLOWANCES.some(
    ({ codes, honest }) => (typeof codes === 'function' ? codes(around.code) : codes.includes(around.code)) && honest(around),
  );
