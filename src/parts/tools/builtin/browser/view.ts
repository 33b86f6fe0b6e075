import type { Page } from 'playwright-core';
import { parseHost } from '../../../../base/http.ts';
import { toOneLine } from '../../../../base/printable.ts';
import { takeStart } from '../../../../base/text.ts';
import { createTextBlock, type Json } from '../../../../contracts/message.ts';
import type { ToolOutput } from '../../../../contracts/tool.ts';
import type { KeepPage } from '../web/page/store.ts';
import type { CommandLimits } from './command.ts';
import type { LiveBrowser } from './live.ts';
import { compact } from './snapshot.ts';
import { waitUntilAborted } from './until.ts';

const MAX_REFUSALS = 10;
const MAX_NEWS = 2_000;

/** The page as text; `full` leaves nothing out. */
export async function snapshotPage(page: Page, { signal, timeout }: CommandLimits, full: boolean): Promise<string> {
  const whole = await page.ariaSnapshot({ mode: 'ai', signal, timeout });
  const words = full ? whole : compact(whole);
  return words.trim() === '' ? '(the page is empty)' : words;
}

/** A text held to the size the model gets; the whole of it on disk. */
export async function limitText(words: string, limit: number, keep: KeepPage): Promise<string> {
  if (words.length <= limit) return words;
  const head = takeStart(words, limit);
  const kept = await keep(words);
  const place = kept.ok
    ? `all of it is in ${kept.path}: search_files and read_file show it`
    : `the whole could not be kept (${kept.reason})`;
  return `${head.slice(0, head.lastIndexOf('\n') + 1) || head}[… ${words.length - head.length} of ${words.length} characters left out; ${place}]`;
}

/** Lines that were not there before, and how many of the old ones are gone. */
export function diffLines(before: string, after: string): string {
  const counts = new Map<string, number>();
  for (const line of before.split('\n')) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  const fresh = after.split('\n').filter((line) => {
    const left = counts.get(line.trim()) ?? 0;
    counts.set(line.trim(), left - 1);
    return left <= 0;
  });
  const gone = [...counts.values()].reduce((sum, left) => sum + Math.max(0, left), 0);
  if (fresh.length === 0 && gone === 0) return 'The page looks as before.';
  const shown = fresh.join('\n');
  const body = shown.length <= MAX_NEWS ? shown : `${takeStart(shown, MAX_NEWS)}\n[… more; browser_snapshot shows the page]`;
  return [
    ...(fresh.length === 0 ? [] : ['New on the page:', body]),
    ...(gone === 0 ? [] : [gone === 1 ? '[1 line is gone]' : `[${gone} lines are gone]`]),
  ].join('\n');
}

/** A result: where the browser is, what happened beside the command, and the body. */
export async function createPageResult(
  live: LiveBrowser,
  page: Page,
  bound: CommandLimits,
  body: string,
  details: Readonly<Record<string, Json>> = {},
): Promise<ToolOutput> {
  const url = page.url();
  const title = toOneLine(await waitUntilAborted(page.title(), bound.signal).catch(() => ''));
  const notes = [...live.notes.take(), ...refused(live)].map((note) => `[${note}]`);
  const head = [title, toOneLine(url), ...notes].filter((line) => line !== '').join('\n');
  return {
    content: [createTextBlock(body === '' ? head : `${head}\n\n${body}`, 'foreign')],
    foreign: parseHost(url) || 'browser',
    details: { kind: 'data', data: { url, title, ...details } },
  };
}

function refused({ gate }: LiveBrowser): string[] {
  const all = [...new Map(gate.refusals().map((refusal) => [refusal.url, refusal])).values()];
  const told = all.slice(0, MAX_REFUSALS).map(({ url, reason }) => `The page was kept from ${toOneLine(url)}: ${toOneLine(reason)}`);
  return all.length <= MAX_REFUSALS ? told : [...told, `${all.length - MAX_REFUSALS} more requests were refused`];
}
