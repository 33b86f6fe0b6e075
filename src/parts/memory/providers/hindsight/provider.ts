import { parseHost } from '../../../../base/http.ts';
import { readStringAt } from '../../../../base/json.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import type { MemoryTarget } from '../../../../contracts/memory.ts';
import type { MemoryCall, MemoryProvider, MemoryWrite } from '../../../../contracts/memory-provider.ts';
import { readConnection, type RemoteMemoryOptions, type ServiceConnection } from '../connection.ts';
import { fitFacts, readList } from '../facts.ts';
import { moveFacts, readPages, toExportedFact, toImportMetadata } from '../moving-facts.ts';
import { changeOwnFile, toText } from '../own-file.ts';
import { toKeyId, toPersonId, type PersonScope } from '../person.ts';
import { MemoryServiceError, toSegment } from '../service-client.ts';
import { demandTool, readOptionalText, readTextInput } from '../tool-input.ts';
import { createSessionWriters, type SessionWriters } from '../writers.ts';
import { HINDSIGHT_TOOLS } from './tools.ts';
import {
  BUDGETS,
  HINDSIGHT,
  readFacts,
  toBankPath,
  toFact,
  toMirrorId,
  toMirrorPrefix,
  toRetainBody,
  toTurnText,
  type HindsightFact,
  type RetainedText,
} from './wire.ts';

interface HindsightDeps extends ServiceConnection {
  /** The owner's bank. */
  readonly owner: string;
  readonly budget: string;
  readonly writers: SessionWriters;
}

export function openHindsight(options: RemoteMemoryOptions): MemoryProvider {
  const connection = readConnection(HINDSIGHT, options);
  const { values, baseUrl, trouble, ask } = connection;
  const budget = toText(values['budget']);
  const deps: HindsightDeps = {
    ...connection,
    owner: toText(values['bank_id']) ?? 'hermes',
    budget: BUDGETS.find((each) => each === budget) ?? 'mid',
    writers: createSessionWriters(),
  };
  return {
    name: HINDSIGHT.name,
    servesGuests: true,
    available: () => trouble === undefined,
    unavailableReason: () => trouble,
    initialize: async (scene) => deps.writers.note(scene),
    systemBlock: () =>
      'Hindsight keeps facts about the person you speak with. Some may be shown beside a message. Use hindsight_recall for more, hindsight_reflect for questions that take thought, and hindsight_retain for what should last.',
    recall: async (query, { signal, maxChars, ...scope }) =>
      fitFacts((await recallFrom(deps, query, scope, Math.ceil(maxChars / 4), signal)).map(toFact), maxChars),
    syncTurn: async (turn, signal) => {
      if (deps.writers.mayWrite(turn.sessionId)) await retain(deps, toPersonId(turn, deps.owner), toTurnText(turn), signal);
    },
    wrote: (change, signal) => mirror(deps, change, signal),
    tools: () => HINDSIGHT_TOOLS,
    call: (name, input, call) => callTool(deps, name, input, call),
    configFields: () => [
      {
        key: 'api_key',
        description: 'API key of Hindsight',
        secret: true,
        required: true,
        env_var: HINDSIGHT.keyVariable,
        url: HINDSIGHT.keysAt ?? '',
      },
    ],
    saveConfig: async (given, home) => void changeOwnFile(home, HINDSIGHT.name, (before) => ({ ...before, ...given })),
    backupPaths: () => [`${HINDSIGHT.name}.json`],
    ...moveFacts({
      label: HINDSIGHT.label,
      list: (person) => listFacts(deps, toPersonId(person, deps.owner)),
      add: (fact, person, key) => {
        const { text: content, at } = fact;
        const item = { content, context: 'imported', documentId: toKeyId(key), metadata: toImportMetadata(fact, key), key };
        return retain(deps, toPersonId(person, deps.owner), { ...item, ...(at !== undefined && { at }) }, never);
      },
    }),
    status: async (signal) => {
      const version = readStringAt(await ask({ method: 'GET', path: '/version', signal }), 'api_version') ?? 'unknown';
      await ask({ method: 'GET', path: '/v1/default/banks', signal });
      return `connected to ${parseHost(baseUrl)} (Hindsight ${version}); your memories are in the bank ${deps.owner}`;
    },
  };
}

