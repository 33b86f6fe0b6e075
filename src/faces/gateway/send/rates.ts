import type { AccountRef, ChatTarget } from '../../../contracts/gateway-store.ts';
import type { ChatType, PlatformTraits, RateBucket } from '../../../contracts/platform-adapter.ts';

/**
 * How soon a service may be called again. Every call that goes out is counted, whatever it is for; whoever is asked for
 * something that can be left out (a preview, a typing sign) leaves room for what cannot.
 */
export interface SendRates {
  /** Milliseconds until a call may be made; 0 counts it as made now. */
  take(call: RatedCall): number;
  /** The service itself said to wait: no call to the chat, or to the whole account, before then. */
  block(target: ChatTarget, ms: number, scope: 'chat' | 'account'): void;
}
export interface RatedCall {
  readonly target: ChatTarget;
  readonly traits: Pick<PlatformTraits, 'rates'>;
  readonly chatType?: ChatType;
  /** It is given up rather than waited for: half of every bucket is kept for the others. */
  readonly canWait?: boolean;
  /** It puts nothing into the chat, as a typing sign: only the account's calls are counted. */
  readonly isSign?: boolean;
}

export function createRates(now: () => number): SendRates {
  const made = new Map<string, number[]>();
  const blocked = new Map<string, number>();
  return {
    take: ({ target, traits, chatType, canWait = false, isSign = false }) => {
      const at = now();
      const waits = [...namesOf(target)].map((name) => (blocked.get(name) ?? 0) - at);
      const buckets = traits.rates
        .filter((bucket) => isFor(bucket, chatType) && !(isSign && bucket.scope !== 'account'))
        .map((bucket) => ({ bucket, name: nameBucket(bucket, target) }));
      for (const { bucket, name } of buckets) waits.push(waitFor(made.get(name) ?? [], bucket, at, canWait));
      const wait = Math.max(0, ...waits);
      if (wait > 0) return wait;
      for (const { bucket, name } of buckets) made.set(name, [...(made.get(name) ?? []), at].slice(-bucket.calls));
      forgetOld(made, blocked, at);
      return 0;
    },
    block: (target, ms, scope) => {
      const [account, chat] = namesOf(target);
      const name = scope === 'account' ? account : chat;
      blocked.set(name, Math.max(blocked.get(name) ?? 0, now() + ms));
    },
  };
}

const isFor = ({ scope }: RateBucket, type: ChatType | undefined): boolean =>
  scope !== 'group_chat' || (type !== undefined && type !== 'private');

function waitFor(calls: readonly number[], { calls: most, perMs }: RateBucket, now: number, canWait: boolean): number {
  const room = canWait ? Math.max(1, Math.floor(most / 2)) : most;
  const within = calls.filter((at) => at > now - perMs);
  const oldest = within.at(-room);
  return oldest === undefined ? 0 : oldest + perMs - now;
}

const nameAccount = ({ platform, account }: AccountRef): string => JSON.stringify([platform, account]);
const namesOf = (target: ChatTarget): readonly [account: string, chat: string] => [
  nameAccount(target),
  JSON.stringify([target.platform, target.account, target.chatId]),
];
const nameBucket = ({ scope, calls, perMs }: RateBucket, target: ChatTarget): string => {
  const [account, chat] = namesOf(target);
  return `${scope === 'account' ? account : chat} ${calls}/${perMs}`;
};

/** Longer than any bucket looks back. */
const KEEP_MS = 600_000;
const MAX_NAMES = 5_000;
function forgetOld(made: Map<string, number[]>, blocked: Map<string, number>, now: number): void {
  if (made.size + blocked.size < MAX_NAMES) return;
  for (const [name, calls] of made) if ((calls.at(-1) ?? 0) < now - KEEP_MS) made.delete(name);
  for (const [name, until] of blocked) if (until < now) blocked.delete(name);
}
