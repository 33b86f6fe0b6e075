import { systemClock } from '../../base/clock.ts';
import { UsageError } from '../../base/errors.ts';
import { randomHex } from '../../base/ids.ts';
import { resolveHome } from '../../base/home.ts';
import type { SendService, SendTarget } from '../../contracts/services/sends.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { openAccountBook } from '../../faces/gateway/accounts/account-book.ts';
import { readDirectory } from '../../faces/gateway/send/directory.ts';
import { findGateway } from '../../faces/gateway/process/claims.ts';
import { findTarget, sendToChat, type SendsDeps } from '../../faces/gateway/send/sends.ts';
import { formatTarget, type DirectoryChat } from '../../faces/gateway/addresses/targets.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { loadConfig } from '../config/config.ts';
import { readHomeAccounts } from '../gateway/platforms.ts';

export async function createSendService({ processEnv, notice, registered }: ServiceOptions, store: SessionStore): Promise<SendService> {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const { settings } = await loadConfig(home.config, env, notice, registered);
  const accounts = (await openAccountBook(await readHomeAccounts(settings, env, { home, store, notice }), store.gateway)).all();
  const deps: SendsDeps = { store, accounts, root: home.root, clock: systemClock };
  return {
    list: async () => (await readDirectory(deps)).map(toLine),
    send: async (wanted, text, signal) => {
      const found = await findTarget(wanted, deps);
      if (!found.ok) throw new UsageError(found.why);
      const running = findGateway(home.root) !== undefined;
      const key = `script:${Date.now().toString(36)}:${randomHex(12)}`;
      const outgoing = { key, text, from: 'script' as const, foreign: true };
      const sent = await sendToChat(found.chat, outgoing, deps, { signal, ...(!running && { ms: 0 }) });
      const [planned] = await store.gateway.deliveries({ key, limit: 1 });
      const line = { target: formatTarget(found.chat.target), delivery: planned?.id ?? '', running };
      if (sent === undefined) return { ok: true, state: 'queued', ...line };
      return sent.state === 'sent'
        ? { ok: true, state: 'sent', ...line }
        : { ok: false, state: 'failed', ...line, why: sent.why ?? sent.state };
    },
  };
}

const toLine = ({ target, name, type, isHome }: DirectoryChat): SendTarget => ({
  target: formatTarget(target),
  ...(name !== undefined && { name }),
  ...(type !== undefined && { type }),
  account: target.account,
  home: isHome === true,
});