async function recallFrom(
  deps: HindsightDeps,
  query: string,
  scope: PersonScope,
  maxTokens: number,
  signal: AbortSignal,
): Promise<HindsightFact[]> {
  const path = toBankPath(toPersonId(scope, deps.owner), '/memories/recall');
  try {
    return readFacts(await deps.ask({ method: 'POST', path, body: { query, budget: deps.budget, max_tokens: maxTokens }, signal }));
  } catch (error) {
    if (isUnknown(error)) return [];
    throw error;
  }
}
/** A bank that nothing was put into yet, or a document that is gone. */
const isUnknown = (error: unknown): boolean => error instanceof MemoryServiceError && error.status === 404;

const retain = ({ ask }: HindsightDeps, bank: string, item: RetainedText, signal: AbortSignal) =>
  ask({ method: 'POST', path: toBankPath(bank, '/memories'), body: toRetainBody(item), signal });

/** Moving facts is stopped with the process; each request has its own limit. */
const never = new AbortController().signal;
async function* listFacts({ ask }: HindsightDeps, bank: string) {
  const path = toBankPath(bank, '/memories/list');
  const read = async (page: number, limit: number) =>
    readFacts(await ask({ method: 'GET', path, query: { limit, offset: (page - 1) * limit }, signal: never }));
  for await (const { text, at, metadata } of readPages(read)) yield toExportedFact(HINDSIGHT.name, text, at, metadata);
}

/** The two files belong to the profile, so their copy belongs to its owner: one document for each entry. */
async function mirror(deps: HindsightDeps, { key, operation, target }: MemoryWrite, signal: AbortSignal): Promise<void> {
  const put = (content: string, documentId: string) =>
    retain(
      deps,
      deps.owner,
      { content, context: `notes of the assistant (${target})`, documentId, metadata: { hermes_store: target }, key },
      signal,
    );
  if (operation.action === 'add') return void (await put(operation.content, toMirrorId(target, key)));
  const [first, ...more] = await findMirrored(deps, target, operation.oldText, signal);
  const gone = operation.action === 'remove' && first !== undefined ? [first, ...more] : more;
  for (const id of gone) await deps.ask({ method: 'DELETE', path: toBankPath(deps.owner, `/documents/${toSegment(id)}`), signal });
  if (operation.action === 'replace') await put(operation.content, first ?? toMirrorId(target, key));
}

const MAX_MIRRORED = 500;
/** The list has no texts, so each document is asked for its own; a file of the built-in memory has few entries. */
async function findMirrored({ ask, owner }: HindsightDeps, target: MemoryTarget, oldText: string, signal: AbortSignal): Promise<string[]> {
  const query = { q: toMirrorPrefix(target), limit: MAX_MIRRORED };
  const ids = readList(await ask({ method: 'GET', path: toBankPath(owner, '/documents'), query, signal }), 'items').flatMap(
    (each) => readStringAt(each, 'id') ?? [],
  );
  const found: string[] = [];
  for (const id of ids.filter((each) => each.startsWith(toMirrorPrefix(target)))) {
    const document = await ask({ method: 'GET', path: toBankPath(owner, `/documents/${toSegment(id)}`), signal });
    if (readStringAt(document, 'original_text')?.includes(oldText) === true) found.push(id);
  }
  return found;
}

/** Thinking takes a while. */
const REFLECT_MS = 90_000;

async function callTool(deps: HindsightDeps, name: string, input: JsonObject, { signal, ...scope }: MemoryCall): Promise<string> {
  demandTool(HINDSIGHT_TOOLS, name);
  const bank = toPersonId(scope, deps.owner);
  if (name === 'hindsight_recall') {
    const found = await recallFrom(deps, readTextInput(input, 'query'), scope, 4_096, signal);
    return JSON.stringify({ results: found.map(({ text, at }) => ({ text, ...(at !== undefined && { at }) })) });
  }
  if (name === 'hindsight_reflect') {
    const body = { query: readTextInput(input, 'query'), budget: deps.budget };
    const answer = await deps.ask({ method: 'POST', path: toBankPath(bank, '/reflect'), body, signal, timeoutMs: REFLECT_MS });
    return JSON.stringify({ answer: readStringAt(answer, 'text') ?? '' });
  }
  deps.writers.demand(scope.sessionId);
  const content = readTextInput(input, 'content');
  const context = readOptionalText(input, 'context') ?? 'noted in a conversation';
  await retain(
    deps,
    bank,
    { content, context, documentId: toKeyId(`${bank} ${content}`), metadata: { hermes_session: scope.sessionId } },
    signal,
  );
  return JSON.stringify({ stored: true });
}
