import { systemClock } from '../../base/clock.ts';
import type { Env } from '../../base/env.ts';
import type { Home } from '../../base/home.ts';
import type { Registries } from '../../contracts/registries.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { openOutbound } from '../../parts/hooks/outbound/open-outbound.ts';
import { registerShellHooks } from '../../parts/hooks/shell/register-shell-hooks.ts';
import { openReach } from '../../parts/safety/urls/reach.ts';
import type { Settings } from '../config/config.ts';

export interface OwnerHooksDeps {
  readonly home: Home;
  readonly env: Env;
  readonly settings: Settings;
  readonly store: Pick<SessionStore, 'find' | 'fact' | 'learn'>;
  readonly notice: (words: string) => void;
}

/** Hangs up what the setting `hooks` names, commands and addresses, beside everything else that hangs there. */
export function openOwnerHooks(
  { hooks }: Pick<Registries, 'hooks'>,
  { home, env, settings, store, notice }: OwnerHooksDeps,
): AsyncDisposable {
  const table = settings.hooks;
  const closing = new AbortController();
  const autoAccept = settings.hooks_auto_accept;
  registerShellHooks(table, hooks, { root: home.root, store, notice, autoAccept, closed: closing.signal });
  const networkTo = (url: string) => openReach({ settings, home: home.root, owned: [url], env, notice });
  const outbound = openOutbound(table, hooks, { env, networkTo, notice, clock: systemClock, store });
  return {
    [Symbol.asyncDispose]: () => {
      closing.abort();
      return outbound[Symbol.asyncDispose]();
    },
  };
}
