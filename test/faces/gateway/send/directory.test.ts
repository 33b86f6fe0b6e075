import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Route, RouteFilter } from '../../../../src/contracts/gateway-store.ts';
import { readDirectory } from '../../../../src/faces/gateway/send/directory.ts';
import { findTarget } from '../../../../src/faces/gateway/send/sends.ts';

const root = mkdtempSync(join(tmpdir(), 'hermes-directory-'));
after(() => rmSync(root, { recursive: true, force: true }));

const route = (account: string, chatId: string, name: string): Route => ({
  key: `agent:${account}:telegram:group:${chatId}`,
  target: { platform: 'telegram', account, chatId },
  chat: { chatId, type: 'group', name },
  usedAt: 0,
  facts: {},
});
const SEEN = JSON.stringify([{ chatId: 'C1', type: 'channel', name: 'general' }, { type: 'channel' }, 'nonsense']);

test('the directory joins home channels, aliases, chats that were used and those a service listed', async () => {
  writeFileSync(
    join(root, 'channel_aliases.json'),
    '{"telegram": {"kin": "-100", "alerts": "-100:7", "broken": {}}, "matrix": {"lab": "!a:example.org"}}',
  );
  const chats = await readDirectory({
    root,
    accounts: [
      { platform: 'telegram', account: 'main', homeChannel: { chatId: '7', name: 'Me' } },
      { platform: 'slack', account: 'main' },
    ],
    store: {
      fact: async (key) => (key === 'chats:slack:main' ? SEEN : undefined),
      gateway: { routes: async () => [route('work', '-100', 'Family')] },
    },
  });
  assert.deepEqual(chats, [
    { target: { platform: 'telegram', account: 'main', chatId: '7' }, name: 'Me', isHome: true },
    { target: { platform: 'telegram', account: 'work', chatId: '-100' }, name: 'kin' },
    { target: { platform: 'telegram', account: 'work', chatId: '-100', threadId: '7' }, name: 'alerts' },
    { target: { platform: 'matrix', account: 'main', chatId: '!a:example.org' }, name: 'lab' },
    { target: { platform: 'telegram', account: 'work', chatId: '-100' }, type: 'group', name: 'Family' },
    { target: { platform: 'slack', account: 'main', chatId: 'C1' }, type: 'channel', name: 'general' },
  ]);
});

test('aliases that cannot be read are told with what belongs there', async () => {
  writeFileSync(join(root, 'channel_aliases.json'), '{');
  const deps = { root, accounts: [], store: { fact: async () => undefined, gateway: { routes: async () => [] } } };
  await assert.rejects(
    readDirectory(deps),
    /channel_aliases\.json is not JSON\. It has names of chats: \{"telegram": \{"family": "-100123"\}\}/,
  );
});

test('a chat that is named by its id is looked up alone, at every account; only a name takes the latest chats', async () => {
  rmSync(join(root, 'channel_aliases.json'), { force: true });
  const asked: RouteFilter[] = [];
  const old = route('work', '-100', 'Family');
  const deps = {
    root,
    accounts: ['main', 'work'].map((account) => ({ platform: 'telegram', account })),
    store: {
      fact: async () => undefined,
      gateway: {
        routes: async (filter: RouteFilter) => {
          asked.push(filter);
          return filter.under === undefined ? [] : filter.under.includes(old.key) ? [old] : [];
        },
      },
    },
  };
  const found = async (wanted: string) => {
    asked.length = 0;
    const result = await findTarget(wanted, deps);
    return [result.ok && result.chat.target, asked.filter(({ under }) => under === undefined)];
  };
  const target = { platform: 'telegram', account: 'work', chatId: '-100' };
  assert.deepEqual(
    [await found('telegram:-100'), await found('Telegram:-100:7'), await found('telegram:#family'), await found('telegram')],
    [
      [target, []],
      [{ ...target, threadId: '7' }, []],
      [false, [{ platform: 'telegram', latestFirst: true, limit: 2_000 }]],
      [false, []],
    ],
  );
});
