import type { Locator, Page } from 'playwright-core';
import { readNumberAt } from '../../../../../base/json.ts';
import { ToolFailure } from '../../../../../contracts/tool.ts';
import type { CommandLimits } from '../command.ts';
import { parseRef } from '../snapshot.ts';
import { createPageResult } from '../view.ts';
import { runAndReport, runOnPage, pause, type Verb } from './verb.ts';

export const click: Verb<{ readonly ref: string }> = ({ ref }, deps) =>
  runAndReport(deps, `Clicking ${ref}`, async (page, bound) => (await findElement(page, ref)).click(inTime(bound)));

export const typeText: Verb<{ readonly ref: string; readonly text: string }> = ({ ref, text }, deps) =>
  runAndReport(deps, `Typing into ${ref}`, async (page, bound) => {
    const element = await findElement(page, ref);
    const tag = await element.evaluate(tagOf, undefined, { timeout: bound.timeout });
    // A drop-down list has no letters to replace: the text names one of its options.
    if (tag === 'SELECT') await element.selectOption(text, inTime(bound));
    else await element.fill(text, inTime(bound));
  });

/** Runs inside the page. */
const tagOf = (element: { readonly tagName: string }): string => element.tagName;

export const press: Verb<{ readonly key: string }> = ({ key }, deps) =>
  runAndReport(deps, `Pressing ${key}`, (page) => page.keyboard.press(key));

const WHEEL = 640;
const ROLL_MS = 300;

export const scroll: Verb<{ readonly direction: 'up' | 'down' }> = ({ direction }, deps) =>
  runOnPage(deps, 'Scrolling', async (page, bound) => {
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, direction === 'down' ? WHEEL : -WHEEL);
    await pause(ROLL_MS, bound.signal);
    const place = await page.evaluate('({ top: scrollY, seen: innerHeight, all: document.documentElement.scrollHeight })');
    const [top = 0, seen = 0, all = 0] = [readNumberAt(place, 'top'), readNumberAt(place, 'seen'), readNumberAt(place, 'all')];
    const words = `Scrolled ${direction}: pixels ${Math.round(top)} to ${Math.round(top + seen)} of ${all} are in view.`;
    return createPageResult(deps.live, page, bound, words);
  });

/** A ref stands for an element of the last snapshot; one that is gone is told at once instead of waited for. */
async function findElement(page: Page, given: string): Promise<Locator> {
  const ref = parseRef(given);
  if (ref === undefined)
    throw new ToolFailure(`${JSON.stringify(given)} is not a ref: refs look like e5 and are listed by browser_snapshot.`);
  const element = page.locator(`aria-ref=${ref}`);
  const count = await element.count().catch(() => 0);
  if (count === 0) throw new ToolFailure(`There is no element ${ref} on the page any more. Take a new browser_snapshot and use its refs.`);
  return element;
}

const SHARE = 0.6;
/** Part of the whole time, so that there is some left to look at the page. */
const inTime = ({ signal, timeout }: CommandLimits) => ({ signal, timeout: Math.floor(timeout * SHARE) });
