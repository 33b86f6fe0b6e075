import { systemClock } from '../../base/clock.ts';
import { readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type { ConnectionEnd, Cursor, EventBatch, PlatformConnection, PlatformEvent } from '../../contracts/platform-adapter.ts';
import { CatchUpFailure, listMissed, SINCE, START } from './catch-up.ts';
import type { SlackClient } from './client.ts';
import { readEnvelope, toTs, type Heard } from './inbound.ts';
import type { SlackSocket } from './socket.ts';
import { translate, type TranslateDeps } from './translate.ts';

export interface SlackConnectionDeps extends TranslateDeps {
  readonly client: SlackClient;
  readonly socket: SlackSocket;
  /** What the socket brings, held until somebody asks. */
  readonly inbox: EnvelopeInbox;
  readonly cursors: readonly Cursor[];
  /** The time at Slack when the socket was opened. */
  readonly openedAt: number;
  /** Keys of what was committed, by this connection or one before. */
  readonly committed: CommittedKeys;
  readonly log: (words: string) => void;
}

const MAX_BATCH = 50;

export function createConnection(deps: SlackConnectionDeps): PlatformConnection {
  const { socket, installs, inbox } = deps;
  const over = new AbortController();
  const broken = Promise.withResolvers<ConnectionEnd>();
  const ended = Promise.race([socket.ended, broken.promise]).then((end) => {
    over.abort();
    inbox.close();
    return end;
  });
  const breakOff = async (end: ConnectionEnd) => {
    broken.resolve(end);
    await socket[Symbol.asyncDispose]();
  };
  const [install] = installs;
  return {
    account: { id: install?.userId ?? '', name: install?.name ?? '' },
    progress: socket.progress,
    ended,
    catchUp: () => catchUp(deps, over.signal, breakOff),
    events: () => events(deps, over.signal, breakOff),
    [Symbol.asyncDispose]: () => socket[Symbol.asyncDispose](),
  };
}

type BreakOffConnection = (end: ConnectionEnd) => Promise<void>;

async function* catchUp(deps: SlackConnectionDeps, signal: AbortSignal, breakOff: BreakOffConnection): AsyncGenerator<EventBatch, void> {
  const { client, cursors, installs, committed, openedAt, log, settings } = deps;
  const begin: Cursor = { scope: START, value: toTs(openedAt) };
  if (cursors.length === 0) yield [{ type: 'cursor', cursor: begin }];
  try {
    for (const install of installs)
      for await (const missed of listMissed(install, cursors.length === 0 ? [begin] : cursors, {
        client,
        clock: systemClock,
        signal,
        log,
        overlapMs: settings.overlapMs,
      }))
        for (let at = 0; at < missed.length; at += MAX_BATCH) {
          const heard = missed.slice(at, at + MAX_BATCH).filter(({ key }) => !committed.has(key));
          const batch = await translateAll(heard, deps, breakOff);
          if (batch === undefined || signal.aborted) return;
          if (batch.length > 0) yield batch;
          settle(
            heard.map(({ key }) => key),
            deps,
          );
        }
  } catch (error) {
    if (!(error instanceof CatchUpFailure)) throw error;
    const { failure, message } = error;
    const wait = failure.type === 'limited' ? { retryAfterMs: failure.retryAfterMs } : {};
    return await breakOff({ kind: failure.type === 'error' ? 'refused' : 'broken', why: message, ...wait });
  }
  yield [{ type: 'cursor', cursor: { scope: SINCE, value: toTs(openedAt) } }];
}

async function* events(deps: SlackConnectionDeps, signal: AbortSignal, breakOff: BreakOffConnection): AsyncGenerator<EventBatch, void> {
  const { inbox } = deps;
  for (let taken = await inbox.take(MAX_BATCH); taken.length > 0; taken = await inbox.take(MAX_BATCH)) {
    const batch = await translateAll(
      taken.map(({ heard }) => heard),
      deps,
      breakOff,
    );
    if (batch === undefined || signal.aborted) return;
    if (batch.length > 0) yield batch;
    settle(
      taken.map(({ heard }) => heard.key),
      deps,
    );
  }
}

/** The next batch was asked for: this one is committed, and Slack may forget it. */
function settle(keys: readonly string[], { committed, inbox, socket }: SlackConnectionDeps): void {
  committed.add(keys);
  for (const id of inbox.release(keys)) socket.acknowledge(id);
}

/** One after the other: whether a reply is for us may depend on the message before. Nothing when one of them is stuck. */
async function translateAll(
  heard: readonly Heard[],
  deps: SlackConnectionDeps,
  breakOff: BreakOffConnection,
): Promise<PlatformEvent[] | undefined> {
  const batch: PlatformEvent[] = [];
  for (const each of heard) {
    const event = await translate(each, deps);
    if (event === 'stuck') {
      await breakOff({ kind: 'broken', why: 'Slack could not be asked whether a reply is for us.' });
      return undefined;
    }
    if (event !== undefined) batch.push(event);
  }
  return batch;
}

/** Envelopes by what they bring: copies of one event are one, and are acknowledged together once it is committed. */
export interface EnvelopeInbox {
  /** `acknowledge` is for what needs no commit: it is committed already, or nothing for us. */
  put(envelope: Json, acknowledge: (id: string) => void): void;
  /** The next ones, as soon as there are any; none when it is closed. */
  take(limit: number): Promise<readonly HeldEnvelopes[]>;
  /** These are committed; gives the envelopes to acknowledge. */
  release(keys: readonly string[]): readonly string[];
  close(): void;
}
export interface HeldEnvelopes {
  readonly heard: Heard;
  readonly envelopes: string[];
}

export function createInbox(committed: CommittedKeys): EnvelopeInbox {
  const waiting = new Map<string, HeldEnvelopes>();
  const given = new Map<string, HeldEnvelopes>();
  let wake = Promise.withResolvers<void>();
  const state = { isClosed: false };
  return {
    put: (envelope, acknowledge) => {
      const id = readStringAt(envelope, 'envelope_id') ?? '';
      const heard = readEnvelope(envelope);
      if (heard === undefined || committed.has(heard.key)) return acknowledge(id);
      const held = waiting.get(heard.key) ?? given.get(heard.key);
      if (held === undefined) waiting.set(heard.key, { heard, envelopes: [id] });
      else held.envelopes.push(id);
      wake.resolve();
    },
    take: async (limit) => {
      while (!state.isClosed && waiting.size === 0) {
        wake = Promise.withResolvers();
        await wake.promise;
      }
      if (state.isClosed) return [];
      const taken = [...waiting].slice(0, limit);
      for (const [key, held] of taken) {
        waiting.delete(key);
        given.set(key, held);
      }
      return taken.map(([, held]) => held);
    },
    release: (keys) =>
      keys.flatMap((key) => {
        const held = given.get(key) ?? waiting.get(key);
        given.delete(key);
        waiting.delete(key);
        return held?.envelopes ?? [];
      }),
    close: () => {
      state.isClosed = true;
      wake.resolve();
    },
  };
}

export interface CommittedKeys {
  has(key: string): boolean;
  add(keys: readonly string[]): void;
}
/** The last ones; more than Slack sends again. */
const MAX_COMMITTED = 10_000;

export function createCommittedKeys(): CommittedKeys {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add: (added) => {
      for (const key of added) keys.add(key);
      for (const key of keys) {
        if (keys.size <= MAX_COMMITTED) return;
        keys.delete(key);
      }
    },
  };
}
