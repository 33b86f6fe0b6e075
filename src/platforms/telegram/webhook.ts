import { systemClock } from '../../base/clock.ts';
import { parseJson, readStringAt } from '../../base/json.ts';
import { isSameSecret } from '../../base/same-secret.ts';
import type { AdapterOptions, InboundAnswer, InboundRequest } from '../../contracts/platform-adapter.ts';
import type { ReceiveLoop } from './connection.ts';
import type { ApiFailure, TelegramClient } from './client.ts';
import { UPDATE_KINDS } from './events.ts';
import type { TelegramSettings } from './settings.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Telegram calls us, one update at a time so that their order is kept. It hears 200 when the update is committed, and repeats it
 * until then. Silence may mean that nobody writes: Telegram is asked now and then whether it still calls here.
 */
export async function listenToWebhook(
  client: TelegramClient,
  { url, secret }: NonNullable<TelegramSettings['webhook']>,
  { pollSeconds, listen, loop }: { pollSeconds: number; listen: NonNullable<AdapterOptions['listen']>; loop: ReceiveLoop },
): Promise<ApiFailure | undefined> {
  const { signal } = loop;
  let last: Promise<unknown> = Promise.resolve();
  const answer = async (request: InboundRequest): Promise<InboundAnswer> => {
    if (request.method !== 'POST') return { status: 405 };
    if (!isSameSecret(request.headers['x-telegram-bot-api-secret-token'] ?? '', secret)) return { status: 401 };
    const update = parseJson(Buffer.from(request.body).toString('utf8'));
    if (update === undefined) return { status: 400 };
    loop.received();
    const before = last;
    const handed = before.then(() => (signal.aborted ? false : loop.hand([update])));
    last = handed.catch(() => undefined);
    return { status: (await handed) ? 200 : 503 };
  };
  await using _route = await listen({ path: new URL(url).pathname, maxBytes: MAX_BODY_BYTES, answer });
  const set = await client.call('setWebhook', { url, secret_token: secret, allowed_updates: UPDATE_KINDS, max_connections: 1 }, { signal });
  if (set.type !== 'ok') return set;
  while (!signal.aborted) {
    const info = await client.call('getWebhookInfo', {}, { signal });
    if (info.type !== 'ok') return info;
    if (readStringAt(info.result, 'url') !== url)
      return { type: 'refused', code: 409, why: 'Conflict: another program has taken the webhook of this bot' };
    loop.received();
    await systemClock.sleep(pollSeconds * 1000, signal);
  }
  return undefined;
}
