import { toErrorMessage } from '../../base/errors.ts';
import { clip } from '../../base/text.ts';
import type { Message, TextBlock } from '../../contracts/message.ts';
import type {
  PromptLayer,
  LayerOutput,
  PromptPipeline,
  SlotText,
  RenderedPrompt,
  PromptContext,
  PromptSlot,
  RenderedSlot,
  TurnContext,
} from '../../contracts/prompt.ts';

/** Renders the slots in their order; a slot with nothing to say leaves no trace, one with too much is cut and says so. */
export function createPromptPipeline(slots: readonly PromptSlot[], layers: readonly PromptLayer[] = []): PromptPipeline {
  const [ordered, orderedLayers] = [inBlocks(slots), inOrder(layers)];
  return {
    render: async (context) => joined(await Promise.all(ordered.map((slot) => renderSlot(slot, context)))),
    renderPlace: async (context, told) => {
      const places = await Promise.all(ordered.map((slot) => renderPlaceSlot(slot, context, told)));
      return { text: places.flatMap(({ words }) => words).join('\n\n'), notices: places.flatMap(({ notices }) => notices) };
    },
    accompany: async (turn) => {
      const wanted = orderedLayers.filter(({ forJoining }) => turn.joins !== true || forJoining === true);
      return joinSidecars(await Promise.all(wanted.map((layer) => renderLayer(layer, turn))));
    },
  };
}

const inOrder = <Item extends { readonly order: number }>(items: readonly Item[]): Item[] => items.toSorted((a, b) => a.order - b.order);

/** What changes from session to session stands last, whatever its order says. */
const inBlocks = (slots: readonly PromptSlot[]): PromptSlot[] =>
  inOrder(slots).toSorted((a, b) => Number(a.volatile === true) - Number(b.volatile === true));

/** A slot that fails is left out and told about: a broken file must never keep a session from starting. */
async function renderSlot(slot: PromptSlot, context: PromptContext): Promise<RenderedPrompt> {
  try {
    const { text, notices } = spread(await slot.render(context));
    if (text === undefined || text === '') return { slots: [], notices };
    return {
      slots: [{ name: slot.name, lifetime: slot.lifetime, text: capped(text, slot), ...(slot.volatile === true && { volatile: true }) }],
      notices: [...notices, ...cutNotice(text, slot)],
    };
  } catch (error) {
    return { slots: [], notices: [`The ${slot.name} section was left out of the prompt: ${toErrorMessage(error)}`] };
  }
}

/** What is new about the place; the same words as before need not be said again. */
async function renderPlaceSlot(slot: PromptSlot, context: PromptContext, told?: readonly RenderedSlot[]): Promise<PlaceWords> {
  if (slot.place === undefined) return { words: [], notices: [] };
  const { slots, notices } = await renderSlot(slot, context);
  const now = slots[0]?.text;
  const before = told?.find(({ name }) => name === slot.name)?.text;
  if (told !== undefined && now === before) return { words: [], notices: [] };
  return { words: [now ?? slot.place.gone].filter(Boolean), notices };
}
interface PlaceWords {
  readonly words: readonly string[];
  readonly notices: readonly string[];
}

const spread = (rendered: SlotText): { readonly text?: string; readonly notices: readonly string[] } =>
  typeof rendered === 'object' ? rendered : { notices: [], ...(rendered !== undefined && { text: rendered }) };

const joined = (parts: readonly RenderedPrompt[]): RenderedPrompt => ({
  slots: parts.flatMap((part) => part.slots),
  notices: parts.flatMap((part) => part.notices),
});

interface Sidecars extends LayerOutput {
  readonly notices: readonly string[];
}
async function renderLayer(layer: PromptLayer, turn: TurnContext): Promise<Sidecars> {
  try {
    const layered = await layer.render(turn);
    const beside = layered?.beside?.map((block): TextBlock => ({ ...block, text: capped(block.text, layer) }));
    return { notices: [], ...layered, ...(beside !== undefined && { beside }) };
  } catch (error) {
    return { notices: [`The ${layer.name} layer was left out of this message: ${toErrorMessage(error)}`] };
  }
}

function joinSidecars(parts: readonly Sidecars[]): Sidecars {
  const beside: TextBlock[] = parts.flatMap((part) => part.beside ?? []);
  const before: Message[] = parts.flatMap((part) => part.before ?? []);
  return { beside, before, notices: parts.flatMap((part) => part.notices) };
}

/** Room for the line that says how much is left out. */
const MARK = 80;

const cutNotice = (text: string, { cap, name }: PromptSlot): readonly string[] =>
  text.length <= cap
    ? []
    : [`The ${name} section of the prompt was cut from ${text.length} to ${cap} characters; shorten what it is made from.`];

const capped = (text: string, { cap, name }: { readonly cap: number; readonly name: string }): string =>
  clip(text, text.length <= cap ? cap : Math.max(0, cap - MARK), (omitted) => `\n[... ${omitted} characters of ${name} left out ...]\n`);
