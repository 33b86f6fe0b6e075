import type { GatewayStore } from '../../contracts/gateway-store.ts';
import type { PairingService } from '../../contracts/services/pairing.ts';
import { approvePairing, inviteByCode, type PairingStore } from './pairing.ts';

/** The same rows the gateway reads: what is changed here holds there with the next message. */
export const createPairingService = (store: PairingStore & Pick<GatewayStore, 'people' | 'removePerson'>): PairingService => ({
  list: async () => {
    const people = (await store.people()).map((person) => ({ state: 'paired' as const, ...person }));
    const offers = (await store.pairings()).map(({ by, id, platform, userId, name, at, expiresInMs }) =>
      by === 'owner'
        ? { state: 'invited' as const, platform, at, expiresInMs }
        : { state: 'pending' as const, platform, userId, ...(name !== undefined && { name }), at, id, expiresInMs },
    );
    return [...people, ...offers];
  },
  approve: (platform, code) => approvePairing(store, platform, code),
  revoke: (platform, userId) => store.removePerson({ platform, userId }),
  invite: (platform) => inviteByCode(store, platform),
});
