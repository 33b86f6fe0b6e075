import type { GatewayStore } from '../../contracts/gateway-store.ts';
import { authorise as decideAccess, countBotChain, type AccessDecision } from './access.ts';
import type { GatewayAccount } from './accounts.ts';
import type { KeptEvent } from './intake.ts';
import { buildSessionKey } from './session-key.ts';

/** Who may speak, with what the store knows of them. Chains of bots are counted in memory: a restart breaks one. */
export function createAuthoriser(store: Pick<GatewayStore, 'findPerson'>) {
  const chains = new Map<string, number>();
  return async (account: GatewayAccount, event: KeptEvent, time: 'first' | 'again'): Promise<AccessDecision> => {
    const { platform } = account;
    const key = buildSessionKey(account, event.chat);
    const before = chains.get(key) ?? 0;
    // An event is looked at when it arrives and again when it is handled, and counts once.
    const botChain = time === 'first' ? countBotChain(before, event.sender) : before;
    if (botChain === 0) chains.delete(key);
    else chains.set(key, botChain);
    const ids = [event.sender.id, ...(event.sender.otherIds ?? [])];
    const people = await Promise.all(ids.map((userId) => store.findPerson({ platform, userId })));
    const paired = new Set(people.flatMap((person) => (person === undefined ? [] : [person.userId])));
    const isAddressed = event.type !== 'message' || event.isAddressed;
    return decideAccess({ chat: event.chat, sender: event.sender, isAddressed, botChain }, account.access, (id) => paired.has(id));
  };
}
