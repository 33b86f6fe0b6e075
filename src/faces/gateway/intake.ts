import type { AccountRef, GatewayStore, NewArrival } from '../../contracts/gateway-store.ts';
import type { EventBatch, PlatformEvent } from '../../contracts/platform-adapter.ts';
import type { AccessDecision } from './access.ts';
import { buildSessionKey } from './session-key.ts';

/** Takes over what a service brings: what comes back from here is durable, and the service may forget it. */
export interface IntakeDeps {
  readonly store: Pick<GatewayStore, 'receive' | 'count'>;
  /** Who it is, looked up only to choose how much is kept of what they say. */
  readonly authorise: (account: AccountRef, event: KeptEvent) => Promise<AccessDecision>;
  /** A stranger's words may be a pairing code that the owner made; nothing else of them is looked at or kept. */
  readonly redeem: (account: AccountRef, event: KeptEvent) => Promise<boolean>;
  readonly now: () => number;
}
/** Everything but a bare cursor. */
export type KeptEvent = Exclude<PlatformEvent, { type: 'cursor' }>;

/** Events of strangers that are kept, for each account. What goes beyond leaves no trace but the cursor. */
const STRANGERS = { most: 60, windowMs: 3_600_000, pauseMs: 60_000 } as const;

/** Gives how many are new. */
export type Intake = (account: AccountRef, batch: EventBatch) => Promise<number>;

export function createIntake(deps: IntakeDeps): Intake {
  const fullUntil = new Map<string, number>();
  return async (account, batch) => {
    const arrivals: NewArrival[] = [];
    const albums = new Set(batch.flatMap((event) => (event.type === 'message' && event.isAddressed ? (event.group ?? []) : [])));
    for (const given of batch) {
      const event = asAddressed(given, albums);
      const arrival = event.type === 'cursor' ? undefined : await toArrival(account, event, deps, fullUntil);
      if (arrival !== undefined) arrivals.push(arrival);
    }
    const cursors = batch.flatMap(({ cursor }) => (cursor === undefined ? [] : [{ ...account, ...cursor }]));
    const { fresh } = await deps.store.receive(arrivals, cursors);
    return fresh.length;
  };
}

/** The pictures of an album belong together, whichever of them names us. */
const asAddressed = (event: PlatformEvent, albums: ReadonlySet<string>): PlatformEvent =>
  event.type === 'message' && event.group !== undefined && albums.has(event.group) ? { ...event, isAddressed: true } : event;

async function toArrival(
  account: AccountRef,
  event: KeptEvent,
  deps: IntakeDeps,
  fullUntil: Map<string, number>,
): Promise<NewArrival | undefined> {
  // In a group people talk to each other.
  if (event.type === 'message' && !event.isAddressed) return undefined;
  const facts = { ...account, eventKey: event.key, serialKey: buildSessionKey(account, event.chat, event.sender) };
  const { allowed } = await deps.authorise(account, event);
  if (allowed || event.type === 'moved') return { ...facts, event };
  if (event.type !== 'message' || event.chat.type !== 'private' || event.sender.isBot) return undefined;
  if (!(await isWithinBound(account, deps, fullUntil)) || (await deps.redeem(account, event))) return undefined;
  const { chatId, threadId, type } = event.chat;
  const chat = { chatId, type, ...(threadId !== undefined && { threadId }) };
  return { ...facts, event: { type: 'stranger', chat, senderId: event.sender.id, sentAt: event.sentAt } };
}

/** Whether a stranger is heard at all. Once the bound is reached the store is left alone for a while. */
async function isWithinBound(
  { platform, account }: AccountRef,
  { store, now }: IntakeDeps,
  fullUntil: Map<string, number>,
): Promise<boolean> {
  const what = `strangers:${platform}:${account}`;
  if ((fullUntil.get(what) ?? 0) > now()) return false;
  const isWithin = (await store.count(what, STRANGERS.windowMs)) <= STRANGERS.most;
  if (!isWithin) fullUntil.set(what, now() + STRANGERS.pauseMs);
  return isWithin;
}
