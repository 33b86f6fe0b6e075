import type { AccountRef, GatewayStore, MovedChat, NewArrival, PairingRedemption } from '../../../contracts/gateway-store.ts';
import type { EventBatch, InboundMessage, PlatformEvent } from '../../../contracts/platform-adapter.ts';
import type { AccessDecision } from '../access/access.ts';
import { isCodeLike } from '../access/pairing.ts';
import type { KeptEvent } from '../contract.ts';
import { buildSessionKey } from '../addresses/session-key.ts';

/** Takes over what a service brings: what comes back from here is durable, and the service may forget it. */
export interface IntakeDeps {
  readonly store: Pick<GatewayStore, 'receive' | 'count' | 'arrivals'>;
  /** Who it is, looked up only to choose how much is kept of what they say. */
  readonly authorise: (account: AccountRef, event: KeptEvent) => Promise<AccessDecision>;
  /** A stranger's words may be a pairing code that the owner made; nothing else of them is looked at or kept. */
  readonly redeem: (account: AccountRef, event: KeptEvent) => Promise<PairingRedemption | undefined>;
  /** A chat goes on under another id: what comes behind it in the same batch is held against settings that know that. */
  readonly follow: (account: AccountRef, move: MovedChat) => void;
  readonly now: () => number;
}

/**
 * Events of strangers that are kept, of each of them and for each account. What goes beyond leaves no trace but the cursor. One who
 * talks a lot leaves room for the others; somebody with many names is bounded with all of them.
 */
const STRANGERS = { mostEach: 5, mostOfAll: 60, windowMs: 3_600_000, pauseMs: 60_000 } as const;

/** Gives how many are new. */
export type Intake = (account: AccountRef, batch: EventBatch) => Promise<number>;

export function createIntake(deps: IntakeDeps): Intake {
  const fullUntil = new Map<string, number>();
  const albums = new Map<string, number>();
  return async (account, batch) => {
    const arrivals: NewArrival[] = [];
    let count = 0;
    const keep = async (cursors: Parameters<GatewayStore['receive']>[1]): Promise<void> => {
      const { fresh } = await deps.store.receive(arrivals.splice(0), cursors);
      count += fresh.length;
    };
    noteAlbums(batch, albums, deps.now());
    for (const given of batch) {
      const event = asAddressed(given, albums);
      const arrival = event.type === 'cursor' ? undefined : await toArrival(account, event, deps, fullUntil);
      if (arrival !== undefined) arrivals.push(arrival);
      // Whoever has just paired may speak with what comes right behind it.
      if (arrival?.redeems !== undefined) await keep([]);
    }
    await keep(batch.flatMap(({ cursor }) => (cursor === undefined ? [] : [{ ...account, ...cursor }])));
    return count;
  };
}

/** A service may bring the pictures of an album one by one: those that come after the one with the words are meant for us, too. */
const ALBUM_MS = 10_000;

/** Remembers for a while which albums name us, each with the time until then. */
function noteAlbums(batch: EventBatch, albums: Map<string, number>, now: number): void {
  for (const [name, until] of albums) if (until < now) albums.delete(name);
  for (const event of batch) {
    const name = nameAlbum(event);
    if (name !== undefined && event.type === 'message' && event.isAddressed) albums.set(name, now + ALBUM_MS);
  }
}

const nameAlbum = (event: PlatformEvent): string | undefined =>
  event.type === 'message' && event.group !== undefined ? JSON.stringify([event.chat.chatId, event.group]) : undefined;

/** The pictures of an album belong together, whichever of them names us. */
const asAddressed = (event: PlatformEvent, albums: ReadonlyMap<string, number>): PlatformEvent =>
  event.type === 'message' && albums.has(nameAlbum(event) ?? '') ? { ...event, isAddressed: true } : event;

async function toArrival(
  account: AccountRef,
  event: KeptEvent,
  deps: IntakeDeps,
  fullUntil: Map<string, number>,
): Promise<NewArrival | undefined> {
  // In a group people talk to each other. Of an album another picture may name us.
  if (event.type === 'message' && !event.isAddressed && event.group === undefined) return undefined;
  if (event.type === 'moved') deps.follow(account, { from: event.chat.chatId, to: event.to.chatId });
  const facts = { ...account, eventKey: event.key, serialKey: buildSessionKey(account, event.chat, event.sender) };
  const { allowed } = await deps.authorise(account, event);
  const delayMs = event.type === 'message' ? event.delayMs : undefined;
  if (allowed || event.type === 'moved') return { ...facts, event, ...(delayMs !== undefined && { delayMs }) };
  // A code would be for whoever they say they are.
  const isNobody = event.sender.isBot || event.sender.isUnverified === true;
  if (event.type !== 'message' || event.chat.type !== 'private' || isNobody) return undefined;
  const redeems = await readCode(account, event, deps);
  if (redeems === undefined && !(await isHeard(account, event, deps, fullUntil))) return undefined;
  const { chatId, threadId, type } = event.chat;
  const chat = { chatId, type, ...(threadId !== undefined && { threadId }) };
  const stranger = { type: 'stranger', chat, senderId: event.sender.id, sentAt: event.sentAt } as const;
  return { ...facts, event: stranger, ...(redeems !== undefined && { redeems }) };
}

/** A code of the owner's is read however much strangers talk: what bounds guesses is the lock of the account. */
async function readCode(account: AccountRef, event: InboundMessage, deps: IntakeDeps): Promise<PairingRedemption | undefined> {
  if (!isCodeLike(event.text) || (await isKnown(account, event, deps))) return undefined;
  return deps.redeem(account, event);
}

/** What a service brings again after every reconnect was heard already and counts no more: it would leave no room for anybody else. */
const isKnown = async ({ platform, account }: AccountRef, { key: eventKey }: InboundMessage, { store }: IntakeDeps): Promise<boolean> =>
  (await store.arrivals({ event: { platform, account, eventKey }, limit: 1 })).length > 0;

/** Whether a stranger is heard at all. Once a bound is reached the store is left alone for a while. */
async function isHeard(account: AccountRef, event: InboundMessage, deps: IntakeDeps, fullUntil: Map<string, number>): Promise<boolean> {
  const { store, now } = deps;
  const all = `strangers:${account.platform}:${account.account}`;
  const bounds = [
    [`${all}:${event.sender.id}`, STRANGERS.mostEach],
    [all, STRANGERS.mostOfAll],
  ] as const;
  for (const [what, until] of fullUntil) if (until <= now()) fullUntil.delete(what);
  if (bounds.some(([what]) => fullUntil.has(what)) || (await isKnown(account, event, deps))) return false;
  for (const [what, most] of bounds) {
    if ((await store.count(what, STRANGERS.windowMs)) <= most) continue;
    fullUntil.set(what, now() + STRANGERS.pauseMs);
    return false;
  }
  return true;
}
