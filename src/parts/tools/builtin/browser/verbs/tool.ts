import { join } from 'node:path';
import type { JsonObject } from '../../../../../contracts/message.ts';
import type { Tool } from '../../../../../contracts/tool.ts';
import { keepFiles } from '../../media/keep.ts';
import { createPageStore } from '../../web/page/store.ts';
import type { Browsers, BrowsersOptions } from '../browsers.ts';
import { BROWSER_NEEDS } from '../find.ts';
import type { VerbDeps, Verb } from './verb.ts';

export interface BrowserToolOptions extends BrowsersOptions {
  readonly browsers: Browsers;
  /** The main model sees pictures itself: screenshots go into the result. */
  readonly native?: boolean;
  /** Takes known secrets out of what is stored. */
  readonly redact?: (text: string) => string;
  readonly now?: () => number;
}
/** One tool of the family, as far as it differs from the others. */
export interface BrowserToolRow<Input> {
  readonly verb: string;
  readonly description: string;
  readonly properties: JsonObject;
  readonly required?: readonly string[];
  readonly kind: 'read' | 'write';
  readonly replay?: 'safe';
  readonly idempotent?: true;
  /** May it start a browser? */
  readonly opens?: true;
  /** Milliseconds beside the command itself: a model may have to look. */
  readonly extraMs?: number;
  /** Addresses it opens. */
  reaches?(input: Input): readonly string[];
  load(): Promise<Verb<Input>>;
}

const START_MS = 60_000;
const KEPT_DAYS = 7;
const KEPT_PAGES_MB = 100;
const KEPT_IMAGES_DAYS = 30;
const KEPT_IMAGES_MB = 1_000;
/** The tools share this much: the browser of the session, its bounds, and that every word of a page is foreign. */
export function createBrowserTool<Input>(row: BrowserToolRow<Input>, options: BrowserToolOptions): Tool<Input> {
  const { browsers } = options;
  const stage = stageOf(options);
  const { required = [] } = row;
  return {
    name: `browser_${row.verb}`,
    description: row.description,
    input: { type: 'object', properties: row.properties, ...(required.length > 0 && { required: [...required] }) },
    effects: () => ({ kind: row.kind, resources: ['browser'] }),
    ...(row.reaches !== undefined && { reaches: row.reaches }),
    replay: row.replay ?? 'never',
    idempotent: row.idempotent ?? false,
    offTerminal: true,
    trust: 'foreign',
    timeoutMs: stage.timeout * 2 + START_MS + (row.extraMs ?? 0),
    maxResult: 100_000,
    available: () => browsers.isAvailable(),
    needs: BROWSER_NEEDS,
    run: async (input, context) => {
      const verb = await row.load();
      return browsers.use(context.sessionId, row.opens === true, (live) => verb(input, { ...stage, live, context }));
    },
  };
}

/** What is the same for every call. */
function stageOf({
  settings,
  reach,
  home,
  native = false,
  redact = (text) => text,
  now = Date.now,
}: BrowserToolOptions): Omit<VerbDeps, 'live' | 'context'> {
  const store = createPageStore({ folder: join(home, 'cache', 'web', 'browser'), days: KEPT_DAYS, megabytes: KEPT_PAGES_MB, now });
  return {
    reach,
    timeout: settings['browser.command_timeout'] * 1000,
    limit: settings['browser.snapshot_threshold'],
    keepText: (text) => store(redact(text)),
    keepImage: keepFiles({ folder: join(home, 'cache', 'images'), days: KEPT_IMAGES_DAYS, megabytes: KEPT_IMAGES_MB, now }),
    native,
    evaluates: !settings['browser.restrict_evaluate'],
  };
}
