import { readPath, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { sha256 } from '../../../../base/sha256.ts';
import type { MemoryTarget } from '../../../../contracts/memory.ts';
import type { RecalledFact, SyncedTurn } from '../../../../contracts/memory-provider.ts';
import type { RemoteMemory } from '../connection.ts';
import { readList, toForeignFact, toTurnMetadata } from '../facts.ts';
import { toKeyId } from '../person.ts';
import { toSegment } from '../service-client.ts';

/** The public API of Hindsight, v1: everything is in a bank, and a bank is made when it is first used. */
export const HINDSIGHT: RemoteMemory = {
  name: 'hindsight',
  label: 'Hindsight',
  keyVariable: 'HINDSIGHT_API_KEY',
  urlVariable: 'HINDSIGHT_API_URL',
  urlField: 'api_url',
  publicUrl: 'https://api.hindsight.vectorize.io',
  keysAt: 'https://ui.hindsight.vectorize.io/connect',
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
};
export const BUDGETS = ['low', 'mid', 'high'] as const;

export const toBankPath = (bank: string, rest: string): string => `/v1/default/banks/${toSegment(bank)}${rest}`;

export interface HindsightFact {
  readonly text: string;
  readonly at?: string;
  readonly metadata?: Json;
}
/** Both what was recalled and what is listed. */
export const readFacts = (answer: Json): HindsightFact[] =>
  [...readList(answer, 'results'), ...readList(answer, 'items')].flatMap((each) => {
    const text = readStringAt(each, 'text');
    if (text === undefined) return [];
    const at = readStringAt(each, 'occurred_start') ?? readStringAt(each, 'mentioned_at');
    const metadata = readPath(each, 'metadata');
    return [{ text, ...(at !== undefined && { at }), ...(metadata !== undefined && { metadata }) }];
  });
export const toFact = ({ text, at, metadata }: HindsightFact): RecalledFact => toForeignFact(HINDSIGHT.name, text, at, metadata);

/**
 * A document is known by our id for it: sent again it takes the place of what was sent before. The id of the work is made of
 * the same key, so that a request that was answered too late starts nothing twice.
 */
export const toRetainBody = (item: RetainedText): JsonObject => ({
  items: [
    {
      content: item.content,
      context: item.context,
      document_id: item.documentId,
      update_mode: 'replace',
      metadata: item.metadata,
      ...(item.at !== undefined && { timestamp: new Date(item.at).toISOString() }),
    },
  ],
  async: true,
  ...(item.key !== undefined && { operation_id: toUuid(item.key) }),
});
export interface RetainedText {
  readonly content: string;
  readonly context: string;
  readonly documentId: string;
  readonly metadata: JsonObject;
  /** What names this telling; absent for one that is not repeated. */
  readonly key?: string;
  readonly at?: number;
}
export const toTurnText = (turn: SyncedTurn): RetainedText => ({
  content: `User: ${turn.userMessage.trim()}\n\nAssistant: ${turn.assistantResponse.trim()}`,
  context: `a conversation on ${turn.platform}`,
  documentId: toKeyId(turn.key),
  metadata: toTurnMetadata(turn),
  key: turn.key,
  at: turn.at,
});

/** Documents that mirror one of the two files share the beginning of their ids. */
export const toMirrorPrefix = (target: MemoryTarget): string => `hermes-file-${target}-`;
export const toMirrorId = (target: MemoryTarget, key: string): string => `${toMirrorPrefix(target)}${sha256(key).slice(0, 32)}`;

const toUuid = (text: string): string => {
  const hex = sha256(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
