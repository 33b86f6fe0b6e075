import { resolveHome } from '../../base/home.ts';
import { lazy } from '../../base/lazy.ts';
import { forwardLines } from '../../base/notice-board.ts';
import type { HostOptions } from '../../contracts/host.ts';
import type { JobService } from '../../contracts/services/jobs.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { loadConfig } from '../config/config.ts';
import { createCronDeps, createHomeJobs } from '../cron/open.ts';
import { readHomeAccounts } from '../gateway/platforms.ts';

/** Jobs for commands. A host is opened when one of them is to be run here, and closed with the service. */
export async function openJobService(
  { processEnv, notice, registered }: ServiceOptions,
  store: SessionStore,
  register: HostOptions['register'],
): Promise<JobService & AsyncDisposable> {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const { settings } = await loadConfig(home.config, env, notice, registered);
  const safety = openSafety(home, notice);
  const readAccounts = () => readHomeAccounts(settings, env, { home, store, notice });
  const opened = new AsyncDisposableStack();
  const openRunner = lazy(async () => {
    const { openHost } = await import('../host/host.ts');
    const host = opened.use(await openHost({ env: processEnv, home, ...(register !== undefined && { register }) }));
    opened.use(forwardLines(host.notices, ({ text }) => notice(text)));
    const accounts = await readAccounts();
    return createCronDeps({ host, root: home.root, settings, env, registered, accounts: () => accounts, log: notice });
  });
  const jobs = createHomeJobs({ store, root: home.root, settings, readAccounts, registered, scan: safety.scan, openRunner });
  return { ...jobs, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
