import type { PromptSlot } from '../../../contracts/prompt.ts';
import { enforcementBlock, type AdviceBlock } from './model-blocks.ts';
import { findModelFamily } from './model-families.ts';

/** The setting agent.tool_use_enforcement. */
export type Enforcement = 'auto' | 'on' | 'off' | 'true' | 'false';

/** What the setting makes of the blocks of a model's family. */
const CHOICES: Readonly<Record<Enforcement, (own: readonly AdviceBlock[]) => readonly AdviceBlock[]>> = {
  auto: (own) => own,
  on: (own) => (own.includes(enforcementBlock) ? own : [enforcementBlock, ...own]),
  off: () => [],
  true: (own) => CHOICES.on(own),
  false: () => [],
};

/** Advice that only some families of models need, and only with tools at hand. */
export const modelRulesSlot = ({ enforce }: { readonly enforce: Enforcement }): PromptSlot => ({
  name: 'model-rules',
  order: 30,
  lifetime: 'session',
  cap: 2_300,
  render: ({ model, tools }) => {
    const blocks = tools.length === 0 ? [] : CHOICES[enforce](findModelFamily(model)?.blocks ?? []);
    return blocks.length === 0 ? undefined : blocks.map((block) => block(tools)).join('\n\n');
  },
});
