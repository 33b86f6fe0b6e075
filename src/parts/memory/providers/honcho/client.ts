import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { readList } from '../facts.ts';
import { readPages } from '../moving-facts.ts';
import { MemoryServiceError, type AskService } from '../service-client.ts';
import type { HonchoNames, HonchoSettings } from './settings.ts';
import { readConclusion, toConclusionBody, toOwnFilter, toPath, toSessionBody, type HonchoConclusion } from './wire.ts';

/** What the provider and its commands ask of Honcho. */
export interface HonchoClient {
  readonly settings: HonchoSettings;
  readonly ask: AskService;
  /** Makes the workspace, the peers and the session, those that are not there. */
  ensureSession(names: HonchoNames, signal: AbortSignal): Promise<void>;
  /** Every conclusion of a peer about itself, of one session or of all. */
  listConclusions(peer: string, session: string | undefined, signal: AbortSignal): Promise<HonchoConclusion[]>;
  /** The same, page by page and without a bound. */
  readConclusions(peer: string, signal: AbortSignal): AsyncIterable<HonchoConclusion>;
  conclude(content: string, peer: string, session: string | null, signal: AbortSignal): Promise<void>;
  removeConclusion(id: string, signal: AbortSignal): Promise<void>;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 50;

export function createHonchoClient(settings: HonchoSettings, ask: AskService): HonchoClient {
  const made = new Set<string>();
  const post = (parts: readonly string[], body: JsonObject, signal: AbortSignal, query: Readonly<Record<string, number>> = {}) =>
    ask({ method: 'POST', path: toPath(settings, ...parts), body, query, signal });
  return {
    settings,
    ask,
    ensureSession: async (names, signal) => {
      const name = JSON.stringify(names);
      if (made.has(name)) return;
      await ask({ method: 'POST', path: '/v3/workspaces', body: { id: settings.workspace }, signal });
      await post(['sessions'], toSessionBody(names), signal);
      made.add(name);
    },
    listConclusions: async (peer, session, signal) => {
      const found: HonchoConclusion[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        const answer = await orMissing(
          post(['conclusions', 'list'], { filters: toOwnFilter(peer, session) }, signal, { page, size: PAGE_SIZE }),
        );
        const items = readList(answer, 'items');
        found.push(...items.flatMap((each) => readConclusion(each) ?? []));
        if (items.length < PAGE_SIZE) break;
      }
      return found;
    },
    readConclusions: async function* (peer, signal) {
      const read = async (page: number, size: number) =>
        readList(await orMissing(post(['conclusions', 'list'], { filters: toOwnFilter(peer) }, signal, { page, size })), 'items');
      for await (const each of readPages(read)) {
        const found = readConclusion(each);
        if (found !== undefined) yield found;
      }
    },
    conclude: async (content, peer, session, signal) =>
      void (await post(['conclusions'], toConclusionBody(content, peer, session), signal)),
    removeConclusion: async (id, signal) => void (await ask({ method: 'DELETE', path: toPath(settings, 'conclusions', id), signal })),
  };
}

/** What is not there yet holds nothing. */
export async function orMissing(answer: Promise<Json>): Promise<Json> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MemoryServiceError && error.status === 404) return null;
    throw error;
  }
}
