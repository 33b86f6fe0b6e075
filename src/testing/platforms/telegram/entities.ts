import type { JsonObject } from '../../../base/json-types.ts';
import { parseHtml } from './html.ts';
import { parseMarkdownV2 } from './markdown-v2.ts';

/** What a parser makes of a text: the words, and what covers which of them. Offsets count UTF-16 units. */
export interface ParsedText {
  readonly text: string;
  readonly entities: readonly JsonObject[];
}

/** By the value of `parse_mode`, in lower case. */
const PARSERS: Readonly<Record<string, (source: string) => ParsedText>> = {
  '': (text) => ({ text, entities: [] }),
  markdownv2: parseMarkdownV2,
  html: parseHtml,
};

/** Throws `EntityError` for marks that do not fit. `undefined` when there is no such mode. */
export function parseEntities(source: string, mode = ''): ParsedText | undefined {
  const parse = PARSERS[mode.toLowerCase()];
  if (parse === undefined) return undefined;
  const { text, entities } = parse(source);
  return trim(text, [...entities, ...findPlain(text, entities)]);
}

const PLAIN: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['bot_command', /(?<![\w/@])\/\w{1,64}(?:@\w{3,32})?/g],
  ['mention', /(?<![\w/@])@\w{3,32}/g],
  ['url', /https?:\/\/[^\s<>()]+/g],
];

/** Commands, mentions and addresses are found by the server itself, outside of code and links. */
function findPlain(text: string, marked: readonly JsonObject[]): JsonObject[] {
  const closed = marked.filter(({ type }) => type === 'code' || type === 'pre' || type === 'text_link');
  const isFree = (offset: number): boolean =>
    closed.every((entity) => offset < Number(entity['offset']) || offset >= Number(entity['offset']) + Number(entity['length']));
  return PLAIN.flatMap(([type, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(({ index }) => isFree(index))
      .map(({ 0: found, index }) => ({ type, offset: index, length: found.length })),
  );
}

/** No message begins or ends with blanks. */
function trim(text: string, entities: readonly JsonObject[]): ParsedText {
  const cut = text.length - text.trimStart().length;
  const kept = text.trim();
  const moved = entities.map((entity) => {
    const start = Math.max(0, Number(entity['offset']) - cut);
    const end = Math.min(kept.length, Number(entity['offset']) + Number(entity['length']) - cut);
    return { ...entity, offset: start, length: end - start };
  });
  const inOrder = moved.filter(({ length }) => length > 0).toSorted((one, other) => one.offset - other.offset || other.length - one.length);
  return { text: kept, entities: inOrder };
}
