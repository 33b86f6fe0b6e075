import { text, type Image } from '../../../../contracts/message.ts';
import { ToolFailure, type ToolContext, type ToolOutput } from '../../../../contracts/tool.ts';

export interface Sight {
  readonly image: Image;
  readonly question: string;
  /** Where the picture lies, or another line that goes with it. */
  readonly place: string;
  /** The main model sees pictures itself. */
  readonly native: boolean;
}

/** Has a picture looked at: by the main model itself where it can see, else by one that can. */
export async function lookAt(
  { image, question, place, native }: Sight,
  { ports, signal }: Pick<ToolContext, 'ports' | 'signal'>,
): Promise<ToolOutput> {
  if (native) return { content: [text(place, 'foreign'), image] };
  if (ports.see === undefined) throw new ToolFailure(`There is no model here that can see. ${place}`);
  const answer = await ports.see({ image, question, signal });
  // What a model read off a picture is the picture's word, not the model's.
  if (answer.ok) return { content: [text(`${answer.text.trim()}\n${place}`, 'foreign')] };
  return { failed: true, content: [text(`The picture could not be looked at: ${answer.why}. ${place}`, 'foreign')] };
}
