import { join } from 'node:path';
import { lazy } from '../../../../base/lazy.ts';
import type { NetworkAccess } from '../../../../contracts/reach.ts';
import type { SliceValues } from '../../../../contracts/settings.ts';
import { ToolFailure } from '../../../../contracts/tool.ts';
import { findBrowser, hasPlaywright } from './find.ts';
import type { LiveBrowser, LiveOptions } from './live.ts';
import type { browserSettings } from './settings.ts';

export interface BrowsersOptions {
  readonly settings: SliceValues<typeof browserSettings>;
  /** What pages may reach; opened with private addresses only where `browser.allow_private_urls` says so. */
  readonly reach: NetworkAccess;
  /** The profile's folder: downloads and pictures go below its `cache`. */
  readonly home: string;
  /** A variable of the environment. */
  readonly variable: (name: string) => string | undefined;
}

/** The browsers of this process: one a session, opened with its first page, closed when it is left alone. */
export interface Browsers extends AsyncDisposable {
  isAvailable(): boolean;
  executable(): string | undefined;
  /** Works with the session's browser. `opens` says whether one may be started for it. */
  use<Value>(sessionId: string, opens: boolean, work: (live: LiveBrowser) => Promise<Value>): Promise<Value>;
}
interface BrowserSlot {
  readonly opening: Promise<LiveBrowser>;
  busy: number;
  idle?: NodeJS.Timeout;
}

export function openBrowsers(options: BrowsersOptions): Browsers {
  const { settings, variable } = options;
  const idleMs = settings['browser.inactivity_timeout'] * 1000;
  const executable = lazy(() => findBrowser({ executable: settings['browser.executable'], variable }));
  const slots = new Map<string, BrowserSlot>();
  /** Why a session has none any more. */
  const gone = new Map<string, string>();
  const end = async (sessionId: string, why: (url: string) => string): Promise<void> => {
    const slot = slots.get(sessionId);
    if (slot === undefined) return;
    slots.delete(sessionId);
    clearTimeout(slot.idle);
    const live = await slot.opening.catch(() => undefined);
    gone.set(sessionId, why(live?.lastUrl() ?? ''));
    await live?.[Symbol.asyncDispose]();
  };
  const begin = (sessionId: string): BrowserSlot => {
    const slot: BrowserSlot = { opening: start({ ...launchOptions(options), executable: executable() }), busy: 0 };
    slots.set(sessionId, slot);
    slot.opening.then(
      (live) => live.onGone(() => void (slots.get(sessionId) === slot && void end(sessionId, describeEnd))),
      () => void (slots.get(sessionId) === slot && slots.delete(sessionId)),
    );
    return slot;
  };
  const rest = (sessionId: string, slot: BrowserSlot): void => {
    clearTimeout(slot.idle);
    // Not a reason to keep the program running.
    slot.idle = setTimeout(() => void end(sessionId, leftAlone(idleMs)), idleMs).unref();
  };
  return {
    isAvailable: lazy(() => executable() !== undefined && hasPlaywright()),
    executable,
    use: async (sessionId, opens, work) => {
      const found = slots.get(sessionId);
      if (found === undefined && !opens)
        throw new ToolFailure(`${gone.get(sessionId) ?? 'No page is open.'} Open one with browser_navigate.`);
      const slot = found ?? begin(sessionId);
      clearTimeout(slot.idle);
      slot.busy++;
      try {
        return await work(await slot.opening);
      } finally {
        slot.busy--;
        if (slot.busy === 0 && slots.get(sessionId) === slot) rest(sessionId, slot);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled([...slots.keys()].map((sessionId) => end(sessionId, () => 'The browser was closed.')));
    },
  };
}

const start = async (options: LiveOptions): Promise<LiveBrowser> => (await import('./live.ts')).openLive(options);

const launchOptions = ({ settings, reach, home, variable }: BrowsersOptions): Omit<LiveOptions, 'executable'> => ({
  headed: settings['browser.headed'],
  reach,
  variable,
  downloads: join(home, 'cache', 'documents'),
});

const at = (url: string): string => (url === '' ? '' : ` It was at ${url}.`);
const describeEnd = (url: string): string => `The browser ended unexpectedly.${at(url)}`;
const leftAlone =
  (ms: number) =>
  (url: string): string =>
    `The browser was closed after ${ms / 1000} s without use.${at(url)}`;
