import type { Page } from 'playwright-core';
import { ToolFailure, type ToolContext } from '../../../../contracts/tool.ts';
import type { LiveBrowser } from './live.ts';
import { toCommandFailure, isCrash, isTimeout } from './failures.ts';
import { waitUntilAborted } from './until.ts';

/** What every wait inside a command takes. */
export interface CommandLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
}
export type BrowserWork<Value> = (page: Page, bound: CommandLimits) => Promise<Value>;

const PROBE_MS = 2_000;
const HURT = 'It was closed and an empty page stands in its place: open it again with browser_navigate, or another one.';

/** One command on the current page: bounded in time, stopped with the call, and a page that died or hangs is replaced. */
export async function runBrowserCommand<Value>(
  live: LiveBrowser,
  what: string,
  { signal }: Pick<ToolContext, 'signal'>,
  timeout: number,
  work: BrowserWork<Value>,
): Promise<Value> {
  const page = await sound(live);
  const bound = { signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]), timeout };
  try {
    return await waitUntilAborted(work(page, bound), bound.signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw await explainPageError(live, page, what, error, timeout);
  }
}

/** The page to work on; one that crashed since the last command is told of first. */
async function sound({ tabs }: LiveBrowser): Promise<Page> {
  const page = await tabs.current();
  if (!tabs.isCrashed(page)) return page;
  await tabs.replace(page);
  throw new ToolFailure(`The page crashed. ${HURT}`);
}

async function explainPageError({ tabs }: LiveBrowser, page: Page, what: string, error: unknown, timeout: number): Promise<Error> {
  if (isCrash(error) || tabs.isCrashed(page)) {
    await tabs.replace(page);
    return new ToolFailure(`${what} failed: the page crashed. ${HURT}`);
  }
  if (!isTimeout(error)) return toCommandFailure(what, error);
  if (page.isClosed() || (await answers(page)))
    return new ToolFailure(`${what} was not done within ${timeout / 1000} s. Look at the page with browser_snapshot.`);
  await tabs.replace(page);
  return new ToolFailure(`${what} failed: the page is busy and does not respond. ${HURT}`);
}

const answers = (page: Page): Promise<boolean> =>
  waitUntilAborted(page.evaluate('1'), AbortSignal.timeout(PROBE_MS)).then(
    () => true,
    () => false,
  );
