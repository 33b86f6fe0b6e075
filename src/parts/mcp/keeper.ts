import type { Clock } from '../../base/clock.ts';
import { waitUnlessAborted } from '../../base/waits.ts';
import type { McpConnection } from './connection.ts';
import { McpConnectError } from './failures.ts';

/** Keeps one connection standing: made when it is first asked for, made anew when it was lost. */
export interface ConnectionKeeper extends AsyncDisposable {
  /** A connection that stands, with as many attempts as the bounds allow. Throws a `McpConnectError`. */
  up(signal: AbortSignal): Promise<McpConnection>;
  /** It answered: whatever failed before is forgiven. */
  proved(): void;
  /** It is of no use any more; the next who asks gets another. */
  drop(connection: McpConnection): Promise<void>;
  /** What is known of the server's last run. */
  story(): string;
  /** What the server that was last connected said of how to use it. */
  instructions(): string;
}
export interface KeeperOptions {
  connect(signal: AbortSignal): Promise<McpConnection>;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Attempts for one call, and the pause before each that follows a failure: doubling, by chance, with a ceiling. */
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

export const computePause = (strikes: number, random: () => number): number =>
  strikes === 0 ? 0 : Math.round(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (strikes - 1)) * (0.5 + random() / 2));

interface ConnectionState {
  now: McpConnection | undefined;
  coming: Promise<McpConnection> | undefined;
  /** Failures since something was last answered. */
  strikes: number;
  story: string;
  instructions: string;
}

export function keepConnection(options: KeeperOptions): ConnectionKeeper {
  const closing = new AbortController();
  const standing: ConnectionState = { now: undefined, coming: undefined, strikes: 0, story: '', instructions: '' };
  return {
    up: async (signal) => {
      if (standing.now !== undefined) return standing.now;
      standing.coming ??= attempt(options, standing, closing.signal).finally(() => (standing.coming = undefined));
      // The attempt goes on for whoever asks next; this one no longer waits.
      const come = await waitUnlessAborted(standing.coming, signal);
      if (come === undefined) throw new McpConnectError('the call was stopped while it was being reached', true, signal.reason);
      return come;
    },
    proved: () => {
      standing.strikes = 0;
    },
    drop: async (connection) => {
      forget(connection, standing);
      await connection.close().catch(() => {});
    },
    story: () => standing.now?.story() ?? standing.story,
    instructions: () => standing.instructions,
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      const last = standing.now ?? (await standing.coming?.catch(() => undefined));
      await last?.close().catch(() => {});
    },
  };
}

async function attempt({ connect, clock, random }: KeeperOptions, standing: ConnectionState, closing: AbortSignal): Promise<McpConnection> {
  for (let left = ATTEMPTS; ; left--) {
    await clock.sleep(computePause(standing.strikes, random), closing);
    if (closing.aborted) throw new McpConnectError('the session is over', true, undefined);
    // Until something was answered a connection has proved nothing: one that dies before makes the next attempt wait too.
    standing.strikes += 1;
    try {
      return adopt(await connect(closing), standing);
    } catch (error) {
      if (left <= 1 || (error instanceof McpConnectError && error.final)) throw error;
    }
  }
}

function adopt(connection: McpConnection, standing: ConnectionState): McpConnection {
  standing.now = connection;
  standing.instructions = connection.instructions;
  void connection.ended.then(() => forget(connection, standing));
  return connection;
}

function forget(connection: McpConnection, standing: ConnectionState): void {
  standing.story = connection.story();
  if (standing.now === connection) standing.now = undefined;
}
