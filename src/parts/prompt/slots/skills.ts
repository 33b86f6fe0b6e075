import type { PromptContext, PromptSlot } from '../../../contracts/prompt.ts';
import type { SourceText } from './source.ts';

/** The index of the skills that this session sees. Without the tool that opens a skill it would name what nobody can read. */
export const skillsSlot = ({ index }: { readonly index: (context: PromptContext) => Promise<SourceText> }): PromptSlot => ({
  name: 'skills',
  order: 50,
  lifetime: 'session',
  cap: 100_000,
  render: (context) => (context.tools.includes('skill_view') ? index(context) : undefined),
});
