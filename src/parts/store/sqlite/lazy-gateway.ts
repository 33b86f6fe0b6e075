import type { GatewayStore } from '../../../contracts/gateway-store.ts';

/** A gateway's part of the store whose code is loaded with its first use: a chat in a terminal has none for it. */
export function createLazyGateway(open: () => Promise<GatewayStore>): GatewayStore {
  return {
    receive: async (...given) => (await open()).receive(...given),
    admit: async (...given) => (await open()).admit(...given),
    settle: async (...given) => (await open()).settle(...given),
    arrivals: async (...given) => (await open()).arrivals(...given),
    take: async (...given) => (await open()).take(...given),
    renew: async (...given) => (await open()).renew(...given),
    defer: async (...given) => (await open()).defer(...given),
    nextDue: async (...given) => (await open()).nextDue(...given),
    plan: async (...given) => (await open()).plan(...given),
    beginPart: async (...given) => (await open()).beginPart(...given),
    endPart: async (...given) => (await open()).endPart(...given),
    finish: async (...given) => (await open()).finish(...given),
    deliveries: async (...given) => (await open()).deliveries(...given),
    route: async (...given) => (await open()).route(...given),
    routes: async (...given) => (await open()).routes(...given),
    reroute: async (...given) => (await open()).reroute(...given),
    remember: async (...given) => (await open()).remember(...given),
    cursors: async (...given) => (await open()).cursors(...given),
    moveChat: async (...given) => (await open()).moveChat(...given),
    deadTargets: async (...given) => (await open()).deadTargets(...given),
    markDead: async (...given) => (await open()).markDead(...given),
    offerPairing: async (...given) => (await open()).offerPairing(...given),
    pairings: async (...given) => (await open()).pairings(...given),
    acceptPairing: async (...given) => (await open()).acceptPairing(...given),
    failPairing: async (...given) => (await open()).failPairing(...given),
    pairingLock: async (...given) => (await open()).pairingLock(...given),
    people: async (...given) => (await open()).people(...given),
    findPerson: async (...given) => (await open()).findPerson(...given),
    removePerson: async (...given) => (await open()).removePerson(...given),
    count: async (...given) => (await open()).count(...given),
    leaseCredential: async (...given) => (await open()).leaseCredential(...given),
    releaseCredential: async (...given) => (await open()).releaseCredential(...given),
  };
}
