import { sha256 } from '../../../base/sha256.ts';

/** How every placeholder begins; as wide as the scanner's window. Latin-1, so that a request stays one byte a character. */
export const MARK = '«secret:';
const SHAPE = /«secret:(?<name>[A-Za-z0-9_.-]{1,48}):(?<tag>[0-9a-f]{10}|[0-9a-f]{20})(?::(?<code>[a-z]{0,2}\d?)(?:~(?<cut>\d{1,5}))?)?»/;
const ANYWHERE = new RegExp(SHAPE, 'g');
/** The longest there can be. */
const LONGEST = MARK.length + 48 + 1 + 20 + 1 + 3 + 6 + 1;

export interface Placeholder {
  readonly text: string;
  /** As it is written; the mark alone says what it stands for. */
  readonly name: string;
  readonly tag: string;
  /** The form of the value it stands for. */
  readonly code: string;
  /** How many characters of it, when it was cut off. */
  readonly cut?: number;
}

export const formatPlaceholder = (
  name: string,
  { tag, code = '', cut }: Omit<Placeholder, 'text' | 'name' | 'code'> & { readonly code?: string },
): string => {
  const form = `${code}${cut === undefined ? '' : `~${cut}`}`;
  return `${MARK}${plainName(name)}:${tag}${form === '' ? '' : `:${form}`}»`;
};

const plainName = (name: string): string => name.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 48) || 'value';

export function findPlaceholderAt(text: string, start: number): Placeholder | undefined {
  const sticky = new RegExp(SHAPE, 'y');
  sticky.lastIndex = start;
  const found = sticky.exec(text);
  return found === null ? undefined : placeholderIn(found);
}

const placeholderIn = ({ 0: text, groups }: RegExpMatchArray): Placeholder => ({
  text,
  name: groups?.['name'] ?? '',
  tag: groups?.['tag'] ?? '',
  code: groups?.['code'] ?? '',
  ...(groups?.['cut'] !== undefined && { cut: Number(groups['cut']) }),
});

export const findPlaceholders = (text: string): Placeholder[] =>
  text.includes(MARK) ? [...text.matchAll(ANYWHERE)].map(placeholderIn) : [];

/** The text with its placeholders and what stands between them each given another form. */
export function rewritePlaceholders(
  text: string,
  standing: (placeholder: Placeholder) => string,
  between: (words: string) => string,
): string {
  if (!text.includes(MARK)) return between(text);
  let out = '';
  let done = 0;
  for (const found of text.matchAll(ANYWHERE)) {
    out += between(text.slice(done, found.index)) + standing(placeholderIn(found));
    done = found.index + found[0].length;
  }
  return out + between(text.slice(done));
}

/** The first place at the end of the text where a placeholder may have begun that is not through yet. */
export function openPlaceholder(text: string, from: number): number {
  const start = text.lastIndexOf('«');
  const open = start >= from && text.length - start < LONGEST && /^[\w.:~-]*$/.test(text.slice(start + 1));
  return open ? start : text.length;
}

/** Gives every value its mark. */
export interface TagTable {
  of(value: string): string;
  /** The value of a mark that was given. */
  valueOf(tag: string): string | undefined;
}

/**
 * A mark is the same in every run of this home, another one for another value, and no help in guessing the value without
 * the home's salt. Two values that would share one are told apart by a longer one.
 */
export function createTagTable(salt: () => string): TagTable {
  const tags = new Map<string, string>();
  const values = new Map<string, string>();
  return {
    of: (value) => {
      const found = tags.get(value);
      if (found !== undefined) return found;
      const hash = sha256(`${salt()}\0${value}`);
      const short = hash.slice(0, 10);
      const tag = values.has(short) ? hash.slice(0, 20) : short;
      tags.set(value, tag);
      values.set(tag, value);
      return tag;
    },
    valueOf: (tag) => values.get(tag),
  };
}
