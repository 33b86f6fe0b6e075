import type { PromptSlot } from '../../../contracts/prompt.ts';
import type { SourceText } from './source.ts';

/** The agent's own notes as they stood when the session began. */
export const memorySlot = ({ read }: { readonly read: () => Promise<SourceText> }): PromptSlot => ({
  name: 'memory',
  order: 80,
  lifetime: 'session',
  volatile: true,
  cap: 50_000,
  render: () => read(),
});
