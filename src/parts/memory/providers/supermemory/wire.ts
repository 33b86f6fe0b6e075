import { readPath, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import type { MemoryTarget } from '../../../../contracts/memory.ts';
import type { RecalledFact, SyncedTurn } from '../../../../contracts/memory-provider.ts';
import type { RemoteMemory } from '../connection.ts';
import { readList, toForeignFact, toTurnMetadata } from '../facts.ts';
import { toKeyId } from '../person.ts';

/** The public API of Supermemory: v3 for documents, v4 for the memories and the profile that are made of them. */
export const SUPERMEMORY: RemoteMemory = {
  name: 'supermemory',
  label: 'Supermemory',
  keyVariable: 'SUPERMEMORY_API_KEY',
  urlVariable: 'SUPERMEMORY_BASE_URL',
  urlField: 'base_url',
  publicUrl: 'https://api.supermemory.ai',
  keysAt: 'https://console.supermemory.ai/keys',
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
};

/** A memory, or a passage of a document that no memory was made of yet. */
export interface FoundMemory {
  readonly id: string;
  readonly text: string;
  readonly at?: string;
  readonly metadata?: Json;
}
export const readFound = (answer: Json): FoundMemory[] =>
  readList(answer, 'results').flatMap((each) => {
    const id = readStringAt(each, 'id');
    const text = readStringAt(each, 'memory') ?? readStringAt(each, 'chunk');
    if (id === undefined || text === undefined) return [];
    const at = readStringAt(each, 'updatedAt');
    const metadata = readPath(each, 'metadata');
    return [{ id, text, ...(at !== undefined && { at }), ...(metadata !== undefined && { metadata }) }];
  });
export const toFact = ({ text, at, metadata }: FoundMemory): RecalledFact => toForeignFact(SUPERMEMORY.name, text, at, metadata);

/** A document is known by our id for it: what is sent again under the same id takes the place of what was sent before. */
export const toTurnDocument = (turn: SyncedTurn, containerTag: string): JsonObject => ({
  content: `User: ${turn.userMessage.trim()}\n\nAssistant: ${turn.assistantResponse.trim()}`,
  containerTag,
  customId: toKeyId(turn.key),
  metadata: toTurnMetadata(turn),
});
export const toDocument = (content: string, containerTag: string, key: string, metadata: JsonObject): JsonObject => ({
  content,
  containerTag,
  customId: toKeyId(key),
  metadata,
});
export const toMirrorMetadata = (target: MemoryTarget): JsonObject => ({ hermes_store: target });
export const toMirrorFilter = (target: MemoryTarget): JsonObject => ({ AND: [{ key: 'hermes_store', value: target }] });

export interface StoredDocument {
  readonly id: string;
  readonly content: string;
  readonly at?: string;
  readonly metadata?: Json;
}
export const readDocuments = (answer: Json): StoredDocument[] =>
  readList(answer, 'memories').flatMap((each) => {
    const id = readStringAt(each, 'id');
    if (id === undefined) return [];
    const at = readStringAt(each, 'updatedAt') ?? readStringAt(each, 'createdAt');
    const metadata = readPath(each, 'metadata');
    return [
      { id, content: readStringAt(each, 'content') ?? '', ...(at !== undefined && { at }), ...(metadata !== undefined && { metadata }) },
    ];
  });
