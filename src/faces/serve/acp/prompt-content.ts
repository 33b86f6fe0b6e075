import { RequestError, type ContentBlock, type EmbeddedResource, type ResourceLink } from '@agentclientprotocol/sdk';
import { fileURLToPath } from 'node:url';
import type { AttachedText } from '../../../contracts/host.ts';
import type { FileBlock, ImageBlock, TextBlock } from '../../../contracts/message.ts';
import { MAX_OVERLAY } from '../../../contracts/prompt.ts';

/** A prompt of the editor's, taken apart by who wrote what. */
export interface PromptContent {
  /** What the person typed. Where context was mentioned among the words there is a number, never a word of the context. */
  readonly words: string;
  readonly media: readonly (ImageBlock | FileBlock)[];
  /** Context that stands beside the message. */
  readonly overlay: readonly TextBlock[];
  /** Context too long for that. */
  readonly attached?: AttachedText;
}

/** Most bytes of one embedded resource. */
const MAX_RESOURCE_BYTES = 512 * 1024;
const SOURCE = 'the editor';

/** Editor context informs and never instructs: only text blocks are the person's words. */
export function readPrompt(blocks: readonly ContentBlock[]): PromptContent {
  const words: string[] = [];
  const media: (ImageBlock | FileBlock)[] = [];
  const texts: string[] = [];
  const mention = (describe: (number: number) => string): void => {
    const number = texts.length + 1;
    words.push(`[context ${number}]`);
    texts.push(describe(number));
  };
  for (const block of blocks) {
    if (block.type === 'text') words.push(block.text);
    else if (block.type === 'image') media.push({ type: 'image', mime: block.mimeType, data: block.data, trust: 'foreign' });
    else if (block.type === 'resource_link') mention((number) => `[context ${number}] is ${describeLink(block)}`);
    else if (block.type === 'resource') readResource(block, mention, media);
    else throw RequestError.invalidParams(undefined, 'audio is not supported. Send text, images or resources.');
  }
  return { words: words.join('').trim(), media, ...placeTexts(texts) };
}

function readResource(
  { resource }: EmbeddedResource,
  mention: (describe: (number: number) => string) => void,
  media: (ImageBlock | FileBlock)[],
): void {
  const { uri, mimeType } = resource;
  const name = toPath(uri);
  if ('text' in resource) {
    refuseLarge(uri, Buffer.byteLength(resource.text));
    mention((number) => `[context ${number}] is ${name}:\n${resource.text}`);
    return;
  }
  refuseLarge(uri, Math.ceil((resource.blob.length * 3) / 4));
  const mime = mimeType ?? 'application/octet-stream';
  media.push(
    mime.startsWith('image/')
      ? { type: 'image', mime, data: resource.blob, trust: 'foreign' }
      : { type: 'file', name, mime, data: resource.blob, trust: 'foreign' },
  );
}

function refuseLarge(uri: string, bytes: number): void {
  if (bytes > MAX_RESOURCE_BYTES)
    throw RequestError.invalidParams(
      { uri, bytes },
      `the embedded resource ${uri} has ${bytes} bytes, more than ${MAX_RESOURCE_BYTES}. Mention it as a link instead.`,
    );
}

const describeLink = ({ uri, name, description }: ResourceLink): string =>
  `a link to ${toPath(uri)}${name === '' ? '' : ` (${name})`}${typeof description === 'string' ? `: ${description}` : ''}`;

/** A file by its path, with the lines that were meant; anything else by its address. */
function toPath(uri: string): string {
  try {
    const { protocol, hash } = new URL(uri);
    return protocol === 'file:' ? `${fileURLToPath(uri)}${hash}` : uri;
  } catch {
    return uri;
  }
}

/** Short context stands beside the message; the rest goes into one text, which is kept in a file when it is too long. */
function placeTexts(texts: readonly string[]): Pick<PromptContent, 'overlay' | 'attached'> {
  const long = texts.filter((text) => text.length > MAX_OVERLAY);
  return {
    overlay: texts.filter((text) => text.length <= MAX_OVERLAY).map((text) => ({ type: 'text', text, trust: 'foreign', source: SOURCE })),
    ...(long.length > 0 && { attached: { name: SOURCE, text: long.join('\n\n') } }),
  };
}
