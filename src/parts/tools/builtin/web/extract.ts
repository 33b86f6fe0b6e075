import { askBackend } from './ask.ts';
import { listReadyBackends, type ReadyBackend, type WebOptions } from './options.ts';
import { readPage } from './page/kinds.ts';

export interface ExtractOptions extends WebOptions {
  /** The program that reads PDFs. */
  readonly pdftotext?: string;
}
export type ExtractedPage =
  | { readonly ok: true; readonly url: string; readonly title: string; readonly text: string; readonly notes: readonly string[] }
  | {
      readonly ok: false;
      readonly url: string;
      readonly reason: string;
      /** The address itself was refused by us: nobody was asked, and no word here is a site's. */
      readonly refused?: true;
    };

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 10_000_000;
const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; Hermes agent)',
  accept: 'text/html,application/xhtml+xml,text/markdown;q=0.9,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5',
  'accept-language': 'en;q=0.8,*;q=0.5',
};

/** Reads one page with the back end the owner chose; where that one fails, by fetching it. Never throws. */
export async function extract(url: string, options: ExtractOptions, signal: AbortSignal): Promise<ExtractedPage> {
  const chosen = options.settings['web.extract_backend'];
  const ready = chosen === 'plain' ? undefined : listReadyBackends(options, chosen).find(({ backend }) => backend.name === chosen);
  if (chosen === 'plain') return plain(url, options, signal, []);
  if (ready === undefined) return plain(url, options, signal, [`${chosen} has no key, so the page was fetched directly`]);
  const verdict = await options.reach([]).check(url, signal);
  if (!verdict.allow) return { ok: false, url, reason: verdict.reason, refused: true };
  return hosted(url, ready, options, signal);
}

async function hosted(url: string, ready: ReadyBackend, options: ExtractOptions, signal: AbortSignal): Promise<ExtractedPage> {
  const { backend } = ready;
  if (backend.extract === undefined) return plain(url, options, signal, []);
  const answer = await askBackend(backend.extract.request(url, ready.key()), ready, options, signal);
  const page = answer.ok ? backend.extract.read(answer.json) : undefined;
  if (page?.ok === true && page.text.trim() !== '') return { ok: true, url, title: page.title, text: page.text.trim(), notes: [] };
  const why = answer.ok ? (page?.ok === false ? page.reason : 'its answer holds no text') : answer.reason;
  return plain(url, options, signal, [`${backend.label} did not give it (${why}), so the page was fetched directly`]);
}

async function plain(url: string, options: ExtractOptions, signal: AbortSignal, notes: readonly string[]): Promise<ExtractedPage> {
  const reach = options.reach([]);
  const fetched = await reach.fetch({ url, headers: HEADERS, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  // Where a site redirected to is the site's word: only what is refused at first sight is ours.
  const atSight = !fetched.ok && fetched.refused && !(await reach.check(url, signal)).allow;
  if (!fetched.ok) return { ok: false, url, reason: fetched.reason, ...(atSight && { refused: true }) };
  const { status, body, headers, cut } = fetched;
  if (status < 200 || status > 299) return { ok: false, url, reason: `The site answered ${status}${meaning(status)}.` };
  const type = headers['content-type'] ?? '';
  const read = await readPage({ url: fetched.url, type, body, signal, pdftotext: options.pdftotext ?? 'pdftotext' });
  if (!read.ok) return { ok: false, url: fetched.url, reason: `Not readable as text: ${read.reason}.` };
  const more = [...(read.note === undefined ? [] : [read.note]), ...(cut ? [`only the first ${MAX_BYTES} bytes were read`] : [])];
  if (read.text === '')
    return { ok: false, url: fetched.url, reason: 'The page holds no text; it may be made by scripts. A browser may show it.' };
  return { ok: true, url: fetched.url, title: read.title, text: read.text, notes: [...notes, ...more] };
}

const MEANINGS: Readonly<Record<number, string>> = {
  401: ' (it wants a login)',
  403: ' (it does not let us in)',
  404: ' (there is no such page)',
  410: ' (the page is gone)',
  429: ' (too many requests; try later)',
};
const meaning = (status: number): string => MEANINGS[status] ?? (status >= 500 ? ' (it is in trouble itself)' : '');
