import { findCode } from './cuts.ts';
import { normalizeLines } from './tree.ts';

/** What a text asks to have sent beside it, and the text without that. */
export interface MediaLines {
  readonly text: string;
  /** As they are written: absolute, or from the home folder on with `~/`. */
  readonly paths: readonly string[];
  /** Whether sound goes out as a voice message. */
  readonly asVoice: boolean;
  /** Whether everything goes out as a document. */
  readonly asDocument: boolean;
}

const EXTENSIONS =
  'png|jpe?g|gif|webp|bmp|tiff?|svg|mp3|wav|ogg|m4a|opus|flac|aac|mp4|mov|webm|mkv|avi|pdf|txt|md|csv|json|xml|html|ya?ml|log|docx|xlsx|pptx|odt|ods|odp|zip|rar|7z|tar|gz|bz2|epub|apk|ipa';
/** A path up to an extension that is known, blanks and all. */
const KNOWN = new RegExp(`^~?/[^\\n]*?\\.(?:${EXTENSIONS})(?=$|[\\s"'\`,;:!?)\\]}*_]|\\.(?:\\s|$))`, 'i');
const UNSPACED = /^~?\/[^\s"'`<>]*/;
const QUOTED = /^(["'`])(~?\/[^\n"'`]*)\1/;
const TAG = /MEDIA:[ \t]*|\[\[(audio_as_voice|as_document)\]\]/g;
const OPTIONS = ['[[audio_as_voice]]', '[[as_document]]'] as const;
const AROUND: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')', '[': ']' };
/** What is left of a line whose words were all tags. */
const NO_WORDS = /^[\s>*_+"'-]*(?:\d{1,9}[.)])?[\s*_"']*$/;

interface MediaTag {
  readonly from: number;
  readonly end: number;
  readonly path?: string;
  readonly option?: string;
  /** Whether more text could make it longer. */
  readonly isOpen: boolean;
}

/** Takes the tags out of a text. In code they are words like any other. */
export function readMediaLines(text: string): MediaLines {
  const source = normalizeLines(text);
  const tags = findTags(source);
  const options = tags.map(({ option }) => option);
  return {
    text: tags.length === 0 ? text : removeTags(source, tags),
    paths: tags.flatMap(({ path }) => path ?? []),
    asVoice: options.includes('audio_as_voice'),
    asDocument: options.includes('as_document'),
  };
}

/** A text that still grows, without the tag at its end that is not all there yet. */
export function hideOpenTag(text: string): string {
  const open = findTags(text).findLast(({ isOpen }) => isOpen);
  const begun = Math.max(...['MEDIA:', ...OPTIONS].map((tag) => countBegun(text, tag)));
  return open === undefined && begun === 0 ? text : text.slice(0, open?.from ?? text.length - begun).trimEnd();
}

/** How many signs of a tag a text ends with. */
function countBegun(text: string, tag: string): number {
  let count = tag.length - 1;
  while (count > 0 && !(text.endsWith(tag.slice(0, count)) && !isLetter(text[text.length - count - 1]))) count--;
  return count;
}

const isLetter = (sign = ''): boolean => /[\p{L}\p{N}_]/u.test(sign);

function findTags(source: string): readonly MediaTag[] {
  const code = /MEDIA:|\[\[a/.test(source) ? findCode(source) : [];
  let block = 0;
  const isCode = (at: number): boolean => {
    while ((code[block]?.[1] ?? Infinity) <= at) block++;
    return (code[block]?.[0] ?? Infinity) <= at;
  };
  return [...source.matchAll(TAG)].flatMap(({ 0: mark, 1: option, index }): readonly MediaTag[] => {
    if (isCode(index) || isLetter(source[index - 1])) return [];
    const tag =
      option === undefined
        ? readPath(source, index, index + mark.length)
        : { from: index, end: index + mark.length, option, isOpen: false };
    return tag === undefined ? [] : [tag];
  });
}

/** The path behind a mark, up to the next mark or the end of the line. */
function readPath(source: string, from: number, at: number): MediaTag | undefined {
  const line = /^[^\n]*?(?=MEDIA:|\n|$)/.exec(source.slice(at))?.[0] ?? '';
  const isLast = at + line.length === source.length;
  const quoted = QUOTED.exec(line);
  if (quoted !== null) return { from, end: at + quoted[0].length, path: (quoted[2] ?? '').trim(), isOpen: false };
  const first = UNSPACED.exec(line)?.[0];
  const isBegun = isLast && /^["'`]?(?:~?\/[^\n]*|~?)$/.test(line);
  if (first === undefined) return isBegun ? { from, end: source.length, isOpen: true } : undefined;
  const known = KNOWN.exec(first)?.[0] ?? (/\.\w{1,8}\W*$/.test(first) ? undefined : KNOWN.exec(line)?.[0]);
  const path = known ?? first.replace(/[.,;:!?)\]}*_]+$/, '');
  const tag = { end: at + path.length, path, isOpen: isLast && (known === undefined || known.length === line.length) };
  const isWrapped = source[tag.end] !== undefined && AROUND[source[from - 1] ?? ''] === source[tag.end];
  return isWrapped ? { ...tag, from: from - 1, end: tag.end + 1 } : { ...tag, from };
}

/** The text without them, nor the lines that held nothing else. */
function removeTags(source: string, tags: readonly MediaTag[]): string {
  const kept: string[] = [];
  let [from, next] = [0, 0];
  for (const line of source.split('\n')) {
    const end = from + line.length;
    const first = next;
    while ((tags[next]?.from ?? Infinity) < end) next++;
    const inside = tags.slice(first, next);
    const left = inside.reduceRight((rest, tag) => cutOut(rest, tag.from - from, tag.end - from), line);
    if (inside.length === 0) kept.push(line);
    else if (!NO_WORDS.test(left)) kept.push(left.trimEnd());
    else if (kept.at(-1)?.trim() === '') kept.pop();
    from = end + 1;
  }
  return kept.join('\n').trim();
}

/** Without the stop behind it; one blank stays where one stood on each side. */
const cutOut = (line: string, from: number, end: number): string => {
  const after = line.slice(end).replace(/^[.,;!](?=\s|$)/, '');
  return line.slice(0, from) + (from === 0 || /\s/.test(line[from - 1] ?? '') ? after.trimStart() : after);
};
