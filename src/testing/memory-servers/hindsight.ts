import { randomUUID } from 'node:crypto';
import { isObject, readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { openMemoryServer, rank, type MemoryServer, type MemoryServerAnswer } from './memory-server.ts';

interface HindsightDocument {
  readonly id: string;
  original_text: string;
  context: string | null;
  metadata: JsonObject | null;
  timestamp: string | null;
  readonly created_at: string;
  updated_at: string;
}
type HindsightBank = Map<string, HindsightDocument>;
export interface HindsightServer extends MemoryServer {
  readonly banks: ReadonlyMap<string, ReadonlyMap<string, HindsightDocument>>;
}

const missing: MemoryServerAnswer = { status: 404, body: { detail: 'Not found' } };

/** Hindsight: every document is one fact, word for word, since there is no model that could make more of it. */
export async function openHindsightServer(key: string): Promise<HindsightServer> {
  const banks = new Map<string, HindsightBank>();
  /** Work that was started, by the id its client gave it. */
  const operations = new Set<string>();
  const bankOf = (id: string): HindsightBank => {
    const bank = banks.get(id) ?? new Map<string, HindsightDocument>();
    banks.set(id, bank);
    return bank;
  };
  const found = (bank: string, query: string) => rank([...bankOf(bank).values()], query, ({ original_text: text }) => text);
  const server = await openMemoryServer({
    refuse: ({ headers, path }) =>
      path === '/health' || path === '/version' || headers['authorization'] === `Bearer ${key}`
        ? undefined
        : { status: 401, body: { detail: 'Invalid API key' } },
    routes: {
      'GET /health': () => ({ body: { status: 'healthy' } }),
      'GET /version': () => ({
        body: {
          api_version: '0.9.1',
          features: { observations: true, mcp: true, worker: true, bank_config_api: true, file_upload_api: false },
        },
      }),
      'GET /v1/default/banks': () => ({ body: { banks: [...banks.keys()].map((bank_id) => ({ bank_id, name: bank_id })) } }),
      'POST /v1/default/banks/:bank/memories': ({ body }, bank = '') => retain(body ?? null, bank, bankOf(bank), operations),
      'POST /v1/default/banks/:bank/memories/recall': ({ body }, bank = '') => {
        const query = readStringAt(body, 'query');
        if (query === undefined) return { status: 422, body: { detail: 'query is required' } };
        const results = found(bank, query).map(({ item }) => toResult(item));
        return { body: { results } };
      },
      'POST /v1/default/banks/:bank/reflect': ({ body }, bank = '') => {
        const facts = found(bank, readStringAt(body, 'query') ?? '').map(({ item }) => item.original_text);
        return { body: { text: facts.length === 0 ? 'Nothing is known about that.' : `What is known: ${facts.join('; ')}` } };
      },
      'GET /v1/default/banks/:bank/memories/list': ({ query }, bank = '') => {
        const items = [...bankOf(bank).values()].map(toResult);
        return { body: page(items, query) };
      },
      'GET /v1/default/banks/:bank/documents': ({ query }, bank = '') => {
        const part = (query.get('q') ?? '').toLowerCase();
        const items = [...bankOf(bank).values()]
          .filter(({ id }) => id.toLowerCase().includes(part))
          .map(({ original_text: _text, ...each }) => ({ ...each, bank_id: bank }));
        return { body: page(items, query) };
      },
      'GET /v1/default/banks/:bank/documents/:id': (_request, bank = '', id = '') => {
        const document = bankOf(bank).get(id);
        return document === undefined
          ? missing
          : { body: { ...document, bank_id: bank, content_hash: null, memory_unit_count: 1, tags: [] } };
      },
      'DELETE /v1/default/banks/:bank/documents/:id': (_request, bank = '', id = '') =>
        bankOf(bank).delete(id) ? { body: { success: true, message: 'deleted', document_id: id, memory_units_deleted: 1 } } : missing,
    },
  });
  return { ...server, banks };
}

function retain(body: Json, bankId: string, bank: HindsightBank, operations: Set<string>): MemoryServerAnswer {
  const items = readPath(body, 'items');
  if (!Array.isArray(items) || items.length === 0) return { status: 422, body: { detail: 'items are required' } };
  const operation = readStringAt(body, 'operation_id') ?? randomUUID();
  const isAsync = readPath(body, 'async') === true;
  if (!operations.has(operation))
    for (const item of items) {
      const id = readStringAt(item, 'document_id') ?? randomUUID();
      const before = bank.get(id);
      const metadata = readPath(item, 'metadata');
      const now = new Date().toISOString();
      const given = readStringAt(item, 'content') ?? '';
      const text = readStringAt(item, 'update_mode') === 'append' && before !== undefined ? `${before.original_text}\n${given}` : given;
      bank.set(id, {
        id,
        original_text: text,
        context: readStringAt(item, 'context') ?? null,
        metadata: isObject(metadata) ? metadata : null,
        timestamp: readStringAt(item, 'timestamp') ?? null,
        created_at: before?.created_at ?? now,
        updated_at: now,
      });
    }
  if (isAsync) operations.add(operation);
  return {
    body: { success: true, bank_id: bankId, items_count: items.length, async: isAsync, ...(isAsync && { operation_id: operation }) },
  };
}

const toResult = ({ id, original_text: text, context, metadata, timestamp, created_at: created }: HindsightDocument): JsonObject => ({
  id: `fact-${id}`,
  text,
  type: 'world',
  context,
  occurred_start: timestamp,
  mentioned_at: created,
  document_id: id,
  metadata,
});

function page(items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)];
  return { items: items.slice(offset, offset + limit), total: items.length, limit, offset };
}
