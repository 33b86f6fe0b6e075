import type { PromptSlot } from '../../../contracts/prompt.ts';

/** What the caller adds, or else what the owner set as agent.system_prompt. */
export const systemMessageSlot = ({ fromSettings }: { readonly fromSettings: string }): PromptSlot => ({
  name: 'system-message',
  order: 40,
  lifetime: 'session',
  cap: 100_000,
  render: ({ systemMessage = '' }) => systemMessage.trim() || fromSettings.trim() || undefined,
});
