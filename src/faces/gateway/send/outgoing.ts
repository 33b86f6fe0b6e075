import { formatDuration } from '../../../base/screen/when.ts';
import type { Blobs } from '../../../contracts/blobs.ts';
import type { Delivery, DeliveryPart, GatewayStore } from '../../../contracts/gateway-store.ts';
import type { OutboundContent, OutboundMessage } from '../../../contracts/platform-adapter.ts';
import type { RunningAccount } from '../accounts/account.ts';
import { placeOf } from '../contract.ts';

/** A part of a delivery as an adapter gets it. */
export function toMessage(row: Delivery, part: DeliveryPart, content: OutboundContent, { config }: RunningAccount): OutboundMessage {
  const { target, replyTo, handle } = row;
  const points = part.index === 0 || config.display.replyTo === 'all';
  return {
    ...placeOf(target),
    content,
    key: part.key,
    ...(replyTo !== undefined && points && { replyTo }),
    ...(handle !== undefined && { handle }),
  };
}

export function toContent({ content }: DeliveryPart, { blobs }: { readonly blobs: Pick<Blobs, 'path'> }, mark = ''): OutboundContent {
  switch (content.type) {
    case 'text':
    case 'edit':
      return 'buttons' in content && content.buttons !== undefined
        ? { type: 'card', markdown: `${mark}${content.markdown}`, buttons: [] }
        : { type: 'text', markdown: `${mark}${content.markdown}` };
    case 'card':
      return { type: 'card', markdown: `${mark}${content.markdown}`, buttons: content.buttons };
    case 'media': {
      const { kind, blob, name, mime, bytes, caption } = content;
      return {
        type: 'media',
        media: { kind, path: blobs.path(blob), name, mime, bytes },
        // A file without words that may be there twice says so in words of ours.
        ...((caption !== undefined || mark !== '') && { caption: `${mark}${caption ?? ''}`.trim() }),
      };
    }
  }
}

/** From this age on a text says when it was written. */
const LATE_MS = 3_600_000;

/** What a reader should know before the words: that they may be there twice, or that they are old. */
export function marksOf(row: Delivery, { index, content }: DeliveryPart, isRepeat: boolean): string {
  if (content.type === 'edit') return '';
  const marks = [
    ...(isRepeat ? ['may be a repeat'] : []),
    ...(index === 0 && row.ageMs > LATE_MS ? [`written ${formatDuration(row.ageMs)} ago`] : []),
  ];
  return marks.length === 0 ? '' : `_(${marks.join('; ')})_\n\n`;
}

export const isEdit = ({ replaces }: Delivery, { index, content }: DeliveryPart): boolean =>
  content.type === 'edit' || (index === 0 && replaces !== undefined);

/** The message of ours that a part takes the place of: a preview of it, or what an edit names. */
export async function findEdited(
  row: Delivery,
  { index, content }: DeliveryPart,
  store: Pick<GatewayStore, 'deliveries'>,
): Promise<string | undefined> {
  if (content.type !== 'edit') return index === 0 ? row.replaces : undefined;
  if ('messageId' in content) return content.messageId;
  const [changed] = await store.deliveries({ key: content.of });
  return changed?.parts?.at(-1)?.messageId;
}
