import { readStringAt } from '../../base/json.ts';
import type { DownloadResult, InboundMedia } from '../../contracts/platform-adapter.ts';
import { listAt } from './channels.ts';
import type { DownloadTarget } from './exchange.ts';
import type { DiscordRest } from './rest.ts';

/** Loads a file of a message. Its address expires; then the message tells the one of today. */
export async function downloadMedia(
  rest: DiscordRest,
  media: InboundMedia,
  to: DownloadTarget,
  signal: AbortSignal,
): Promise<DownloadResult> {
  if (media.bytes !== undefined && media.bytes > to.maxBytes) return { type: 'too_large' };
  const loaded = await rest.download(readStringAt(media.handle, 'url') ?? '', to, signal);
  if (loaded.type !== 'failed' || loaded.retry) return loaded;
  const fresh = await findFreshUrl(rest, media, signal);
  return fresh === undefined ? loaded : rest.download(fresh, to, signal);
}

async function findFreshUrl(rest: DiscordRest, { handle }: InboundMedia, signal: AbortSignal): Promise<string | undefined> {
  const path = `/channels/${readStringAt(handle, 'channel')}/messages/${readStringAt(handle, 'message')}`;
  const answer = await rest.call('GET', path, { signal });
  if (answer.type !== 'ok') return undefined;
  const forwarded = listAt(answer.body, 'message_snapshots').flatMap((snapshot) => listAt(snapshot, 'message', 'attachments'));
  const all = [...listAt(answer.body, 'attachments'), ...forwarded];
  const found = all.find((each) => readStringAt(each, 'id') === readStringAt(handle, 'id'));
  return readStringAt(found, 'url');
}
