import { readFile } from 'node:fs/promises';
import { toErrorMessage } from '../../base/errors.ts';
import { readRetryAfter } from '../../base/retry-after.ts';
import type { AdapterOptions, OutboundMessage, PostResult, SendResult } from '../../contracts/platform-adapter.ts';
import type { WebhookTarget } from './entries.ts';
import { signRequest } from '../../base/sign-webhook.ts';

export interface PostDeps {
  readonly post: NonNullable<AdapterOptions['post']>;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** What a receiver gets. Its id is in the headers, and the same at every attempt. */
export interface OutboundEvent {
  readonly type: string;
  readonly data: {
    /** Markdown. */
    readonly text: string;
    /** The delivery that it answers. */
    readonly reply_to?: string;
    readonly file?: { readonly name: string; readonly mime: string; readonly content_base64: string };
  };
}

/** Posts one message, signed. Whoever gets it twice knows it by its id. */
export async function postMessage(target: WebhookTarget, message: OutboundMessage, deps: PostDeps): Promise<SendResult> {
  try {
    return await postEvent(target, message.key, await toEvent(message), deps);
  } catch (error) {
    // A file of ours that cannot be read.
    return { type: 'refused', why: toErrorMessage(error) };
  }
}

export async function postEvent(
  target: WebhookTarget,
  id: string,
  event: OutboundEvent,
  { post, now, signal }: PostDeps,
): Promise<SendResult> {
  const body = JSON.stringify(event);
  const signed = signRequest({ secret: target.secret, id, now: now(), body });
  const headers = { 'content-type': 'application/json', 'user-agent': 'hermes-webhook', ...signed };
  return toResult(await post({ url: target.url, headers, body }, signal), id, now());
}

async function toEvent({ content, replyTo }: OutboundMessage): Promise<OutboundEvent> {
  const answered = replyTo === undefined ? {} : { reply_to: replyTo };
  if (content.type !== 'media') return { type: 'message', data: { text: content.markdown, ...answered } };
  const { path, name, mime } = content.media;
  const file = { name, mime, content_base64: await readFile(path, 'base64') };
  return { type: 'message', data: { text: content.caption ?? '', ...answered, file } };
}

/** A receiver that is not able now is tried again; one that says no is not. */
const LATER: ReadonlySet<number> = new Set([408, 421, 423, 425]);
const USUAL_WAIT_MS = 60_000;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 86_400_000;

function toResult(answer: PostResult, id: string, now: number): SendResult {
  if (answer.type === 'failed') return { type: answer.wasTried ? 'unknown' : 'not_sent', why: answer.why };
  const { status, headers } = answer;
  const why = `the receiver answered ${status}`;
  const asked = readRetryAfter(headers['retry-after'], now);
  if (status >= 200 && status < 300) return { type: 'sent', messageId: id };
  if (status === 429 || (status === 503 && asked !== undefined))
    return { type: 'limited', retryAfterMs: Math.min(Math.max(asked ?? USUAL_WAIT_MS, MIN_WAIT_MS), MAX_WAIT_MS), scope: 'chat' };
  if (status === 410) return { type: 'dead', why: `${why}: it wants nothing more` };
  if (status >= 500 || LATER.has(status)) return { type: 'not_sent', why };
  return { type: 'refused', why: status >= 300 && status < 400 ? `${why}, a redirect; set the address it leads to` : why };
}
