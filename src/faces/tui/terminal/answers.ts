/** What a terminal told about itself. */
export type Answer =
  | { readonly type: 'background'; readonly look: 'light' | 'dark' }
  | { readonly type: 'keyboard'; readonly kitty: boolean }
  | { readonly type: 'name'; readonly name: string }
  /** The last question is answered. */
  | { readonly type: 'end' };

// oxlint-disable-next-line no-control-regex -- sequences are what this is about
const FORMS: readonly (readonly [RegExp, (found: RegExpExecArray) => Answer | undefined])[] = [
  // oxlint-disable-next-line no-control-regex -- as above
  [/^\u001b\[\?(\d+)u$/, ([, flags]) => ({ type: 'keyboard', kitty: Number(flags) > 0 })],
  // oxlint-disable-next-line no-control-regex -- as above
  [/^\u001b\]11;([^\u0007\u001b]*)/, ([, color = '']) => toLook(color)],
  // oxlint-disable-next-line no-control-regex -- as above
  [/^\u001bP>\|([^\u001b]*)/, ([, name = '']) => ({ type: 'name', name })],
  // oxlint-disable-next-line no-control-regex -- as above
  [/^\u001b\[\?[\d;]*c$/, () => ({ type: 'end' })],
];

export function readAnswer(sequence: string): Answer | undefined {
  for (const [form, read] of FORMS) {
    const found = form.exec(sequence);
    if (found !== null) return read(found);
  }
  return undefined;
}

/** `rgb:1e1e/2222/3333`, `rgba:…`, `#1e2233`: brighter than the middle is light, as the eye weighs the colors. */
function toLook(color: string): Answer | undefined {
  const channels = color.startsWith('#') ? splitHex(color.slice(1)) : color.replace(/^rgba?:/i, '').split('/');
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = channels.map(
    (digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1),
  );
  const brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
  return Number.isNaN(brightness) ? undefined : { type: 'background', look: brightness > 0.5 ? 'light' : 'dark' };
}
const splitHex = (digits: string): string[] => {
  const size = digits.length / 3;
  return Number.isInteger(size) ? [0, 1, 2].map((index) => digits.slice(index * size, (index + 1) * size)) : [];
};
