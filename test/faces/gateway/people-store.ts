import type { GatewayStore, Pairing, PairingLimits, PairedPerson } from '../../../src/contracts/gateway-store.ts';

/** A store that keeps people and codes, at a clock of its own. */
export interface PeopleStore extends AsyncDisposable {
  readonly store: Pick<
    GatewayStore,
    'offerPairing' | 'pairings' | 'acceptPairing' | 'failPairing' | 'pairingLock' | 'people' | 'findPerson' | 'removePerson'
  >;
  pass(ms: number): void;
}

export async function openPeopleStore(): Promise<PeopleStore> {
  let now = 1_800_000_000_000;
  const offers: (Pairing & { readonly endsAt: number; readonly againAt: number })[] = [];
  const people: PairedPerson[] = [];
  const failures = new Map<string, number>();
  const locks = new Map<string, number>();
  const lockOf = (platform: string) => {
    const left = (locks.get(platform) ?? 0) - now;
    return left > 0 ? left : undefined;
  };
  const open = () => offers.filter(({ endsAt }) => endsAt > now);
  const store: PeopleStore['store'] = {
    offerPairing: async (offer, limits: PairingLimits) => {
      const locked = lockOf(offer.platform);
      if (locked !== undefined) return { type: 'locked', waitMs: locked };
      const own = offers.find(
        ({ platform, userId, by, againAt }) => platform === offer.platform && userId === offer.userId && by === offer.by && againAt > now,
      );
      if (own !== undefined) return { type: 'too_soon', waitMs: own.againAt - now };
      const pending = open().filter(({ platform, by }) => platform === offer.platform && by === offer.by);
      if (pending.length >= limits.maxPending) return { type: 'too_many', waitMs: (pending[0]?.endsAt ?? now) - now };
      const id = `p_${offers.length}`;
      offers.push({ ...offer, id, at: now, expiresInMs: limits.ttlMs, endsAt: now + limits.ttlMs, againAt: now + limits.perPersonMs });
      return { type: 'offered', id };
    },
    pairings: async (platform) =>
      open()
        .filter((offer) => platform === undefined || offer.platform === platform)
        .map(({ endsAt, againAt: _again, ...offer }) => ({ ...offer, expiresInMs: endsAt - now })),
    acceptPairing: async (id, person) => {
      const at = offers.findIndex((offer) => offer.id === id && offer.endsAt > now);
      if (at < 0) return false;
      offers.splice(at, 1);
      failures.delete(person.platform);
      people.push({ platform: person.platform, userId: person.userId, ...(person.name !== undefined && { name: person.name }), at: now });
      return true;
    },
    failPairing: async (platform, { maxFailures, lockMs }) => {
      failures.set(platform, (failures.get(platform) ?? 0) + 1);
      if ((failures.get(platform) ?? 0) < maxFailures) return undefined;
      failures.delete(platform);
      locks.set(platform, now + lockMs);
      return lockMs;
    },
    pairingLock: async (platform) => lockOf(platform),
    people: async (platform) => people.filter((person) => platform === undefined || person.platform === platform),
    findPerson: async ({ platform, userId }) => people.find((person) => person.platform === platform && person.userId === userId),
    removePerson: async ({ platform, userId }) => {
      const at = people.findIndex((person) => person.platform === platform && person.userId === userId);
      if (at >= 0) people.splice(at, 1);
      return at >= 0;
    },
  };
  return { store, pass: (ms) => void (now += ms), [Symbol.asyncDispose]: async () => {} };
}
