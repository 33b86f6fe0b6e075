import type { PromptContext, PromptSlot } from '../../../contracts/prompt.ts';
import { FILE_TOOLS } from './place-tools.ts';
import { FILE_CAP, type SourceText } from './source.ts';

interface ProjectContextOptions {
  /** `access` says whether the session can read more of a file than it is shown. */
  readonly load: (context: PromptContext, access: 'readable' | 'unreadable') => Promise<SourceText>;
}

/** What the project's own files say to agents, unless they are not to be heard. */
export const projectContextSlot = ({ load }: ProjectContextOptions): PromptSlot => ({
  name: 'project-context',
  order: 60,
  lifetime: 'session',
  place: { gone: 'There are no project rules here. Those in the system prompt belong to another folder: do not apply them.' },
  cap: FILE_CAP,
  render: (context) =>
    context.contextFiles ? load(context, FILE_TOOLS.some((tool) => context.tools.includes(tool)) ? 'readable' : 'unreadable') : undefined,
});
