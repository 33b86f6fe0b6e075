import { signRequest } from '../../../base/sign-webhook.ts';
import { toSnakeCase } from '../../../base/snake-case.ts';
import type { NetworkAccess } from '../../../contracts/reach.ts';

/** One event on its way. */
export interface OutboundPost {
  readonly url: string;
  readonly secret: string;
  /** The same at every attempt. */
  readonly id: string;
  readonly event: string;
  readonly input: object;
  readonly at: number;
}
export type PostVerdict =
  | { readonly type: 'taken'; readonly status: number }
  | { readonly type: 'later'; readonly why: string }
  | { readonly type: 'refused'; readonly why: string };

const POST_MS = 20_000;
const MAX_ANSWER_BYTES = 16_384;
/** A receiver that is not able now is tried again; one that says no is not. */
const LATER: ReadonlySet<number> = new Set([408, 421, 423, 425, 429]);

/** Posts one event, signed as the webhook platform signs what it sends. Follows no redirect. Never throws. */
export async function postEvent(
  { url, secret, id, event, input, at }: OutboundPost,
  network: Pick<NetworkAccess, 'fetch'>,
  now: number,
  signal: AbortSignal,
): Promise<PostVerdict> {
  const body = JSON.stringify({ type: event, timestamp: new Date(at).toISOString(), data: toSnakeCase(input) });
  const headers = { 'content-type': 'application/json', 'user-agent': 'hermes-hooks', ...signRequest({ secret, id, now, body }) };
  const limits = { timeoutMs: POST_MS, maxBytes: MAX_ANSWER_BYTES };
  const answer = await network.fetch({ url, method: 'POST', headers, body, followRedirects: false, signal, ...limits });
  if (!answer.ok) return answer.refused ? { type: 'refused', why: answer.reason } : { type: 'later', why: answer.reason };
  const { status } = answer;
  if (status >= 200 && status < 300) return { type: 'taken', status };
  const why = `the receiver answered ${status}`;
  if (status >= 500 || LATER.has(status)) return { type: 'later', why };
  return { type: 'refused', why: status >= 300 && status < 400 ? `${why}, a redirect; set the address it leads to` : why };
}
