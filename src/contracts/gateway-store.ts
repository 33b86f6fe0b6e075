import type { Json, JsonObject } from '../base/json-types.ts';
import type { Chat, ChatPlace, Cursor, MediaKind, PlatformEvent } from './platform-adapter.ts';
import type { InboxItem, NewInboxItem } from './inbox.ts';
import type { EndReason } from './outcome.ts';
import type { NewSession, Session } from './session.ts';

/**
 * What a gateway must not lose: messages that arrived, answers that are to go out, and who belongs to what. It is part of the
 * session store, so that a message becomes part of a session, and an answer part of an outcome, in one commit.
 *
 * Promises every implementation keeps (the conformance suite checks them):
 * - each method is one atomic step that takes data: all of it is durable when it returns, or nothing of it happened;
 * - times are the store's own: leases, due times and expiry go by its clock, whatever the clocks of its users say;
 * - several processes may take work at once: a row is in one pair of hands at a time, and rows of one chat are given out in
 *   their order, one at a time, but for those that are let past one that takes long (`TakeOptions.past`). Whoever lost a row to somebody else, because the lease ran out, is refused (`fenced`) before
 *   anything of what it wanted is seen;
 * - rows are the truth. `SessionStore.changes` only hints that there may be something new, and may miss it.
 */
export interface GatewayStore {
  // Arrivals.
  /**
   * Keeps events in their order, and how far was received with them. Those that are known by their key are not kept again;
   * `fresh` are the ids of the others. Once it has returned, the platform may forget them. One that uses up a pairing code is
   * settled with it and not fresh; one that says that a chat moved is known to `movedChats` from then on.
   */
  receive(arrivals: readonly NewArrival[], cursors: readonly AccountCursor[]): Promise<{ readonly fresh: readonly string[] }>;
  /** An arrival becomes a message of the session its chat leads to, which begins with it where there is none. */
  admit(taken: Taken, admission: Admission): Promise<AdmissionResult>;
  /** An arrival that becomes no message; whatever is to be said about it goes out with it. Refused ones lose their bodies. */
  settle(taken: Taken, settlement: Settlement): Promise<void>;
  arrivals(filter: ArrivalFilter): Promise<readonly Arrival[]>;

  // Work in turns.
  /** Rows that are due and that nobody has, oldest first, at most one for each chat. */
  take<Kind extends WorkKind>(kind: Kind, options: TakeOptions): Promise<readonly TakenRow<Kind>[]>;
  /** Keeps them in these hands; says which are still there. */
  renew(taken: readonly Taken[], leaseMs: number): Promise<readonly Taken[]>;
  /** Gives a row back, due after that time. The rest of its chat waits with it. */
  defer(taken: Taken, deferral: Deferral): Promise<void>;
  /** When the next row of this kind, and of these accounts, that nobody has is due, in milliseconds from now; `undefined` when there is none. */
  nextDue(kind: WorkKind, accounts?: TakeOptions['accounts']): Promise<number | undefined>;
  /** How much of a kind is not over yet, in whoever's hands, and how old the oldest of it is. */
  backlog(kind: WorkKind): Promise<Backlog>;

  // Deliveries.
  /** Plans deliveries outside of a turn. One whose key is known is not planned again. Gives the ids, known or new, in order. */
  plan(deliveries: readonly NewDelivery[]): Promise<readonly string[]>;
  /**
   * Before a part is sent: from now on it may be there. With `parts` the delivery is cut into them first, once: a second time
   * what was cut the first time stays, so that a change of the rules between two attempts cuts nothing differently.
   */
  beginPart(taken: Taken, index: number, parts?: readonly NewPart[]): Promise<readonly DeliveryPart[]>;
  /**
   * What came of it. With `sent` the target counts as alive again, and with the last part the delivery is over; `andBegin` begins
   * the next part in the same step.
   */
  endPart(taken: Taken, index: number, result: PartResult, options?: { readonly andBegin?: number }): Promise<void>;
  /** Nothing more will be sent of it. Parts that were not sent are what the state says. */
  finish(taken: Taken, state: FinalDeliveryState, why?: string): Promise<void>;
  deliveries(filter: DeliveryFilter): Promise<readonly Delivery[]>;

