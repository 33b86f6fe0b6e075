import { waitAtMost } from '../waits.ts';

export interface ServerSentEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** An event as its bytes. */
export const formatEvent = ({ id, event, data }: ServerSentEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`;

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies that gather an answer before they pass it on leave this one alone.
  'x-accel-buffering': 'no',
} as const;

/** Events as a body, with a comment now and then where none comes: what stands between us and the client forgets quiet connections. */
export async function* streamEvents(events: AsyncIterable<ServerSentEvent>, quietMs: number): AsyncGenerator<string> {
  const source = events[Symbol.asyncIterator]();
  try {
    for (let next = source.next(); ; next = source.next()) {
      while (!(await waitAtMost(next, quietMs))) yield ': keep-alive\n\n';
      const { done, value } = await next;
      if (done === true) return;
      yield formatEvent(value);
    }
  } finally {
    await source.return?.();
  }
}
