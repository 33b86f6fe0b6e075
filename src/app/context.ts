import { systemClock } from '../base/clock.ts';
import type { Summariser } from '../contracts/complete.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import { isMessage, type Entry } from '../contracts/entry.ts';
import { anchorLines } from '../parts/context/recall/anchor-lines.ts';
import { contextRecallTool } from '../parts/context/recall/tool.ts';
import { compressorEngine } from '../parts/context/compressor/engine.ts';
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
  compressor: ({ config, summarisers, entries }) => ({
    ...compressorEngine({
      settings: config.settings,
      summarisers: () => summarisers,
      clock: systemClock,
      anchors,
      recall: 'context_recall',
    }),
    tools: () => [contextRecallTool({ entries })],
  }),
  window: () => windowEngine,
};

const ANCHOR_TOKENS = 4_000;
const anchors = (rows: Parameters<NonNullable<Parameters<typeof compressorEngine>[0]['anchors']>>[0]): readonly string[] =>
  anchorLines(rows.filter(isMessage), ANCHOR_TOKENS);

/** The engine the settings name; an unknown name falls back to the built-in one, and says so once. */
export function openEngine(scene: EngineScene): ContextEngine {
  const name = scene.config.settings['context.engine'];
  const open = Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
  if (open === undefined) storeNotice(`there is no context engine ${name} (context.engine); the built-in compressor is used.`);
  return (open ?? ENGINES['compressor'] ?? (() => windowEngine))(scene);
}
