import type { AccountRef, GatewayStore } from '../../../contracts/gateway-store.ts';
import type { PlatformTraits } from '../../../contracts/platform-adapter.ts';
import { authorise as decideAccess, countBotChain, type AccessDecision, type AccessSettings } from './access.ts';
import type { KeptEvent } from '../contract.ts';
import { buildSessionKey } from '../addresses/session-key.ts';

/** Who may speak, with what the store knows of them. Chains of bots are counted in memory: a restart breaks one. */
export function createAuthoriser(store: Pick<GatewayStore, 'findPerson'>) {
  const chains = new Map<string, number>();
  return async (
    account: AccountRef & { readonly access: AccessSettings; readonly kind: { readonly traits: Pick<PlatformTraits, 'isMachine'> } },
    event: KeptEvent,
    time: 'first' | 'again',
  ): Promise<AccessDecision> => {
    const { platform, account: name } = account;
    // Whoever does not know the secret was turned away before. Knowing it makes nobody the owner.
    if (account.kind.traits.isMachine === true) return { allowed: true, role: 'guest', by: 'signature' };
    const key = buildSessionKey(account, event.chat);
    // An event counts once, when it arrives. What was let in then is not held against what came after it.
    const botChain = time === 'first' ? countBotChain(chains.get(key) ?? 0, event.sender) : 0;
    if (botChain > 0) chains.set(key, botChain);
    const ids = [event.sender.id, ...(event.sender.otherIds ?? [])];
    const people = await Promise.all(ids.map((userId) => store.findPerson({ platform, account: name, userId })));
    const paired = new Set(people.flatMap((person) => (person === undefined ? [] : [person.userId])));
    const isAddressed = event.type !== 'message' || event.isAddressed;
    const facts = { chat: event.chat, sender: event.sender, isAddressed, botChain };
    const decision = decideAccess(facts, account.access, (id) => paired.has(id));
    // Somebody who may speak: a stranger could keep bots talking.
    if (time === 'first' && !event.sender.isBot && decision.allowed) chains.delete(key);
    return decision;
  };
}
