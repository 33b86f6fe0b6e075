/** Characters that leave no mark on a screen, and what hides behind each kind. */
export interface InvisibleKind {
  readonly name: string;
  readonly threat: 'invisible_unicode' | 'bidi';
  readonly severe: boolean;
  /** Inclusive ranges of code points. */
  readonly ranges: readonly (readonly [number, number])[];
}

export const INVISIBLE_KINDS: readonly InvisibleKind[] = [
  { name: 'zero-width space', threat: 'invisible_unicode', severe: false, ranges: [[0x200b, 0x200b]] },
  { name: 'joiner', threat: 'invisible_unicode', severe: false, ranges: [[0x200c, 0x200d]] },
  {
    name: 'mark',
    threat: 'bidi',
    severe: false,
    ranges: [
      [0x200e, 0x200f],
      [0x061c, 0x061c],
    ],
  },
  {
    name: 'embedding',
    threat: 'bidi',
    severe: false,
    ranges: [
      [0x202a, 0x202c],
      [0x2066, 0x2069],
    ],
  },
  // An override shows a text in an order in which nobody wrote it; honest texts need none.
  { name: 'override', threat: 'bidi', severe: true, ranges: [[0x202d, 0x202e]] },
  { name: 'word joiner', threat: 'invisible_unicode', severe: false, ranges: [[0x2060, 0x2060]] },
  { name: 'byte order mark', threat: 'invisible_unicode', severe: false, ranges: [[0xfeff, 0xfeff]] },
  { name: 'soft hyphen', threat: 'invisible_unicode', severe: false, ranges: [[0x00ad, 0x00ad]] },
  {
    name: 'invisible operator',
    threat: 'invisible_unicode',
    severe: false,
    ranges: [
      [0x2061, 0x2065],
      [0x206a, 0x206f],
    ],
  },
  {
    name: 'filler',
    threat: 'invisible_unicode',
    severe: false,
    ranges: [
      [0x115f, 0x1160],
      [0x3164, 0x3164],
      [0xffa0, 0xffa0],
      [0x2800, 0x2800],
    ],
  },
  { name: 'grapheme joiner', threat: 'invisible_unicode', severe: false, ranges: [[0x034f, 0x034f]] },
  {
    name: 'vowel separator',
    threat: 'invisible_unicode',
    severe: false,
    ranges: [
      [0x180b, 0x180f],
      [0x17b4, 0x17b5],
    ],
  },
  {
    name: 'variation selector',
    threat: 'invisible_unicode',
    severe: false,
    ranges: [
      [0xfe00, 0xfe0f],
      [0xe0100, 0xe01ef],
    ],
  },
  { name: 'tag', threat: 'invisible_unicode', severe: true, ranges: [[0xe0000, 0xe007f]] },
  { name: 'annotation', threat: 'invisible_unicode', severe: false, ranges: [[0xfff9, 0xfffb]] },
  { name: 'musical control', threat: 'invisible_unicode', severe: false, ranges: [[0x1d173, 0x1d17a]] },
];

const kinds = new Map<number, InvisibleKind>();

/** The kind of an invisible code point; `undefined` for everything that can be seen. */
export function findInvisibleKind(code: number): InvisibleKind | undefined {
  if (code < 0xad) return undefined;
  if (kinds.size === 0) fill();
  return kinds.get(code);
}

function fill(): void {
  for (const kind of INVISIBLE_KINDS)
    for (const [first, last] of kind.ranges) for (let code = first; code <= last; code++) kinds.set(code, kind);
}

export const formatCodePoint = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
