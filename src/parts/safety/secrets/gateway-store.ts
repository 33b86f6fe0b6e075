import type { Arrival, ChatTarget, Delivery, GatewayStore, NewDelivery, Route } from '../../../contracts/gateway-store.ts';
import type { InboxItem } from '../../../contracts/inbox.ts';
import type { InboundMedia } from '../../../contracts/platform-adapter.ts';
import type { Secrets } from '../../../contracts/secrets.ts';
import { redactDeep } from './deep.ts';

/**
 * A gateway's part of the store, told no secret either: words of chats are redacted on the way in and once more on the way out.
 * What only leads somewhere (a target, a handle, a cursor, the key of a chat) leads there again.
 */
export function createRedactingGateway(gateway: GatewayStore, secrets: Secrets): Required<GatewayStore> {
  const { redact, redactAll: clean } = secrets;
  return {
    ...redactArrivals(gateway, secrets),
    ...redactDeliveries(gateway, secrets),
    ...redactChats(gateway, secrets),
    renew: (taken, leaseMs) => gateway.renew(taken, leaseMs),
    defer: (taken, deferral) => gateway.defer(taken, { ...deferral, why: redact(deferral.why) }),
    nextDue: (kind, accounts) => gateway.nextDue(kind, clean(accounts)),
    backlog: (kind) => gateway.backlog(kind),
    offerPairing: (offer, limits) => gateway.offerPairing(clean(offer), limits),
    confirmPairing: (id, limits) => gateway.confirmPairing(id, limits),
    pairings: async (account) => clean(await gateway.pairings(clean(account))),
    acceptPairing: (id, person, deliveries) => gateway.acceptPairing(id, clean(person), clean(deliveries)),
    failPairing: (account, limits) => gateway.failPairing(clean(account), limits),
    pairingLock: (account) => gateway.pairingLock(clean(account)),
    people: async (account) => clean(await gateway.people(clean(account))),
    findPerson: async (person) => clean(await gateway.findPerson(clean(person))),
    removePerson: (person) => gateway.removePerson(clean(person)),
    count: (what, windowMs) => gateway.count(redact(what), windowMs),
    leaseCredential: async (lease) => clean(await gateway.leaseCredential(clean(lease))),
    releaseCredential: (identity, token) => gateway.releaseCredential(redact(identity), token),
  };
}

type GatewayMethods<Names extends keyof GatewayStore> = Pick<GatewayStore, Names>;

function redactArrivals(gateway: GatewayStore, secrets: Secrets): GatewayMethods<'receive' | 'admit' | 'settle' | 'arrivals' | 'take'> {
  const { redactAll: clean } = secrets;
  return {
    receive: (arrivals, cursors) => gateway.receive(clean(arrivals), clean(cursors)),
    admit: async (taken, admission) => {
      const { cwd } = admission.session;
      const { session, item, began } = await gateway.admit(taken, { ...clean(admission), session: { ...clean(admission.session), cwd } });
      return { session, item: withReplyTarget(item, secrets), began };
    },
    settle: (taken, settlement) => gateway.settle(taken, clean(settlement)),
    arrivals: async (filter) => (await gateway.arrivals(filter)).map((row) => withHandles(row, secrets)),
    take: async (kind, options) =>
      (await gateway.take(kind, clean(options))).map(({ taken, row }) => {
        const known: Arrival | Delivery = row;
        const given = 'event' in known ? withHandles(known, secrets) : withTarget(known, secrets);
        // The row is ours alone; assigning keeps its kind.
        return { taken, row: Object.assign(row, given) };
      }),
  };
}

function redactDeliveries(
  gateway: GatewayStore,
  secrets: Secrets,
): GatewayMethods<'plan' | 'beginPart' | 'endPart' | 'finish' | 'deliveries'> {
  const { redact, redactAll: clean } = secrets;
  return {
    plan: (deliveries) => gateway.plan(clean(deliveries)),
    beginPart: async (taken, index, parts) => clean(await gateway.beginPart(taken, index, clean(parts))),
    endPart: (taken, index, result, options) => gateway.endPart(taken, index, clean(result), options),
    finish: (taken, state, why) => gateway.finish(taken, state, why === undefined ? why : redact(why)),
    deliveries: async (filter) => (await gateway.deliveries(clean(filter))).map((row) => withTarget(row, secrets)),
  };
}

function redactChats(
  gateway: GatewayStore,
  secrets: Secrets,
): GatewayMethods<'route' | 'routes' | 'reroute' | 'remember' | 'cursors' | 'moveChat' | 'movedChats' | 'deadTargets' | 'markDead'> {
  const { redact, redactAll: clean } = secrets;
  return {
    route: async (key) => {
      const route = await gateway.route(redact(key));
      return route && withRouteTarget(route, secrets);
    },
    routes: async (filter) => (await gateway.routes(clean(filter))).map((route) => withRouteTarget(route, secrets)),
    reroute: (key, from, to) => gateway.reroute(redact(key), from, to),
    remember: (key, facts) => gateway.remember(redact(key), clean(facts)),
    cursors: async (account) => restoreAll(await gateway.cursors(clean(account)), secrets),
    moveChat: (account, from, to, keys) => gateway.moveChat(clean(account), clean(from), clean(to), clean(keys)),
    movedChats: async (account) => restoreAll(await gateway.movedChats(clean(account)), secrets),
    deadTargets: async () => restoreAll(await gateway.deadTargets(), secrets),
    markDead: (target, why) => gateway.markDead(clean(target), redact(why)),
  };
}

const restoreAll = <Value>(value: Value, { restore }: Secrets): Value => redactDeep(value, restore);

function withHandles(row: Arrival, secrets: Secrets): Arrival {
  const cleaned = secrets.redactAll(row);
  const { event } = cleaned;
  if (event.type !== 'message' && event.type !== 'press') return cleaned;
  const own = event.handle !== undefined && { handle: restoreAll(event.handle, secrets) };
  if (event.type === 'press') return { ...cleaned, event: { ...event, ...own } };
  const restoreMedia = (media: readonly InboundMedia[]) => media.map((file) => ({ ...file, handle: restoreAll(file.handle, secrets) }));
  const foreign = event.foreign?.map((part) => ({ ...part, media: restoreMedia(part.media) }));
  const media = restoreMedia(event.media);
  return { ...cleaned, event: { ...event, ...own, media, ...(foreign !== undefined && { foreign }) } };
}

const withTarget = <Row extends NewDelivery>(row: Row, secrets: Secrets): Row => ({
  ...secrets.redactAll(row),
  target: restoreAll<ChatTarget>(row.target, secrets),
  ...(row.handle !== undefined && { handle: restoreAll(row.handle, secrets) }),
});

const withRouteTarget = (route: Route, secrets: Secrets): Route => ({
  ...secrets.redactAll(route),
  key: secrets.restore(route.key),
  target: restoreAll(route.target, secrets),
});

/** The target of an answer leads there again. */
export const withReplyTarget = ({ replyTo, ...item }: InboxItem, secrets: Secrets): InboxItem => ({
  ...item,
  ...(replyTo !== undefined && { replyTo: restoreAll(replyTo, secrets) }),
});
