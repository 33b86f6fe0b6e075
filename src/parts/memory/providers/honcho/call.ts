import { readPath, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import type { MemoryCall } from '../../../../contracts/memory-provider.ts';
import { demandTool, readCount, readOptionalText, readTextInput } from '../tool-input.ts';
import type { SessionWriters } from '../writers.ts';
import { orMissing, type HonchoClient } from './client.ts';
import { toHonchoNames, type HonchoNames } from './settings.ts';
import { HONCHO_TOOLS, MAX_FOUND } from './tools.ts';
import { readConclusion, readMessages, readPicture, toOwnFilter, toPath } from './wire.ts';

interface HonchoCall {
  readonly client: HonchoClient;
  readonly names: HonchoNames;
  readonly signal: AbortSignal;
}
type HonchoTool = (call: HonchoCall, input: JsonObject) => Promise<Json>;

/** Thinking takes a while. */
const REASONING_MS = 90_000;
const peerOf = ({ names }: HonchoCall, input: JsonObject): string => (readOptionalText(input, 'peer') === 'ai' ? names.ai : names.peer);

const READING: Readonly<Record<string, HonchoTool>> = {
  honcho_profile: async (call, input) => {
    const { client, signal } = call;
    const answer = await orMissing(
      client.ask({ method: 'GET', path: toPath(client.settings, 'peers', peerOf(call, input), 'card'), signal }),
    );
    return { card: readPath(answer, 'peer_card') ?? [] };
  },
  honcho_search: async ({ client, names, signal }, input) => {
    const query = readTextInput(input, 'query');
    const limit = readCount(input, 'limit', 10, MAX_FOUND);
    const post = (parts: readonly string[], body: JsonObject) =>
      orMissing(client.ask({ method: 'POST', path: toPath(client.settings, ...parts), body, signal }));
    const [messages, conclusions] = await Promise.all([
      post(['peers', names.peer, 'search'], { query, limit }),
      post(['conclusions', 'query'], { query, top_k: limit, filters: toOwnFilter(names.peer) }),
    ]);
    const concluded = (Array.isArray(conclusions) ? conclusions : []).flatMap((each: Json) => readConclusion(each) ?? []);
    return { messages: readMessages(messages), conclusions: concluded.map(({ id, content }) => ({ id, content })) };
  },
  honcho_context: async (call, input) => {
    const { client, names, signal } = call;
    const query = readOptionalText(input, 'query');
    const asked = { ...(query !== undefined && { search_query: query }) };
    const get = (path: string, more: Readonly<Record<string, string | number | boolean>>) =>
      orMissing(client.ask({ method: 'GET', path, query: more, signal }));
    const [picture, session] = await Promise.all([
      get(toPath(client.settings, 'peers', peerOf(call, input), 'context'), asked),
      get(toPath(client.settings, 'sessions', names.session, 'context'), { summary: true, tokens: client.settings.contextTokens }),
    ]);
    return { known: readPicture(picture).map(({ text }) => text), summary: readStringAt(session, 'summary', 'content') ?? '' };
  },
  honcho_reasoning: async (call, input) => {
    const { client, signal } = call;
    const { settings } = client;
    const body = {
      query: readTextInput(input, 'query'),
      reasoning_level: readOptionalText(input, 'reasoning_level') ?? settings.reasoningLevel,
    };
    const path = toPath(settings, 'peers', peerOf(call, input), 'chat');
    const answer = await client.ask({ method: 'POST', path, body, signal, timeoutMs: REASONING_MS });
    return { answer: (readStringAt(answer, 'content') ?? '').slice(0, settings.dialecticMaxChars) };
  },
};

export async function callHoncho(
  client: HonchoClient,
  writers: SessionWriters,
  name: string,
  input: JsonObject,
  { signal, ...scope }: MemoryCall,
): Promise<string> {
  demandTool(HONCHO_TOOLS, name);
  const names = toHonchoNames(client.settings, scope);
  const read = READING[name];
  if (read !== undefined) return JSON.stringify(await read({ client, names, signal }, input));
  writers.demand(scope.sessionId);
  const id = readOptionalText(input, 'delete_id');
  return JSON.stringify(
    id === undefined
      ? await conclude(client, names, readTextInput(input, 'conclusion'), signal)
      : await removeOwn(client, names, id, signal),
  );
}

async function conclude(client: HonchoClient, names: HonchoNames, conclusion: string, signal: AbortSignal): Promise<Json> {
  await client.ensureSession(names, signal);
  await client.conclude(conclusion, names.peer, names.session, signal);
  return { stored: true };
}

/** An id is no right: a conclusion about somebody else stays as it is. */
async function removeOwn(client: HonchoClient, { peer }: HonchoNames, id: string, signal: AbortSignal): Promise<Json> {
  const found = readConclusion(await orMissing(client.ask({ method: 'GET', path: toPath(client.settings, 'conclusions', id), signal })));
  if (found === undefined || found.observed !== peer)
    throw new Error(`There is no conclusion ${id} about this person. honcho_search gives ids.`);
  await client.removeConclusion(id, signal);
  return { deleted: id };
}
