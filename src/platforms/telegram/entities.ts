import { fenceCode, quoteCode } from '../../base/markdown/code.ts';
import { readNumberAt, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';

/** A stretch of a message that Telegram says something of. Counted in UTF-16 units. */
export interface MessageEntity {
  readonly type: string;
  readonly offset: number;
  readonly end: number;
  readonly url?: string;
  readonly language?: string;
  /** Of a mention without a name. */
  readonly userId?: number;
}

export interface EntityWords {
  readonly source: string;
  readonly entities: readonly MessageEntity[];
}

/** The words of a message, or those below its file. */
export function readWords(message: JsonObject): EntityWords {
  const field = message['text'] === undefined ? 'caption' : 'text';
  return {
    source: readStringAt(message, field) ?? '',
    entities: readEntities(message[field === 'text' ? 'entities' : 'caption_entities']),
  };
}

export function readEntities(value: Json | undefined): MessageEntity[] {
  return (Array.isArray(value) ? value : []).map((entity: Json) => {
    const offset = readNumberAt(entity, 'offset') ?? 0;
    const url = readStringAt(entity, 'url');
    const language = readStringAt(entity, 'language');
    const userId = readNumberAt(entity, 'user', 'id');
    return {
      type: readStringAt(entity, 'type') ?? '',
      offset,
      end: offset + (readNumberAt(entity, 'length') ?? 0),
      ...(url !== undefined && { url }),
      ...(language !== undefined && { language }),
      ...(userId !== undefined && { userId }),
    };
  });
}

const around =
  (mark: string) =>
  (words: string): string =>
    `${mark}${words}${mark}`;
/** How what Telegram shows is written in Markdown. What is not here stays as it is. */
const WRITTEN: Readonly<Record<string, (words: string, entity: MessageEntity) => string>> = {
  bold: around('**'),
  italic: around('_'),
  strikethrough: around('~~'),
  code: quoteCode,
  pre: (words, { language = '' }) => fenceCode(words).replace(/^`+/, (ticks) => `${ticks}${language}`),
  text_link: (words, { url = '' }) => `[${words}](${url})`,
  blockquote: (words) => words.replaceAll(/^/gm, '> '),
  expandable_blockquote: (words) => words.replaceAll(/^/gm, '> '),
};

/** A message as Markdown. `omit` names stretches that are left out. */
export function toMarkdown(text: string, entities: readonly MessageEntity[], omit: (entity: MessageEntity) => boolean): string {
  const marked = entities.filter((entity) => omit(entity) || WRITTEN[entity.type] !== undefined);
  return write(text, { offset: 0, end: text.length }, marked, omit);
}

/** Outer stretches hold inner ones: each writes what is in it. */
function write(
  text: string,
  { offset, end }: { readonly offset: number; readonly end: number },
  entities: readonly MessageEntity[],
  omit: (entity: MessageEntity) => boolean,
): string {
  let out = '';
  let at = offset;
  for (const [index, entity] of entities.entries()) {
    if (entity.offset < at || entity.end > end) continue;
    const isCode = entity.type === 'code' || entity.type === 'pre';
    const inner = isCode ? [] : entities.slice(index + 1).filter((each) => each.end <= entity.end);
    const words = write(text, entity, inner, omit);
    out += text.slice(at, entity.offset) + (omit(entity) ? '' : keepBlanks(words, (bare) => WRITTEN[entity.type]?.(bare, entity) ?? bare));
    at = entity.end;
  }
  return out + text.slice(at, end);
}

/** Marks do not work with blanks inside of them. */
function keepBlanks(words: string, mark: (bare: string) => string): string {
  const bare = words.trim();
  if (bare === '') return words;
  const start = words.indexOf(bare);
  return words.slice(0, start) + mark(bare) + words.slice(start + bare.length);
}
