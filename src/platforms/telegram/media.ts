import { isObject, readNumberAt, readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type { InboundMedia, MediaKind } from '../../contracts/platform-adapter.ts';

/** Which part of a message is which kind, and its type where Telegram does not tell one. The first that is there counts. */
const PARTS: readonly (readonly [part: string, kind: MediaKind, mime?: string])[] = [
  ['photo', 'image', 'image/jpeg'],
  ['voice', 'voice', 'audio/ogg'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['video_note', 'video', 'video/mp4'],
  // Comes with a document of the same file.
  ['animation', 'video'],
  ['document', 'document'],
  ['sticker', 'sticker'],
];

export function readMedia(message: JsonObject): InboundMedia[] {
  const row = PARTS.find(([part]) => message[part] !== undefined);
  if (row === undefined) return [];
  const [part, kind, usual] = row;
  const sizes = message[part];
  // A picture comes in several sizes, the largest last.
  const file = Array.isArray(sizes) ? sizes.at(-1) : sizes;
  const handle = readStringAt(file, 'file_id');
  if (handle === undefined) return [];
  const name = readStringAt(file, 'file_name');
  const mime = readStringAt(file, 'mime_type') ?? (kind === 'sticker' ? stickerType(file) : usual);
  const bytes = readNumberAt(file, 'file_size');
  return [
    { kind, handle, ...(name !== undefined && { name }), ...(mime !== undefined && { mime }), ...(bytes !== undefined && { bytes }) },
  ];
}

const stickerType = (sticker: Json | undefined): string =>
  readPath(sticker, 'is_video') === true ? 'video/webm' : readPath(sticker, 'is_animated') === true ? 'application/gzip' : 'image/webp';

/** What has neither words nor a file, in words. */
const OTHERS: Readonly<Record<string, (value: JsonObject) => string>> = {
  venue: (value) => `[Place: ${wordsOf(value, 'title', 'address')}]`,
  location: (value) => `[Location: ${wordsOf(value, 'latitude', 'longitude')}]`,
  contact: (value) => `[Contact: ${wordsOf(value, 'first_name', 'last_name', 'phone_number')}]`,
  poll: (value) => `[Poll: ${wordsOf(value, 'question')} (${optionsOf(value)})]`,
  dice: (value) => `[Dice: ${wordsOf(value, 'emoji', 'value')}]`,
  sticker: (value) => `[Sticker: ${wordsOf(value, 'emoji')}]`,
};
const wordsOf = (value: JsonObject, ...keys: readonly string[]): string =>
  keys
    .map((key) => readStringAt(value, key) ?? readNumberAt(value, key))
    .filter((each) => each !== undefined)
    .join(', ');
const optionsOf = ({ options }: JsonObject): string =>
  (Array.isArray(options) ? options : []).map((option: Json) => readStringAt(option, 'text') ?? '').join(' / ');

export function describeOther(message: JsonObject): string {
  for (const [part, describe] of Object.entries(OTHERS)) {
    const value = message[part];
    if (isObject(value)) return describe(value);
  }
  return '';
}
