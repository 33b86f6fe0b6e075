import type { GatewayStore, NewDelivery } from '../../../../contracts/gateway-store.ts';
import { admitArrival } from './admit.ts';
import { keepArrivals, listArrivals, settleArrival } from './arrivals.ts';
import type { GatewayBase } from './base.ts';
import { countUp } from './counters.ts';
import { leaseCredential, releaseCredential } from './credentials.ts';
import { finishDelivery, listDeliveries, planDeliveries } from './deliveries.ts';
import { moveChat } from './move-chat.ts';
import { readMovedChats } from './moved.ts';
import {
  acceptPairing,
  confirmPairing,
  failPairing,
  findPerson,
  listPairings,
  listPeople,
  offerPairing,
  readPairingLock,
  removePerson,
} from './pairing.ts';
import { listRoutes, readRoute, rememberFacts, rerouteChat } from './routes.ts';
import { beginPart, endPart } from './send.ts';
import { deferRow, readBacklog, readNextDue, renewRows, takeRows } from './take.ts';
import { listDead, markDead, readCursors } from './targets.ts';

/** Every method is one transaction. */
export const openGateway = (base: GatewayBase): GatewayStore => ({
  ...arrivals(base),
  ...work(base),
  ...deliveries(base),
  ...chats(base),
  ...people(base),
  ...credentials(base),
});

type GatewayPart<Names extends keyof GatewayStore> = Pick<GatewayStore, Names>;

function arrivals(base: GatewayBase): GatewayPart<'receive' | 'admit' | 'settle' | 'arrivals'> {
  const { db, now, tell } = base;
  return {
    receive: async (events, cursors) => {
      const { fresh, isMoreToSend } = await db.write('keep what arrived', () => keepArrivals(db, events, cursors, now()));
      if (fresh.length > 0) tell({ type: 'work', kind: 'arrival' });
      if (isMoreToSend) tell({ type: 'work', kind: 'delivery' });
      return { fresh };
    },
    admit: async (taken, admission) => {
      const result = await db.write(`take in arrival ${taken.id}`, () => admitArrival(base, taken, admission, now()));
      if (result.item.fate === undefined) tell({ type: 'inbox', sessionId: result.session.id, mode: result.item.mode });
      tellMore(base, admission.deliveries);
      return result;
    },
    settle: async (taken, settlement) => {
      await db.write(`settle arrival ${taken.id}`, () => {
        settleArrival(db, taken, settlement, now());
        planDeliveries(db, settlement.deliveries ?? [], now());
      });
      tellMore(base, settlement.deliveries);
    },
    arrivals: (filter) => db.read('list what arrived', () => listArrivals(db, filter)),
  };
}

/** The next of the chat may be taken now, and there may be something to send. */
function tellMore({ tell }: GatewayBase, planned: readonly NewDelivery[] = []): void {
  tell({ type: 'work', kind: 'arrival' });
  if (planned.length > 0) tell({ type: 'work', kind: 'delivery' });
}

function work(base: GatewayBase): GatewayPart<'take' | 'renew' | 'defer' | 'nextDue' | 'backlog'> {
  const { db, now, tell } = base;
  return {
    take: (kind, options) => takeRows(base, kind, options),
    renew: (taken, leaseMs) => db.write('renew leases', () => renewRows(db, taken, now() + leaseMs), 'with_next'),
    defer: async (taken, deferral) => {
      await db.write(`put off ${taken.kind} ${taken.id}`, () => deferRow(db, taken, deferral, now()));
      tell({ type: 'work', kind: taken.kind });
    },
    nextDue: (kind, accounts) => db.read('look for work', () => readNextDue(base, kind, accounts)),
    backlog: (kind) => db.read('count what waits', () => readBacklog(base, kind)),
  };
}

