import { clip } from '../../base/text.ts';
import type { PromptPipeline, RenderedSlot, Scene, Slot } from '../../contracts/prompt.ts';

/** Renders the slots in their order; a slot with nothing to say leaves no trace, one with too much is cut and says so. */
export function promptPipeline(slots: readonly Slot[]): PromptPipeline {
  const ordered = slots.toSorted((a, b) => a.order - b.order);
  return {
    render: async (scene: Scene) => {
      const texts = await Promise.all(ordered.map(async (slot) => slot.render(scene)));
      return ordered.flatMap((slot, index): RenderedSlot[] => {
        const text = texts[index];
        return text === undefined || text === '' ? [] : [{ name: slot.name, lifetime: slot.lifetime, text: capped(text, slot) }];
      });
    },
  };
}

const capped = (text: string, slot: Slot): string =>
  clip(text, slot.cap, (omitted) => `\n[… ${omitted} characters of ${slot.name} left out …]\n`);
