import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import type { Entry } from '../contracts/entry.ts';
import { contextRecallTool } from '../parts/context/recall/tool.ts';
import { thresholdOf } from '../parts/context/compressor/budgets.ts';
import { restOf } from '../parts/context/compressor/rest.ts';
import { windowEngine, windowUnder } from '../parts/context/window.ts';
import type { Config } from './config.ts';
import { storeNotice } from './store.ts';

export interface EngineScene {
  readonly home: Home;
  readonly config: Config;
  /** The log of a session, for the tools of an engine. */
  readonly entries: (sessionId: string) => Promise<readonly Entry[]>;
}

/** How an engine is made: what a plugin's folder exports, and what a plugin registers under its name. */
export type OpenEngine = (scene: EngineScene) => ContextEngine | Promise<ContextEngine>;

const compressor = (scene: EngineScene): ContextEngine => {
  const { settings } = scene.config;
  let loaded: Promise<ContextEngine> | undefined;
  const whole = () => (loaded ??= import('./compressor.ts').then(({ openCompressor }) => openCompressor(scene)));
  return {
    ...windowEngine,
    name: 'compressor',
    shouldCompress: (gauge) => settings['compression.enabled'] && gauge.tokens >= thresholdOf(settings, gauge),
    resting: (entries, now) => restOf(entries, 'compressor', 'threshold', now)?.why,
    compress: async (ask) => (await whole()).compress(ask),
    tools: () => [contextRecallTool({ entries: scene.entries })],
  };
};

/** The built-in engines by name. */
const ENGINES: Readonly<Record<string, OpenEngine>> = { compressor, window: ({ config }) => windowUnder(config.settings) };
const NONE: ReadonlyMap<string, OpenEngine> = new Map();

/** An engine, why the one that is there cannot be used, or nothing at all under this name. */
type Found = { readonly engine: ContextEngine } | { readonly why: string } | undefined;

/**
 * The engine the settings name. A plugin's folder is asked first, then engines that plugins registered, then the built-in
 * ones; `compressor` is always the built-in. None activates itself: what nobody names is not even loaded. A name nobody
 * answers to, or an engine that cannot be used, falls back to `compressor` and says so once.
 */
export async function openEngine(scene: EngineScene, registered: ReadonlyMap<string, OpenEngine> = NONE): Promise<ContextEngine> {
  const name = scene.config.settings['context.engine'];
  if (name === 'compressor') return compressor(scene);
  const found = (await fromFolder(name, scene)) ?? (await made(fromShelves(name, registered), scene, 'the registered engine'));
  if (found !== undefined && 'engine' in found) return found.engine;
  const known = [...new Set([...registered.keys(), ...Object.keys(ENGINES)])].join(', ');
  const why = found?.why ?? `there is no ${pluginFile(name, scene)}; known are ${known}`;
  storeNotice(`the context engine ${name} (context.engine) cannot be used: ${why}. The built-in compressor takes its place.`);
  return compressor(scene);
}

const fromShelves = (name: string, registered: ReadonlyMap<string, OpenEngine>): OpenEngine | undefined =>
  registered.get(name) ?? (Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined);

const pluginFile = (name: string, { home }: EngineScene): string => join(home.root, 'plugins', 'context_engine', name, 'index.mjs');

/** `HERMES_HOME/plugins/context_engine/NAME/index.mjs` exports `contextEngine(scene)`. */
async function fromFolder(name: string, scene: EngineScene): Promise<Found> {
  const file = pluginFile(name, scene);
  if (!/^[\w-]+$/.test(name) || !existsSync(file)) return undefined;
  try {
    const plugin: { readonly contextEngine?: OpenEngine } = await import(pathToFileURL(file).href);
    return (await made(plugin.contextEngine, scene, file)) ?? { why: `${file} exports no contextEngine` };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

const NEEDED = ['view', 'estimate', 'shouldCompress', 'compress'] as const;

async function made(open: OpenEngine | undefined, scene: EngineScene, whose: string): Promise<Found> {
  if (open === undefined) return undefined;
  try {
    const engine = await open(scene);
    // A plugin's word is not checked by anybody else. The object itself: a copy would lose what its class gives it.
    const members: Partial<Record<string, unknown>> = Object(engine);
    const missing = NEEDED.filter((each) => typeof members[each] !== 'function');
    return missing.length === 0 ? { engine } : { why: `${whose} gives an engine without ${missing.join(', ')}` };
  } catch (error) {
    return { why: messageOf(error) };
  }
}
