import { chunkMarkdown } from '../../../base/markdown/chunk.ts';
import type { DeliveryContent, NewPart } from '../../../contracts/gateway-store.ts';
import type { PlatformKind, PlatformTraits } from '../../../contracts/platform-adapter.ts';

/** Room that a mark in front of a text may take (`SentMark`), whatever the service makes of it. */
const MARK_ROOM = 100;

type CutKind = Pick<PlatformKind, 'traits' | 'render' | 'counted'>;

/** A delivery as the messages it is sent in. Pure: the same content is always cut the same way. */
export function cutContent(content: DeliveryContent, kind: CutKind): readonly NewPart[] {
  const { traits } = kind;
  if (content.type === 'media') return [{ content }];
  const options = { max: traits.maxText - MARK_ROOM, measure: (markdown: string) => measureRendered(markdown, kind) };
  const pieces = chunkMarkdown(content.markdown, options);
  if (content.type === 'text') return pieces.map((markdown) => ({ content: { type: 'text', markdown } }));
  // What can be pressed or replaced is one message: what does not fit goes before it, or is left out.
  const last = pieces.at(-1) ?? '';
  if (content.type === 'edit') return [{ content: { ...content, markdown: pieces[0] ?? '' } }];
  return [
    ...pieces.slice(0, -1).map((markdown): NewPart => ({ content: { type: 'text', markdown } })),
    { content: { ...content, markdown: last } },
  ];
}

/** Whether words can stand below a file, with a mark in front of them. */
export const fitsCaption = (markdown: string, kind: CutKind): boolean =>
  measureRendered(markdown, kind) <= kind.traits.maxCaption - MARK_ROOM;

function measureRendered(markdown: string, { traits, render, counted = (rendered) => rendered }: CutKind): number {
  return measure(counted(render(markdown)), traits.unit);
}

export function measure(text: string, unit: PlatformTraits['unit']): number {
  if (unit === 'utf16') return text.length;
  return unit === 'bytes' ? Buffer.byteLength(text) : Array.from(text).length;
}
