import type { Page } from 'playwright-core';
import { createConsoleLog, openNotes, type ConsoleLog, type Notes } from './notes.ts';
import { openDownloads, type Downloads } from './downloads.ts';
import { isRoot, launch, type LaunchOptions } from './launch.ts';
import type { BrowserProxy } from './gate.ts';
import { withPageRefusals } from './page-refusals.ts';
import { watchTabs, type BrowserTabs } from './tabs.ts';

/** The browser of one session, as commands see it. */
export interface LiveBrowser extends AsyncDisposable {
  readonly tabs: BrowserTabs;
  readonly notes: Notes;
  readonly log: ConsoleLog;
  readonly downloads: Downloads;
  readonly gate: BrowserProxy;
  /** Where it was last, for words after it is gone. */
  lastUrl(): string;
  /** Told once when it ends without being asked to. */
  onGone(listener: () => void): void;
}
export interface LiveOptions extends LaunchOptions {
  /** Where whole downloads go. */
  readonly downloads: string;
}

export async function openLive(options: LiveOptions): Promise<LiveBrowser> {
  const launched = await launch(options);
  const { context, gate, profile } = launched;
  const [said, log] = [openNotes(), createConsoleLog()];
  const arriving = openDownloads({ arriving: profile.arriving, folder: options.downloads, notes: said });
  const tabs = watchTabs({ context, notes: said, log, downloads: arriving });
  if (isRoot()) said.add('The agent runs as root, so the browser runs without its own sandbox.');
  let url = '';
  const remember = (page: Page): void =>
    void page.on(
      'framenavigated',
      (frame) => void (frame === page.mainFrame() && !frame.url().startsWith('about:') && (url = frame.url())),
    );
  for (const page of context.pages()) remember(page);
  context.on('page', remember);
  return {
    tabs,
    notes: said,
    log,
    downloads: arriving,
    gate: withPageRefusals(gate, context),
    lastUrl: () => url,
    onGone: (listener) => void context.once('close', listener),
    [Symbol.asyncDispose]: () => launched[Symbol.asyncDispose](),
  };
}
