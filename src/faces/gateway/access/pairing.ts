import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../../base/sha256.ts';
import type {
  AccountRef,
  GatewayStore,
  NewDelivery,
  Pairing,
  PairingLimits,
  PairingOffer,
  PairingOfferResult,
  PersonRef,
} from '../../../contracts/gateway-store.ts';
import type { Chat, ChatPlace } from '../../../contracts/platform-adapter.ts';
import type { AccessDecision, AccessSettings } from './access.ts';
import { nameAccount } from '../contract.ts';

/** What pairing needs to keep. */
export type PairingStore = Pick<
  GatewayStore,
  'offerPairing' | 'confirmPairing' | 'pairings' | 'acceptPairing' | 'failPairing' | 'pairingLock'
>;
/** Somebody an account knows, with the name they have there. */
export interface NamedPerson extends PersonRef {
  readonly name?: string;
}

const MINUTE_MS = 60_000;
const LIMITS: PairingLimits = {
  ttlMs: 60 * MINUTE_MS,
  perPersonMs: 10 * MINUTE_MS,
  // Anybody can write: with three, three strangers would keep everybody else out for an hour.
  maxPending: 20,
  deliverMs: MINUTE_MS,
  maxFailures: 5,
  lockMs: 60 * MINUTE_MS,
};
/** The owner may make one code after another: each is for another person. */
const OWNER_LIMITS: PairingLimits = { ...LIMITS, perPersonMs: 0, maxPending: 10 };

/** Nothing in it looks like something else: no 0 and O, no 1 and I. */
const SYMBOLS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE = new RegExp(`^[${SYMBOLS}]{8}$`);
const createCode = (): string => Array.from({ length: 8 }, () => SYMBOLS[randomInt(SYMBOLS.length)]).join('');
/** A code however it was typed; `undefined` for words that cannot be one. */
const readCode = (text: string): string | undefined => {
  // Longer ones are messages, and whoever wrote them may have written a lot.
  const code = text.length > 40 ? '' : text.replaceAll(/[\s-]/g, '').toUpperCase();
  return CODE.test(code) ? code : undefined;
};

/** Whether a text may be a code: whoever made none need not be asked about all others. */
export const isCodeLike = (text: string): boolean => readCode(text) !== undefined;

export type PairingCodeResult =
  | { readonly type: 'offered'; readonly id: string; readonly code: string }
  | Exclude<PairingOfferResult, { type: 'offered' }>;

/**
 * A code for a stranger to hand to the owner. Only its salted hash is kept. It counts once it was delivered. Where the place is
 * known at which they asked, they hear there that they were let in.
 */
export const offerCode = (store: PairingStore, person: NamedPerson, place?: ChatPlace): Promise<PairingCodeResult> =>
  offer(store, { ...person, by: 'stranger', ...(place !== undefined && { place }) }, LIMITS);
/** The code of a stranger has reached them: they wait for the next. */
export const confirmCode = (store: PairingStore, id: string): Promise<void> => store.confirmPairing(id, LIMITS);
/** A code of the owner's for whoever types it. It belongs to nobody yet, and no other code takes its place. */
export const inviteByCode = (store: PairingStore, { platform, account }: AccountRef): Promise<PairingCodeResult> =>
  offer(store, { platform, account, userId: `invited-${randomBytes(8).toString('hex')}`, by: 'owner' }, OWNER_LIMITS);

async function offer(store: PairingStore, to: Omit<PairingOffer, 'hash' | 'salt'>, limits: PairingLimits): Promise<PairingCodeResult> {
  const [code, salt] = [createCode(), randomBytes(16).toString('hex')];
  const result = await store.offerPairing({ ...to, salt, hash: hashCode(code, salt) }, limits);
  return result.type === 'offered' ? { ...result, code } : result;
}

