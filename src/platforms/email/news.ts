import { setTimeout as sleep } from 'node:timers/promises';
import type { ImapLine } from './imap-line.ts';
import type { EmailSettings } from './settings.ts';

/** Waits until there may be new mail. */
export interface MailNews {
  wait(signal: AbortSignal): Promise<void>;
}

/**
 * The server tells of new mail by itself where it can (IDLE), at any time. In any case it is asked after a while: the answer shows
 * that it is there, and the next IDLE begins before the server would end the last one.
 */
export function watchNews(line: ImapLine, { idleMs, pollMs }: EmailSettings): MailNews {
  const { client } = line;
  const state = { isTold: false, wake: () => {} };
  client.on('exists', () => {
    line.hear();
    state.isTold = true;
    state.wake();
  });
  return {
    wait: async (signal) => {
      const canTell = client.capabilities.has('IDLE');
      const ms = canTell ? idleMs : pollMs;
      const done = new AbortController();
      const told = new Promise<void>((resolve) => (state.wake = resolve));
      if (state.isTold) state.wake();
      if (canTell) void client.idle().catch(() => undefined);
      const rest = sleep(ms, undefined, { signal: AbortSignal.any([signal, done.signal]) }).catch(() => undefined);
      await line.wait(() => Promise.race([told, rest]), 2 * ms + 1_000).finally(() => done.abort());
      // Whatever is told from here on may come too late for the next look.
      state.isTold = false;
      // Also what ends an IDLE.
      if (!signal.aborted) await line.call(() => client.noop());
    },
  };
}
