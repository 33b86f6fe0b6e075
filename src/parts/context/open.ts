import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { toErrorMessage } from '../../base/errors.ts';
import type { ContextEngine, EngineOptions, EngineFactory } from '../../contracts/context-engine.ts';
import { contextRecallTool } from './recall/tool.ts';
import { computeThreshold } from './compressor/budgets.ts';
import { findCompactionRest } from './compressor/rest.ts';
import { windowEngine, createWindowEngine } from './window.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { contextSettings } from './settings.ts';

type OwnOptions = EngineOptions<SliceValues<typeof contextSettings>>;

const compressor = (options: OwnOptions): ContextEngine => {
  const { settings } = options.config;
  let loaded: Promise<ContextEngine> | undefined;
  const whole = () => (loaded ??= openCompressor(options));
  return {
    ...windowEngine,
    name: 'compressor',
    shouldCompress: (gauge) => settings['compression.enabled'] && gauge.tokens >= computeThreshold(settings, gauge),
    resting: (entries, now) => findCompactionRest(entries, 'compressor', 'threshold', now)?.why,
    compress: async (ask) => (await whole()).compress(ask),
    tools: () => [contextRecallTool({ entries: options.entries, embed: options.embed })],
  };
};

/** The built-in engine with all it leans on. Most sessions never need it. */
async function openCompressor({ config, suspicious }: OwnOptions): Promise<ContextEngine> {
  const [{ compressorEngine }, { findSummaryAnchors }] = await Promise.all([
    import('./compressor/engine.ts'),
    import('./recall/summary-anchors.ts'),
  ]);
  return compressorEngine({
    settings: config.settings,
    // Whoever asks brings the models along.
    summarisers: () => [],
    clock: systemClock,
    anchors: findSummaryAnchors,
    suspicious: await suspicious(),
    recall: 'context_recall',
  });
}

/** The built-in engines by name. */
export const ENGINES: Readonly<Record<string, EngineFactory>> = {
  compressor,
  window: ({ config }: OwnOptions) => createWindowEngine(config.settings),
};

/** What whoever chooses one reads. */
export const ENGINE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  compressor: 'sums up older parts of a long session with a model',
  window: 'drops the older half when a session no longer fits, without a model',
};

/** An engine, why the one that is there cannot be used, or nothing at all under this name. */
type EngineLookup = { readonly engine: ContextEngine } | { readonly why: string } | undefined;

/**
 * The engine the settings name: one of the host's, those of enabled plugins and the built-in ones among them; `compressor` is
 * always the built-in. None activates itself: what nobody names is not even loaded. A name nobody answers to, or an engine that
 * cannot be used, falls back to `compressor` and says so once.
 */
export async function openEngine(
  options: OwnOptions,
  engines: ReadonlyMap<string, EngineFactory> = new Map(Object.entries(ENGINES)),
): Promise<ContextEngine> {
  const name = options.config.settings['context.engine'];
  if (name === 'compressor') return compressor(options);
  const found = await openEngineOf(engines.get(name), options);
  if (found !== undefined && 'engine' in found) return found.engine;
  const why = found?.why ?? describeMissing(name, options, engines);
  options.notice(`the context engine ${name} (context.engine) cannot be used: ${why}. The built-in compressor takes its place.`);
  return compressor(options);
}

/** A folder that is there needs the owner's consent; nothing of it is read here. */
function describeMissing(name: string, { home }: OwnOptions, engines: ReadonlyMap<string, EngineFactory>): string {
  const folder = join(home.root, 'plugins', 'context_engine', name);
  return /^[\w-]+$/.test(name) && existsSync(folder)
    ? `its plugin is not enabled; to use it: hermes plugins enable ${name}`
    : `there is no engine of that name; known are ${[...engines.keys()].join(', ')}`;
}

const NEEDED = ['view', 'estimate', 'shouldCompress', 'compress'] as const;

async function openEngineOf(open: EngineFactory | undefined, options: OwnOptions): Promise<EngineLookup> {
  if (open === undefined) return undefined;
  try {
    const engine = await open(options);
    // A plugin's word is not checked by anybody else. The object itself: a copy would lose what its class gives it.
    const members: Partial<Record<string, unknown>> = Object(engine);
    const missing = NEEDED.filter((each) => typeof members[each] !== 'function');
    return missing.length === 0 ? { engine } : { why: `it gives an engine without ${missing.join(', ')}` };
  } catch (error) {
    return { why: toErrorMessage(error) };
  }
}