function deliveries({ db, now, tell }: GatewayBase): GatewayPart<'plan' | 'beginPart' | 'endPart' | 'finish' | 'deliveries'> {
  const hint = (): void => tell({ type: 'work', kind: 'delivery' });
  return {
    plan: async (planned) => {
      const ids = await db.write('plan what goes out', () => planDeliveries(db, planned, now()));
      hint();
      return ids;
    },
    beginPart: (taken, index, parts) =>
      db.write(`begin part ${index} of delivery ${taken.id}`, () => beginPart(db, taken, index, parts, now())),
    endPart: async (taken, index, result, { andBegin } = {}) => {
      await db.write(`note part ${index} of delivery ${taken.id}`, () => endPart(db, taken, index, result, { andBegin, now: now() }));
      hint();
    },
    finish: async (taken, state, why) => {
      await db.write(`finish delivery ${taken.id}`, () => finishDelivery(db, taken, state, why, now()));
      hint();
    },
    deliveries: (filter) => db.read('list what goes out', () => listDeliveries(db, filter, now())),
  };
}

const chats = (
  base: GatewayBase,
  { db, now } = base,
): GatewayPart<'route' | 'routes' | 'reroute' | 'remember' | 'cursors' | 'moveChat' | 'movedChats' | 'deadTargets' | 'markDead'> => ({
  route: (key) => db.read('read a route', () => readRoute(db, key)),
  routes: (filter) => db.read('list the routes', () => listRoutes(db, filter, now())),
  reroute: (key, from, to) => db.write('lead a chat elsewhere', () => rerouteChat(base, key, from, to)),
  remember: (key, facts) => db.write('remember something of a chat', () => rememberFacts(db, key, facts, now())),
  cursors: (account) => db.read('read how far was received', () => readCursors(db, account)),
  moveChat: (account, from, to, keys) => db.write('move a chat', () => moveChat(db, { account, from, to, keys }, now())),
  movedChats: (account) => db.read('list the chats that moved', () => readMovedChats(db, account)),
  deadTargets: () => db.read('list the dead targets', () => listDead(db)),
  markDead: (target, why) => db.write('note a dead target', () => markDead(db, target, why, now())),
});

const people = ({
  db,
  now,
  tell,
}: GatewayBase): GatewayPart<
  | 'offerPairing'
  | 'confirmPairing'
  | 'pairings'
  | 'acceptPairing'
  | 'failPairing'
  | 'pairingLock'
  | 'people'
  | 'findPerson'
  | 'removePerson'
  | 'count'
> => ({
  offerPairing: (offer, limits) => db.write('offer a pairing code', () => offerPairing(db, offer, limits, now())),
  confirmPairing: (id, limits) => db.write('note that a pairing code arrived', () => confirmPairing(db, id, limits, now())),
  pairings: (account) => db.read('list the pairing codes', () => listPairings(db, account, now())),
  acceptPairing: async (id, person, told = []) => {
    const isAccepted = await db.write('pair somebody', () => {
      if (!acceptPairing(db, id, person, now())) return false;
      planDeliveries(db, told, now());
      return true;
    });
    if (isAccepted && told.length > 0) tell({ type: 'work', kind: 'delivery' });
    return isAccepted;
  },
  failPairing: (account, limits) => db.write('note a wrong pairing code', () => failPairing(db, account, limits, now())),
  pairingLock: (account) => db.read('look whether codes are taken', () => readPairingLock(db, account, now())),
  people: (account) => db.read('list who is paired', () => listPeople(db, account)),
  findPerson: (person) => db.read('look for somebody', () => findPerson(db, person)),
  removePerson: (person) => db.write('end a pairing', () => removePerson(db, person)),
  count: (what, windowMs) => db.write('count something', () => countUp(db, `count: ${what}`, windowMs, now()), 'with_next'),
});

function credentials(base: GatewayBase): GatewayPart<'leaseCredential' | 'releaseCredential'> {
  const { db, now } = base;
  return {
    leaseCredential: (lease) => db.write('lease a credential', () => leaseCredential(base, lease, now()), 'with_next'),
    releaseCredential: (identity, token) => db.write('release a credential', () => releaseCredential(db, identity, token)),
  };
}
