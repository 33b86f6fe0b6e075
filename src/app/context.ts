import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import type { Summariser } from '../contracts/complete.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import type { Entry } from '../contracts/entry.ts';
import { contextRecallTool } from '../parts/context/recall/tool.ts';
import { thresholdOf } from '../parts/context/compressor/budgets.ts';
import { restOf } from '../parts/context/compressor/rest.ts';
import { windowEngine } from '../parts/context/window.ts';
import type { Config } from './config.ts';
import { storeNotice } from './store.ts';

export interface EngineScene {
  readonly home: Home;
  readonly config: Config;
  readonly summarisers: readonly Summariser[];
  /** The log of a session, for the tools of an engine. */
  readonly entries: (sessionId: string) => Promise<readonly Entry[]>;
}

type Open = (scene: EngineScene) => ContextEngine;

const compressor: Open = (scene) => {
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
const ENGINES: Readonly<Record<string, Open>> = { compressor, window: () => windowEngine };

/**
 * The engine the settings name: one of the built-in ones, or that of a plugin's folder. None activates itself, `compressor`
 * is never a plugin's, and a name nobody answers to falls back to it and says so once.
 */
export async function openEngine(scene: EngineScene): Promise<ContextEngine> {
  const name = scene.config.settings['context.engine'];
  const builtIn = Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
  if (builtIn !== undefined) return builtIn(scene);
  const plugin = await pluginEngine(name, scene);
  if (plugin.engine !== undefined) return plugin.engine;
  storeNotice(`the context engine ${name} (context.engine) cannot be used: ${plugin.why}. The built-in compressor takes its place.`);
  return compressor(scene);
}

type Plugin = { readonly engine: ContextEngine } | { readonly engine?: undefined; readonly why: string };

/** `HERMES_HOME/plugins/context_engine/NAME/index.mjs` exports `contextEngine(scene)`. */
async function pluginEngine(name: string, scene: EngineScene): Promise<Plugin> {
  const file = join(scene.home.root, 'plugins', 'context_engine', name, 'index.mjs');
  if (!/^[\w-]+$/.test(name) || !existsSync(file)) return { why: `there is no ${file}; known are ${Object.keys(ENGINES).join(', ')}` };
  try {
    const plugin: { readonly contextEngine?: Open } = await import(pathToFileURL(file).href);
    const engine = plugin.contextEngine?.(scene);
    return engine === undefined ? { why: `${file} exports no contextEngine` } : { engine };
  } catch (error) {
    return { why: messageOf(error) };
  }
}
