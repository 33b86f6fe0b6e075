import { isObject, parseJson, readStringAt } from '../../base/json.ts';
import type { AccountRecords, Cursor, InboundAnswer, InboundMessage, InboundRequest } from '../../contracts/platform-adapter.ts';
import { deliveryIdOf, eventKeyOf, isWanted, toMessage, type ReadRequest } from './codec.ts';
import type { WebhookEntries, WebhookRoute } from './entries.ts';
import type { PaceBook } from './pace.ts';
import type { SealBook } from './seals.ts';
import { verifyRequest, type VerifiedRequest } from './signatures.ts';

export interface ReceiveDeps {
  readonly entries: () => WebhookEntries;
  readonly records: AccountRecords;
  readonly seals: SealBook;
  readonly pace: PaceBook;
  /** Whether it was committed, and the cursor with it; `false` when it must come again. */
  readonly hand: (message: InboundMessage, cursor: Cursor) => Promise<boolean>;
  readonly now: () => number;
  /** Tells that somebody without the secret was turned away, at most now and then. */
  readonly refused: (route: string) => void;
}

export const WEBHOOK_PATH = '/webhooks';
/** For a sender that is refused because too much waits. */
const RETRY_SECONDS = '3600';

/**
 * Answers one request. Whoever does not know the secret learns nothing and leaves nothing; 202 means that the event is durable
 * and will be worked on, 200 that there is nothing more to do. On anything else a sender tries again.
 */
export async function answerWebhook({ method, path, headers, body }: InboundRequest, deps: ReceiveDeps): Promise<InboundAnswer> {
  const route = deps.entries().routes.get(path.slice(WEBHOOK_PATH.length + 1));
  if (route === undefined) return say(404, { error: 'no such webhook' });
  if (method !== 'POST') return say(405, { error: 'send a POST' }, { allow: 'POST' });
  const verified = verifyRequest({ headers, body }, route, deps.now());
  if (verified === undefined) {
    deps.refused(route.name);
    return say(401, { error: 'the signature is missing, wrong or too old' });
  }
  const raw = Buffer.from(body).toString('utf8');
  const parsed = parseJson(raw);
  if (parsed === undefined) return say(400, { error: 'the body is not JSON; choose application/json where the sender offers it' });
  return take(route, { verified, headers, body: parsed, raw }, deps);
}

async function take(route: WebhookRoute, request: ReadRequest, deps: ReceiveDeps): Promise<InboundAnswer> {
  const { seal } = request.verified;
  const challenge = readChallenge(request);
  if (challenge !== undefined) return say(200, { challenge });
  if (!isWanted(route, request)) return say(200, { status: 'ignored', ...tell(request) });
  return seal === undefined ? takeOnce(route, request, deps) : deps.seals.inTurn(() => takeOnce(route, request, deps));
}

/** Slack asks once whether the address is ours before it sends events there. */
function readChallenge({ verified, body }: ReadRequest): string | undefined {
  const isAsked = verified.scheme === 'slack' && isObject(body) && body['type'] === 'url_verification';
  return isAsked ? readStringAt(body, 'challenge') : undefined;
}

async function takeOnce(route: WebhookRoute, request: ReadRequest, deps: ReceiveDeps): Promise<InboundAnswer> {
  const { verified } = request;
  const { seals, now } = deps;
  if (await isRepeated(route, verified, deps)) return say(200, { status: 'duplicate', ...tell(request) });
  const planned = deps.pace.plan(route.name, now());
  if (planned === undefined) return say(429, { error: 'too many events of this webhook wait already' }, { 'retry-after': RETRY_SECONDS });
  const { delayMs, cursor } = planned;
  const { seal } = verified;
  const message = {
    ...toMessage(route, request, now()),
    ...(delayMs > 0 && { delayMs }),
    ...(seal !== undefined && { cursor: seals.cursorWith(seal, now()) }),
  };
  const isKept = await deps.hand(message, cursor);
  if (!isKept) return say(503, { error: 'not taken; send it again' }, { 'retry-after': '5' });
  if (seal !== undefined) seals.use(seal, now());
  return say(202, { status: 'accepted', ...tell(request) });
}

const tell = ({ verified }: ReadRequest) => ({ delivery_id: deliveryIdOf(verified) });

async function isRepeated(route: WebhookRoute, { seal, once, earlier = [] }: VerifiedRequest, { records, seals, now }: ReceiveDeps) {
  if (seal !== undefined && seals.isUsed(seal, now())) return true;
  for (const name of [once, ...earlier]) if (await records.isKnown(eventKeyOf(route, { once: name }))) return true;
  return false;
}

const say = (status: number, body: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): InboundAnswer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});
