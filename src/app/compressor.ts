import { systemClock } from '../base/clock.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import { compressorEngine } from '../parts/context/compressor/engine.ts';
import { summaryAnchors } from '../parts/context/recall/summary-anchors.ts';
import { scanText } from '../parts/safety/scan/scan.ts';
import type { EngineScene } from './context.ts';

/** Threats that speak to the model itself. */
const ORDERS: ReadonlySet<string> = new Set([
  'prompt_injection',
  'disregard_rules',
  'sys_prompt_override',
  'bypass_restrictions',
  'role_hijack',
  'identity_override',
  'deception_hide',
]);

/** The built-in engine with all it leans on. Loaded with the first compaction: most sessions never have one. */
export const openCompressor = ({ config }: EngineScene): ContextEngine =>
  compressorEngine({
    settings: config.settings,
    // Whoever asks brings the models along.
    summarisers: () => [],
    clock: systemClock,
    anchors: summaryAnchors,
    // Notes that order the model about did not come from its user; what was installed or read is everyday work.
    suspicious: (text) => scanText(text, 'memory').some(({ threat }) => ORDERS.has(threat)),
    recall: 'context_recall',
  });
