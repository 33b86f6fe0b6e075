import type { ModelLimits } from '../../../contracts/runtime.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import type { compressorSettings } from './settings.ts';

export type CompressionSettings = Pick<
  SliceValues<typeof compressorSettings>,
  'compression.enabled' | 'compression.threshold' | 'compression.target_ratio' | 'compression.protect_last_n'
>;

/** The first three stay: the system prompt, which is no message, and two messages. */
export const PROTECTED_FIRST = 2;
/** A tail is never shorter than this while there is a choice. */
export const FEWEST_LAST = 3;
/** How far beyond its budget the tail may go for the sake of one large message. */
const SOFT_CAP = 1.5;

/** Where a compaction aims, as a share of what makes it due. */
const AIM = 0.75;

const SUMMARY = { share: 0.2, least: 2_000, most: 12_000, ofWindow: 0.05 };
/** In a window so small that the least would be a large part of it, this share holds instead. */
const SMALL_WINDOW_SHARE = 0.1;

/** Tokens a request may take, with room left for the answer; an answer never claims more than half the window. */
export const computeUsableTokens = ({ window, maxOutput = 0 }: Pick<ModelLimits, 'window' | 'maxOutput'>): number =>
  window - Math.min(maxOutput, window / 2);

/** The share of the whole window, as the setting says; less only where the answer would have no room. */
export const computeThreshold = (settings: CompressionSettings, limits: Pick<ModelLimits, 'window' | 'maxOutput'>): number =>
  Math.min(settings['compression.threshold'] * limits.window, computeUsableTokens(limits));

export interface WindowBudgets {
  /** What the request should come under, so that the next steps have room before it is due again. */
  readonly aim: number;
  /** What the request must come under. */
  readonly target: number;
  /** What it must come under at the very least when it cannot be sent as it is. */
  readonly hard: number;
  readonly tail: number;
  readonly softTail: number;
  readonly window: number;
}

/** Bounds in estimated tokens: real ones divided by how many of them an estimated one is worth. */
export function computeWindowBudgets(settings: CompressionSettings, limits: ModelLimits, calibration: number): WindowBudgets {
  const target = computeThreshold(settings, limits) / calibration;
  const tail = target * settings['compression.target_ratio'];
  return {
    aim: target * AIM,
    target,
    hard: computeUsableTokens(limits) / calibration,
    tail,
    softTail: tail * SOFT_CAP,
    window: limits.window / calibration,
  };
}

/** Tokens a summary of so much content may take. */
export function computeSummaryBudget(content: number, window: number): number {
  const least = Math.min(SUMMARY.least, window * SMALL_WINDOW_SHARE);
  const most = Math.max(Math.min(window * SUMMARY.ofWindow, SUMMARY.most), least);
  return Math.floor(Math.min(Math.max(content * SUMMARY.share, least), most));
}

/** Real tokens for an estimated one, when the ledger's figure makes sense. */
export const sanitizeCalibration = (given: number): number => (Number.isFinite(given) && given > 0 ? given : 1);
