import { readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { sha256 } from '../../../../base/sha256.ts';
import type { MemoryTarget } from '../../../../contracts/memory.ts';
import type { SyncedTurn } from '../../../../contracts/memory-provider.ts';
import type { RemoteMemory } from '../connection.ts';
import { readList } from '../facts.ts';
import { toKeyId, toPlainId } from '../person.ts';

/** The HTTP API of an OpenViking server, v1. There is no public service: the owner runs the server. */
export const OPENVIKING: RemoteMemory = {
  name: 'openviking',
  label: 'OpenViking',
  keyVariable: 'OPENVIKING_API_KEY',
  urlVariable: 'OPENVIKING_ENDPOINT',
  urlField: 'endpoint',
  authorize: (key) => ({ 'x-api-key': key }),
};

export const toUserRoot = (user: string): string => `viking://user/${user}`;
export const toMemoryRoot = (user: string): string => `${toUserRoot(user)}/memories`;
export const toMirrorFolder = (user: string, target: MemoryTarget): string => `${toMemoryRoot(user)}/hermes/${target}`;
/** A file is known by its address: what is written there again takes the place of what was there. */
export const toMirrorUri = (user: string, target: MemoryTarget, key: string): string =>
  `${toMirrorFolder(user, target)}/${sha256(key).slice(0, 32)}.md`;
/** What we write ourselves: copies of the two files, notes and imported facts. The rest the server made. */
export const isOurs = (user: string, uri: string): boolean => uri.startsWith(`${toMemoryRoot(user)}/hermes/`);
export const toImportedUri = (user: string, key: string, isForeign: boolean): string =>
  `${toMemoryRoot(user)}/${isForeign ? 'hermes-foreign' : 'hermes'}/imported/${sha256(key).slice(0, 32)}.md`;
export const toNoteUri = (user: string, content: string): string => `${toMemoryRoot(user)}/hermes/notes/${sha256(content).slice(0, 32)}.md`;
export const toSessionId = (sessionId: string): string => toPlainId(`hermes-${sessionId}`);

export interface VikingHit {
  readonly uri: string;
  readonly text: string;
  readonly score?: number;
}
/** What was found below one address; what lies elsewhere is left out, whatever the server thought. */
export const readHits = (answer: Json, below: readonly string[]): VikingHit[] =>
  ['memories', 'resources'].flatMap((kind) =>
    readList(answer, 'result', kind).flatMap((each) => {
      const uri = readStringAt(each, 'uri');
      const text = readStringAt(each, 'content') ?? readStringAt(each, 'abstract');
      if (uri === undefined || text === undefined || !below.some((root) => uri.startsWith(`${root}/`))) return [];
      return [{ uri, text }];
    }),
  );

export const toMessages = (turn: SyncedTurn): JsonObject => ({
  messages: [
    { role: 'user', content: turn.userMessage },
    { role: 'assistant', content: turn.assistantResponse },
  ]
    .filter(({ content }) => content.trim() !== '')
    .map((message) => ({ ...message, turn_id: toKeyId(turn.key), created_at: new Date(turn.at).toISOString() })),
});
/** A turn is known by its id in the messages of its session, those that wait and those of earlier commits. */
export const toTurnGrep = (turn: SyncedTurn, user: string): JsonObject => ({
  uri: `${toUserRoot(user)}/sessions/${toSessionId(turn.sessionId)}`,
  pattern: toKeyId(turn.key),
  node_limit: 1,
});
export const hasMatch = (answer: Json): boolean => readList(answer, 'result', 'matches').length > 0;

/** Where a person may look: below their own address, and the owner also among the documents that all share. `~` is the person. */
export function resolveUri(given: string, user: string, roots: readonly string[]): string {
  const uri = given.replace(/^viking:\/\/~(?=\/|$)/, toUserRoot(user)).replace(/\/+$/, '');
  const isPlain = /^viking:\/\/[^\s?#\\%]+$/.test(uri) && !uri.split('/').some((part) => part === '..' || part === '.');
  if (!isPlain || !roots.some((root) => uri === root || uri.startsWith(`${root}/`)))
    throw new Error(`${given} cannot be read here. Addresses begin with ${roots.join(' or ')}; viking_browse lists them.`);
  return uri;
}
