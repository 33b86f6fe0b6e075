import { toErrorMessage } from '../../base/errors.ts';
import { runWithTimeout } from '../../base/waits.ts';
import type { ObserveCommit } from '../../contracts/commits.ts';
import type { HookEvent, Hooks, ObserveHookName, RegisteredHook, TellHooks } from '../../contracts/hooks.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { createHookFold, type EarlierLog } from './fold-commits.ts';

export interface HookTelling extends AsyncDisposable {
  /** Looks on at commits; those who hear of them are told later. */
  readonly observe: ObserveCommit;
  /** Puts something on the list that no commit tells of. */
  readonly tell: TellHooks;
  /** Settles when everything that was told so far has been heard. */
  idle(): Promise<void>;
}
export interface HookTellingDeps {
  readonly store: Pick<SessionStore, 'find'> & EarlierLog;
  /** As they are at the moment. */
  readonly hooks: () => Hooks | undefined;
  readonly notice: (words: string) => void;
  /** Takes secrets out of what no commit tells of; commits have none. */
  readonly redact?: <Value>(value: Value) => Value;
}

/** What may wait for slow hooks. Deltas of a stream give way first. */
const MAX_WAITING = 1_000;
const MAX_DELTAS = 200;
/** How long the end of a program waits for those who are still being told. */
const DRAIN_MS = 2_000;

/**
 * Tells those who look on, one event after the other and outside every turn. What one throws or overruns is told once and
 * changes nothing.
 */
export function openHookTelling({ store, hooks, notice, redact = (value) => value }: HookTellingDeps): HookTelling {
  const fold = createHookFold(store);
  const troubles = new Set<string>();
  const complain = (owner: string, words: string): void => {
    if (!troubles.has(owner)) notice(words);
    troubles.add(owner);
  };
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  const enqueue = (work: () => Promise<void>): void => {
    waiting++;
    last = last
      .then(work)
      .catch((error: unknown) => complain('', `hooks were not told: ${toErrorMessage(error)}`))
      .finally(() => waiting--);
  };
  const tell = async (event: HookEvent): Promise<void> => {
    await Promise.all((hooks()?.of(event.name) ?? []).map((hook) => tellOne(hook, event, complain)));
  };
  return {
    observe: (commit) => {
      if (hooks() === undefined) return;
      if (waiting >= MAX_WAITING)
        return complain('slow', `hooks are too slow: more than ${MAX_WAITING} events wait for them, and new ones are dropped.`);
      enqueue(async () => {
        const [session] = await store.find(commit.sessionId);
        if (session?.id === commit.sessionId) for (const event of await fold(commit, session)) await tell(event);
      });
    },
    tell: (event) => {
      const most = event.name === 'on_stream_delta' ? MAX_DELTAS : MAX_WAITING;
      if (waiting < most && (hooks()?.of(event.name).length ?? 0) > 0) enqueue(() => tell(redact(event)));
    },
    idle: () => last,
    [Symbol.asyncDispose]: async () => {
      await runWithTimeout(() => last, DRAIN_MS, new Error('hooks did not end in time')).catch((error: unknown) =>
        notice(toErrorMessage(error)),
      );
    },
  };
}

async function tellOne<Name extends ObserveHookName>(
  hook: RegisteredHook<Name>,
  { name, input }: HookEvent,
  complain: (owner: string, words: string) => void,
): Promise<void> {
  const { owner, timeoutMs } = hook;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the event's own name chose the hook
    const run = hook.run as (seen: unknown) => unknown;
    await runWithTimeout(async () => run(structuredClone(input)), timeoutMs, new Error(`no end within ${timeoutMs / 1_000} s`));
  } catch (error) {
    complain(owner, `${owner} failed on ${name}, which changes nothing: ${toErrorMessage(error)}`);
  }
}
