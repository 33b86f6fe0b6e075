import type { Clock } from '../../../base/clock.ts';
import type { Arrival, GatewayStore, Taken } from '../../../contracts/gateway-store.ts';
import type { InboundMessage } from '../../../contracts/platform-adapter.ts';

/** Services bring the pictures of an album one by one: the next within this time of the last. */
const ALBUM_MS = 800;
const MAX_PARTS = 20;
/** After a start the rest of an album is still at the service: the link is waited for, at most so long. */
const MAX_WAIT_MS = 15_000;

export interface GatherAlbumDeps {
  readonly store: Pick<GatewayStore, 'arrivals'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether its account receives now; when left out, it does. */
  readonly isConnected?: (() => boolean) | undefined;
}
export interface GatheredMessage {
  readonly event: InboundMessage;
  /** Arrivals that became part of it. */
  readonly with: readonly string[];
}

/** A message with the rest of its album: those right behind it from the same sender. One that belongs to none is not held up. */
export async function gatherAlbum(
  taken: Taken,
  event: InboundMessage,
  { store, clock, signal, isConnected = () => true }: GatherAlbumDeps,
): Promise<GatheredMessage> {
  if (event.group === undefined || event.isEdit === true) return { event, with: [] };
  const look = async (): Promise<readonly Arrival[]> => {
    const waiting = await store.arrivals({ behind: taken, states: ['new'], limit: MAX_PARTS });
    return takeWhile(waiting, (row) => isPart(row, event));
  };
  for (let waited = 0; !isConnected() && waited < MAX_WAIT_MS; waited += ALBUM_MS) {
    await clock.sleep(ALBUM_MS, signal);
    signal.throwIfAborted();
  }
  let parts = await look();
  // Another came while we waited: there may be more, and the words may be with the last.
  for (let before = -1; parts.length > before && parts.length < MAX_PARTS;) {
    await clock.sleep(ALBUM_MS, signal);
    signal.throwIfAborted();
    [before, parts] = [parts.length, await look()];
  }
  const events = [event, ...parts.flatMap(({ event: part }) => (part.type === 'message' ? [part] : []))];
  const texts = events.map(({ text }) => text.trim()).filter((text) => text !== '');
  const foreign = events.flatMap((part) => part.foreign ?? []);
  return {
    event: {
      ...event,
      text: texts.join('\n\n'),
      media: events.flatMap(({ media }) => media),
      ...(foreign.length > 0 && { foreign }),
      isAddressed: events.some(({ isAddressed }) => isAddressed),
    },
    with: parts.map(({ id }) => id),
  };
}

const isPart = ({ event }: Arrival, first: InboundMessage): boolean =>
  event.type === 'message' && event.group === first.group && event.sender.id === first.sender.id && event.isEdit !== true;

function takeWhile<Value>(values: readonly Value[], isWanted: (value: Value) => boolean): readonly Value[] {
  const end = values.findIndex((value) => !isWanted(value));
  return end === -1 ? values : values.slice(0, end);
}
