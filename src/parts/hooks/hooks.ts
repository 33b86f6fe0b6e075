import { basename, join } from 'node:path';
import { toErrorMessage } from '../../base/errors.ts';
import { isObject, parseJson, readPath, readStringAt } from '../../base/json.ts';
import type { EmitGatewayHook } from '../../contracts/hooks.ts';
import { hears, readHooks, type Hook } from './hook-folder.ts';
import { runHandler } from './run-handler.ts';
import { judgeTrust, type TrustStore } from './entries/trust.ts';

export interface HooksDeps {
  /** The profile's folder. */
  readonly root: string;
  readonly store: TrustStore;
  readonly log: (words: string) => void;
  readonly timeoutMs?: number;
}
export interface FolderHooks extends AsyncDisposable {
  readonly emit: EmitGatewayHook;
  /** Settles when every event that was told so far has been handled. */
  idle(): Promise<void>;
}

/** Events that wait for slow handlers. Those beyond are dropped and told. */
const MAX_WAITING = 1_000;

/**
 * Runs the hooks of a home, one after the other: events in their order, and for each the hooks by the names of their folders.
 * Each is looked at anew every time, so that what was trusted or changed meanwhile counts at once.
 */
export function openHooks(deps: HooksDeps): FolderHooks {
  const stop = new AbortController();
  const told = new Set<string>();
  const tellOnce = (words: string): void => {
    if (!told.has(words)) deps.log(words);
    told.add(words);
  };
  const waiting: WaitingEvent[] = [];
  const work = async (): Promise<void> => {
    for (let [next] = waiting; next !== undefined && !stop.signal.aborted; [next] = waiting) {
      await runAll(next, deps, { tellOnce, signal: stop.signal }).catch((error: unknown) =>
        deps.log(`hooks for ${next.event} failed: ${toErrorMessage(error)}`),
      );
      // Those whose turn had not come have it at the next start.
      if (!stop.signal.aborted) waiting.shift();
    }
  };
  let last = takeLeft(deps.store)
    .then((left) => void waiting.unshift(...left))
    .then(work)
    .catch((error: unknown) => deps.log(`events of the last run were lost: ${toErrorMessage(error)}`));
  tellAll(deps, tellOnce).catch((error: unknown) => deps.log(`hooks could not be read: ${toErrorMessage(error)}`));
  return {
    emit: (event, payload) => {
      if (stop.signal.aborted) return;
      if (waiting.length >= MAX_WAITING)
        return tellOnce(`hooks are too slow: more than ${MAX_WAITING} events wait for them, and new ones are dropped`);
      waiting.push({ event, payload });
      last = last.then(work);
    },
    idle: () => last,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await last;
      if (waiting.length > 0) await deps.store.learn(LEFT, JSON.stringify(waiting));
    },
  };
}

/** An event whose handlers have not all run. */
interface WaitingEvent {
  readonly event: string;
  readonly payload: object;
  /** The folder of the last hook that was begun: it is not run a second time. */
  begun?: string;
}
/** Where events stand that a stop left over. */
const LEFT = 'hook-events';

/** Each is handed out once: taken from the store before its handlers run. */
async function takeLeft(store: TrustStore): Promise<readonly WaitingEvent[]> {
  const left = parseJson((await store.fact(LEFT)) ?? '');
  if (!Array.isArray(left)) return [];
  await store.learn(LEFT, undefined);
  return left.flatMap((row): WaitingEvent[] => {
    const [event, payload, begun] = [readStringAt(row, 'event'), readPath(row, 'payload'), readStringAt(row, 'begun')];
    return event === undefined || !isObject(payload) ? [] : [{ event, payload, ...(begun !== undefined && { begun }) }];
  });
}

interface RunningHooks {
  readonly tellOnce: (words: string) => void;
  readonly signal: AbortSignal;
}

async function runAll(waiting: WaitingEvent, { root, store, log, timeoutMs }: HooksDeps, running: RunningHooks): Promise<void> {
  const { event, payload, begun = '' } = waiting;
  const { tellOnce, signal } = running;
  for (const reading of readHooks(join(root, 'hooks'))) {
    if (signal.aborted) return;
    if (!reading.ok) tellOnce(describeRefusal(reading));
    else if (basename(reading.hook.path) > begun && hears(reading.hook, event) && (await isTrusted(reading.hook, store, tellOnce))) {
      if (signal.aborted) return;
      waiting.begun = basename(reading.hook.path);
      const { ok, why, output } = await runHandler(reading.hook, event, payload, {
        root,
        signal,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
      if (!ok) log(`hook ${reading.hook.name} failed on ${event}: ${why ?? ''}${output === '' ? '' : `: ${output.slice(-500)}`}`);
    }
  }
}

/** What does not run is told when the gateway starts, not only with its first event. */
async function tellAll({ root, store }: HooksDeps, tellOnce: (words: string) => void): Promise<void> {
  for (const reading of readHooks(join(root, 'hooks'))) {
    if (reading.ok) await isTrusted(reading.hook, store, tellOnce);
    else tellOnce(describeRefusal(reading));
  }
}

const describeRefusal = ({ name, why }: { readonly name: string; readonly why: string }): string => `hook ${name} does not run: ${why}`;

async function isTrusted(hook: Hook, store: TrustStore, tellOnce: (words: string) => void): Promise<boolean> {
  const { name, path, hash } = hook;
  const state = await judgeTrust(hook, store);
  if (state === 'trusted') return true;
  const why = state === 'changed' ? `its files changed since you trusted it (now ${hash.slice(0, 12)})` : 'you have not trusted it yet';
  tellOnce(`hook ${name} does not run: ${why}. Read ${path}, then type: hermes hooks trust ${name}`);
  return false;
}
