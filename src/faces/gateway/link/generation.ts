import { toErrorMessage } from '../../../base/errors.ts';
import type { Json } from '../../../base/json-types.ts';
import type {
  ConnectionEnd,
  Cursor,
  EventBatch,
  PlatformAdapter,
  PlatformConnection,
  PlatformIdentity,
} from '../../../contracts/platform-adapter.ts';
import type { LinkClock, LinkTimes } from './contract.ts';
import { createHearing, type Hearing } from './hearing.ts';
import type { GenerationEnd } from './ladder.ts';
import { sleepNoticing, waitWithin, whenAborted } from './timers.ts';

export interface GenerationOptions {
  readonly adapter: PlatformAdapter;
  readonly resume: Json | undefined;
  readonly receive: (batch: EventBatch) => Promise<void>;
  readonly cursors: () => Promise<readonly Cursor[]>;
  readonly people: () => Promise<readonly string[]>;
  readonly clock: LinkClock;
  readonly times: LinkTimes;
  /** Aborts when the link is to stop, and when the adapter is gone. Its reason says which, in words. */
  readonly signal: AbortSignal;
  /** The service has answered: what was missed is fetched now. */
  readonly onConnected: (identity: PlatformIdentity, hearing: Hearing) => void;
  /** What was missed is committed. */
  readonly onLive: () => void;
  /** Somebody looks at the connection, as happens now and then. */
  readonly onLook: () => void;
  /** The connection is over, and about to be closed. */
  readonly onEnd: (end: ConnectionEnd) => void;
}
export interface GenerationResult extends GenerationEnd {
  /** It did not end when it was told to: only the end of its adapter does away with it. */
  readonly isStuck: boolean;
}

/** One connection, from the attempt to its end, however it ends. Never throws. */
export async function runGeneration(options: GenerationOptions): Promise<GenerationResult> {
  // Aborts the connection, and what is done with it.
  const [own, over] = [new AbortController(), new AbortController()];
  const connectStart = options.clock.steady();
  const opened = await openConnection(options, own);
  if (!('connection' in opened)) return opened;
  const { connection } = opened;
  const hearing = createHearing(connection, connectStart, options.clock);
  options.onConnected(connection.account, hearing);
  const end = await Promise.race([
    connection.ended,
    pump(connection, hearing, options, over.signal),
    watch(hearing, options, over.signal),
    stopped(options.signal),
  ]);
  over.abort();
  options.onEnd(end);
  const isClosed = await closeConnection(connection, own, options);
  // A commit that is under way belongs before whatever the next connection brings.
  await waitWithin(options.clock, hearing.committing(), options.times.close);
  // What can be resumed is known when the connection is closed.
  const left = await Promise.race([connection.ended, Promise.resolve(undefined)]);
  return { ...(left?.resume !== undefined && { resume: left.resume }), ...end, heldMs: hearing.heldMs(), isStuck: !isClosed };
}

const stopped = (signal: AbortSignal): Promise<ConnectionEnd> =>
  whenAborted(signal).then(() => ({ kind: 'broken', why: String(signal.reason) }));

type Connecting = Promise<{ readonly result: Awaited<ReturnType<PlatformAdapter['connect']>> } | { readonly error: unknown }>;

async function openConnection(
  { adapter, resume, cursors, people, clock, times, signal }: GenerationOptions,
  own: AbortController,
): Promise<GenerationResult | { readonly connection: PlatformConnection }> {
  const resuming = resume !== undefined && { resume };
  const broken = (why: string, isStuck: boolean): GenerationResult => ({ kind: 'broken', why, heldMs: 0, isStuck, ...resuming });
  const connecting: Connecting = Promise.try(async () =>
    adapter.connect({ cursors: await cursors(), people: await people(), signal: own.signal, ...resuming }),
  ).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  const given = (await waitWithin(clock, Promise.race([connecting, whenAborted(signal)]), times.connect))?.value;
  if (given === undefined) {
    own.abort();
    const isStuck = !(await discard(connecting, clock, times));
    return broken(signal.aborted ? String(signal.reason) : `Connecting took longer than ${times.connect / 1000} s.`, isStuck);
  }
  if ('error' in given) return broken(`Connecting failed: ${toErrorMessage(given.error)}`, false);
  const { result } = given;
  return result.type === 'connected' ? { connection: result.connection } : { ...result, heldMs: 0, isStuck: false };
}

/** Ends an attempt nobody waits for any more, with what came of it after all. Says whether it ended. */
async function discard(connecting: Connecting, clock: LinkClock, times: LinkTimes): Promise<boolean> {
  const closed = connecting.then(async (given) => {
    if ('result' in given && given.result.type === 'connected') await given.result.connection[Symbol.asyncDispose]();
  });
  return (await waitWithin(clock, Promise.allSettled([closed]), times.close)) !== undefined;
}

/** Asks for batches, one at a time, and commits each before the next. */
async function pump(
  connection: PlatformConnection,
  hearing: Hearing,
  { receive, onLive, clock, times }: GenerationOptions,
  signal: AbortSignal,
): Promise<ConnectionEnd> {
  const take = async (stream: AsyncIterable<EventBatch>): Promise<void> => {
    hearing.ask();
    for await (const batch of stream) {
      if (signal.aborted) return;
      await hearing.commit(() => receive(batch));
      hearing.ask();
    }
  };
  try {
    await take(connection.catchUp());
    hearing.goLive();
    if (!signal.aborted) onLive();
    await take(connection.events());
  } catch (error) {
    return { kind: 'broken', why: `Receiving failed: ${toErrorMessage(error)}` };
  }
  const end = await waitWithin(clock, connection.ended, times.close);
  return end?.value ?? { kind: 'broken', why: 'The connection ended without saying why.' };
}

/** Resolves with what is wrong when nothing is received any more, whatever else still works. */
async function watch(hearing: Hearing, { clock, times, onLook }: GenerationOptions, signal: AbortSignal): Promise<ConnectionEnd> {
  for (;;) {
    const late = await sleepNoticing(clock, times.look, signal);
    if (!signal.aborted) onLook();
    if (late > times.jump) return { kind: 'broken', why: 'The computer was asleep, or its clock was changed.' };
    if (hearing.stuckMs() > times.stuck) return { kind: 'broken', why: 'Messages that were missed could not be fetched.' };
    const limit = hearing.isFirstMissing() ? times.first : times.deaf;
    if (signal.aborted || hearing.waitedMs() > limit) return { kind: 'broken', why: `Nothing was received for ${limit / 1000} s.` };
  }
}

/** Closes it; says whether that worked. One that hangs is aborted. */
async function closeConnection(
  connection: PlatformConnection,
  own: AbortController,
  { clock, times }: GenerationOptions,
): Promise<boolean> {
  const closing = Promise.try(() => connection[Symbol.asyncDispose]()).then(
    () => true,
    () => false,
  );
  const closed = await waitWithin(clock, closing, times.close);
  own.abort();
  return closed?.value ?? (await waitWithin(clock, closing, times.close))?.value ?? false;
}
