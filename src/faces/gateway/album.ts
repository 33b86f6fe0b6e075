import type { Clock } from '../../base/clock.ts';
import type { Arrival, GatewayStore, Taken } from '../../contracts/gateway-store.ts';
import type { InboundMessage } from '../../contracts/platform-adapter.ts';

/** Services bring the pictures of an album one by one, within this time. */
const ALBUM_MS = 800;
const MAX_PARTS = 20;

export interface GatheredMessage {
  readonly event: InboundMessage;
  /** Arrivals that became part of it. */
  readonly with: readonly string[];
}

/** A message with the rest of its album: those right behind it from the same sender. One that belongs to none is not held up. */
export async function gatherAlbum(
  taken: Taken,
  event: InboundMessage,
  { store, clock, signal }: { readonly store: Pick<GatewayStore, 'arrivals'>; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<GatheredMessage> {
  if (event.group === undefined || event.isEdit === true) return { event, with: [] };
  await clock.sleep(ALBUM_MS, signal);
  signal.throwIfAborted();
  const waiting = await store.arrivals({ behind: taken, states: ['new'], limit: MAX_PARTS });
  const parts = takeWhile(waiting, (row) => isPart(row, event));
  const events = [event, ...parts.flatMap(({ event: part }) => (part.type === 'message' ? [part] : []))];
  const texts = events.map(({ text }) => text.trim()).filter((text) => text !== '');
  return {
    event: { ...event, text: texts.join('\n\n'), media: events.flatMap(({ media }) => media) },
    with: parts.map(({ id }) => id),
  };
}

const isPart = ({ event }: Arrival, first: InboundMessage): boolean =>
  event.type === 'message' && event.group === first.group && event.sender.id === first.sender.id && event.isEdit !== true;

function takeWhile<Value>(values: readonly Value[], isWanted: (value: Value) => boolean): readonly Value[] {
  const end = values.findIndex((value) => !isWanted(value));
  return end === -1 ? values : values.slice(0, end);
}
