import { createTextBlock } from '../../../contracts/message.ts';
import type { PromptLayer } from '../../../contracts/prompt.ts';
import { listPersonalities, toPersonalityFact } from '../personalities.ts';

export interface PersonalityOptions {
  readonly own: Readonly<Record<string, unknown>>;
  /** The one for sessions that have chosen none; empty for none. */
  readonly usual: string;
  fact(key: string): Promise<string | undefined>;
}

/** How the agent speaks. It stands beside each message while it is chosen, so that a change leaves the stored prompt as it is. */
export const personalityLayer = ({ own, usual, fact }: PersonalityOptions): PromptLayer => ({
  name: 'personality',
  order: 15,
  lifetime: 'turn',
  cap: 4_000,
  render: async ({ sessionId }) => {
    const name = (await fact(toPersonalityFact(sessionId))) ?? usual;
    const text = name === '' ? undefined : listPersonalities(own).find((row) => row.name === name.toLowerCase())?.text;
    return text === undefined ? undefined : { beside: [createTextBlock(`[How to speak, chosen by the owner]\n${text}`, 'owner')] };
  },
});
