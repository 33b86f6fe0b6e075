import { readPath, isObject, parseJson, toStableJson, readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import { createTextBlock, type ImageBlock, type TextBlock } from '../../contracts/message.ts';
import type { ToolOutput } from '../../contracts/tool.ts';
import { removeInvisible } from './schema.ts';

/** A larger picture is refused by every provider, and would be sent again with each later request. */
const MAX_IMAGE = 5 * 1024 * 1024;

/** A result as the model gets it: words and pictures in their order, then structured content the words do not repeat. */
export function toToolOutput(result: Json, foreign: string): ToolOutput {
  const listed = readPath(result, 'content');
  const content = (Array.isArray(listed) ? listed : []).flatMap((block: Json) => blockOf(block));
  const structured = readPath(result, 'structuredContent');
  const extra = structured === undefined || repeats(content, structured) ? [] : [words(JSON.stringify(structured))];
  const all = [...content, ...extra];
  const said =
    all.length > 0 ? all : [words(isObject(result) && 'toolResult' in result ? JSON.stringify(result['toolResult']) : '[no content]')];
  return readPath(result, 'isError') === true ? { content: markFailed(said), foreign, failed: true } : { content: said, foreign };
}

/** Not every protocol has a place for the mark of a failure: without these words it would read like an answer. */
function markFailed(said: ToolOutput['content']): ToolOutput['content'] {
  const mark = '[The call failed; the server says:]\n';
  const [first, ...rest] = said;
  return first?.type === 'text' ? [{ ...first, text: mark + first.text }, ...rest] : [words(mark), ...said];
}

const words = (value: string): TextBlock => createTextBlock(removeInvisible(value), 'foreign');

/** One row for each kind of content; of one nobody knows it is told that it was there. */
const BLOCKS: Readonly<Record<string, (block: Json) => readonly (TextBlock | ImageBlock)[]>> = {
  text: (block) => [words(readStringAt(block, 'text') ?? '')],
  image: (block) => [picture(readStringAt(block, 'data') ?? '', readStringAt(block, 'mimeType') ?? '')],
  audio: (block) => [words(`[audio, ${readStringAt(block, 'mimeType') ?? 'of unknown kind'}, left out]`)],
  resource_link: (block) => [words(linkOf(block))],
  resource: (block) => [resource(readPath(block, 'resource'))],
};

function blockOf(block: Json): readonly (TextBlock | ImageBlock)[] {
  const kind = readStringAt(block, 'type') ?? '';
  return BLOCKS[kind]?.(block) ?? [words(`[content of the unknown kind ${JSON.stringify(kind).slice(0, 40)} left out]`)];
}

function linkOf(link: Json): string {
  const name = readStringAt(link, 'title') ?? readStringAt(link, 'name');
  const about = [readStringAt(link, 'description'), readStringAt(link, 'mimeType')].filter((part) => part !== undefined).join(', ');
  return `[resource ${readStringAt(link, 'uri') ?? 'without an address'}${name === undefined ? '' : `: ${name}`}${about === '' ? '' : ` (${about})`}]`;
}

function resource(found: Json | undefined): TextBlock | ImageBlock {
  const [uri = 'without an address', mime = '', said, blob] = ['uri', 'mimeType', 'text', 'blob'].map((key) => readStringAt(found, key));
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

function picture(raw: string, label: string): TextBlock | ImageBlock {
  const data = raw.replaceAll(/\s/g, '');
  const fits = data.length % 4 === 0 && data.length <= MAX_IMAGE && BASE64.test(data);
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
function repeats(content: readonly (TextBlock | ImageBlock)[], structured: Json): boolean {
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
  if (parsed !== undefined) return toStableJson(parsed) === toStableJson(value);
  return isObject(value) && Object.keys(value).length > 0 && withoutBlanks(said).includes(withoutBlanks(JSON.stringify(value)));
}
const withoutBlanks = (said: string): string => said.replaceAll(/\s/g, '');
