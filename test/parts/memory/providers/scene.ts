import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveHome } from '../../../../src/base/home.ts';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import { collectDefaults } from '../../../../src/contracts/settings.ts';
import type { MemoryProviderOptions, MemoryScope, SyncedTurn } from '../../../../src/contracts/memory-provider.ts';
import { openReach } from '../../../../src/parts/safety/urls/reach.ts';
import { urlSettings } from '../../../../src/parts/safety/urls/settings.ts';

export const never = new AbortController().signal;

/** A home with the file of a provider, its keys, and the network as a host opens it. */
export function openHome(name: string, file: JsonObject | string | undefined, env: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'provider-'));
  if (file !== undefined) writeFileSync(join(root, `${name}.json`), typeof file === 'string' ? file : JSON.stringify(file));
  const notices: string[] = [];
  const settings = collectDefaults(urlSettings);
  const reach = (owned: readonly string[]) => openReach({ settings, home: root, owned, env });
  const options: MemoryProviderOptions = {
    log: { search: async () => [], entries: async () => [], list: async () => [] },
    home: resolveHome({ HERMES_HOME: root }),
    settings: {},
    env,
    network: reach([]),
    reachOwnServer: (server) => reach([server]),
    notice: (words) => void notices.push(words),
  };
  return { root, options, notices };
}

export const OWNER: MemoryScope = { sessionId: 's-owner', platform: 'cli', isOwner: true };
export const OWNER_IN_CHAT: MemoryScope = { sessionId: 's-chat', platform: 'telegram', userId: '1', chatId: '1', isOwner: true };
export const GUEST: MemoryScope = { sessionId: 's-guest', platform: 'telegram', userId: '77', chatId: '77', isOwner: false };
export const OTHER_GUEST: MemoryScope = { sessionId: 's-other', platform: 'slack', userId: '77', chatId: '77', isOwner: false };
export const OWNER_IN_GROUP: MemoryScope = { ...OWNER_IN_CHAT, sessionId: 's-group', chatId: '-5', isGroup: true };

export const turnOf = (scope: MemoryScope, key: string, userMessage: string, more: Partial<SyncedTurn> = {}): SyncedTurn => ({
  ...scope,
  key,
  turnId: key,
  at: Date.parse('2026-03-01T10:00:00Z'),
  userMessage,
  assistantResponse: 'Noted.',
  foreign: [],
  ...more,
});
