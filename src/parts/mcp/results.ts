import { readPath, isObject, parseJson, stableJson, stringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import { text, type Image, type Text } from '../../contracts/message.ts';
import type { ToolOutput } from '../../contracts/tool.ts';
import { removeInvisible } from './schema.ts';

/** A larger picture is refused by every provider, and would be sent again with each later request. */
const MOST_IMAGE = 5 * 1024 * 1024;

/** A result as the model gets it: words and pictures in their order, then structured content the words do not repeat. */
export function outputOf(result: Json, foreign: string): ToolOutput {
  const listed = readPath(result, 'content');
  const content = (Array.isArray(listed) ? listed : []).flatMap((block: Json) => blockOf(block));
  const structured = readPath(result, 'structuredContent');
  const extra = structured === undefined || repeats(content, structured) ? [] : [words(JSON.stringify(structured))];
  const all = [...content, ...extra];
  return {
    content:
      all.length > 0 ? all : [words(isObject(result) && 'toolResult' in result ? JSON.stringify(result['toolResult']) : '[no content]')],
    foreign,
    ...(readPath(result, 'isError') === true && { failed: true }),
  };
}

const words = (value: string): Text => text(removeInvisible(value), 'foreign');

/** One row for each kind of content; of one nobody knows it is told that it was there. */
const BLOCKS: Readonly<Record<string, (block: Json) => readonly (Text | Image)[]>> = {
  text: (block) => [words(stringAt(block, 'text') ?? '')],
  image: (block) => [picture(stringAt(block, 'data') ?? '', stringAt(block, 'mimeType') ?? '')],
  audio: (block) => [words(`[audio, ${stringAt(block, 'mimeType') ?? 'of unknown kind'}, left out]`)],
  resource_link: (block) => [words(linkOf(block))],
  resource: (block) => [resource(readPath(block, 'resource'))],
};

function blockOf(block: Json): readonly (Text | Image)[] {
  const kind = stringAt(block, 'type') ?? '';
  return BLOCKS[kind]?.(block) ?? [words(`[content of the unknown kind ${JSON.stringify(kind).slice(0, 40)} left out]`)];
}

function linkOf(link: Json): string {
  const name = stringAt(link, 'title') ?? stringAt(link, 'name');
  const about = [stringAt(link, 'description'), stringAt(link, 'mimeType')].filter((part) => part !== undefined).join(', ');
  return `[resource ${stringAt(link, 'uri') ?? 'without an address'}${name === undefined ? '' : `: ${name}`}${about === '' ? '' : ` (${about})`}]`;
}

function resource(found: Json | undefined): Text | Image {
  const [uri = 'without an address', mime = '', said, blob] = ['uri', 'mimeType', 'text', 'blob'].map((key) => stringAt(found, key));
  if (said !== undefined) return words(`[resource ${uri}]\n${said}`);
  if (blob !== undefined && mime.startsWith('image/')) return picture(blob, mime);
  return words(
    `[resource ${uri}, ${mime === '' ? 'of unknown kind' : mime}, ${blob === undefined ? 'empty' : `${size(blob)} bytes left out`}]`,
  );
}

/** How the pictures every provider takes begin. What a picture is, it says itself: a wrong label would spoil the session. */
const BEGINNINGS: readonly (readonly [mime: string, begins: (head: string) => boolean])[] = [
  ['image/png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['image/gif', (head) => head.startsWith('GIF87a') || head.startsWith('GIF89a')],
  ['image/webp', (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8)],
];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function picture(raw: string, label: string): Text | Image {
  const data = raw.replaceAll(/\s/g, '');
  const fits = data.length % 4 === 0 && data.length <= MOST_IMAGE && BASE64.test(data);
  const head = fits ? Buffer.from(data.slice(0, 32), 'base64').toString('latin1') : '';
  const mime = BEGINNINGS.find(([, begins]) => begins(head))?.[0];
  if (mime !== undefined) return { type: 'image', mime, data, trust: 'foreign' };
  return words(
    `[picture, ${label === '' ? 'of unknown kind' : label.slice(0, 80)}, ${size(raw)} bytes, left out: it is damaged, too large or of a kind models cannot see]`,
  );
}

const size = (base64: string): number => Math.floor((base64.length * 3) / 4);

/**
 * Servers give structured content as text as well, for clients that know only that: the same JSON, alone or between words;
 * what stands under `result` where the value had to be wrapped; or a list with one text for each of its items.
 */
function repeats(content: readonly (Text | Image)[], structured: Json): boolean {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const inner = isObject(structured) && Object.keys(structured).length === 1 ? Object.values(structured)[0] : undefined;
  const values = inner === undefined ? [structured] : [structured, inner];
  return values.some((value) => texts.some((said) => saysValue(said, value)) || (Array.isArray(value) && saysItems(texts, value)));
}
const saysItems = (texts: readonly string[], items: readonly Json[]): boolean =>
  items.length > 0 && texts.length === items.length && items.every((item, index) => saysValue(texts[index] ?? '', item));

function saysValue(said: string, value: Json): boolean {
  if (typeof value === 'string') return said.trim() === removeInvisible(value).trim();
  const parsed = parseJson(said);
  if (parsed !== undefined) return stableJson(parsed) === stableJson(value);
  return isObject(value) && Object.keys(value).length > 0 && withoutBlanks(said).includes(withoutBlanks(JSON.stringify(value)));
}
const withoutBlanks = (said: string): string => said.replaceAll(/\s/g, '');
