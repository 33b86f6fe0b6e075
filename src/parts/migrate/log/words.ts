import { escapeFences } from '../../../base/fence.ts';
import { isObject, readStringAt } from '../../../base/json.ts';
import { replaceLoneSurrogates } from '../../../base/text.ts';
import { createTextBlock, type ImageBlock, type TextBlock, type ToolCall, type Trust } from '../../../contracts/message.ts';

/** Words of another program's log, safe to store and to send; a mark of recalled memory loses its bracket. */
export const cleanWords = (text: string): string =>
  escapeFences(replaceLoneSurrogates(text).replaceAll('\0', '\u{fffd}'), ['memory-context']);

/** Text blocks without those that have no words. */
export const toTextBlocks = (text: string, trust: Trust, source?: string): TextBlock[] =>
  text.trim() === '' ? [] : [{ ...createTextBlock(cleanWords(text), trust), ...(source !== undefined && { source }) }];

/** The parts of a message in the form of the chat protocol, or of blocks with base64 data. What is neither stays readable as JSON. */
export function toContentBlocks(content: unknown, trust: Trust, source?: string): (TextBlock | ImageBlock)[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return toTextBlocks(content, trust, source);
  if (!Array.isArray(content)) return toTextBlocks(JSON.stringify(content), trust, source);
  return content.flatMap((part: unknown): (TextBlock | ImageBlock)[] => {
    const image = toImageBlock(part, trust);
    if (image !== undefined) return [image];
    return toTextBlocks(typeof part === 'string' ? part : (readStringAt(part, 'text') ?? JSON.stringify(part)), trust, source);
  });
}

function toImageBlock(part: unknown, trust: Trust): ImageBlock | undefined {
  if (!isObject(part)) return undefined;
  const url = readStringAt(part['image_url'], 'url') ?? readStringAt(part, 'image_url');
  const inline = /^data:(?<mime>image\/[\w.+-]+);base64,(?<data>[\w+/=]+)$/.exec(url ?? '')?.groups;
  if (inline !== undefined) return { type: 'image', mime: inline['mime'] ?? '', data: inline['data'] ?? '', trust };
  const [data, mime] = [readStringAt(part, 'data'), readStringAt(part, 'mimeType')];
  return part['type'] === 'image' && data !== undefined && mime !== undefined ? { type: 'image', mime, data, trust } : undefined;
}

/** A call with its arguments as they were written; what is no JSON is kept as it came. */
export function toToolCall(id: string, name: string, written: unknown): ToolCall {
  const call = { type: 'tool_call', id, name: cleanWords(name), trust: 'model' } as const;
  if (typeof written !== 'string') return { ...call, input: isObject(written) ? written : {} };
  try {
    const input: unknown = JSON.parse(written === '' ? '{}' : written);
    return isObject(input) ? { ...call, input } : { ...call, input: {}, malformed: written };
  } catch {
    return { ...call, input: {}, malformed: cleanWords(written) };
  }
}
