import { systemClock } from '../../base/clock.ts';
import { readNumberAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type { ApiFailure, TelegramClient } from './client.ts';
import { UPDATE_KINDS } from './events.ts';
import type { ReceiveLoop } from './connection.ts';
import type { TelegramSettings } from './settings.ts';

/** An empty answer that came sooner than this was no long poll: the server does not hold them. */
const HELD_MS = 100;
const UNHELD_PAUSE_MS = 250;

/**
 * Long polls, one after another. An offset goes out only in the poll that follows a commit. Telegram remembers it from then on:
 * numbers may begin anew below an old one, which would forget what was never seen.
 */
export async function poll(
  client: TelegramClient,
  { pollSeconds, graceSeconds }: Pick<TelegramSettings, 'pollSeconds' | 'graceSeconds'>,
  loop: ReceiveLoop,
): Promise<ApiFailure | undefined> {
  const { signal } = loop;
  const timeoutMs = (pollSeconds + graceSeconds) * 1000;
  let offset: number | undefined;
  while (!signal.aborted) {
    const asked = performance.now();
    const params = { timeout: pollSeconds, allowed_updates: UPDATE_KINDS, ...(offset !== undefined && { offset }) };
    const answer = await client.call('getUpdates', params, { signal, timeoutMs });
    if (answer.type !== 'ok') return answer;
    loop.received();
    offset = undefined;
    const updates: readonly Json[] = Array.isArray(answer.result) ? answer.result : [];
    if (updates.length === 0 && performance.now() - asked < HELD_MS) await systemClock.sleep(UNHELD_PAUSE_MS, signal);
    if (updates.length > 0 && !(await loop.hand(updates))) return undefined;
    offset = updates.reduce<number | undefined>(
      (last, update) => Math.max(last ?? 0, (readNumberAt(update, 'update_id') ?? 0) + 1),
      undefined,
    );
  }
  return undefined;
}
