import type { PlainText } from './plain.ts';

const TAG = /<\/?([a-z][a-z0-9-]{0,20})((?:\s[^<>]{0,600})?)\/?>/g;
/** Tags that part words; all others stand within one. */
const PARTING = new Set(
  'address article blockquote br dd div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);
/** Attributes whose words are told to nobody. An address leads somewhere, and a title is read. */
const UNTOLD = /\s(?:class|id|style|name|rel|role|lang|type|data-[\w-]{1,40})\s*=\s*(?:"[^"\n]{0,600}"|'[^'\n]{0,600}')/g;

/** The text as a reader of the page has it, without any tag; nothing when there is none. `ig<b>nore</b>` is one word. */
export function withoutTags({ text, origin }: PlainText): PlainText | undefined {
  const pieces: string[] = [];
  const from = new Int32Array(text.length);
  let length = 0;
  const keep = (start: number, end: number) => {
    pieces.push(text.slice(start, end));
    for (let at = start; at < end; at++) from[length++] = origin[at] ?? 0;
  };
  let done = 0;
  for (const { index, 0: all, 1: name = '' } of text.matchAll(TAG)) {
    keep(done, index);
    done = index + all.length;
    if (!PARTING.has(name)) continue;
    pieces.push(' ');
    from[length++] = origin[index] ?? 0;
  }
  if (done === 0) return undefined;
  keep(done, text.length);
  return { text: pieces.join(''), origin: from.subarray(0, length) };
}

/** Which characters stand in an attribute nobody is told: the name of a class is no order. */
export function findAttributes(text: string): Uint8Array {
  const places = new Uint8Array(text.length);
  for (const { index, 0: all, 2: attributes = '' } of text.matchAll(TAG)) {
    if (attributes === '') continue;
    const start = index + all.indexOf(attributes);
    for (const untold of attributes.matchAll(UNTOLD)) places.fill(1, start + untold.index, start + untold.index + untold[0].length);
  }
  return places;
}
