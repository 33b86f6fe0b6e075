import { createParser } from 'eventsource-parser';
import { parseJson } from './json.ts';

export interface SseEvent {
  readonly event?: string;
  readonly data: string;
}
/** Text in, whole server-sent events out. */
export interface SseReader {
  /** Throws a `RangeError` once one event is larger than any answer. */
  feed(text: string): readonly SseEvent[];
  /** The stream ended well. Some servers leave out the last blank line, so what is left counts if it is whole. */
  end(): readonly SseEvent[];
}

// A single event beyond this is no answer of a model but a broken server.
const MAX_EVENT_MB = 32;

export function createSseReader(): SseReader {
  const events: SseEvent[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_MB * 1024 * 1024,
    onError: ({ type }) => void (isTooLarge ||= type === 'max-buffer-size-exceeded'),
    onEvent: ({ event, data }) => events.push(event === undefined ? { data } : { event, data }),
  });
  let isFirst = true;
  const feed = (chunk: string) => {
    const text = isFirst ? chunk.replace(/^\uFEFF/, '') : chunk;
    isFirst &&= chunk === '';
    parser.feed(text);
    if (isTooLarge) throw new RangeError(`one event of the stream is larger than ${MAX_EVENT_MB} MB`);
    return events.splice(0);
  };
  return { feed, end: () => feed('\n\n').filter(({ data }) => data === '[DONE]' || parseJson(data) !== undefined) };
}
