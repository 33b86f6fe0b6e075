import { systemClock } from '../../base/clock.ts';
import { parseJson, readNumberAt, readStringAt } from '../../base/json.ts';
import { isSameSecret } from '../../base/same-secret.ts';
import type { Json } from '../../base/json-types.ts';
import type { AdapterOptions, ConnectionEnd, InboundAnswer, InboundRequest, InboundRoute } from '../../contracts/platform-adapter.ts';
import { toEnd, type ReceiveLoop } from './connection.ts';
import type { TelegramClient } from './client.ts';
import { UPDATE_KINDS } from './events.ts';
import type { TelegramSettings } from './settings.ts';

const MAX_BODY_BYTES = 1024 * 1024;
/**
 * So soon Telegram is asked again when it has trouble to reach us, and so often before that counts as broken. A connection that it
 * has not reached yet goes on for longer: Telegram calls again within a minute or two, and whoever is away then makes it wait longer.
 */
const LOOK_AGAIN_MS = 5_000;
const MAX_TROUBLED_LOOKS = { reached: 3, unreached: 10 } as const;
/** Much shorter than a connection goes on in vain. */
const RETRY_WITHIN_MS = 10_000;

interface WebhookListening {
  readonly pollSeconds: number;
  readonly listen: NonNullable<AdapterOptions['listen']>;
  readonly loop: ReceiveLoop;
}

/**
 * Telegram calls us, one update at a time so that their order is kept. It hears 200 when the update is committed, and repeats it
 * until then. Silence may mean that nobody writes: Telegram is asked now and then whether it still calls here, and gets through.
 */
export async function listenToWebhook(
  client: TelegramClient,
  { url, secret }: NonNullable<TelegramSettings['webhook']>,
  { pollSeconds, listen, loop }: WebhookListening,
): Promise<ConnectionEnd | undefined> {
  const { signal } = loop;
  const posts: PostCounts = { taken: 0, inHand: 0 };
  const answer = answerPosts(secret, loop, posts);
  await using _route = await listen({ path: new URL(url).pathname, maxBytes: MAX_BODY_BYTES, answer });
  const set = await client.call('setWebhook', { url, secret_token: secret, allowed_updates: UPDATE_KINDS, max_connections: 1 }, { signal });
  if (set.type !== 'ok') return toEnd(set);
  let limit: number = MAX_TROUBLED_LOOKS.unreached;
  for (let [known, troubled] = [0, 0]; !signal.aborted;) {
    const info = await client.call('getWebhookInfo', {}, { signal });
    if (info.type !== 'ok') return toEnd(info);
    if (readStringAt(info.result, 'url') !== url)
      return { kind: 'busy', why: 'Conflict: another program has taken the webhook of this bot' };
    const trouble = posts.taken > known || posts.inHand > 0 ? undefined : readTrouble(info.result);
    [known, troubled] = [posts.taken, trouble === undefined ? 0 : troubled + 1];
    if (trouble === undefined) {
      loop.received();
      limit = MAX_TROUBLED_LOOKS.reached;
    } else if (troubled >= limit) return { kind: 'broken', why: trouble, retryWithinMs: RETRY_WITHIN_MS };
    const pauseMs = pollSeconds * 1000;
    await systemClock.sleep(trouble === undefined ? pauseMs : Math.min(pauseMs, LOOK_AGAIN_MS), signal);
  }
  return undefined;
}

interface PostCounts {
  taken: number;
  /** Those that are not committed yet: meanwhile it is Telegram that waits. */
  inHand: number;
}

/** Takes the updates that Telegram posts, and counts them. */
function answerPosts(secret: string, { signal, received, hand }: ReceiveLoop, posts: PostCounts): InboundRoute['answer'] {
  let last: Promise<unknown> = Promise.resolve();
  return async (request: InboundRequest): Promise<InboundAnswer> => {
    if (request.method !== 'POST') return { status: 405 };
    if (!isSameSecret(request.headers['x-telegram-bot-api-secret-token'] ?? '', secret)) return { status: 401 };
    const update = parseJson(Buffer.from(request.body).toString('utf8'));
    if (update === undefined) return { status: 400 };
    received();
    posts.taken += 1;
    posts.inHand += 1;
    const before = last;
    const handed = before.then(() => (signal.aborted ? false : hand([update])));
    last = handed.catch(() => undefined).finally(() => (posts.inHand -= 1));
    return { status: (await handed) ? 200 : 503 };
  };
}

/** Updates wait at Telegram. It says what went wrong when it last tried to deliver one. */
function readTrouble(info: Json): string | undefined {
  const waiting = readNumberAt(info, 'pending_update_count') ?? 0;
  if (waiting === 0) return undefined;
  return `Telegram does not reach the webhook (${readStringAt(info, 'last_error_message') ?? 'it does not say why'}); updates that wait: ${waiting}`;
}
