import { systemClock } from '../../base/clock.ts';
import { readNumberAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type { ConnectionEnd } from '../../contracts/platform-adapter.ts';
import type { TelegramClient } from './client.ts';
import { UPDATE_KINDS } from './events.ts';
import { toEnd, type ReceiveLoop } from './connection.ts';
import type { TelegramSettings } from './settings.ts';

/** An empty answer that came sooner than this was no long poll: the server does not hold them. */
const HELD_MS = 100;
const UNHELD_PAUSE_MS = 250;

/**
 * Long polls, one after another; the first is not held, so that it is soon known whether polls are answered at all. An offset
 * goes out only in the poll that follows a commit. Telegram remembers it from then on: numbers may begin anew below an old one,
 * which would forget what was never seen.
 */
export async function poll(
  client: TelegramClient,
  { pollSeconds, graceSeconds }: Pick<TelegramSettings, 'pollSeconds' | 'graceSeconds'>,
  { signal, received, hand }: ReceiveLoop,
): Promise<ConnectionEnd | undefined> {
  let offset: number | undefined;
  for (let timeout = 0; !signal.aborted; timeout = pollSeconds) {
    const asked = performance.now();
    const params = { timeout, allowed_updates: UPDATE_KINDS, ...(offset !== undefined && { offset }) };
    const answer = await client.call('getUpdates', params, { signal, timeoutMs: (timeout + graceSeconds) * 1000 });
    if (answer.type !== 'ok') return toEnd(answer);
    received();
    const updates: readonly Json[] = Array.isArray(answer.result) ? answer.result : [];
    if (updates.length > 0 && !(await hand(updates))) return undefined;
    const isHeld = timeout === 0 || updates.length > 0 || performance.now() - asked >= HELD_MS;
    if (!isHeld) await systemClock.sleep(UNHELD_PAUSE_MS, signal);
    offset = updates.length === 0 ? undefined : Math.max(...updates.map((update) => readNumberAt(update, 'update_id') ?? 0)) + 1;
  }
  return undefined;
}
