import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import type { DownloadResult, InboundMedia } from '../../../contracts/platform-adapter.ts';
import type { PlatformSender } from '../contract.ts';

export interface MediaDownloadOptions {
  /** Where the files go. */
  readonly folder: string;
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}
/** A file of a message that is here, or why it is not: `why` completes "It could not be downloaded: …". */
export type DownloadedMedia =
  | { readonly media: InboundMedia; readonly path: string; readonly bytes: number; readonly mime?: string }
  | { readonly media: InboundMedia; readonly why: string };

/** Waits between attempts, where the service says that another may help. */
const RETRY_MS = [1_000, 3_000] as const;
const FILE_MS = 60_000;
/** All files of a message together. */
const MESSAGE_MS = 180_000;

/** Loads the files of a message, one after the other. What fails is told, and nothing is thrown but for the signal. */
export async function downloadMedia(
  all: readonly InboundMedia[],
  sender: Pick<PlatformSender, 'download'>,
  options: MediaDownloadOptions,
): Promise<readonly DownloadedMedia[]> {
  const stop = AbortSignal.any([options.signal, AbortSignal.timeout(MESSAGE_MS)]);
  const loaded: DownloadedMedia[] = [];
  for (const [index, media] of all.entries()) {
    if (index >= options.maxFiles) {
      loaded.push({ media, why: `the limit per message is ${options.maxFiles}` });
      continue;
    }
    const path = join(options.folder, String(index));
    const result = await downloadOne(media, path, sender, { ...options, signal: stop });
    options.signal.throwIfAborted();
    loaded.push(describeResult(media, path, result, options));
  }
  return loaded;
}

async function downloadOne(
  media: InboundMedia,
  path: string,
  sender: Pick<PlatformSender, 'download'>,
  { maxBytes, clock, signal }: MediaDownloadOptions,
): Promise<DownloadResult> {
  for (let attempt = 0; ; attempt++) {
    const result = await sender.download(media, { path, maxBytes }, AbortSignal.any([signal, AbortSignal.timeout(FILE_MS)]));
    const pause = RETRY_MS[attempt];
    if (result.type !== 'failed' || !result.retry || pause === undefined || signal.aborted) return result;
    await clock.sleep(pause, signal);
  }
}

/** Limits are told and set as services tell theirs. */
const MIB = 1_048_576;
function describeResult(media: InboundMedia, path: string, result: DownloadResult, { maxBytes }: MediaDownloadOptions): DownloadedMedia {
  if (result.type === 'too_large') return { media, why: `it is larger than ${Math.floor(maxBytes / MIB)} MB` };
  if (result.type === 'failed') return { media, why: result.why };
  const mime = result.mime ?? media.mime;
  return { media, path, bytes: result.bytes, ...(mime !== undefined && { mime }) };
}
