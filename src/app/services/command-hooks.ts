import { toErrorMessage } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { lazy } from '../../base/lazy.ts';
import type { TellHooks } from '../../contracts/hooks.ts';
import type { Registries } from '../../contracts/registries.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { HookTelling } from '../../parts/hooks/tell-hooks.ts';

export interface CommandHooks extends AsyncDisposable {
  readonly tell: TellHooks;
}

/** Tells hooks what a command of the shell did, which has no host. Nothing is opened before there is something to tell, and somebody to tell it to. */
export function openCommandHooks(
  { processEnv, notice }: Pick<ServiceOptions, 'processEnv' | 'notice'>,
  registries: Registries,
  store: () => Promise<SessionStore>,
): CommandHooks {
  const opened = new AsyncDisposableStack();
  const open = lazy(async (): Promise<HookTelling | undefined> => {
    const [{ mergeEnvironment }, { collectHooks }, { openHookTelling }, { loadConfig }, { snapshotRegistries }] = await Promise.all([
      import('../../parts/config/environment.ts'),
      import('../../parts/hooks/collect.ts'),
      import('../../parts/hooks/tell-hooks.ts'),
      import('../config/config.ts'),
      import('../tools/registries.ts'),
    ]);
    const home = resolveHome(processEnv);
    const env = mergeEnvironment(home.env, processEnv);
    const { settings } = await loadConfig(home.config, env, () => {}, snapshotRegistries(registries));
    const isNamed = Object.keys(settings.hooks).length > 0;
    if (!isNamed && registries.hooks.names().length === 0) return undefined;
    const log = await store();
    if (isNamed) {
      const { openOwnerHooks } = await import('../host/owner-hooks.ts');
      opened.use(openOwnerHooks(registries, { home, env, settings, store: log, notice }));
    }
    return opened.use(openHookTelling({ store: log, hooks: () => collectHooks(registries.hooks.entries()), notice }));
  });
  const telling: Promise<void>[] = [];
  return {
    tell: (event) =>
      void telling.push(
        open().then(
          (hooks) => hooks?.tell(event),
          (error: unknown) => notice(`hooks were not told: ${toErrorMessage(error)}`),
        ),
      ),
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled(telling);
      await opened.disposeAsync();
    },
  };
}