const hashCode = (code: string, salt: string): string => sha256(`${salt}:${code}`);
/** Every code is compared, and every comparison takes as long as the others: time tells nothing. */
const findByCode = (code: string, pairings: readonly Pairing[]): Pairing | undefined =>
  pairings.filter(({ hash, salt }) => timingSafeEqual(Buffer.from(hash), Buffer.from(hashCode(code, salt))))[0];

export type FindInvitationResult =
  | { readonly type: 'found'; readonly pairingId: string }
  | { readonly type: 'wrong' | 'locked' | 'no_code' };

/** Whether what a stranger wrote in private is a code of the owner's. It is used up in the step that keeps the message. */
export async function findInvitation(store: PairingStore, account: AccountRef, text: string): Promise<FindInvitationResult> {
  const code = readCode(text);
  if (code === undefined) return { type: 'no_code' };
  const invitations = (await store.pairings(account)).filter(({ by }) => by === 'owner');
  // Where there is nothing to guess a word of eight letters is a word.
  if (invitations.length === 0) return { type: 'no_code' };
  if ((await store.pairingLock(account)) !== undefined) return { type: 'locked' };
  const found = findByCode(code, invitations);
  if (found !== undefined) return { type: 'found', pairingId: found.id };
  await store.failPairing(account, LIMITS);
  return { type: 'wrong' };
}

export type ApprovePairingResult =
  | { readonly type: 'approved'; readonly person: NamedPerson }
  | { readonly type: 'unknown' }
  | { readonly type: 'locked'; readonly waitMs: number };

/** The owner lets the person in who has this code; the id of a request, which only the owner can see, does the same and is never a guess. */
export async function approvePairing(store: PairingStore, account: AccountRef, codeOrId: string): Promise<ApprovePairingResult> {
  const requests = (await store.pairings(account)).filter(({ by }) => by === 'stranger');
  const byId = requests.find(({ id }) => id === codeOrId.trim());
  if (byId !== undefined) return accept(store, byId);
  if (requests.length === 0) return { type: 'unknown' };
  const waitMs = await store.pairingLock(account);
  if (waitMs !== undefined) return { type: 'locked', waitMs };
  const code = readCode(codeOrId);
  const found = code === undefined ? undefined : findByCode(code, requests);
  if (found !== undefined) return accept(store, found);
  await store.failPairing(account, LIMITS);
  return { type: 'unknown' };
}

async function accept(store: PairingStore, { id, platform, account, userId, name, place }: Pairing): Promise<ApprovePairingResult> {
  const person = { platform, account, userId, ...(name !== undefined && { name }) };
  const deliveries = place === undefined ? [] : [tellPaired({ platform, account }, place, id)];
  return (await store.acceptPairing(id, person, deliveries)) ? { type: 'approved', person } : { type: 'unknown' };
}

/** What a message gets whose sender may not speak. Only a person in private is asked to pair: a group would see the code, and a bot cannot use it. */
export const decideStranger = (
  { type }: Pick<Chat, 'type'>,
  { by }: Pick<AccessDecision, 'by'>,
  { strangers }: Pick<AccessSettings, 'strangers'>,
): 'pair' | 'ignore' => (type === 'private' && by === 'default' ? strangers : 'ignore');

/** What a stranger reads with a code. */
export const describeOffer = (account: AccountRef, code: string): string =>
  [
    'Hello! I am a personal agent and do not know you yet.',
    `Your pairing code is ${code}. Give it to my owner within the next hour; after that, write to me again for a new one.`,
    `My owner can let you in with: hermes pairing approve ${nameAccount(account)} ${code}`,
  ].join('\n\n');
/** Tells somebody that they may speak from now on; once for each key. */
export const tellPaired = ({ platform, account }: AccountRef, place: ChatPlace, key: string): NewDelivery => ({
  key: `paired:${platform}:${account}:${key}`,
  target: { platform, account, ...place },
  content: { type: 'text', markdown: PAIRED_WORDS },
});
export const PAIRED_WORDS = 'You are paired: you can talk to me now. What can I do for you?';
