import { createParser } from 'eventsource-parser';
import { parseJson } from './json.ts';

export interface SseEvent {
  readonly event?: string;
  readonly data: string;
}
/** Text in, whole server-sent events out. */
export interface SseReader {
  feed(text: string): readonly SseEvent[];
  /** The stream ended well. Some servers leave out the last blank line, so what is left counts if it is whole. */
  end(): readonly SseEvent[];
}

// A single event beyond this is no answer of a model but a broken server.
const MAX_BUFFER = 64 * 1024 * 1024;

export function createSseReader(): SseReader {
  const events: SseEvent[] = [];
  const parser = createParser({
    maxBufferSize: MAX_BUFFER,
    onEvent: ({ event, data }) => events.push(event === undefined ? { data } : { event, data }),
  });
  const feed = (text: string) => {
    parser.feed(text);
    return events.splice(0);
  };
  return { feed, end: () => feed('\n\n').filter(({ data }) => data === '[DONE]' || parseJson(data) !== undefined) };
}
