import type { ServerSentEvent } from '../../../../base/http-server/sse-body.ts';
import type { Run, RunEvent } from '../../../../contracts/run-store.ts';
import { createBadRequest } from '../http/errors.ts';
import type { RunNews } from '../runs/follow.ts';

/** A piece of an answer that streams, without its id. */
export interface AnswerFrame {
  readonly event?: string;
  readonly data: string;
}
/**
 * A format of such answers: what it begins with, and what each event of the run adds. The same events always give the same
 * frames, so that whoever lost the connection goes on where it was.
 */
export interface StreamFormat {
  readonly first: readonly AnswerFrame[];
  next(event: RunEvent): readonly AnswerFrame[];
}

/** Which frame was read last: the number of its event, and its place among the frames of that event. */
export interface FramePosition {
  readonly seq: number;
  readonly index: number;
}
export const FROM_START: FramePosition = { seq: -1, index: -1 };

const toId = ({ seq, index }: FramePosition): string => (index === 0 ? `${seq}` : `${seq}.${index}`);

/** What a client names as the id it read last. */
export function readPosition(id: string | undefined): FramePosition {
  if (id === undefined || id === '') return FROM_START;
  const [, seq, index] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(id) ?? [];
  if (seq === undefined) throw createBadRequest('invalid_event_id', 'The id of the last event is none of ours.');
  return { seq: Number(seq), index: Number(index ?? 0) };
}

export interface StreamPosition {
  readonly after: FramePosition;
  /** So many frames are left out at the beginning, for clients that count them. */
  readonly skip?: number;
}

/** The frames of a run behind a position, until it is over or the signal aborts. */
export async function* streamRun(
  run: Run,
  format: StreamFormat,
  { news, after, skip = 0, signal }: StreamPosition & { readonly news: RunNews; readonly signal: AbortSignal },
): AsyncGenerator<ServerSentEvent> {
  let count = 0;
  const pick = function* (seq: number, frames: readonly AnswerFrame[]): Generator<ServerSentEvent> {
    for (const [index, frame] of frames.entries())
      if (count++ >= skip && isAfter({ seq, index }, after)) yield { id: toId({ seq, index }), ...frame };
  };
  yield* pick(0, format.first);
  for await (const event of news.follow(run.id, 0, signal)) yield* pick(event.seq, format.next(event));
}

const isAfter = (one: FramePosition, other: FramePosition): boolean =>
  one.seq > other.seq || (one.seq === other.seq && one.index > other.index);
