import type { JsonObject } from '../../../base/json-types.ts';
import { byteOffset, EntityError } from './entity-error.ts';

const TAGS: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  span: 'spoiler',
  'tg-spoiler': 'spoiler',
  'tg-emoji': 'custom_emoji',
  a: 'text_link',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
};
const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const TOKEN = /<(\/?)([a-z-]+)((?:\s+[a-z-]+(?:=(?:"[^"]*"|'[^']*'|[^\s>]*))?)*)\s*>|&(#x[\da-f]+|#\d+|[a-z]+);|[^]/giu;

interface OpenTag {
  readonly tag: string;
  readonly attributes: string;
  readonly offset: number;
}

export function parseHtml(source: string): { text: string; entities: JsonObject[] } {
  const open: OpenTag[] = [];
  const entities: JsonObject[] = [];
  let text = '';
  for (const { 0: whole, 1: slash, 2: name, 3: attributes = '', 4: sign, index } of source.matchAll(TOKEN)) {
    if (name === undefined) text += sign === undefined ? plain(whole, source, index) : decode(sign, whole);
    else if (slash === '') open.push({ tag: known(name, attributes, source, index), attributes, offset: text.length });
    else merge(entities, end(open.pop(), name.toLowerCase(), text.length, source, index));
  }
  const left = open.at(-1);
  if (left !== undefined) throw new EntityError(`Can't find end tag corresponding to start tag "${left.tag}"`);
  return { text, entities: entities.filter(({ length }) => length !== 0) };
}

function plain(sign: string, source: string, at: number): string {
  if (sign !== '<') return sign;
  const name = /^<\/?([^\s>]*)/.exec(source.slice(at))?.[1] ?? '';
  throw new EntityError(`Unsupported start tag "${name}" at byte offset ${byteOffset(source, at)}`);
}

function decode(sign: string, whole: string): string {
  if (!sign.startsWith('#')) return SIGNS[sign.toLowerCase()] ?? whole;
  const isHex = sign.charAt(1).toLowerCase() === 'x';
  return String.fromCodePoint(Number.parseInt(sign.slice(isHex ? 2 : 1), isHex ? 16 : 10));
}

function known(name: string, attributes: string, source: string, at: number): string {
  const tag = name.toLowerCase();
  if (TAGS[tag] === undefined) throw new EntityError(`Unsupported start tag "${tag}" at byte offset ${byteOffset(source, at)}`);
  if (tag === 'span' && attribute(attributes, 'class') !== 'tg-spoiler')
    throw new EntityError(`Tag "span" must have class "tg-spoiler" at byte offset ${byteOffset(source, at)}`);
  return tag;
}

function end(opened: OpenTag | undefined, name: string, until: number, source: string, at: number): JsonObject[] {
  const place = `at byte offset ${byteOffset(source, at)}`;
  if (opened === undefined) throw new EntityError(`Unexpected end tag ${place}`);
  if (opened.tag !== name) throw new EntityError(`Unmatched end tag ${place}, expected "</${opened.tag}>", found "</${name}>"`);
  const { attributes, offset } = opened;
  const url = attribute(attributes, 'href');
  const language = attribute(attributes, 'class')?.replace(/^language-/, '');
  if (name === 'a' && url === undefined) return [];
  return [
    {
      type: TAGS[name] ?? name,
      offset,
      length: until - offset,
      ...(url !== undefined && { url }),
      ...(name === 'code' && language !== undefined && { language }),
    },
  ];
}

/** Code that fills a block of code only names its language. */
function merge(entities: JsonObject[], [entity]: readonly JsonObject[]): void {
  if (entity === undefined) return;
  const last = entities.at(-1);
  const isFilled = entity['type'] === 'pre' && last?.['type'] === 'code' && last['length'] === entity['length'];
  if (isFilled) entities.pop();
  entities.push(isFilled && last['language'] !== undefined ? { ...entity, language: last['language'] } : entity);
}

const attribute = (attributes: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|(\\S+))`, 'i').exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3];
};
