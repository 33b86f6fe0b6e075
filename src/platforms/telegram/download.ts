import { rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { readStringAt } from '../../base/json.ts';
import type { DownloadResult, InboundMedia } from '../../contracts/platform-adapter.ts';
import type { TelegramClient } from './client.ts';

interface TelegramDownloadOptions {
  readonly path: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export async function downloadFile(client: TelegramClient, media: InboundMedia, options: TelegramDownloadOptions): Promise<DownloadResult> {
  if ((media.bytes ?? 0) > options.maxBytes) return { type: 'too_large' };
  const file = await client.call('getFile', { file_id: media.handle }, options);
  if (file.type !== 'ok') {
    if (file.type === 'refused' && /file is too big/i.test(file.why)) return { type: 'too_large' };
    return { type: 'failed', why: file.why, retry: file.type !== 'refused' || file.code === 429 || file.code >= 500 };
  }
  const path = readStringAt(file.result, 'file_path');
  if (path === undefined) return { type: 'failed', why: 'Telegram has the file no longer', retry: false };
  return await fetchInto(client, path, options);
}

/** Nothing is left behind of a file that did not come whole. */
async function fetchInto(
  client: TelegramClient,
  source: string,
  { path, maxBytes, signal }: TelegramDownloadOptions,
): Promise<DownloadResult> {
  let bytes = 0;
  try {
    const { status, body } = await client.openFile(source, signal);
    if (status !== 200) {
      body.destroy();
      return { type: 'failed', why: `Telegram answered ${status} for the file`, retry: status >= 500 };
    }
    const bounded = async function* (): AsyncGenerator<Uint8Array, void> {
      for await (const chunk of body) {
        bytes += Buffer.byteLength(chunk);
        if (bytes > maxBytes) throw new OversizedFile();
        yield chunk;
      }
    };
    await pipeline(bounded(), createWriteStream(path), { signal });
    return { type: 'done', bytes };
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof OversizedFile) return { type: 'too_large' };
    return { type: 'failed', why: error instanceof Error ? error.message : String(error), retry: true };
  }
}

class OversizedFile extends Error {}