  // Chats.
  route(key: string): Promise<Route | undefined>;
  routes(filter: RouteFilter): Promise<readonly Route[]>;
  /** Another session for a chat, or with `null` a new one with its next message. Given the session it leads to now: a chat that was moved meanwhile stays. */
  reroute(key: string, from: string | undefined, to: string | null): Promise<boolean>;
  /** What is remembered of a chat besides: its model, its voice mode, how far it got. Merged key by key; `null` removes one. */
  remember(key: string, facts: Readonly<Record<string, Json | null>>): Promise<void>;
  cursors(account: AccountRef): Promise<readonly Cursor[]>;
  /**
   * A chat goes on at another place: its route, cursor, deliveries, jobs and home channel follow. Whoever still has its old key reaches the same route
   * by it, and after several moves the last one. With `isNewId` it is the same chat under another id: people who have that id
   * follow, and `movedChats` tells of it.
   */
  moveChat(account: AccountRef, from: ChatPlace, to: ChatPlace, keys: MovedKeys): Promise<void>;
  /** The ids that chats of an account had before, each with the one it has now, also when it moved several times. Settings may still name them. */
  movedChats(account: AccountRef): Promise<readonly MovedChat[]>;
  /** Chats nobody can be reached in, until something was sent there again. */
  deadTargets(): Promise<readonly DeadTarget[]>;
  markDead(target: ChatTarget, why: string): Promise<void>;

  // People.
  /**
   * Notes a pairing code for somebody, within the limits. The code itself is not kept. A stranger's counts against them only
   * once it is confirmed: until then they may ask for another, which takes its place.
   */
  offerPairing(offer: PairingOffer, limits: PairingLimits): Promise<PairingOfferResult>;
  /** A code that was offered has reached its person. */
  confirmPairing(id: string, limits: PairingLimits): Promise<void>;
  /** Codes that can be redeemed now; of all accounts when none is named. */
  pairings(account?: AccountRef): Promise<readonly Pairing[]>;
  /** Uses a code up; the person it was for may speak from now on, and gets these deliveries. `false` when it is no longer there. */
  acceptPairing(id: string, person: PersonRef & { readonly name?: string }, deliveries?: readonly NewDelivery[]): Promise<boolean>;
  /** A wrong code was given. After so many the account is locked; gives until when, in milliseconds from now. */
  failPairing(account: AccountRef, limits: PairingLimits): Promise<number | undefined>;
  /** Until when no code is taken, in milliseconds from now; `undefined` when codes are taken. */
  pairingLock(account: AccountRef): Promise<number | undefined>;
  people(account?: AccountRef): Promise<readonly PairedPerson[]>;
  findPerson(person: PersonRef): Promise<PairedPerson | undefined>;
  removePerson(person: PersonRef): Promise<boolean>;
  /**
   * Counts something of somebody within a window: a stranger's events, commands. Gives how often it happened in it, this time
   * included. Bounded: counters of windows that are over go.
   */
  count(what: string, windowMs: number): Promise<number>;

  // Credentials.
  /** Holds a credential for one connection; `holder` of another who has it when it cannot be had. */
  leaseCredential(lease: CredentialLease): Promise<CredentialLeaseResult>;
  releaseCredential(identity: string, token: number): Promise<void>;
}

/** Which bot at which service. */
export interface AccountRef {
  readonly platform: string;
  /** The name of the account in the settings; `main` unless there are several. */
  readonly account: string;
}
export interface ChatTarget extends AccountRef, ChatPlace {}
export interface AccountCursor extends AccountRef, Cursor {}

