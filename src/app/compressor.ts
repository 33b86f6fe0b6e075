import { systemClock } from '../base/clock.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import { compressorEngine } from '../parts/context/compressor/engine.ts';
import { summaryAnchors } from '../parts/context/recall/summary-anchors.ts';
import { scanText } from '../parts/safety/scan/scan.ts';
import type { EngineScene } from './context.ts';

/** The built-in engine with all it leans on. Loaded with the first compaction: most sessions never have one. */
export const openCompressor = ({ config, summarisers }: EngineScene): ContextEngine =>
  compressorEngine({
    settings: config.settings,
    summarisers: () => summarisers,
    clock: systemClock,
    anchors: summaryAnchors,
    // Notes that order the model about did not come from its user.
    suspicious: (text) => scanText(text, 'memory').some(({ severe }) => severe),
    recall: 'context_recall',
  });
