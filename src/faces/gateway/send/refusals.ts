import type { Delivery, DeliveryPart, GatewayStore, NewDelivery } from '../../../contracts/gateway-store.ts';
import { noteUndelivered } from './unsent-files.ts';

const REFUSED = ':refused';

/** Tells the chat what the service refused, under one key however often: a file to the model as well, with the next message. */
export async function tellRefused(store: GatewayStore, row: Delivery, { content }: DeliveryPart, why: string): Promise<void> {
  if (content.type === 'media') {
    await noteUndelivered(store, row, why);
    const words = `I could not send \`${content.name}\`: ${why}.`;
    await store.plan([toNotice(row, content.caption === undefined ? words : `${content.caption}\n\n${words}`)]);
  }
  if (content.type === 'card') await store.plan([toNotice(row, `I could not show you a question: ${why}.`)]);
  // A notice about a refusal that is refused as well is only in the log.
  if (content.type === 'text' && !row.key.endsWith(REFUSED))
    await store.plan([toNotice(row, `I could not send a part of my answer: ${why}.`)]);
}

const toNotice = ({ key, target, sessionId }: Delivery, markdown: string): NewDelivery => ({
  key: `${key}${REFUSED}`,
  target,
  content: { type: 'text', markdown },
  ...(sessionId !== undefined && { sessionId }),
});
