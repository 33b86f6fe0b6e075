/**
 * A process that runs the jobs of the home that the environment names, with its store on disk and a model over a socket. Its
 * jobs go by a clock that is as many milliseconds ahead as a file says. Says `ready` and runs until it is told to stop.
 */
import { readFileSync } from 'node:fs';
import { loadConfig } from '../../../../src/app/config/config.ts';
import { createCronDeps } from '../../../../src/app/cron/open.ts';
import { readHomeAccounts } from '../../../../src/app/gateway/platforms.ts';
import { openHost } from '../../../../src/app/open-host.ts';
import { snapshotRegistries } from '../../../../src/app/tools/registries.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { resolveHome } from '../../../../src/base/home.ts';
import { startTicker } from '../../../../src/faces/cron/ticker.ts';
import { openSqliteStore } from '../../../../src/parts/store/sqlite/store.ts';

const { env } = process;
const home = resolveHome(env);
const readClock = (): number => Date.now() + Number(readFileSync(env['CLOCK_FILE'] ?? '', 'utf8'));
const host = await openHost({ env, home });
const { settings } = await loadConfig(home.config, env, () => {});
const { jobs, changes } = await openSqliteStore({ path: home.store, now: readClock });
const accounts = await readHomeAccounts(settings, env);
const deps = createCronDeps({
  host: { openSession: host.openSession, store: { ...host.store, jobs, changes } },
  root: home.root,
  settings,
  env,
  registered: snapshotRegistries(host.registries),
  accounts: () => accounts,
  log: (words) => console.error(words),
});
// Looked for more often than a program does whose clock is nobody's to set.
const clock = { now: systemClock.now, sleep: (ms: number, signal: AbortSignal) => systemClock.sleep(Math.min(ms, 100), signal) };
const ticker = startTicker({ ...deps, clock, kind: 'test' });
process.once('SIGTERM', () => {
  void ticker[Symbol.asyncDispose]()
    .then(() => host[Symbol.asyncDispose]())
    .then(() => process.exit(0));
});
console.log('ready');
