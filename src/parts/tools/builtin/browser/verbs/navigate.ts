import type { Page, Response } from 'playwright-core';
import { toErrorMessage } from '../../../../../base/errors.ts';
import { ToolFailure, ToolRefusal, type ToolOutput } from '../../../../../contracts/tool.ts';
import { runBrowserCommand, type CommandLimits } from '../command.ts';
import { isCrash, isTimeout, toNavigationFailure } from '../failures.ts';
import { createPageResult } from '../view.ts';
import { runAndReport, pause, showPage, type VerbDeps, type Verb } from './verb.ts';

const AGAIN_MS = 300;

export const navigate: Verb<{ readonly url: string }> = async ({ url }, deps) => {
  const { live, context, reach, timeout } = deps;
  const wanted = withScheme(url.trim());
  const verdict = await reach.check(wanted, context.signal);
  if (!verdict.allow) throw new ToolRefusal(`${verdict.reason} Not opened: ${wanted}`);
  const current = await live.tabs.current();
  // Whoever asks for a page need not be told that the one before it crashed.
  if (live.tabs.isCrashed(current)) await live.tabs.replace(current);
  return runBrowserCommand(live, 'Opening the page', context, timeout, (page, bound) => open(verdict.url, page, bound, deps));
};

async function open(url: string, page: Page, bound: CommandLimits, deps: VerbDeps): Promise<ToolOutput> {
  const { live } = deps;
  live.gate.refusals();
  let slow = false;
  let status: number | undefined;
  try {
    status = (await goTo(url, page, bound))?.status();
  } catch (error) {
    if (isDownload(error)) return downloaded(page, bound, deps);
    if (isCrash(error)) throw error;
    const refused = live.gate.refusals().at(-1);
    // Only this is the gate's answer; the browser may have been refused something of its own meanwhile.
    if (refused !== undefined && /ERR_TUNNEL_CONNECTION_FAILED/.test(toErrorMessage(error)))
      throw new ToolFailure(`${refused.reason} ${url} led to ${refused.url}.`);
    // A page whose last picture never comes can be read all the same.
    if (!isTimeout(error) || bound.signal.aborted || page.url() === 'about:blank')
      throw isTimeout(error) ? error : toNavigationFailure(url, error);
    slow = true;
  }
  await leaveRefused(url, page, live.gate.refusals(), live);
  if (status !== undefined && status >= 400) live.notes.add(`The site answered ${status}`);
  if (slow) live.notes.add('The page is still loading');
  return showPage(deps, page, bound);
}

/** The error page of an earlier navigation may still be on its way in; it must not interrupt this one. */
async function goTo(url: string, page: Page, { signal, timeout }: CommandLimits, tries = 3): Promise<Response | null> {
  try {
    return await page.goto(url, { signal, timeout: Math.floor(timeout * 0.7), waitUntil: 'load' });
  } catch (error) {
    if (tries === 1 || !/is interrupted by another navigation/.test(toErrorMessage(error))) throw error;
    await pause(AGAIN_MS, signal);
    return goTo(url, page, { signal, timeout }, tries - 1);
  }
}

/** A redirect to a refused address ends on our own words; nobody stays there. */
async function leaveRefused(
  url: string,
  page: Page,
  refusals: readonly { readonly url: string; readonly reason: string }[],
  live: VerbDeps['live'],
): Promise<void> {
  const here = refusals.find((refusal) => refusal.url === page.url());
  if (here !== undefined) {
    await page.goto('about:blank');
    throw new ToolFailure(`${here.reason} ${url} redirected to ${here.url}.`);
  }
  for (const { url: kept, reason } of refusals) live.notes.add(`The page was kept from ${kept}: ${reason}`);
}

const isDownload = (error: unknown): boolean => /Download is starting/.test(toErrorMessage(error));

async function downloaded(page: Page, bound: CommandLimits, { live }: VerbDeps): Promise<ToolOutput> {
  // The file is announced a moment after the navigation ended.
  await pause(AGAIN_MS, bound.signal);
  await live.downloads.settled(bound.signal);
  return createPageResult(live, page, bound, 'This address is a file, not a page.');
}

const withScheme = (url: string): string =>
  /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^[\w.-]+:\d+(?:\/|$)/.test(url) ? url : `https://${url}`;

export const goBack: Verb<Record<string, never>> = (_input, deps) =>
  runAndReport(deps, 'Going back', async (page, { signal, timeout }) => {
    const answer = await page.goBack({ signal, timeout: Math.floor(timeout * 0.7) });
    if (answer === null && page.url() === 'about:blank') throw new ToolFailure('There is no page before this one.');
  });
