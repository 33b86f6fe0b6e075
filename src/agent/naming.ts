import { endGenerator } from '../base/end-generator.ts';
import type { Clock } from '../base/clock.ts';
import type { CompleteText } from '../contracts/complete.ts';
import type { AgentEvent, Outcome } from '../contracts/event.ts';
import { joinNonForeignText } from '../contracts/message.ts';
import type { Session } from '../contracts/session-store.ts';
import type { TitleDeps } from './title.ts';

export interface NamingDeps {
  readonly store: TitleDeps['store'];
  readonly clock: Clock;
  /** The model that names sessions, as things stand; absent when none is to. */
  complete(): CompleteText | undefined;
}

/** How a session comes by a title: its first words, then a better one by a cheap model once the first answer stands. */
export interface SessionNaming extends AsyncDisposable {
  /** The events of a turn, as they are. */
  follow<Result extends Outcome | undefined>(events: AsyncGenerator<AgentEvent, Result>): AsyncGenerator<AgentEvent, Result>;
}

/** How long closing waits for a title that is on its way. Nobody else waits for it. */
const MAX_NAMING_MS = 5_000;

export function createSessionNaming({ store, clock, complete }: NamingDeps, session: Session): SessionNaming {
  const stop = new AbortController();
  let isNamed = session.title !== undefined;
  let naming: Promise<unknown> | undefined;

  async function nameBy(event: AgentEvent): Promise<void> {
    if (isNamed || event.type !== 'entry' || event.entry.type !== 'message' || event.entry.message.role !== 'user') return;
    const title = shortenTitle(joinNonForeignText(event.entry.message));
    if (title === '') return;
    isNamed = true;
    // A session without a title is no worse than that.
    await store.retitle(session.id, title, 'derived').catch(() => undefined);
  }
  function ask(): void {
    const model = naming === undefined ? complete() : undefined;
    if (model === undefined) return;
    const deps = { store, complete: model, clock };
    naming = import('./title.ts').then(({ giveTitle }) => giveTitle(deps, session, stop.signal)).catch(() => undefined);
  }
  return {
    async *follow(events) {
      try {
        for (;;) {
          const { value, done } = await events.next();
          if (done === true) {
            if (value?.type === 'answered') ask();
            return value;
          }
          await nameBy(value);
          yield value;
        }
      } finally {
        // A consumer that leaves early leaves the turn as well.
        await endGenerator(events);
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (naming !== undefined) await Promise.race([naming, clock.sleep(MAX_NAMING_MS, stop.signal)]);
      stop.abort('over');
    },
  };
}

const MAX_TITLE = 48;
/** The first of some words, as a title until somebody gives a better one. */
export const shortenTitle = (words: string): string => words.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE).trim().toWellFormed();
