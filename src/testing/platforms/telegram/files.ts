import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { TelegramUpload } from './params.ts';

export type TelegramMediaKind = 'photo' | 'document' | 'voice' | 'audio' | 'video';
export const MEDIA_KINDS: readonly TelegramMediaKind[] = ['photo', 'document', 'voice', 'audio', 'video'];

interface StoredFile extends TelegramUpload {
  readonly id: string;
  readonly path: string;
}

/** Files by the identity a client asks with, and by the path it fetches. */
export class TelegramFiles {
  readonly #byId = new Map<string, StoredFile>();
  readonly #byPath = new Map<string, StoredFile>();

  byId(id: string): StoredFile | undefined {
    return this.#byId.get(id);
  }
  byPath(path: string): StoredFile | undefined {
    return this.#byPath.get(path);
  }

  /** The part of a message that shows this file. */
  wire(kind: TelegramMediaKind, file: TelegramUpload): Json {
    if (kind === 'photo') {
      const thumbnail = { ...this.#keep(kind, file), width: 90, height: 68 };
      return [thumbnail, { ...this.#keep(kind, file), width: 1280, height: 960 }];
    }
    return { ...this.#keep(kind, file), ...SHAPES[kind](file) };
  }

  /** The file a message shows: of a picture the largest one. */
  shown(body: JsonObject): { readonly kind: TelegramMediaKind; readonly file: StoredFile } | undefined {
    const kind = MEDIA_KINDS.find((each) => body[each] !== undefined);
    if (kind === undefined) return undefined;
    const part = [body[kind]].flat().at(-1);
    const file = this.#byId.get(String(Reflect.get(Object(part), 'file_id')));
    return file && { kind, file };
  }

  #keep(kind: TelegramMediaKind, file: TelegramUpload): JsonObject {
    const number = this.#byId.size + 1;
    const id = `${kind}-file-${number}`;
    const path = `${kind}s/file_${number}${extname(file.name ?? '') || EXTENSIONS[kind]}`;
    const stored = { ...file, id, path };
    this.#byId.set(id, stored);
    this.#byPath.set(path, stored);
    const unique = createHash('sha256').update(file.bytes).digest('hex').slice(0, 16);
    return { file_id: id, file_unique_id: unique, file_size: file.bytes.length };
  }
}

const EXTENSIONS: Readonly<Record<TelegramMediaKind, string>> = {
  photo: '.jpg',
  document: '',
  voice: '.oga',
  audio: '.mp3',
  video: '.mp4',
};

const named = ({ name }: TelegramUpload): JsonObject => (name === undefined ? {} : { file_name: name });
const typed = ({ mime }: TelegramUpload, usual: string): JsonObject => ({ mime_type: mime === undefined || mime === '' ? usual : mime });
const lasting = ({ duration = 1 }: TelegramUpload): JsonObject => ({ duration });

const SHAPES: Readonly<Record<Exclude<TelegramMediaKind, 'photo'>, (file: TelegramUpload) => JsonObject>> = {
  document: (file) => ({ ...named(file), ...typed(file, 'application/octet-stream') }),
  voice: (file) => ({ ...lasting(file), ...typed(file, 'audio/ogg') }),
  audio: (file) => ({ ...lasting(file), ...named(file), ...typed(file, 'audio/mpeg') }),
  video: (file) => ({ ...lasting(file), width: 640, height: 480, ...named(file), ...typed(file, 'video/mp4') }),
};
