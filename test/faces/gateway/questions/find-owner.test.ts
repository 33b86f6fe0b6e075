import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route, RouteFilter } from '../../../../src/contracts/gateway-store.ts';
import { findOwner } from '../../../../src/faces/gateway/questions/find-owner.ts';
import { readOneAccount } from '../platform-kinds.ts';

const { access } = readOneAccount();
const account = (platform: string, name: string, owner: string) => ({ platform, account: name, access: { ...access, owners: [owner] } });
const ACCOUNTS = [account('telegram', 'main', '1'), account('slack', 'main', '2'), account('telegram', 'work', '3')];

/** Every owner has written to their own bot in private. */
const routes = async ({ platform, fact }: RouteFilter): Promise<readonly Route[]> =>
  ACCOUNTS.filter((each) => each.platform === platform && each.access.owners.includes(String(fact?.value))).map((each) => ({
    key: `${each.platform}:${each.account}`,
    target: { platform: each.platform, account: each.account, chatId: String(fact?.value) },
    chat: { chatId: String(fact?.value), type: 'private' },
    facts: {},
    usedAt: 0,
  }));

test('the owner of the account that is asked from comes first, then one of its platform, then any', async () => {
  const found = async (platform: string, name: string) =>
    (await findOwner({ platform, account: name }, { store: { routes }, accounts: ACCOUNTS }))?.routeKey;
  assert.deepEqual(
    [await found('telegram', 'work'), await found('telegram', 'other'), await found('slack', 'main'), await found('discord', 'main')],
    ['telegram:work', 'telegram:main', 'slack:main', 'telegram:main'],
  );
});
