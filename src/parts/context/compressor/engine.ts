import type { Clock } from '../../../base/clock.ts';
import type { Summariser } from '../../../contracts/complete.ts';
import type { ContextEngine } from '../../../contracts/context-engine.ts';
import { estimateRequestTokens } from '../view/tokens.ts';
import { deriveView } from '../view/view.ts';
import { computeThreshold, type CompressionSettings } from './budgets.ts';
import { compress } from './compress.ts';
import { findSimpleAnchors } from './facts/anchors.ts';
import { ENGINE, type FindAnchors } from './notes.ts';
import { findCompactionRest } from './rest.ts';
import { looksSuspicious, type IsSuspicious } from './suspicious.ts';

export interface CompressorOptions {
  readonly settings: CompressionSettings;
  /** Models that may write summaries, in the order they are asked: the configured one, then the session's own. May be empty. */
  readonly summarisers: () => readonly Summariser[];
  readonly clock: Pick<Clock, 'now'>;
  /** Exact strings of some rows worth keeping in view, the most useful first. */
  readonly anchors?: FindAnchors;
  readonly suspicious?: IsSuspicious;
  /** How the model gets exact words back from the log: the name of the tool. */
  readonly recall?: string;
}

/** The built-in engine: sums up the middle of a long session, keeps both ends, and never loses what the user said last. */
export function compressorEngine(options: CompressorOptions): ContextEngine {
  const compressor = { anchors: findSimpleAnchors, suspicious: looksSuspicious, ...options };
  const { settings } = options;
  return {
    name: ENGINE,
    view: deriveView,
    estimate: ({ system, tools, view }) => estimateRequestTokens(system, tools, view),
    shouldCompress: (gauge) => settings['compression.enabled'] && gauge.tokens >= computeThreshold(settings, gauge),
    resting: (entries, now) => findCompactionRest(entries, ENGINE, 'threshold', now)?.why,
    compress: (ask) => compress(ask, compressor),
  };
}
