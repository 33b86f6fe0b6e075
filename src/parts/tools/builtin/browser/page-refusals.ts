import type { BrowserContext, Page } from 'playwright-core';
import type { BrowserProxy, RefusedUrl } from './gate.ts';

/** Addresses kept of what pages asked for; the oldest go first. */
const MAX_ASKED = 5_000;
/** Refusals nobody is known to have asked for yet: the page's word may come after the gate's. */
const MAX_UNCLAIMED = 100;

/** The gate of a browser, with refusals of what its pages asked for. What the browser asked for by itself is not blamed on a page. */
export function withPageRefusals(gate: BrowserProxy, context: BrowserContext): BrowserProxy {
  /** What the gate hears of each request, and what the page asked for. */
  const asked = new Map<string, string>();
  let unclaimed: readonly RefusedUrl[] = [];
  const note = (url: string): void => {
    const heard = heardAtGate(url);
    if (heard === undefined || asked.has(heard)) return;
    asked.set(heard, url.startsWith('ws') ? url : heard);
    if (asked.size > MAX_ASKED) asked.delete(asked.keys().next().value ?? '');
  };
  const listen = (page: Page): void => void page.on('websocket', (socket) => note(socket.url()));
  context.on('request', (request) => note(request.url()));
  for (const page of context.pages()) listen(page);
  context.on('page', listen);
  return {
    ...gate,
    refusals: () => {
      const all = [...unclaimed, ...gate.refusals()];
      unclaimed = all.filter(({ url }) => !asked.has(url)).slice(-MAX_UNCLAIMED);
      return all.flatMap(({ url, reason }) => {
        const meant = asked.get(url);
        return meant === undefined ? [] : [{ url: meant, reason }];
      });
    },
  };
}

/** A plain request tells the gate its whole address, one for TLS or a socket only where it goes; others do not come to it. */
function heardAtGate(url: string): string | undefined {
  const { protocol = '', host = '', pathname = '', search = '' } = URL.parse(url) ?? {};
  if (protocol === 'http:') return `http://${host}${pathname}${search}`;
  if (protocol === 'ws:') return `https://${host.includes(':') ? host : `${host}:80`}/`;
  return protocol === 'https:' || protocol === 'wss:' ? `https://${host}/` : undefined;
}
