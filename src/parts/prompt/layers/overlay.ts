import { labelOverlay, MAX_OVERLAY, type PromptLayer } from '../../../contracts/prompt.ts';

/** What a face adds to one message: who speaks in this chat, what a webhook brought. Each text keeps the label of who wrote it. */
export const overlayLayer: PromptLayer = {
  name: 'overlay',
  order: 20,
  lifetime: 'turn',
  // Cut already; this is room for the line above it.
  cap: MAX_OVERLAY + 1_000,
  forJoining: true,
  render: async ({ overlay = [] }) => ({ beside: labelOverlay(overlay) }),
};
