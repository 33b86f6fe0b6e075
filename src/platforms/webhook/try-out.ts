import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { randomHex } from '../../base/ids.ts';
import { parseJson } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import { isWanted, toMessage } from './codec.ts';
import type { WebhookRoute, WebhookTarget } from './entries.ts';
import { postEvent, type PostDeps } from './sending.ts';
import { verifyRequest } from './signatures.ts';
import { signAs, signByForm } from '../../base/sign-webhook.ts';

/** What came of a try. */
export interface TryResult {
  readonly ok: boolean;
  readonly sent: boolean;
  /** Why nothing was sent. */
  readonly why?: string;
  readonly status?: number;
  readonly answer: string;
}
export interface TryRouteOptions {
  /** Whether a gateway runs, and whether it has opened webhooks. */
  readonly gateway: 'none' | 'closed' | 'open';
  /** Where it listens when it has. */
  readonly url: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
}
export interface TriedEvent {
  readonly payload?: string;
  readonly event?: string;
}

/** Calls a route as its sender would, or says what would become of it. */
export async function tryRoute(route: WebhookRoute, tried: TriedEvent, { gateway, url, now, signal }: TryRouteOptions): Promise<TryResult> {
  const { body, parsed, event } = readTried(route, tried);
  const scheme = route.scheme === 'auto' ? 'standard' : route.scheme;
  const options = { secret: route.secret, id: `test-${randomHex(8)}`, now: now(), body };
  const signed = scheme !== 'hmac' ? signAs(scheme, options) : route.form === undefined ? {} : signByForm(route.form, options);
  const told = event === undefined ? {} : { [EVENT_HEADERS[scheme] ?? 'x-webhook-event']: event };
  const headers = { 'content-type': 'application/json', ...told, ...signed };
  const foreseen = foresee(route, { headers, body, parsed, now: now() });
  if (gateway !== 'open') return { ...foreseen, ok: foreseen.ok && gateway === 'none', sent: false, why: UNSENT[gateway] };
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal });
    return { ok: answer.ok, sent: true, status: answer.status, answer: await answer.text() };
  } catch (error) {
    const cause = toErrorMessage(error instanceof Error && error.cause !== undefined ? error.cause : error);
    const why = `The gateway runs, but ${url} did not answer (${cause}), so nothing was sent. See hermes gateway status.`;
    return { ...foreseen, ok: false, sent: false, why };
  }
}

const UNSENT = {
  none: 'No gateway runs, so nothing was sent.',
  closed: 'The gateway runs but has not opened webhooks, so nothing was sent. Restart it: hermes gateway restart',
} as const;

const EVENT_HEADERS: Partial<Readonly<Record<WebhookRoute['scheme'], string>>> = {
  github: 'x-github-event',
  gitlab: 'x-gitlab-event',
};

/** Without a payload it is an example of the first event that the route is for. */
function readTried({ events }: WebhookRoute, { payload, event }: TriedEvent) {
  const [name, action] = (event ?? (payload === undefined ? events[0] : undefined))?.split('.') ?? [];
  const body = payload ?? JSON.stringify({ ...(action !== undefined && { action }), text: 'A test of this webhook.' });
  const parsed = parseJson(body);
  if (parsed === undefined) throw new UsageError('the payload is not JSON. Give it in quotes, or - and pipe it in.');
  return { body, parsed, event: name };
}

interface ForeseenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly parsed: Json;
  readonly now: number;
}
function foresee(route: WebhookRoute, { headers, body, parsed, now }: ForeseenRequest): Pick<TryResult, 'ok' | 'answer'> {
  const verified = verifyRequest({ headers, body: Buffer.from(body) }, route, now);
  if (verified === undefined) return { ok: false, answer: 'Its signature would be refused.' };
  const request = { verified, headers, body: parsed, raw: body };
  if (!isWanted(route, request)) return { ok: false, answer: `It would be ignored: the route is only for ${route.events.join(', ')}.` };
  const { text } = toMessage(route, request, now);
  const goal = route.deliver ?? 'the log';
  return {
    ok: true,
    answer: route.isDirect
      ? `It would be accepted, and this sent to ${goal}:\n${text}`
      : `It would be accepted. The agent would get this, and its result would go to ${goal}:\n${text}`,
  };
}

/** Sends a signed message to a target. */
export async function tryTarget(target: WebhookTarget, id: string, deps: PostDeps): Promise<TryResult> {
  const result = await postEvent(target, id, { type: 'test', data: { text: 'A test of this webhook.' } }, deps);
  if (result.type === 'sent') return { ok: true, sent: true, answer: 'The receiver took it.' };
  const why = result.type === 'limited' ? 'the receiver asked to wait' : 'why' in result ? result.why : result.type;
  return { ok: false, sent: true, answer: `The receiver did not take it: ${why.replace(/\.$/, '')}.` };
}
