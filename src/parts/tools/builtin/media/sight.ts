import { createTextBlock, type ImageBlock } from '../../../../contracts/message.ts';
import { ToolFailure, type ToolContext, type ToolOutput } from '../../../../contracts/tool.ts';

export interface ImageQuestion {
  readonly image: ImageBlock;
  readonly question: string;
  /** Where the picture lies, or another line that goes with it. */
  readonly place: string;
  /** The main model sees pictures itself. */
  readonly native: boolean;
}

/** Has a picture looked at: by the main model itself where it can see, else by one that can. */
export async function askAboutImage(
  { image, question, place, native }: ImageQuestion,
  { ports, signal }: Pick<ToolContext, 'ports' | 'signal'>,
): Promise<ToolOutput> {
  if (native) return { content: [createTextBlock(place, 'foreign'), image] };
  if (ports.see === undefined) throw new ToolFailure(`No model here can see images. ${place}`);
  const answer = await ports.see({ image, question, signal });
  // What a model read off a picture is the picture's word, not the model's.
  const words = answer.ok ? answer.text.trim() : '';
  if (words !== '') return { content: [createTextBlock(`${words}\n${place}`, 'foreign')] };
  const why = answer.ok
    ? `The model that looked at the picture (${answer.model}) returned nothing. Rephrase the question.`
    : `The picture could not be looked at: ${answer.why}.`;
  return { failed: true, content: [createTextBlock(`${why} ${place}`, 'foreign')] };
}
