import { text } from '../../../contracts/message.ts';
import type { Layer } from '../../../contracts/prompt.ts';

/** An instruction of the owner that holds while it is set and is no part of the session: later messages no longer bring it once it is unset. */
export const ephemeralLayer = (instruction: string): Layer => ({
  name: 'ephemeral',
  order: 10,
  lifetime: 'turn',
  cap: 20_000,
  render: async () =>
    instruction.trim() === ''
      ? undefined
      : { beside: [text(`[Your owner's instruction for this message]\n${instruction.trim()}`, 'owner')] },
});
