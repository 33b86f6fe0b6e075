import { readStringAt } from '../../base/json.ts';
import type { AccountSettings, IdentifyResult } from '../../contracts/platform-adapter.ts';
import { TelegramClient } from './client.ts';
import { toEnd } from './connection.ts';
import { readSettings } from './settings.ts';

const ANSWER_MS = 10_000;

/** A question that takes nothing away from a gateway that runs: polls and webhooks stay as they are. */
export async function identifyBot(settings: AccountSettings, signal: AbortSignal): Promise<IdentifyResult> {
  using client = new TelegramClient(readSettings(settings, () => {}));
  const me = await client.call('getMe', {}, { signal, timeoutMs: ANSWER_MS });
  if (me.type === 'ok') return { type: 'known', name: `@${readStringAt(me.result, 'username') ?? ''}` };
  const { kind, why } = toEnd(me);
  return { type: kind === 'refused' ? 'refused' : 'unreached', why };
}
