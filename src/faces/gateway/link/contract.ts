import { systemClock, type Clock } from '../../../base/clock.ts';
import type { AccountRef } from '../../../contracts/gateway-store.ts';
import type { Cursor, EventBatch, PlatformAdapter, PlatformIdentity } from '../../../contracts/platform-adapter.ts';

/**
 * The link to one account at one service. It connects, watches that something is received, and connects again for as long as
 * it is open; the adapter only moves messages.
 *
 * Promises:
 * - one connection at a time: the next is opened when the one before is closed, or its worker has been ended;
 * - a batch is committed (`receive`) before the next is asked for;
 * - a call never throws. What nobody can know is `unknown`; what surely did not happen is `not_sent`;
 * - `state` says `connected` only while something is being received;
 * - closing ends within four times `times.close`, whatever hangs.
 */
export interface PlatformLink extends SendingCalls, AsyncDisposable {
  state(): LinkState;
}
/** The half of an adapter that works without a connection. What a service does not have is answered here. */
export type SendingCalls = Required<Omit<PlatformAdapter, 'connect' | typeof Symbol.asyncDispose>>;

export interface PlatformLinkOptions {
  readonly account: AccountRef;
  /** Starts an adapter, in a worker of its own. Called again whenever the one before is gone. */
  readonly openAdapter: () => Promise<AdapterHandle>;
  /** Commits a batch. When it throws, the connection is closed and the batch comes again. */
  readonly receive: (batch: EventBatch) => Promise<void>;
  readonly cursors: () => Promise<readonly Cursor[]>;
  /** Who may write in private. */
  readonly people?: () => Promise<readonly string[]>;
  readonly log: (words: string) => void;
  /** Called after every change of `state().type`; late by `times.look` where time alone changed it. */
  readonly onChange?: (state: LinkState) => void;
  readonly clock?: LinkClock;
  readonly times?: LinkTimes;
  /** Spreads the waits; from 0 to 1. */
  readonly random?: () => number;
}

/** An adapter and the means to end it from outside. */
export interface AdapterHandle {
  readonly adapter: PlatformAdapter;
  /** Resolves with the reason when it is gone: it died, stopped answering or was terminated. Never rejects. */
  readonly failed: Promise<string>;
  /** Ends it, whatever it does. Leaves no socket. */
  terminate(): Promise<void>;
}

/** A clock that people can set, and a steady one (`performance.now()`) that only goes on. */
export interface LinkClock extends Clock {
  steady(): number;
}
export const systemLinkClock: LinkClock = { ...systemClock, steady: () => performance.now() };

/** All times of a link, in milliseconds, so that a test can scale them together. */
export interface LinkTimes {
  /** To start an adapter, or to connect. */
  readonly connect: number;
  /** From a connection to the first thing that is received by it. */
  readonly first: number;
  /** Without anything received, after which a connection counts as deaf. */
  readonly deaf: number;
  /**
   * Without a batch while what was missed is fetched, although frames arrive. Long: with many quiet chats and a rate limit that
   * is rightly slow, and each of an adapter's calls ends by itself.
   */
  readonly stuck: number;
  /** Between two looks at a connection. */
  readonly look: number;
  /** So much later than it should a timer fires after the computer slept or its clock was set. */
  readonly jump: number;
  /** For a connection or an adapter to close, and for a call to end once it is aborted. */
  readonly close: number;
  /** A connection that received for so long begins the waits anew. */
  readonly held: number;
  /** From one attempt to connect to the next, in order; the last one repeats. */
  readonly waits: readonly number[];
  /** The same while another program uses the credential, where the adapter does not say how long. */
  readonly busyWaits: readonly number[];
}
/** From deaf to connected in less than 180 s: 95 to notice it, 10 to close, 1 to wait; 35 and 30 more if the next attempt hangs. */
export const LINK_TIMES: LinkTimes = {
  connect: 30_000,
  first: 15_000,
  deaf: 90_000,
  stuck: 600_000,
  look: 5_000,
  jump: 30_000,
  close: 5_000,
  held: 60_000,
  waits: [1_000, 2_000, 5_000, 10_000, 30_000, 60_000],
  busyWaits: [30_000, 60_000, 120_000],
};

export type LinkPhase =
  | { readonly type: 'connecting'; readonly why?: string }
  | { readonly type: 'connected' }
  /** It connects again at that time, by the clock on the wall. */
  | { readonly type: 'waiting'; readonly until: number; readonly why: string }
  /** Another program uses the credential. */
  | { readonly type: 'busy'; readonly until: number; readonly why: string }
  /** The service does not take these settings. It is not tried again; another link with other settings is. */
  | { readonly type: 'refused'; readonly why: string }
  | { readonly type: 'stopped' };
/** Plain data. */
export type LinkState = LinkPhase & {
  /** Which connection it is, counted from 1. */
  readonly generation: number;
  /** How often a connection was made after the first one. */
  readonly reconnects: number;
  /** How often an adapter was started. */
  readonly starts: number;
  /** Who we are there, once that is known. */
  readonly identity?: PlatformIdentity;
  /** Since something was received by this connection. */
  readonly msSinceProgress?: number;
};
