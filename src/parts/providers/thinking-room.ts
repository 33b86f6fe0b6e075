import type { Runtime } from '../../contracts/runtime.ts';

/** A model may think before it answers, and what it thinks counts: with no room for that it would give no words. */
const THINKING_ROOM = 16_384;
export const addThinkingRoom = (maxTokens: number, { limits: { maxOutput = Infinity, window } }: Runtime): number =>
  Math.max(maxTokens, Math.min(maxTokens + THINKING_ROOM, maxOutput, Math.floor(window / 4)));
