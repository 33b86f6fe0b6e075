/** Characters that leave no mark on a screen, and what hides behind each kind. */
export interface InvisibleKind {
  readonly name: string;
  readonly threat: 'invisible_unicode' | 'bidi';
  readonly severe: boolean;
  /** Inclusive ranges of code points. */
  readonly ranges: readonly (readonly [number, number])[];
}

const define = (name: string, ranges: string, threat: InvisibleKind['threat'] = 'invisible_unicode', severe = false): InvisibleKind => ({
  name,
  threat,
  severe,
  ranges: ranges.split(' ').map((range) => {
    const [first = '', last = first] = range.split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  }),
});

export const INVISIBLE_KINDS: readonly InvisibleKind[] = [
  define('zero-width space', '200b'),
  define('joiner', '200c-200d'),
  define('mark', '200e-200f 061c', 'bidi'),
  define('embedding', '202a-202c 2066-2069', 'bidi'),
  // An override shows a text in an order in which nobody wrote it; honest texts need none.
  define('override', '202d-202e', 'bidi', true),
  define('word joiner', '2060'),
  define('byte order mark', 'feff'),
  define('soft hyphen', '00ad'),
  define('invisible operator', '2061-2065 206a-206f'),
  define('filler', '115f-1160 3164 ffa0 2800'),
  define('grapheme joiner', '034f'),
  define('vowel separator', '180b-180f 17b4-17b5'),
  define('variation selector', 'fe00-fe0f e0100-e01ef'),
  define('tag', 'e0000-e007f', 'invisible_unicode', true),
  define('annotation', 'fff9-fffb'),
  define('musical control', '1d173-1d17a'),
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
