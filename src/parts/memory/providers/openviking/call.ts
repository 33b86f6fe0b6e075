import { readPath, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import type { NetworkAccess } from '../../../../contracts/reach.ts';
import { readList } from '../facts.ts';
import { toPlainId, type PersonScope } from '../person.ts';
import { demandTool, readCount, readOptionalText, readTextInput } from '../tool-input.ts';
import type { SessionWriters } from '../writers.ts';
import type { VikingUser } from './identity.ts';
import { MAX_FOUND, VIKING_TOOLS } from './tools.ts';
import { readHits, resolveUri, toMemoryRoot, toNoteUri, toUserRoot } from './wire.ts';

/** One call of a tool, for one person. */
interface VikingCall extends VikingUser {
  readonly scope: PersonScope;
  readonly limit: number;
  readonly network: NetworkAccess;
  readonly writers: SessionWriters;
}
/** Documents that all users of a server share: the owner's, so nobody else looks into them. */
const SHARED = 'viking://resources';
/** What is read of one document. */
const MAX_LINES = 400;

type VikingTool = (call: VikingCall, input: JsonObject, signal: AbortSignal) => Promise<Json>;

const rootsOf = ({ user, scope }: VikingCall): readonly string[] => [
  toUserRoot(user),
  ...(scope.isOwner && scope.isGroup !== true ? [SHARED] : []),
];

const TOOLS: Readonly<Record<string, VikingTool>> = {
  viking_search: async (call, input, signal) => {
    const roots = rootsOf(call);
    const query = readTextInput(input, 'query');
    const body = { query, target_uri: roots, limit: readCount(input, 'limit', call.limit, MAX_FOUND) };
    const answer = await call.ask({ method: 'POST', path: '/api/v1/search/find', body, signal });
    return { results: readHits(answer, roots).map(({ uri, text }) => ({ uri, text })) };
  },
  viking_read: async (call, input, signal) => {
    const uri = resolveUri(readTextInput(input, 'uri'), call.user, rootsOf(call));
    const detail = readOptionalText(input, 'detail') ?? 'full';
    const path = detail === 'abstract' || detail === 'overview' ? `/api/v1/content/${detail}` : '/api/v1/content/read';
    const query = { uri, ...(path.endsWith('/read') && { limit: MAX_LINES }) };
    return { uri, content: readPath(await call.ask({ method: 'GET', path, query, signal }), 'result') ?? '' };
  },
  viking_browse: async (call, input, signal) => {
    const uri = resolveUri(readOptionalText(input, 'uri') ?? toMemoryRoot(call.user), call.user, rootsOf(call));
    const answer = await call.ask({ method: 'GET', path: '/api/v1/fs/ls', query: { uri }, signal });
    const entries = readList(answer, 'result').flatMap((each) => {
      const at = readStringAt(each, 'uri');
      return at === undefined
        ? []
        : [{ uri: at, folder: readPath(each, 'isDir') === true, abstract: readStringAt(each, 'abstract') ?? '' }];
    });
    return { uri, entries };
  },
  viking_remember: async (call, input, signal) => {
    call.writers.demand(call.scope.sessionId);
    const content = readTextInput(input, 'content');
    const uri = toNoteUri(call.user, content);
    await call.ask({ method: 'POST', path: '/api/v1/content/write', body: { uri, content, mode: 'create' }, signal });
    return { stored: uri };
  },
  viking_add_resource: async (call, input, signal) => {
    call.writers.demand(call.scope.sessionId);
    const url = readTextInput(input, 'url');
    // The server fetches it, so the rules for what we fetch ourselves must hold for it too.
    const verdict = await call.network.check(url, signal);
    if (!verdict.allow) throw new Error(verdict.reason);
    const to = `${toUserRoot(call.user)}/resources/${toPlainId(verdict.url.replace(/^https?:\/\//, '')).slice(0, 80)}`;
    const body = { path: verdict.url, to, reason: readOptionalText(input, 'reason') ?? '' };
    const answer = await call.ask({ method: 'POST', path: '/api/v1/resources', body, signal });
    return { added: readStringAt(answer, 'result', 'root_uri') ?? to };
  },
};

export async function callViking(call: VikingCall, name: string, input: JsonObject, signal: AbortSignal): Promise<string> {
  demandTool(VIKING_TOOLS, name);
  return JSON.stringify((await TOOLS[name]?.(call, input, signal)) ?? {});
}
