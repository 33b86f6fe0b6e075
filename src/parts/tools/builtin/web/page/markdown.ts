import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readStringAt } from '../../../../../base/json.ts';
import type { ConvertedText } from './convert.ts';
import { stripTags, extractTitle } from './strip-tags.ts';

/** Longer pages are cut: beyond this the parsers need minutes and gigabytes. */
const MAX_CHARS = 3_000_000;
const TIMEOUT_MS = 20_000;
const MEMORY = { maxOldGenerationSizeMb: 512, stackSizeMb: 4 };

export interface ConvertedPage extends ConvertedText {
  /** What the reader should know about the text. */
  readonly note?: string;
}
type ConversionResult = { readonly ok: true; readonly converted: ConvertedText } | { readonly ok: false; readonly note: string };

/** HTML as markdown. A page that is too much for the parsers comes as its bare text. */
export async function toMarkdown(html: string, url: string, signal: AbortSignal, timeoutMs = TIMEOUT_MS): Promise<ConvertedPage> {
  const cut = html.length > MAX_CHARS;
  const page = cut ? html.slice(0, MAX_CHARS) : html;
  const outcome = await inThread(page, url, signal, timeoutMs);
  const notes = [
    ...(outcome.ok ? [] : [outcome.note]),
    ...(cut ? [`only the first ${MAX_CHARS} of its ${html.length} characters were read`] : []),
  ];
  const read = outcome.ok && outcome.converted.text !== '' ? outcome.converted : { title: extractTitle(page), text: stripTags(page) };
  return { ...read, ...(notes.length > 0 && { note: notes.join('; ') }) };
}

async function inThread(html: string, url: string, signal: AbortSignal, timeoutMs: number): Promise<ConversionResult> {
  const file = workerFile();
  if (file === undefined) return { ok: false, note: 'shown as bare text: the page converter is not part of this build' };
  const worker = new Worker(file, { workerData: { html, url }, resourceLimits: MEMORY, env: {}, execArgv: [] });
  const { promise, resolve } = Promise.withResolvers<ConversionResult>();
  const fail = (why: string) => resolve({ ok: false, note: `shown as bare text: ${why}` });
  const timer = setTimeout(() => fail(`the page took longer than ${timeoutMs / 1000} s to convert`), timeoutMs);
  const stop = () => fail('the conversion was stopped');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  worker.once('message', (message: unknown) => resolve(outcomeOf(message)));
  worker.once('error', () => fail('the page could not be converted'));
  worker.once('exit', () => fail('the page could not be converted'));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    // It may take its time to notice; nobody waits for it.
    void worker.terminate();
  }
}

function outcomeOf(message: unknown): ConversionResult {
  const [title, text] = [readStringAt(message, 'title'), readStringAt(message, 'text')];
  if (title !== undefined && text !== undefined) return { ok: true, converted: { title, text } };
  return { ok: false, note: 'shown as bare text: the page could not be converted' };
}

/** Beside this file in the sources; in a bundle it is an entry of its own, beside the bundle or above its chunks. */
function workerFile(): string | undefined {
  const here = import.meta.dirname;
  return ['worker.ts', 'page-worker.cjs', '../page-worker.cjs', 'page-worker.js', '../page-worker.js']
    .map((name) => join(here, name))
    .find((path) => existsSync(path));
}
