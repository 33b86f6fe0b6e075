import { parseHost } from '../../../../base/http.ts';
import { toProfileName } from '../../../../base/profile.ts';
import type { MemoryProvider, SyncedTurn } from '../../../../contracts/memory-provider.ts';
import { readConnection, type RemoteMemoryOptions, type ServiceConnection } from '../connection.ts';
import { fitFacts, readList } from '../facts.ts';
import { moveFacts, toExportedFact } from '../moving-facts.ts';
import { changeOwnFile, toText } from '../own-file.ts';
import { toPersonId, type PersonScope } from '../person.ts';
import { createSyncedTurns, type SyncedTurns } from '../synced-turns.ts';
import { createSessionWriters, type SessionWriters } from '../writers.ts';
import { callHoncho } from './call.ts';
import { createHonchoClient, orMissing, type HonchoClient } from './client.ts';
import { isFileSession, mirrorWrite } from './mirror.ts';
import { HONCHO, pickHostValues, toHonchoNames, toHonchoSettings, type HonchoSettings } from './settings.ts';
import { HONCHO_TOOLS } from './tools.ts';
import { hasItems, readPicture, toMessagesBody, toPath } from './wire.ts';

/** Honcho as the provider and its commands find it in one home. */
export interface OpenHoncho extends Pick<ServiceConnection, 'baseUrl' | 'trouble'> {
  readonly settings: HonchoSettings;
  readonly client: HonchoClient;
}

export function readHoncho(options: RemoteMemoryOptions): OpenHoncho {
  const { home } = options;
  const { values, ask, baseUrl, trouble } = readConnection(HONCHO, options, (file) => pickHostValues(file, toProfileName(home.root)));
  const settings = toHonchoSettings(values);
  const reason = settings.enabled ? trouble : 'Honcho is turned off in honcho.json. To turn it on: hermes honcho enable';
  const hint =
    reason !== undefined && toText(values['apiKey']) !== undefined
      ? ` honcho.json holds an API key, which is not read: move it to .env as ${HONCHO.keyVariable}.`
      : '';
  return { settings, baseUrl, client: createHonchoClient(settings, ask), ...(reason !== undefined && { trouble: `${reason}${hint}` }) };
}

export function openHoncho(options: RemoteMemoryOptions): MemoryProvider {
  const { settings, client, baseUrl, trouble } = readHoncho(options);
  const { recallMode } = settings;
  const writers = createSessionWriters();
  const turns = createSyncedTurns();
  return {
    name: HONCHO.name,
    servesGuests: true,
    available: () => trouble === undefined,
    unavailableReason: () => trouble,
    initialize: async (scene) => writers.note(scene),
    systemBlock: () =>
      [
        'Honcho keeps a picture of the person you speak with.',
        ...(recallMode === 'tools' ? [] : ['Parts of it may be shown beside a message.']),
        ...(recallMode === 'context' ? [] : ['Use honcho_search and honcho_context for more, and honcho_conclude for what should last.']),
      ].join(' '),
    recall: async (query, { signal, maxChars, ...scope }) => (recallMode === 'tools' ? [] : recall(client, query, scope, maxChars, signal)),
    syncTurn: (turn, signal) => syncTurn({ client, writers, turns }, turn, signal),
    sessionEnd: async ({ sessionId }) => turns.forget(sessionId),
    wrote: (change, signal) => mirrorWrite(client, change, signal),
    tools: () => (recallMode === 'context' ? [] : HONCHO_TOOLS),
    call: (name, input, call) => callHoncho(client, writers, name, input, call),
    configFields: () => [
      {
        key: 'api_key',
        description: 'API key of Honcho',
        secret: true,
        required: true,
        env_var: HONCHO.keyVariable,
        url: HONCHO.keysAt ?? '',
      },
    ],
    saveConfig: async (given, home) => void changeOwnFile(home, HONCHO.name, (before) => ({ ...before, ...given })),
    backupPaths: () => [`${HONCHO.name}.json`],
    ...moveFacts({
      label: HONCHO.label,
      list: (person) => listFacts(client, toPersonId(person, settings.peerName)),
      add: async (fact, person) => {
        const names = { ...toHonchoNames(settings, person), session: IMPORTED };
        await client.ensureSession(names, never);
        await client.conclude(fact.text, names.peer, names.session, never);
      },
    }),
    status: async (signal) => {
      await client.ask({ method: 'POST', path: '/v3/workspaces', body: { id: settings.workspace }, signal });
      return `connected to ${parseHost(baseUrl)}; you are ${settings.peerName} in the workspace ${settings.workspace}`;
    },
  };
}

/** Moving facts is stopped with the process; each request has its own limit. */
const never = new AbortController().signal;
/** Conclusions have no notes beside them, so those that were imported belong to a session of their own. */
const IMPORTED = 'hermes-imported';

/** Copies of the two files are ours; what Honcho concluded is its own, and what was imported cannot say where it came from. */
async function* listFacts(client: HonchoClient, peer: string) {
  for await (const { content, at, session = '' } of client.readConclusions(peer, never))
    yield toExportedFact(HONCHO.name, content, at, isFileSession(session) ? { hermes_store: session } : {});
}

async function recall(client: HonchoClient, query: string, scope: PersonScope, maxChars: number, signal: AbortSignal) {
  const { settings } = client;
  const { peer } = toHonchoNames(settings, scope);
  const path = toPath(settings, 'peers', peer, 'context');
  const answer = await orMissing(
    client.ask({ method: 'GET', path, query: { search_query: query, search_top_k: 10, max_conclusions: 25 }, signal }),
  );
  return fitFacts(readPicture(answer), Math.min(maxChars, settings.contextTokens * 4));
}

interface SyncDeps {
  readonly client: HonchoClient;
  readonly writers: SessionWriters;
  readonly turns: SyncedTurns;
}
async function syncTurn({ client, writers, turns }: SyncDeps, turn: SyncedTurn, signal: AbortSignal): Promise<void> {
  if (!writers.mayWrite(turn.sessionId)) return;
  const { settings } = client;
  const names = toHonchoNames(settings, turn);
  const body = toMessagesBody(turn, names);
  if (readList(body, 'messages').length === 0) return;
  await client.ensureSession(names, signal);
  const path = toPath(settings, 'sessions', names.session, 'messages');
  await turns.once(turn.sessionId, turn.key, {
    isKnown: async () => {
      const filters = { metadata: { hermes_key: turn.key } };
      return hasItems(await client.ask({ method: 'POST', path: `${path}/list`, query: { page: 1, size: 1 }, body: { filters }, signal }));
    },
    add: () => client.ask({ method: 'POST', path, body, signal }),
  });
}