/** An event as it is kept. */
export interface NewArrival extends AccountRef {
  readonly eventKey: string;
  /** The chat: arrivals of one are handled in their order. */
  readonly serialKey: string;
  readonly event: Exclude<PlatformEvent, { type: 'cursor' }> | StrangerEvent;
  /** It was a pairing code. Where that is no longer there, the arrival is kept like any other. */
  readonly redeems?: PairingRedemption;
  /** It can be taken only after this time. */
  readonly delayMs?: number;
}
/** Somebody typed a code: they may speak from now on, and are told so. The event that brought it is over with it. */
export interface PairingRedemption {
  readonly pairingId: string;
  readonly person: PersonRef & { readonly name?: string };
  readonly deliveries: readonly NewDelivery[];
}
/** What is kept of somebody who may not speak: nothing of what was said. */
export interface StrangerEvent {
  readonly type: 'stranger';
  readonly chat: ChatPlace & Pick<Chat, 'type'>;
  readonly senderId: string;
  readonly sentAt: number;
}
export interface Arrival extends Omit<NewArrival, 'redeems' | 'delayMs'> {
  readonly id: string;
  readonly at: number;
  readonly state: ArrivalState;
  /** Where it went: the session and its inbox item, or why it went nowhere. */
  readonly sessionId?: string;
  readonly itemId?: string;
  readonly why?: string;
  /** How often somebody died with it in hand. */
  readonly attempts: number;
}
export type ArrivalState = 'new' | 'admitted' | 'refused' | 'command' | 'merged' | 'expired';
/**
 * The name of a fact (`SessionStore.learn`) about the work on an arrival, by the arrival's id and what it is. It goes once the
 * arrival is over: by then nobody can have to work on it again.
 */
export const nameArrivalFact = (id: string, what: string): string => `arrival:${id} ${what}`;

export interface ArrivalFilter {
  readonly platform?: string;
  readonly states?: readonly ArrivalState[];
  /** Only those that wait behind this one in its chat. */
  readonly behind?: Taken;
  /** Only the one of this event. Without `behind`. */
  readonly event?: AccountRef & { readonly eventKey: string };
  readonly limit?: number;
}
export interface Admission {
  readonly routeKey: string;
  readonly target: ChatTarget;
  readonly chat: Chat;
  /** The session that begins when the chat leads to none. */
  readonly session: NewSession;
  readonly item: Omit<NewInboxItem, 'sessionId'>;
  /**
   * Ids of arrivals that wait behind it in the same chat and are part of this message (an album): they become `merged`. Whoever
   * has the first of a chat needs no right of their own to them.
   */
  readonly with?: readonly string[];
  readonly deliveries?: readonly NewDelivery[];
  /** What is remembered of the chat from now on, as `remember` does. */
  readonly facts?: Readonly<Record<string, Json | null>>;
}
export interface AdmissionResult {
  readonly session: Session;
  readonly item: InboxItem;
  readonly began: boolean;
}
export interface Settlement {
  readonly state: Exclude<ArrivalState, 'new' | 'admitted'>;
  readonly why?: string;
  /** Ids of arrivals that wait behind it in the same chat and end like it: the rest of an album. */
  readonly with?: readonly string[];
  readonly deliveries?: readonly NewDelivery[];
}

