import { join } from 'node:path';
import { parseHost } from '../../../../base/http.ts';
import { toOneLine } from '../../../../base/printable.ts';
import { clip } from '../../../../base/text.ts';
import { createTextBlock } from '../../../../contracts/message.ts';
import { ToolRefusal, type Tool, type ToolOutput } from '../../../../contracts/tool.ts';
import type { ExtractOptions, ExtractedPage } from './extract.ts';
import { createPageStore, type KeepPage } from './page/store.ts';

export interface WebExtractInput {
  readonly urls: readonly string[];
  readonly char_limit?: number;
}
export interface WebExtractOptions extends ExtractOptions {
  /** The profile's folder; whole pages go below its `cache/web`. */
  readonly home: string;
  /** Takes known secrets out of what is stored. */
  readonly redact?: (text: string) => string;
  readonly now?: () => number;
}

const MAX_URLS = 5;
const LEAST_CHARS = 500;
const MAX_CHARS = 100_000;

export const webExtractTool = (options: WebExtractOptions): Tool<WebExtractInput> => {
  const { settings, home, now = Date.now } = options;
  const keep = createPageStore({
    folder: join(home, 'cache', 'web'),
    days: settings['web.cache_days'],
    megabytes: settings['web.cache_mb'],
    now,
  });
  return {
    name: 'web_extract',
    description: 'Read web pages or PDFs by URL, as Markdown.',
    input: {
      type: 'object',
      properties: {
        urls: { type: 'array', minItems: 1, maxItems: MAX_URLS, items: { type: 'string' } },
        char_limit: { type: 'integer', description: `Per page, default ${settings['web.extract_char_limit']}` },
      },
      required: ['urls'],
      additionalProperties: false,
    },
    effects: () => ({ kind: 'read', resources: ['web'] }),
    reaches: ({ urls }) => urls,
    replay: 'safe',
    idempotent: true,
    offTerminal: true,
    trust: 'foreign',
    timeoutMs: 180_000,
    maxResult: 150_000,
    run: async ({ urls, char_limit: asked = settings['web.extract_char_limit'] }, { signal }) => {
      const wanted = [...new Set(urls.map((url) => url.trim()).filter((url) => url !== ''))];
      if (wanted.length === 0) throw new ToolRefusal('Not read: urls is empty.');
      if (wanted.length > MAX_URLS) throw new ToolRefusal(`Not read: ${wanted.length} pages at once; ${MAX_URLS} at most.`);
      const limit = Math.min(Math.max(asked, LEAST_CHARS), MAX_CHARS);
      const { extract } = await import('./extract.ts');
      const pages = await Promise.all(wanted.map((url) => extract(url, options, signal)));
      return output(wanted, pages, await Promise.all(pages.map((page) => drawPage(page, limit, keep, options.redact))));
    },
  };
};

function output(wanted: readonly string[], pages: readonly ExtractedPage[], drawn: readonly string[]): ToolOutput {
  const hosts = [...new Set(pages.flatMap(({ url }) => parseHost(url) || []))];
  const failed = pages.every(({ ok }) => !ok);
  const refused = pages.every((page) => !page.ok && page.refused === true);
  return {
    content: [createTextBlock(drawn.join('\n\n'), refused ? 'tool' : 'foreign')],
    ...(failed && { failed }),
    ...(refused ? { refused } : { foreign: hosts.length === 0 ? 'web page' : hosts.join(', ') }),
    details: { kind: 'data', data: { pages: pages.map((page, index) => ({ url: wanted[index] ?? page.url, at: page.url, ok: page.ok })) } },
  };
}

async function drawPage(page: ExtractedPage, limit: number, keep: KeepPage, redact: WebExtractOptions['redact']): Promise<string> {
  const url = toOneLine(page.url);
  if (!page.ok) return `# ${url}\nNot read. ${toOneLine(page.reason)}`;
  const title = toOneLine(page.title);
  const whole = `# ${title || url}\n${url}\n\n${page.text}\n`;
  const kept = await keep(redact === undefined ? whole : redact(whole));
  const place = kept.ok ? `the whole text is in ${kept.path}: read_file shows it` : `the whole could not be kept (${kept.reason})`;
  const body = clip(page.text, limit, (omitted) => `\n\n[… ${omitted} of ${page.text.length} characters left out; ${place} …]\n\n`);
  const notes = page.notes.map((note) => `\n[${toOneLine(note)}]`).join('');
  return `# ${title || url}\n${url}${notes}\n\n${body}`;
}
