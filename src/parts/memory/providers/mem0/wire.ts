import { readPath, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import type { MemoryTarget } from '../../../../contracts/memory.ts';
import type { MemoryWrite, RecalledFact, SyncedTurn } from '../../../../contracts/memory-provider.ts';
import type { RemoteMemory } from '../connection.ts';
import { readList, toForeignFact, toTurnMetadata } from '../facts.ts';

/** The public API of the Mem0 platform (v3 for what is added and found, v1 for single memories). */
export const MEM0: RemoteMemory = {
  name: 'mem0',
  label: 'Mem0',
  keyVariable: 'MEM0_API_KEY',
  urlVariable: 'MEM0_BASE_URL',
  urlField: 'base_url',
  publicUrl: 'https://api.mem0.ai',
  keysAt: 'https://app.mem0.ai/dashboard/api-keys',
  authorize: (key) => ({ authorization: `Token ${key}` }),
};

/** One memory as the service gives it. */
export interface Mem0Memory {
  readonly id: string;
  readonly text: string;
  readonly userId?: string;
  readonly at?: string;
  readonly metadata?: Json;
}
export const readMemories = (answer: Json): Mem0Memory[] =>
  (Array.isArray(answer) ? answer : readList(answer, 'results')).flatMap((each) => readMemory(each) ?? []);

export function readMemory(each: Json): Mem0Memory | undefined {
  const id = readStringAt(each, 'id');
  const text = readStringAt(each, 'memory');
  if (id === undefined || text === undefined) return undefined;
  const userId = readStringAt(each, 'user_id');
  const at = readStringAt(each, 'updated_at') ?? readStringAt(each, 'created_at');
  const metadata = readPath(each, 'metadata');
  return {
    id,
    text,
    ...(userId !== undefined && { userId }),
    ...(at !== undefined && { at }),
    ...(metadata !== undefined && { metadata }),
  };
}
export const toFact = ({ text, at, metadata }: Mem0Memory): RecalledFact => toForeignFact(MEM0.name, text, at, metadata);

/** Of one person, and what was noted beside it. */
export const toFilters = (userId: string, metadata?: JsonObject): JsonObject => ({
  AND: [{ user_id: userId }, ...Object.entries(metadata ?? {}).map(([key, value]) => ({ metadata: { [key]: value } }))],
});

export const toTurnBody = (turn: SyncedTurn, userId: string, agentId: string): JsonObject => ({
  messages: [
    { role: 'user', content: turn.userMessage },
    { role: 'assistant', content: turn.assistantResponse },
  ].filter(({ content }) => content.trim() !== ''),
  user_id: userId,
  agent_id: agentId,
  run_id: turn.sessionId,
  metadata: toTurnMetadata(turn),
  timestamp: Math.floor(turn.at / 1000),
});

/** Kept word for word: nothing is made of it. */
export const toExactBody = (content: string, userId: string, agentId: string, metadata: JsonObject): JsonObject => ({
  messages: [{ role: 'user', content }],
  user_id: userId,
  agent_id: agentId,
  metadata,
  infer: false,
});
export const toMirrorMetadata = (target: MemoryTarget, key: MemoryWrite['key']): JsonObject => ({ hermes_store: target, hermes_key: key });
