import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isObject, parseJson } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { parseMultipart, type FormPart } from './multipart.ts';

/** A file on its way into a chat, or out of one. */
export interface TelegramUpload {
  readonly bytes: Uint8Array;
  readonly name?: string;
  readonly mime?: string;
  /** In seconds; of sound and film. */
  readonly duration?: number;
}

/** The parameters of one call, in whichever of Telegram's four ways they came: query, form, multipart or JSON. */
export class TelegramParams {
  /** As they came, files left out. */
  readonly values: JsonObject;
  readonly files: ReadonlyMap<string, TelegramUpload>;

  constructor(values: JsonObject, files: ReadonlyMap<string, TelegramUpload>) {
    this.values = values;
    this.files = files;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  }
  number(name: string): number | undefined {
    const value = Number(this.text(name) ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  }
  isTrue(name: string): boolean {
    return this.text(name)?.toLowerCase() === 'true' || this.text(name) === '1';
  }
  /** Forms carry structure as JSON text. */
  json(name: string): Json | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? parseJson(value) : value;
  }
  /** Sent with the call, under the parameter's own name or under the one an `attach://` address gives. */
  upload(name: string): TelegramUpload | undefined {
    const value = this.text(name);
    return this.files.get(value?.startsWith('attach://') === true ? value.slice('attach://'.length) : name);
  }
}

export async function readParams(incoming: IncomingMessage, query: URLSearchParams): Promise<TelegramParams> {
  const type = incoming.headers['content-type'] ?? '';
  const bytes = await buffer(incoming);
  const asked: JsonObject = Object.fromEntries(query);
  if (bytes.length === 0) return new TelegramParams(asked, new Map());
  if (!/form/i.test(type)) {
    const body = parseJson(bytes.toString('utf8'));
    return new TelegramParams({ ...asked, ...(isObject(body) && body) }, new Map());
  }
  return /urlencoded/i.test(type)
    ? new TelegramParams({ ...asked, ...Object.fromEntries(new URLSearchParams(bytes.toString('utf8'))) }, new Map())
    : readForm(parseMultipart(bytes, type), asked);
}

function readForm(parts: readonly FormPart[], asked: JsonObject): TelegramParams {
  const texts = parts
    .filter(({ fileName }) => fileName === undefined)
    .map(({ name, bytes }) => [name, Buffer.from(bytes).toString('utf8')]);
  const files = parts.flatMap(({ name, fileName, mime, bytes }) =>
    fileName === undefined ? [] : [[name, { bytes, name: fileName, ...(mime !== undefined && { mime }) }] as const],
  );
  return new TelegramParams({ ...asked, ...Object.fromEntries(texts) }, new Map(files));
}
