import type { BrowserContext, Page } from 'playwright-core';
import type { BrowserProxy, RefusedUrl } from './gate.ts';

/** Hosts kept of what pages asked for; the oldest go first. */
const MAX_HOSTS = 5_000;
/** Refusals nobody is known to have asked for yet: the page's word may come after the gate's. */
const MAX_UNCLAIMED = 100;

/** The gate of a browser, with refusals of what its pages asked for. What the browser asked for by itself is not blamed on a page. */
export function withPageRefusals(gate: BrowserProxy, context: BrowserContext): BrowserProxy {
  const asked = new Set<string>();
  let unclaimed: readonly RefusedUrl[] = [];
  const note = (url: string): void => {
    asked.add(hostIn(url));
    if (asked.size > MAX_HOSTS) asked.delete(asked.values().next().value ?? '');
  };
  const listen = (page: Page): void => void page.on('websocket', (socket) => note(socket.url()));
  context.on('request', (request) => note(request.url()));
  for (const page of context.pages()) listen(page);
  context.on('page', listen);
  return {
    ...gate,
    refusals: () => {
      const all = [...unclaimed, ...gate.refusals()];
      unclaimed = all.filter(({ url }) => !asked.has(hostIn(url))).slice(-MAX_UNCLAIMED);
      return all.filter(({ url }) => asked.has(hostIn(url)));
    },
  };
}

const hostIn = (url: string): string => URL.parse(url)?.hostname ?? '';
