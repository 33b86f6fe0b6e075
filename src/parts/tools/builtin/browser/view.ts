import type { Page } from 'playwright-core';
import { hostOf } from '../../../../base/http.ts';
import { oneLine } from '../../../../base/printable.ts';
import { safeHead } from '../../../../base/text.ts';
import { text, type Json } from '../../../../contracts/message.ts';
import type { ToolOutput } from '../../../../contracts/tool.ts';
import type { KeepPage } from '../web/page/store.ts';
import type { CommandLimits } from './command.ts';
import type { LiveBrowser } from './live.ts';
import { compact } from './snapshot.ts';
import { waitUntilAborted } from './until.ts';

const MOST_REFUSALS = 10;
const MOST_NEWS = 2_000;

/** The page as text; `full` leaves nothing out. */
export async function snapshotOf(page: Page, { signal, timeout }: CommandLimits, full: boolean): Promise<string> {
  const whole = await page.ariaSnapshot({ mode: 'ai', signal, timeout });
  const words = full ? whole : compact(whole);
  return words.trim() === '' ? '(the page is empty)' : words;
}

/** A text held to the size the model gets; the whole of it on disk. */
export async function limitText(words: string, limit: number, keep: KeepPage): Promise<string> {
  if (words.length <= limit) return words;
  const head = safeHead(words, limit);
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
  const body = shown.length <= MOST_NEWS ? shown : `${safeHead(shown, MOST_NEWS)}\n[… more; browser_snapshot shows the page]`;
  return [...(fresh.length === 0 ? [] : ['New on the page:', body]), ...(gone === 0 ? [] : [`[${gone} lines are gone]`])].join('\n');
}

/** A result: where the browser is, what happened beside the command, and the body. */
export async function pageResult(
  live: LiveBrowser,
  page: Page,
  bound: CommandLimits,
  body: string,
  details: Readonly<Record<string, Json>> = {},
): Promise<ToolOutput> {
  const url = page.url();
  const title = oneLine(await waitUntilAborted(page.title(), bound.signal).catch(() => ''));
  const notes = [...live.notes.take(), ...refused(live)].map((note) => `[${note}]`);
  const head = [title, oneLine(url), ...notes].filter((line) => line !== '').join('\n');
  return {
    content: [text(body === '' ? head : `${head}\n\n${body}`, 'foreign')],
    foreign: hostOf(url) || 'browser',
    details: { kind: 'data', data: { url, title, ...details } },
  };
}

function refused({ gate }: LiveBrowser): string[] {
  const all = [...new Map(gate.refusals().map((refusal) => [refusal.url, refusal])).values()];
  const told = all.slice(0, MOST_REFUSALS).map(({ url, reason }) => `The page was kept from ${oneLine(url)}: ${oneLine(reason)}`);
  return all.length <= MOST_REFUSALS ? told : [...told, `${all.length - MOST_REFUSALS} more requests were refused`];
}
