import { createTextBlock } from '../../../contracts/message.ts';
import type { PromptLayer } from '../../../contracts/prompt.ts';

/** An instruction of the owner that holds while it is set and is no part of the session: later messages no longer bring it once it is unset. */
export const ephemeralLayer = (instruction: string): PromptLayer => ({
  name: 'ephemeral',
  order: 10,
  lifetime: 'turn',
  cap: 20_000,
  render: async () =>
    instruction.trim() === ''
      ? undefined
      : { beside: [createTextBlock(`[Instruction from the owner for this message]\n${instruction.trim()}`, 'owner')] },
});
