import { text } from '../../../contracts/message.ts';
import type { Layer } from '../../../contracts/prompt.ts';

/** What a face adds to one message: who speaks in this chat, what a webhook brought. The face stands behind it. */
export const overlayLayer: Layer = {
  name: 'overlay',
  order: 20,
  lifetime: 'turn',
  cap: 8_000,
  render: async ({ overlay }) =>
    overlay === undefined || overlay.trim() === '' ? undefined : { beside: [text(`[Beside this message]\n${overlay.trim()}`, 'owner')] },
};
