import type { Clock } from '../../../base/clock.ts';
import type { Env } from '../../../base/env.ts';
import { toErrorMessage } from '../../../base/errors.ts';
import { randomHex } from '../../../base/ids.ts';
import type { Registry } from '../../../base/registry.ts';
import { waitAtMost, waitUnlessAborted } from '../../../base/waits.ts';
import type { HookRegistration } from '../../../contracts/hooks.ts';
import type { NetworkAccess } from '../../../contracts/reach.ts';
import { MAX_WAITING, openOutboundQueue, type OutboundFacts, type QueuedEvent } from './outbound-queue.ts';
import { postEvent } from './post-event.ts';
import { readOutbound, type OutboundHook } from './read-outbound.ts';

export interface OutboundDeps {
  readonly env: Env;
  /** The way to an address that the owner named. */
  readonly networkTo: (url: string) => Pick<NetworkAccess, 'fetch'>;
  readonly notice: (words: string) => void;
  readonly clock: Clock;
  /** Where events wait: what a process could not send, the next one does. */
  readonly store: OutboundFacts;
}

/** Waits between attempts; the last one again and again. */
const WAITS_MS = [1_000, 5_000, 30_000, 120_000] as const;
/** For so long an event is tried; then it is dropped, so that one nobody takes does not hold up the others for good. */
const KEEP_MS = 24 * 3_600_000;
/** More than one request takes. */
const HOLD_MS = 60_000;
const OTHERS_MS = 5_000;
/** How long the end of a program waits for a request that is on its way. What is not taken by then waits for the next start. */
const LEAVE_MS = 250;
const ENQUEUE_MS = 1_000;

/** Hangs the addresses of `hooks.outbound` up. Whoever is told only puts the event on a list: no turn waits for an address. */
export function openOutbound(
  table: Readonly<Record<string, unknown>>,
  registry: Pick<Registry<HookRegistration>, 'add'>,
  deps: OutboundDeps,
): AsyncDisposable {
  const lines: OutboundLine[] = [];
  for (const reading of readOutbound(table)) {
    const name = reading.ok ? reading.hook.name : reading.name;
    const secret = reading.ok ? (deps.env[reading.hook.secretEnv] ?? '') : '';
    if (!reading.ok) deps.notice(`hooks.${name} in config.yaml is not used: ${reading.why}. hermes hooks doctor shows what to do.`);
    else if (secret === '')
      deps.notice(
        `hooks.${name} in config.yaml is not used: ${reading.hook.secretEnv} is not set. Set it in .env; nothing is sent unsigned.`,
      );
    else {
      const line = openLine(reading.hook, secret, deps);
      lines.push(line);
      for (const event of reading.hook.events) registry.add(`hooks.${name}: ${event}`, toRegistration(event, name, line.push));
    }
  }
  return { [Symbol.asyncDispose]: async () => void (await Promise.all(lines.map((line) => line[Symbol.asyncDispose]()))) };
}

const toRegistration = (
  hook: OutboundHook['events'][number],
  name: string,
  push: (event: string, input: object) => Promise<void>,
): HookRegistration => ({ hook, owner: `hooks.${name}`, timeoutMs: ENQUEUE_MS, run: (input: object) => push(hook, input) });

interface OutboundLine extends AsyncDisposable {
  /** Settles when the event is kept. */
  push(event: string, input: object): Promise<void>;
}

/** One address: events go there one after the other, in their order, beginning with those that waited before. */
function openLine(hook: OutboundHook, secret: string, deps: OutboundDeps): OutboundLine {
  const { notice, clock, store } = deps;
  const queue = openOutboundQueue(`${hook.url} ${hook.secretEnv}`, store, clock);
  const [closing, stop] = [new AbortController(), new AbortController()];
  let putting = 0;
  let last: Promise<void> = Promise.resolve();
  const told = new Set<string>();
  const tellOnce = (kind: string, words: string): void => {
    if (!told.has(kind)) notice(`hooks.${hook.name}${words}`);
    told.add(kind);
  };
  const tellBroken = (error: unknown): void => {
    if (!stop.signal.aborted) tellOnce('broken', `: an event could not be kept or sent: ${toErrorMessage(error)}`);
  };
  const tellFull = (): void => tellOnce('full', ` is too slow: ${MAX_WAITING} events wait for it, and new ones are dropped.`);
  const wake = createSender(async () => {
    for (let next = await queue.first(); next !== undefined && !stop.signal.aborted; next = await queue.first()) {
      if (await queue.hold(HOLD_MS)) {
        if (!(await sendEvent(next))) return;
      } else {
        // Another process is at it. Should it end, somebody must go on.
        await clock.sleep(OTHERS_MS, closing.signal);
        if (closing.signal.aborted) return;
      }
    }
  }, tellBroken);
  /** `false`: what waits is left to the next start. */
  const sendEvent = async (queued: QueuedEvent): Promise<boolean> => {
    const drop = async (): Promise<true> => (await queue.drop(queued.id), true);
    for (let attempt = 0; ; attempt++) {
      const posting = postEvent({ url: hook.url, secret, ...queued }, deps.networkTo(hook.url), clock.now(), stop.signal);
      const verdict = await waitUnlessAborted(posting, stop.signal);
      if (verdict?.type === 'taken') return drop();
      if (verdict === undefined || stop.signal.aborted) return false;
      if (verdict.type === 'refused' || clock.now() - queued.at > KEEP_MS) {
        tellOnce(verdict.type, `: an event was not taken and is dropped: ${verdict.why}`);
        return drop();
      }
      if (attempt === WAITS_MS.length) tellOnce('waiting', ` takes no events: ${verdict.why}. They are kept, and tried again for a day.`);
      const wait = WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)] ?? 0;
      if (closing.signal.aborted) return false;
      if (!(await queue.hold(wait + HOLD_MS))) return true;
      await clock.sleep(wait, closing.signal);
      if (closing.signal.aborted) return false;
    }
  };
  wake.now();
  return {
    push: (event, input) => {
      if (putting >= MAX_WAITING) return Promise.resolve(tellFull());
      putting++;
      const queued = { id: `evt_${randomHex(12)}`, event, input, at: clock.now() };
      last = last
        .then(async () => ((await queue.put(queued)) ? wake.now() : tellFull()))
        .catch(tellBroken)
        .finally(() => putting--);
      return last;
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await last;
      await waitAtMost(wake.idle(), LEAVE_MS);
      stop.abort();
      await wake.idle();
      await queue.letGo().catch(() => undefined);
    },
  };
}

/** Runs one round of sending at a time; a call during a round means that there is another. */
function createSender(round: () => Promise<void>, onError: (error: unknown) => void): { now(): void; idle(): Promise<void> } {
  let running: Promise<void> | undefined;
  let isAsked = false;
  const run = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false;
      await round().catch(onError);
    }
    running = undefined;
  };
  return {
    now: () => {
      isAsked = true;
      running ??= run();
    },
    idle: async () => running,
  };
}
