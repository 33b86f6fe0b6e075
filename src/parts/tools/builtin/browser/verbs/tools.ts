import type { AnyTool, Tool } from '../../../../../contracts/tool.ts';
import { createBrowserTool, type BrowserToolOptions } from './tool.ts';

const STRING = { type: 'string' };
const BOOLEAN = { type: 'boolean' };

const look = () => import('./look.ts');
const touch = () => import('./touch.ts');
const ways = () => import('./navigate.ts');

export const browserNavigateTool = (options: BrowserToolOptions): Tool<{ readonly url: string }> =>
  createBrowserTool(
    {
      verb: 'navigate',
      description: 'Open a page',
      properties: { url: STRING },
      required: ['url'],
      kind: 'write',
      replay: 'safe',
      opens: true,
      reaches: ({ url }) => [url],
      load: async () => (await ways()).navigate,
    },
    options,
  );

export const browserSnapshotTool = (options: BrowserToolOptions): Tool<{ readonly full?: boolean }> =>
  createBrowserTool(
    {
      verb: 'snapshot',
      description: 'Get the page as text with refs',
      properties: { full: BOOLEAN },
      kind: 'read',
      replay: 'safe',
      load: async () => (await look()).showSnapshot,
    },
    options,
  );

export const browserClickTool = (options: BrowserToolOptions): Tool<{ readonly ref: string }> =>
  createBrowserTool(
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
  createBrowserTool(
    {
      verb: 'type',
      description: "Replace a field's text",
      properties: { ref: STRING, text: STRING },
      required: ['ref', 'text'],
      kind: 'write',
      load: async () => (await touch()).typeText,
    },
    options,
  );

export const browserScrollTool = (options: BrowserToolOptions): Tool<{ readonly direction: 'up' | 'down' }> =>
  createBrowserTool(
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
  createBrowserTool(
    { verb: 'back', description: 'Go back', properties: {}, kind: 'write', load: async () => (await ways()).goBack },
    options,
  );

export const browserPressTool = (options: BrowserToolOptions): Tool<{ readonly key: string }> =>
  createBrowserTool(
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
  createBrowserTool(
    {
      verb: 'get_images',
      description: 'List images',
      properties: {},
      kind: 'read',
      replay: 'safe',
      load: async () => (await look()).getImages,
    },
    options,
  );

export const browserVisionTool = (options: BrowserToolOptions): Tool<{ readonly question: string; readonly annotate?: boolean }> =>
  createBrowserTool(
    {
      verb: 'vision',
      description: 'Ask about a screenshot; annotate labels the refs',
      properties: { question: STRING, annotate: BOOLEAN },
      required: ['question'],
      kind: 'write',
      extraMs: 120_000,
      load: async () => (await import('./vision.ts')).analyzeScreenshot,
    },
    options,
  );

export const browserConsoleTool = (options: BrowserToolOptions): Tool<{ readonly clear?: boolean; readonly expression?: string }> =>
  createBrowserTool(
    {
      verb: 'console',
      description: 'Read the console log, or evaluate a JavaScript expression',
      properties: { clear: BOOLEAN, expression: STRING },
      kind: 'write',
      load: async () => (await look()).showConsole,
    },
    options,
  );

/** The whole family, in the order of its toolset. */
export const createBrowserTools = (options: BrowserToolOptions): readonly AnyTool[] => [
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