/** Kinds of rows that are worked off. */
export type WorkKind = 'arrival' | 'delivery';
export type WorkRow<Kind extends WorkKind> = Kind extends 'arrival' ? Arrival : Delivery;
/** The right to work on one row. The token grows with every taking; an older one is refused. */
export interface Taken {
  readonly kind: WorkKind;
  readonly id: string;
  readonly token: number;
}
export interface TakenRow<Kind extends WorkKind> {
  readonly taken: Taken;
  readonly row: WorkRow<Kind>;
}
export interface TakeOptions {
  /** Who takes: any word that is nobody else's. What the dead of this machine held is free at once, without waiting for its lease. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Only of these accounts; of all when left out. */
  readonly accounts?: readonly AccountRef[];
  /** Only this one, although it is not the first of its chat: what is in these hands before it may take long. One at a time passes. */
  readonly past?: { readonly front: Taken; readonly id: string };
}
export interface Backlog {
  readonly rows: number;
  /** 0 when there is none. */
  readonly oldestAgeMs: number;
}
export interface Deferral {
  readonly delayMs: number;
  readonly why: string;
  /** It counts as an attempt. */
  readonly counts: boolean;
  /** Of a delivery: it is due as well as soon as something arrives from its chat. */
  readonly orHeard?: true;
}

/**
 * One logical result on its way to a chat: an answer, a notice, a file. `key` is its identity over all ways it could take: what
 * was planned once under a key is never planned again.
 */
export interface NewDelivery {
  readonly key: string;
  readonly target: ChatTarget;
  readonly content: DeliveryContent;
  /** The message it answers. */
  readonly replyTo?: string;
  readonly handle?: Json;
  /** A message of ours that shows its beginning already (a preview): the first part takes its place. */
  readonly replaces?: string;
  /** Something of it may be there already, and nobody can know: it says so. */
  readonly mayRepeat?: true;
  /** The session it belongs to, and the turn. */
  readonly sessionId?: string;
  readonly turnId?: string;
  /** Not before this long from now. */
  readonly delayMs?: number;
  /** After this long it is no longer sent; a day when left out. */
  readonly maxAgeMs?: number;
}
export type DeliveryContent =
  | { readonly type: 'text'; readonly markdown: string }
  | {
      readonly type: 'card';
      readonly markdown: string;
      readonly questionId: string;
      readonly buttons: readonly { readonly label: string; readonly value: string; readonly look?: 'good' | 'bad' }[];
    }
  /** Bytes by their hash, in the folder of blobs. */
  | {
      readonly type: 'media';
      readonly kind: Exclude<MediaKind, 'sticker'>;
      readonly blob: string;
      readonly name: string;
      readonly mime: string;
      readonly bytes: number;
      readonly caption?: string;
    }
  /** Another text for what an earlier delivery put there: by the message, or by the delivery's key, which is over when this one is due. */
  | (({ readonly messageId: string } | { readonly of: string }) & {
      readonly type: 'edit';
      readonly markdown: string;
      readonly buttons?: readonly [];
    });
export interface Delivery extends NewDelivery {
  readonly id: string;
  readonly at: number;
  readonly state: 'pending' | FinalDeliveryState;
  readonly why?: string;
  readonly attempts: number;
  /** By the store's clock. One that is older is still given out, so that somebody says so: `finish` it as `expired`. */
  readonly expiresAt: number;
  /** How old it is now, by the store's clock. */
  readonly ageMs: number;
  /** Absent until it was cut. */
  readonly parts?: readonly DeliveryPart[];
}
export type FinalDeliveryState = 'sent' | 'failed' | 'expired' | 'dead' | 'withdrawn';
export interface NewPart {
  readonly content: DeliveryContent;
}
export interface DeliveryPart extends NewPart {
  readonly index: number;
  /** At most 25 characters; the same at every attempt. */
  readonly key: string;
  /** `sending`: a request may be on its way, or its answer was lost. */
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed';
  /** When it was first begun, by the store's clock. */
  readonly begunAt?: number;
  readonly messageId?: string;
  /** It was sent again without knowing whether it was there already, and marked as a possible repeat. */
  readonly uncertain?: true;
}
export type PartResult =
  | { readonly state: 'sent'; readonly messageId: string; readonly uncertain?: true }
  /** Surely not there: it may be begun again. */
  | { readonly state: 'waiting' }
  | { readonly state: 'failed'; readonly why: string };
