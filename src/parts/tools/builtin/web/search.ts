import { ToolFailure } from '../../../../contracts/tool.ts';
import { askBackend } from './ask.ts';
import type { WebHit } from './backends/backend.ts';
import { listReadyBackends, type ReadyBackend, type WebOptions } from './options.ts';

export interface WebSearchResult {
  readonly hits: readonly WebHit[];
  readonly label: string;
  /** Back ends that failed before this one, in words. */
  readonly notes: readonly string[];
}
export interface WebSearchTerms {
  readonly query: string;
  readonly limit: number;
}

/** Asks one back end after the other until one answers. No results is an answer. */
export async function search(wanted: WebSearchTerms, options: WebOptions, signal: AbortSignal): Promise<WebSearchResult> {
  const notes: string[] = [];
  for (const ready of searchBackends(options)) {
    const hits = await hitsOf(wanted, ready, options, signal);
    if (signal.aborted) throw new ToolFailure('The search was stopped.');
    if (typeof hits !== 'string') return { hits, label: ready.backend.label, notes };
    notes.push(`${ready.backend.label}: ${hits}`);
  }
  throw new ToolFailure(
    notes.length === 0
      ? `Web search is not set up: it needs ${WEB_SEARCH_NEEDS}.`
      : `The search failed. ${notes.join('. ')}. Try again later, or go on without.`,
  );
}

export const WEB_SEARCH_NEEDS =
  'one of EXA_API_KEY, TAVILY_API_KEY, FIRECRAWL_API_KEY, PARALLEL_API_KEY, BRAVE_API_KEY, or the address of a SearXNG in web.searxng_url';

export const searchBackends = (options: WebOptions): readonly ReadyBackend[] =>
  listReadyBackends(options, options.settings['web.backend']).filter(({ backend }) => backend.search !== undefined);

/** The hits of one back end, page after page as far as needed; or why there are none. */
async function hitsOf(
  { query, limit }: WebSearchTerms,
  ready: ReadyBackend,
  options: WebOptions,
  signal: AbortSignal,
): Promise<readonly WebHit[] | string> {
  const wire = ready.backend.search;
  if (wire === undefined) return 'it does not search';
  const found = new Map<string, WebHit>();
  for (let page = 0; page < wire.pages && found.size < limit; page++) {
    const before = found.size;
    const ask = { query, limit: Math.min(wire.perRequest, limit), page };
    const answer = await askBackend(wire.request(ask, ready.key()), ready, options, signal);
    const hits = answer.ok ? (wire.read(answer.json) ?? 'its answer has another shape than its documentation says') : answer.reason;
    // Later pages are a bonus.
    if (typeof hits === 'string') return page === 0 ? hits : [...found.values()];
    for (const hit of hits) if (/^https?:\/\//i.test(hit.url) && !found.has(hit.url)) found.set(hit.url, hit);
    if (found.size === before) break;
  }
  return [...found.values()].slice(0, limit);
}
