import type { Page } from 'playwright-core';
import type { NetworkAccess } from '../../../../../contracts/reach.ts';
import type { ToolContext, ToolOutput } from '../../../../../contracts/tool.ts';
import type { KeepFile } from '../../media/keep.ts';
import type { KeepPage } from '../../web/page/store.ts';
import { runBrowserCommand, type CommandLimits, type BrowserWork } from '../command.ts';
import type { LiveBrowser } from '../live.ts';
import { limitText, diffLines, createPageResult, snapshotPage } from '../view.ts';

/** What a verb works with. */
export interface VerbDeps {
  readonly live: LiveBrowser;
  readonly context: ToolContext;
  readonly reach: NetworkAccess;
  /** Milliseconds one command may take, and characters of a page the model gets. */
  readonly timeout: number;
  readonly limit: number;
  readonly keepText: KeepPage;
  readonly keepImage: KeepFile;
  /** The main model sees pictures itself. */
  readonly native: boolean;
  readonly evaluates: boolean;
}
export type Verb<Input> = (input: Input, deps: VerbDeps) => Promise<ToolOutput>;

const START_MS = 250;
const SETTLE_MS = 4_000;

export const runOnPage = <Value>({ live, context, timeout }: VerbDeps, what: string, work: BrowserWork<Value>): Promise<Value> =>
  runBrowserCommand(live, what, context, timeout, work);

/** The current page in its compact form. */
export async function showPage({ live, limit, keepText }: VerbDeps, page: Page, bound: CommandLimits, full = false): Promise<ToolOutput> {
  return createPageResult(live, page, bound, await limitText(await snapshotPage(page, bound, full), limit, keepText));
}

/** Does something and tells what it changed; another page is shown in full. */
export function runAndReport(deps: VerbDeps, what: string, work: BrowserWork<void>): Promise<ToolOutput> {
  return runOnPage(deps, what, async (page, bound) => {
    const [url, before] = [page.url(), await snapshotPage(page, bound, false)];
    await work(page, bound);
    const now = await settled(deps, page, bound);
    if (now !== page || now.url() !== url) return showPage(deps, now, bound);
    const changes = diffLines(before, await snapshotPage(page, bound, false));
    // A new tab takes a moment to be there.
    const late = await newest(deps.live, page);
    return late === page ? createPageResult(deps.live, page, bound, changes) : showPage(deps, await settled(deps, late, bound), bound);
  });
}

/** What a command sets off begins within a moment; a page that goes on loading for ever is not waited for. */
async function settled({ live }: VerbDeps, page: Page, { signal }: CommandLimits): Promise<Page> {
  await pause(START_MS, signal);
  const now = page.isClosed() ? await live.tabs.current() : await newest(live, page);
  await now.waitForLoadState('load', { timeout: SETTLE_MS }).catch(() => {});
  await live.downloads.settled(AbortSignal.any([signal, AbortSignal.timeout(SETTLE_MS)]));
  return now;
}

const newest = async (live: LiveBrowser, page: Page): Promise<Page> => {
  const current = await live.tabs.current();
  return live.tabs.isCrashed(current) ? page : current;
};

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const clock = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(clock);
}
