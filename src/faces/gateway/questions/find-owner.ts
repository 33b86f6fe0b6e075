import type { AccountRef, GatewayStore } from '../../../contracts/gateway-store.ts';
import type { GatewayAccount } from '../accounts/account.ts';
import { isSameAccount, type ReplyAddress } from '../contract.ts';

export interface FindOwnerDeps {
  readonly store: Pick<GatewayStore, 'routes'>;
  readonly accounts: readonly Pick<GatewayAccount, 'platform' | 'account' | 'access'>[];
}

/** The chat of somebody who is an owner now and wrote before: with the account it is asked from, else on its platform, else on any other. */
export async function findOwner(from: AccountRef, { store, accounts }: FindOwnerDeps): Promise<ReplyAddress | undefined> {
  const nearFirst = accounts.toSorted((one, other) => rankFrom(one, from) - rankFrom(other, from));
  for (const account of nearFirst) {
    for (const id of account.access.owners) {
      const written = await store.routes({ platform: account.platform, fact: { name: 'person', value: id } });
      const own = written.find(({ chat, target }) => chat.type === 'private' && isSameAccount(target, account));
      if (own !== undefined) return { routeKey: own.key, target: own.target, senderId: '', role: 'owner' };
    }
  }
  return undefined;
}

const rankFrom = (account: AccountRef, from: AccountRef): number =>
  isSameAccount(account, from) ? 0 : account.platform === from.platform ? 1 : 2;
