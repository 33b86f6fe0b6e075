import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { readNumberAt, readStringAt } from '../../base/json.ts';
import type { DownloadResult, InboundMedia } from '../../contracts/platform-adapter.ts';
import { toMailFailure } from './failures.ts';
import type { OpenFolder } from './mailbox.ts';
import type { MailReader } from './reader.ts';
import type { EmailSettings } from './settings.ts';

interface FileTarget {
  readonly path: string;
  readonly maxBytes: number;
}

/** An encoded file is at least this much longer. */
const ENCODED = 0.7;

export async function downloadPart(
  reader: MailReader,
  settings: EmailSettings,
  media: InboundMedia,
  to: FileTarget,
  signal: AbortSignal,
): Promise<DownloadResult> {
  if ((readNumberAt(media.handle, 'size') ?? 0) * ENCODED > to.maxBytes) return { type: 'too_large' };
  try {
    return await reader.use(settings.folder, (folder) => loadPart(folder, media, to, signal), signal);
  } catch (error) {
    await rm(to.path, { force: true });
    return { type: 'failed', why: toMailFailure(error).message, retry: true };
  }
}

async function loadPart(
  folder: OpenFolder,
  { handle }: InboundMedia,
  { path, maxBytes }: FileTarget,
  signal: AbortSignal,
): Promise<DownloadResult> {
  const uid = await findMail(folder, handle);
  // One byte more tells whether it is too large.
  const content = uid === undefined ? undefined : await folder.openPart(uid, readStringAt(handle, 'part') ?? '1', maxBytes + 1);
  if (content === undefined) return { type: 'failed', why: 'the mail is no longer in the mailbox', retry: false };
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of content) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(counted(), createWriteStream(path), { signal });
  if (bytes <= maxBytes) return { type: 'done', bytes };
  await rm(path, { force: true });
  return { type: 'too_large' };
}

/** By its number, or where the server has numbered its mails anew, by its id. */
async function findMail(folder: OpenFolder, handle: InboundMedia['handle']): Promise<number | undefined> {
  if (readStringAt(handle, 'validity') === folder.validity) return readNumberAt(handle, 'uid');
  return (await folder.findByMessageId(readStringAt(handle, 'messageId') ?? '')).at(-1);
}
