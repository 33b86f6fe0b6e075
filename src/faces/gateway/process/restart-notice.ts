import { isObject, parseJson, readStringAt } from '../../../base/json.ts';
import type { ChatTarget, NewDelivery } from '../../../contracts/gateway-store.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';

type RestartStore = Pick<SessionStore, 'fact' | 'learn'>;
const KEY = 'gateway:restart';

/** Remembers which chat asked for a restart. */
export const noteRestart = async (store: RestartStore, from: ChatTarget, now: number): Promise<void> =>
  void (await store.learn(KEY, JSON.stringify({ ...from, at: now })));

/** Tells the chat that asked for the restart that it is over, once. */
export async function tellRestarted(
  store: RestartStore,
  deliver: (deliveries: readonly NewDelivery[]) => Promise<unknown>,
  words = 'I am back.',
): Promise<void> {
  const noted = parseJson((await store.fact(KEY)) ?? '');
  if (!isObject(noted)) return;
  const [platform, account, chatId] = ['platform', 'account', 'chatId'].map((key) => readStringAt(noted, key));
  const threadId = readStringAt(noted, 'threadId');
  if (platform !== undefined && account !== undefined && chatId !== undefined)
    await deliver([
      {
        key: `restarted:${JSON.stringify(noted['at'])}`,
        target: { platform, account, chatId, ...(threadId !== undefined && { threadId }) },
        content: { type: 'text', markdown: words },
      },
    ]);
  await store.learn(KEY, '');
}
