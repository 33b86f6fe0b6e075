import { join } from 'node:path';
import type { JsonObject } from '../../../../contracts/message.ts';
import type { AnyTool, Tool, ToolContext, ToolOutput } from '../../../../contracts/tool.ts';
import { keepFiles } from '../media/keep.ts';
import { pageStore } from '../web/page/store.ts';
import type { Browsers, BrowsersOptions } from './browsers.ts';
import { BROWSER_NEEDS } from './find.ts';
import type { Scene, Verb } from './verbs/verb.ts';

export interface BrowserToolOptions extends BrowsersOptions {
  readonly browsers: Browsers;
  /** The main model sees pictures itself: screenshots go into the result. */
  readonly native?: boolean;
  /** Takes known secrets out of what is stored. */
  readonly redact?: (text: string) => string;
  readonly now?: () => number;
}
interface Row<Input> {
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
  load(): Promise<Verb<Input>>;
}

const START_MS = 60_000;
const KEPT_DAYS = 7;
const KEPT_PAGES_MB = 100;
const KEPT_IMAGES_MB = 500;
const STRING = { type: 'string' };
const BOOLEAN = { type: 'boolean' };

/** The tools share this much: the browser of the session, its bounds, and that every word of a page is foreign. */
function browserTool<Input>(row: Row<Input>, options: BrowserToolOptions): Tool<Input> {
  const { browsers, settings } = options;
  const timeout = settings['browser.command_timeout'] * 1000;
  const { required = [] } = row;
  return {
    name: `browser_${row.verb}`,
    description: row.description,
    input: { type: 'object', properties: row.properties, ...(required.length > 0 && { required: [...required] }) },
    effects: () => ({ kind: row.kind, resources: ['browser'] }),
    replay: row.replay ?? 'never',
    idempotent: row.idempotent ?? false,
    trust: 'foreign',
    timeoutMs: timeout * 2 + START_MS + (row.extraMs ?? 0),
    maxResult: 100_000,
    available: () => browsers.isAvailable(),
    needs: BROWSER_NEEDS,
    run: async (input, context) => {
      const verb = await row.load();
      return browsers.use(context.sessionId, row.opens === true, (live) => run(verb, input, live, context, options));
    },
  };
}

function run<Input>(
  verb: Verb<Input>,
  input: Input,
  live: Scene['live'],
  context: ToolContext,
  options: BrowserToolOptions,
): Promise<ToolOutput> {
  const { settings, reach, home, native = false, redact = (text) => text, now = Date.now } = options;
  const store = pageStore({ folder: join(home, 'cache', 'web', 'browser'), days: KEPT_DAYS, megabytes: KEPT_PAGES_MB, now });
  return verb(input, {
    live,
    context,
    reach,
    timeout: settings['browser.command_timeout'] * 1000,
    limit: settings['browser.snapshot_threshold'],
    keepText: (text) => store(redact(text)),
    keepImage: keepFiles({ folder: join(home, 'cache', 'images'), days: KEPT_DAYS * 4, megabytes: KEPT_IMAGES_MB, now }),
    native,
    evaluates: !settings['browser.restrict_evaluate'],
  });
}

const look = () => import('./verbs/look.ts');
const touch = () => import('./verbs/touch.ts');
const ways = () => import('./verbs/navigate.ts');

export const browserNavigateTool = (options: BrowserToolOptions): Tool<{ readonly url: string }> =>
  browserTool(
    {
      verb: 'navigate',
      description: 'Open a page',
      properties: { url: STRING },
      required: ['url'],
      kind: 'write',
      replay: 'safe',
      opens: true,
      load: async () => (await ways()).navigate,
    },
    options,
  );

export const browserSnapshotTool = (options: BrowserToolOptions): Tool<{ readonly full?: boolean }> =>
  browserTool(
    {
      verb: 'snapshot',
      description: 'Page as text with refs',
      properties: { full: BOOLEAN },
      kind: 'read',
      replay: 'safe',
      load: async () => (await look()).snapshot,
    },
    options,
  );

export const browserClickTool = (options: BrowserToolOptions): Tool<{ readonly ref: string }> =>
  browserTool(
    {
      verb: 'click',
      description: 'Click a ref such as e5',
      properties: { ref: STRING },
      required: ['ref'],
      kind: 'write',
      load: async () => (await touch()).click,
    },
    options,
  );

export const browserTypeTool = (options: BrowserToolOptions): Tool<{ readonly ref: string; readonly text: string }> =>
  browserTool(
    {
      verb: 'type',
      description: "Replace a field's text",
      properties: { ref: STRING, text: STRING },
      required: ['ref', 'text'],
      kind: 'write',
      load: async () => (await touch()).type,
    },
    options,
  );

export const browserScrollTool = (options: BrowserToolOptions): Tool<{ readonly direction: 'up' | 'down' }> =>
  browserTool(
    {
      verb: 'scroll',
      description: 'Scroll',
      properties: { direction: { type: 'string', enum: ['up', 'down'] } },
      required: ['direction'],
      kind: 'write',
      load: async () => (await touch()).scroll,
    },
    options,
  );

export const browserBackTool = (options: BrowserToolOptions): Tool<Record<string, never>> =>
  browserTool({ verb: 'back', description: 'Go back', properties: {}, kind: 'write', load: async () => (await ways()).back }, options);

export const browserPressTool = (options: BrowserToolOptions): Tool<{ readonly key: string }> =>
  browserTool(
    {
      verb: 'press',
      description: 'Press a key such as Enter',
      properties: { key: STRING },
      required: ['key'],
      kind: 'write',
      load: async () => (await touch()).press,
    },
    options,
  );

export const browserGetImagesTool = (options: BrowserToolOptions): Tool<Record<string, never>> =>
  browserTool(
    {
      verb: 'get_images',
      description: 'List pictures',
      properties: {},
      kind: 'read',
      replay: 'safe',
      load: async () => (await look()).getImages,
    },
    options,
  );

export const browserVisionTool = (options: BrowserToolOptions): Tool<{ readonly question: string; readonly annotate?: boolean }> =>
  browserTool(
    {
      verb: 'vision',
      description: 'Ask about a screenshot; annotate shows refs',
      properties: { question: STRING, annotate: BOOLEAN },
      required: ['question'],
      kind: 'write',
      extraMs: 120_000,
      load: async () => (await import('./verbs/vision.ts')).vision,
    },
    options,
  );

export const browserConsoleTool = (options: BrowserToolOptions): Tool<{ readonly clear?: boolean; readonly expression?: string }> =>
  browserTool(
    {
      verb: 'console',
      description: 'Console; runs expression',
      properties: { clear: BOOLEAN, expression: STRING },
      kind: 'write',
      load: async () => (await look()).consoleVerb,
    },
    options,
  );

/** The whole family, in the order of its toolset. */
export const browserTools = (options: BrowserToolOptions): readonly AnyTool[] => [
  browserNavigateTool(options),
  browserSnapshotTool(options),
  browserClickTool(options),
  browserTypeTool(options),
  browserScrollTool(options),
  browserBackTool(options),
  browserPressTool(options),
  browserGetImagesTool(options),
  browserVisionTool(options),
  browserConsoleTool(options),
];
