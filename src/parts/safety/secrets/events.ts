import { endGenerator } from '../../../base/end-generator.ts';
import type { AgentEvent } from '../../../contracts/event.ts';
import type { Secrets } from '../../../contracts/secrets.ts';

type DeltaEvent = Extract<AgentEvent, { type: 'text_delta' | 'thinking_delta' }>;

/** Events after which the words of a message do not go on. */
const ENDINGS: ReadonlySet<AgentEvent['type']> = new Set(['sampled', 'recovering', 'settled']);

/** What a turn tells, without secrets: words that come in pieces too, and how it ended. */
export async function* redactEvents<Result>(
  events: AsyncGenerator<AgentEvent, Result>,
  secrets: Secrets,
): AsyncGenerator<AgentEvent, Result> {
  const words = { text_delta: secrets.stream(), thinking_delta: secrets.stream() };
  const rest = (): DeltaEvent[] => [
    { type: 'thinking_delta', delta: words.thinking_delta.end() },
    { type: 'text_delta', delta: words.text_delta.end() },
  ];
  try {
    for (;;) {
      const { value, done } = await events.next();
      if (done === true) return secrets.redactAll(value);
      if (value.type === 'text_delta' || value.type === 'thinking_delta') {
        yield* dropEmptyDeltas([{ ...value, delta: words[value.type].push(value.delta) }]);
        continue;
      }
      if (ENDINGS.has(value.type)) yield* dropEmptyDeltas(rest());
      yield secrets.redactAll(value);
    }
  } finally {
    // A consumer that leaves early leaves the turn as well.
    await endGenerator(events);
  }
}

/** Words that are held back are no event. */
const dropEmptyDeltas = (deltas: readonly DeltaEvent[]): DeltaEvent[] => deltas.filter(({ delta }) => delta !== '');
