import type { PromptSlot } from '../../../contracts/prompt.ts';
import type { SourceText } from './source.ts';

/** What is known of the user, as it stood when the session began. */
export const userSlot = ({ read }: { readonly read: () => Promise<SourceText> }): PromptSlot => ({
  name: 'user',
  order: 85,
  lifetime: 'session',
  volatile: true,
  cap: 50_000,
  render: () => read(),
});
