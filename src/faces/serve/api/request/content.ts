import { isObject, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { sha256 } from '../../../../base/sha256.ts';
import { createTextBlock, type ImageBlock, type TextBlock } from '../../../../contracts/message.ts';
import { createBadRequest } from '../http/errors.ts';

export type LoadImage = (url: string) => Promise<ImageBlock>;
/** The content of one message of a client's. */
export interface ReadContent {
  /** In the order of the parts. */
  readonly blocks: readonly (TextBlock | ImageBlock)[];
  /** The same as words, for what a conversation is known by: a picture is its hash. */
  readonly words: string;
}

const MAX_PARTS = 1_000;
const MAX_TEXT = 1_000_000;
const IMAGE_URL = /^data:(image\/[a-z0-9.+-]{1,40});base64,([A-Za-z0-9+/]+={0,2})$/i;

/** A text or a list of parts: text and images, in the words of both of OpenAI's formats. */
export async function readContent(content: Json | undefined, param: string, loadImage: LoadImage): Promise<ReadContent> {
  if (content === undefined || content === null) return { blocks: [], words: '' };
  if (typeof content === 'string') return toWords([readTextPart(content, param)]);
  if (!Array.isArray(content)) throw createBadRequest('invalid_content_part', `"${param}" must be a string or an array of parts.`, param);
  if (content.length > MAX_PARTS) throw createBadRequest('invalid_content_part', `"${param}" has more than ${MAX_PARTS} parts.`, param);
  const blocks: (TextBlock | ImageBlock)[] = [];
  for (const [index, part] of content.entries()) blocks.push(await readPart(part ?? null, `${param}[${index}]`, loadImage));
  return toWords(blocks);
}

const toWords = (blocks: ReadContent['blocks']): ReadContent => ({
  blocks,
  words: blocks.map((block) => (block.type === 'text' ? block.text : `image ${sha256(block.data)}`)).join('\n'),
});

async function readPart(part: Json, param: string, loadImage: LoadImage): Promise<TextBlock | ImageBlock> {
  if (typeof part === 'string') return readTextPart(part, param);
  if (!isObject(part)) throw createBadRequest('invalid_content_part', `"${param}" must be an object.`, param);
  const read = PARTS.get(readStringAt(part, 'type') ?? '');
  if (read === undefined)
    throw createBadRequest('unsupported_content_type', `"${param}" is of a type that is not supported. ${describeOther(part)}`, param);
  return read(part, param, loadImage);
}

const isFileType = (type: string): boolean => type === 'file' || type === 'input_file';
/** What to send in place of it. */
const describeOther = (part: JsonObject): string =>
  isFileType(readStringAt(part, 'type') ?? '')
    ? 'Files are not taken: send their text, or put them into a folder of the agent.'
    : 'Send text or images; recordings as a transcript.';

type ReadPart = (part: JsonObject, param: string, loadImage: LoadImage) => TextBlock | ImageBlock | Promise<ImageBlock>;
const readTextOf: ReadPart = ({ text }, param) => readTextPart(text, param);
const PARTS: ReadonlyMap<string, ReadPart> = new Map<string, ReadPart>([
  ['text', readTextOf],
  ['input_text', readTextOf],
  ['output_text', readTextOf],
  [
    'image_url',
    (part, param, loadImage) => readImage(readStringAt(part, 'image_url', 'url') ?? readStringAt(part, 'image_url'), param, loadImage),
  ],
  ['input_image', (part, param, loadImage) => readImage(readStringAt(part, 'image_url'), param, loadImage)],
]);

function readTextPart(text: Json | undefined, param: string): TextBlock {
  if (typeof text !== 'string') throw createBadRequest('invalid_content_part', `"${param}" has no text.`, param);
  if (text.length > MAX_TEXT) throw createBadRequest('invalid_content_part', `"${param}" is longer than ${MAX_TEXT} characters.`, param);
  return createTextBlock(text, 'owner');
}

/** What a picture shows was written by whoever drew it. */
async function readImage(url: string | undefined, param: string, loadImage: LoadImage): Promise<ImageBlock> {
  const [, mime, data] = IMAGE_URL.exec(url ?? '') ?? [];
  if (mime !== undefined && data !== undefined) return { type: 'image', mime: mime.toLowerCase(), data, trust: 'foreign' };
  if (url === undefined || !/^https?:\/\//i.test(url))
    throw createBadRequest('invalid_image_url', `"${param}" must have a data:image/...;base64, URL, or an http(s) URL.`, param);
  return loadImage(url);
}
