import type { PromptSlot } from '../../../contracts/prompt.ts';

/** The static words of the one memory provider in use, if there is one. */
export const externalMemorySlot = ({ block }: { readonly block: () => string | undefined }): PromptSlot => ({
  name: 'external-memory',
  order: 90,
  lifetime: 'session',
  volatile: true,
  cap: 20_000,
  render: () => block()?.trim() || undefined,
});
