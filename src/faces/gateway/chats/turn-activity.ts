import type { AgentEvent } from '../../../contracts/event.ts';

/** Whether the turns of a conversation work, or only wait for a person. */
export interface TurnActivity {
  readonly isWaiting: boolean;
  event(event: AgentEvent): void;
  /** A person is asked until this is disposed. */
  ask(): Disposable;
  /** Settles when `isWaiting` may have changed. */
  changed(): Promise<void>;
}

/** A call that runs beside the question is work: only when every open call waits does the turn wait. */
export function createTurnActivity(): TurnActivity {
  const open = new Set<string>();
  // Calls that wait for consent before they run, by their questions.
  const consents = new Map<string, string>();
  let asked = 0;
  let change = Promise.withResolvers<void>();
  const tell = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const isWaiting = (): boolean => {
    const running = [...open].filter((id) => ![...consents.values()].includes(id)).length;
    return asked > 0 && running <= asked - Math.min(consents.size, 1);
  };
  return {
    get isWaiting() {
      return isWaiting();
    },
    event: (event) => {
      if (event.type === 'tool_started') open.add(event.call.id);
      else if (event.type === 'tool_finished') open.delete(event.callId);
      else if (event.type === 'asking') consents.set(event.question.id, event.question.callId);
      else if (event.type === 'asked') consents.delete(event.questionId);
      else if (event.type === 'settled') {
        open.clear();
        consents.clear();
      } else return;
      tell();
    },
    ask: () => {
      asked++;
      tell();
      return { [Symbol.dispose]: () => (asked--, tell()) };
    },
    changed: () => change.promise,
  };
}
