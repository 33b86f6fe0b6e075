import type { BrowserContext, Dialog, Page } from 'playwright-core';
import type { Downloads } from './downloads.ts';
import { shortenLine, type ConsoleLog, type Notes } from './notes.ts';

/** The pages of one browser; commands go to the newest. */
export interface BrowserTabs {
  /** The page commands act on. */
  current(): Promise<Page>;
  /** Puts an empty page in place of one that cannot go on. */
  replace(page: Page): Promise<void>;
  isCrashed(page: Page): boolean;
}
export interface TabsOptions {
  readonly context: BrowserContext;
  readonly notes: Notes;
  readonly log: ConsoleLog;
  readonly downloads: Downloads;
}

const MAX_TABS = 10;
const CLOSE_MS = 5_000;

export function watchTabs({ context, notes, log, downloads }: TabsOptions): BrowserTabs {
  const crashed = new WeakSet<Page>();
  let open: Page[] = [];
  const watch = (page: Page): void => {
    open.push(page);
    page.on('close', () => void (open = open.filter((each) => each !== page)));
    page.on('crash', () => void crashed.add(page));
    page.on('dialog', (dialog) => void dismiss(dialog, notes));
    page.on('download', (download) => downloads.take(download));
    page.on('console', (message) => log.add(message.type(), message.text()));
    page.on('pageerror', (error) => log.add('uncaught', error.message));
  };
  const join = (page: Page): void => {
    watch(page);
    if (open.length > MAX_TABS) return void close(page).then(() => notes.add('A further tab was closed: there are too many.'));
    notes.add(`A new tab opened; it is the current one now${page.url() === 'about:blank' ? '' : `: ${page.url()}`}`);
  };
  for (const page of context.pages()) watch(page);
  let making = false;
  context.on('page', (page) => (making ? watch(page) : join(page)));
  const fresh = async (): Promise<Page> => {
    making = true;
    try {
      return await context.newPage();
    } finally {
      making = false;
    }
  };
  return {
    current: async () => open.at(-1) ?? fresh(),
    isCrashed: (page) => crashed.has(page),
    replace: async (page) => {
      open = open.filter((each) => each !== page);
      await close(page);
      await fresh();
    },
  };
}

/** A page that hangs may take its time to go; nobody waits for it longer than this. */
async function close(page: Page): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const clock = setTimeout(timer.resolve, CLOSE_MS);
  await Promise.race([page.close().catch(() => {}), timer.promise]);
  clearTimeout(clock);
}

/** Nobody sits in front of it: a page that asks gets the answer "no", except when it wants to keep us from leaving. */
async function dismiss(dialog: Dialog, notes: Notes): Promise<void> {
  const leaving = dialog.type() === 'beforeunload';
  if (!leaving) notes.add(`A dialog was dismissed (${dialog.type()}): ${JSON.stringify(shortenLine(dialog.message(), 200))}`);
  await (leaving ? dialog.accept() : dialog.dismiss()).catch(() => {});
}
