import type { PromptContext, PromptSlot } from '../../../contracts/prompt.ts';
import { FILE_CAP, type SourceText } from './source.ts';

/** What the project's own files say to agents, unless they are not to be heard. */
export const projectContextSlot = ({ load }: { readonly load: (context: PromptContext) => Promise<SourceText> }): PromptSlot => ({
  name: 'project-context',
  order: 60,
  lifetime: 'session',
  place: { gone: 'There are no project rules here. Those in the system prompt belong to another folder: do not apply them.' },
  cap: FILE_CAP,
  render: (context) => (context.contextFiles ? load(context) : undefined),
});