export interface DeliveryFilter {
  readonly platform?: string;
  readonly sessionId?: string;
  readonly key?: string;
  readonly states?: readonly Delivery['state'][];
  readonly limit?: number;
}

/** Which session a chat leads to. */
export interface Route {
  readonly key: string;
  readonly target: ChatTarget;
  readonly chat: Chat;
  /** Absent after a reset, until the next message. */
  readonly sessionId?: string;
  /** When the last message came. */
  readonly usedAt: number;
  readonly facts: JsonObject;
}
export interface RouteFilter {
  readonly platform?: string;
  readonly sessionId?: string;
  /** The chats with these keys, and those whose keys go on behind a slash: their threads. */
  readonly under?: readonly string[];
  /** Those of which this is remembered. */
  readonly fact?: { readonly name: string; readonly value: string };
  /** Those that lead to a session and got no message for this long; the longest first. */
  readonly idleForMs?: number;
  /** With `idleForMs`: those that come behind this one. */
  readonly after?: Pick<Route, 'usedAt' | 'key'>;
  /** The one a message came from last is the first; otherwise the one that became known first is. */
  readonly latestFirst?: true;
  readonly limit?: number;
}
export interface MovedKeys {
  readonly from: string;
  readonly to: string;
  readonly isNewId?: boolean;
}
/** A chat that was known by another id. */
export interface MovedChat {
  readonly from: string;
  readonly to: string;
}
export interface DeadTarget extends ChatTarget {
  readonly at: number;
  readonly why: string;
}

/** Somebody as one account knows them: whom one bot of a service lets speak is still a stranger to another. */
export interface PersonRef extends AccountRef {
  readonly userId: string;
}
export interface PairingOffer extends PersonRef {
  readonly name?: string;
  readonly hash: string;
  readonly salt: string;
  /** Whose code it is: a stranger's, for the owner to approve; or the owner's, for whoever types it. */
  readonly by: 'stranger' | 'owner';
  /** Where a stranger asked, and hears that they were let in. */
  readonly place?: ChatPlace;
}
export interface PairingLimits {
  readonly ttlMs: number;
  /** From the moment a code has reached its person until they may ask for the next. */
  readonly perPersonMs: number;
  readonly maxPending: number;
  /** A code that has not reached its person after so long no longer counts as pending. */
  readonly deliverMs: number;
  readonly maxFailures: number;
  readonly lockMs: number;
}
export type PairingOfferResult =
  | { readonly type: 'offered'; readonly id: string }
  | { readonly type: 'too_soon' | 'too_many' | 'locked'; readonly waitMs: number };
export interface Pairing extends PairingOffer {
  readonly id: string;
  readonly at: number;
  readonly expiresInMs: number;
}
export interface PairedPerson extends PersonRef {
  readonly name?: string;
  readonly at: number;
}
export interface CredentialLease {
  /** A hash, never the credential. */
  readonly identity: string;
  /** Whoever asks anew under the name of the lease that is there has lost it (its end could not be written), and gets it. */
  readonly holder: string;
  readonly leaseMs: number;
  /** Of a lease that is renewed. */
  readonly token?: number;
}

export type CredentialLeaseResult = { readonly ok: true; readonly token: number } | { readonly ok: false; readonly holder: string };

/** That there may be something new. Lossy: whoever hears it looks. */
export type StoreChange =
  | { readonly type: 'work'; readonly kind: WorkKind }
  /** Jobs, or runs of them. */
  | { readonly type: 'jobs' }
  /** A message waits for a session; an interrupt wants its turn stopped. */
  | { readonly type: 'inbox'; readonly sessionId: string; readonly mode: NewInboxItem['mode'] }
  | { readonly type: 'ended'; readonly sessionId: string; readonly reason: EndReason }
  /** Its writer gave a session back. */
  | { readonly type: 'released'; readonly sessionId: string }
  /** Somebody else changed something, and it is not known what. */
  | { readonly type: 'any' };
