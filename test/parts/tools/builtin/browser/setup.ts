import { after } from 'node:test';
import { NO_USAGE } from '../../../../../src/contracts/message.ts';
import type { Ports, VisionRequest } from '../../../../../src/contracts/ports.ts';
import { collectDefaults, type SliceValues } from '../../../../../src/contracts/settings.ts';
import type { Tool } from '../../../../../src/contracts/tool.ts';
import { openBrowsers } from '../../../../../src/parts/tools/builtin/browser/browsers.ts';
import { findBrowser, hasPlaywright } from '../../../../../src/parts/tools/builtin/browser/find.ts';
import { browserSettings } from '../../../../../src/parts/tools/builtin/browser/settings.ts';
import type { BrowserToolOptions } from '../../../../../src/parts/tools/builtin/browser/verbs/tool.ts';
import { createBrowserTools } from '../../../../../src/parts/tools/builtin/browser/verbs/tools.ts';
import { answer, contextIn, deskAt, tempFolder } from '../../setup.ts';
import { testReach, variable } from './reach.ts';
import { startSite } from './site.ts';

export { testReach };

/** Why tests with a real browser cannot run here; `false` when they can. */
export const noBrowser = (): string | false => {
  if (!hasPlaywright()) return 'playwright-core is not installed';
  return findBrowser({ executable: '', variable }) === undefined ? 'there is no Chromium on this machine' : false;
};

/** The browser tools over a real browser and a site on loopback. */
export async function atSite(settings: Partial<SliceValues<typeof browserSettings>> = {}, more: Partial<BrowserToolOptions> = {}) {
  const site = await startSite();
  const home = tempFolder();
  const base = { settings: { ...collectDefaults(browserSettings), ...settings }, reach: testReach(), home, variable };
  const browsers = openBrowsers(base);
  const tools = new Map(createBrowserTools({ ...base, browsers, ...more }).map((tool) => [tool.name, tool as Tool<unknown>]));
  const asks: VisionRequest[] = [];
  const ports: Ports = {
    see: async (ask) => {
      asks.push(ask);
      return { ok: true, text: `I see: ${ask.question}`, usage: NO_USAGE, model: 'seer' };
    },
  };
  const context = contextIn(deskAt(home), { ports });
  const tool = (verb: string): Tool<unknown> => {
    const found = tools.get(`browser_${verb}`);
    if (found === undefined) throw new Error(`no browser_${verb}`);
    return found;
  };
  after(async () => {
    await browsers[Symbol.asyncDispose]();
    await site.close();
  });
  return {
    site,
    home,
    browsers,
    asks,
    context,
    tool,
    /** The words of one command; a refusal begins with FAILED. */
    say: (verb: string, input: object = {}) => answer(tool(verb), input, context),
    run: (verb: string, input: object = {}) => tool(verb).run(input, context),
  };
}

/** The ref in the line of a snapshot that holds these words. */
export function refIn(snapshot: string, words: string): string {
  const line = snapshot.split('\n').find((each) => each.includes(words));
  const ref = /\[ref=(\w+)\]/.exec(line ?? '')?.[1];
  if (ref === undefined) throw new Error(`no ref beside ${words} in:\n${snapshot}`);
  return ref;
}
