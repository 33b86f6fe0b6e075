import type { Clock } from '../../base/clock.ts';
import type { AgentEvent } from '../../contracts/event.ts';

/** How long a child may be silent. A tool may take longer than a model. */
export interface StallTimeouts {
  readonly idleMs: number;
  readonly inToolMs: number;
}

export interface StallWatch extends Disposable {
  saw(event: AgentEvent): void;
}

/** Tells once when nothing has been heard for too long. Every event is a sign of life. */
export function watchStall({ idleMs, inToolMs }: StallTimeouts, clock: Clock, tell: () => void): StallWatch {
  const running = new Set<string>();
  let heardAt = clock.now();
  const timer = setInterval(
    () => {
      if (clock.now() - heardAt < (running.size > 0 ? inToolMs : idleMs)) return;
      clearInterval(timer);
      tell();
    },
    Math.max(5, Math.min(idleMs, inToolMs, MAX_MS) / 4),
  );
  return {
    saw: (event) => {
      heardAt = clock.now();
      if (event.type === 'tool_started') running.add(event.call.id);
      if (event.type === 'tool_finished') running.delete(event.callId);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
/** Looking more seldom than this would tell too late. */
const MAX_MS = 20_000;
