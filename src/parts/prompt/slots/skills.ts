import type { PromptContext, PromptSlot } from '../../../contracts/prompt.ts';
import type { SourceText } from './source.ts';

/** The tools that open a skill. Without one the index would name what nobody can read. */
const OPENERS = ['skills_list', 'skill_view'];

/** The index of the skills that this session sees. */
export const skillsSlot = ({ index }: { readonly index: (context: PromptContext) => Promise<SourceText> }): PromptSlot => ({
  name: 'skills',
  order: 50,
  lifetime: 'session',
  cap: 100_000,
  render: (context) => (OPENERS.some((tool) => context.tools.includes(tool)) ? index(context) : undefined),
});
