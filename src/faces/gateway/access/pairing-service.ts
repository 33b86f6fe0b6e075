import type { AccountRef, GatewayStore } from '../../../contracts/gateway-store.ts';
import type { PairingService } from '../../../contracts/services/pairing.ts';
import { approvePairing, inviteByCode, type PairingStore } from './pairing.ts';

const toIso = (at: number): string => new Date(at).toISOString();

interface PairingServiceDeps {
  /** Whether the settings name an owner there. */
  readonly hasOwner: (account: AccountRef) => Promise<boolean>;
}

/** The same rows the gateway reads: what is changed here holds there with the next message. */
export const createPairingService = (
  store: PairingStore & Pick<GatewayStore, 'people' | 'removePerson'>,
  { hasOwner }: PairingServiceDeps,
): PairingService => ({
  list: async () => {
    const people = (await store.people()).map((person) => ({ state: 'paired' as const, ...person, at: toIso(person.at) }));
    const offers = (await store.pairings()).map(({ by, id, platform, account, userId, name, at, expiresInMs }) =>
      by === 'owner'
        ? { state: 'invited' as const, platform, account, at: toIso(at), expiresInMs }
        : { state: 'pending' as const, platform, account, userId, ...(name !== undefined && { name }), at: toIso(at), id, expiresInMs },
    );
    return [...people, ...offers];
  },
  approve: async (account, code) => {
    const result = await approvePairing(store, account, code);
    return result.type === 'approved' ? { ...result, hasOwner: await hasOwner(account) } : result;
  },
  revoke: (person) => store.removePerson(person),
  invite: (account) => inviteByCode(store, account),
});
