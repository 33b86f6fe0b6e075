import type { Summariser } from '../contracts/complete.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import type { Entry } from '../contracts/entry.ts';
import { contextRecallTool } from '../parts/context/recall/tool.ts';
import { thresholdOf } from '../parts/context/compressor/budgets.ts';
import { windowEngine } from '../parts/context/window.ts';
import type { Config } from './config.ts';
import { storeNotice } from './store.ts';

export interface EngineScene {
  readonly config: Config;
  readonly summarisers: readonly Summariser[];
  /** The log of a session, for the tools of an engine. */
  readonly entries: (sessionId: string) => Promise<readonly Entry[]>;
}

type Open = (scene: EngineScene) => ContextEngine;

/** Engines by name. A plugin's engine is one more row; `compressor` always means the built-in. */
const ENGINES: Readonly<Record<string, Open>> = {
  compressor: (scene) => {
    const { settings } = scene.config;
    let loaded: Promise<ContextEngine> | undefined;
    const whole = () => (loaded ??= import('./compressor.ts').then(({ openCompressor }) => openCompressor(scene)));
    return {
      ...windowEngine,
      name: 'compressor',
      shouldCompress: (gauge) => settings['compression.enabled'] && gauge.tokens >= thresholdOf(settings, gauge),
      compress: async (ask) => (await whole()).compress(ask),
      tools: () => [contextRecallTool({ entries: scene.entries })],
    };
  },
  window: () => windowEngine,
};

/** The engine the settings name; an unknown name falls back to the built-in one, and says so once. */
export function openEngine(scene: EngineScene): ContextEngine {
  const name = scene.config.settings['context.engine'];
  const open = Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
  if (open === undefined) storeNotice(`there is no context engine ${name} (context.engine); the built-in compressor is used.`);
  return (open ?? ENGINES['compressor'] ?? (() => windowEngine))(scene);
}
