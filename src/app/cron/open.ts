import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import type { Env } from '../../base/env.ts';
import type { Host, SessionOptions } from '../../contracts/host.ts';
import type { JobService } from '../../contracts/services/jobs.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { ScanText } from '../../contracts/scan.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { CronDeps } from '../../faces/cron/contract.ts';
import { createJobService } from '../../faces/cron/job-service.ts';
import type { GatewayAccount } from '../../faces/gateway/accounts/account.ts';
import { formatTarget } from '../../faces/gateway/addresses/targets.ts';
import { readTimeZone } from '../../faces/gateway/accounts/time-zone.ts';
import { findTarget, FOR_MODELS } from '../../faces/gateway/send/sends.ts';
import { openBlobs } from '../../parts/store/blobs.ts';
import type { Settings } from '../config/config.ts';
import { createJobKeys, createToolsetCheck } from './job-keys.ts';
import { createResultChats, findHome } from './result-chats.ts';

/** Where the owner reads clocks: as the settings say, else as this machine does. */
export const findZone = (settings: Settings): string => readTimeZone(settings).zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface HomeCronDeps {
  readonly host: Pick<Host, 'openSession' | 'store'>;
  readonly root: string;
  readonly settings: Settings;
  readonly env: Env;
  readonly registered: RegistrySnapshot;
  /** Those of the settings as they are now. */
  readonly accounts: () => readonly GatewayAccount[];
  readonly log: (words: string) => void;
  readonly session?: Partial<SessionOptions>;
}

/** What running the jobs of a home stands on. */
export const createCronDeps = ({ host, root, settings, env, registered, accounts, log, session }: HomeCronDeps): CronDeps => ({
  host,
  root,
  settings,
  zone: findZone(settings),
  clock: systemClock,
  log,
  chats: createResultChats({ store: host.store, accounts, root, blobs: openBlobs(join(root, 'blobs')) }),
  findKey: createJobKeys({ store: host.store, root, settings, env, registered }),
  ...(session !== undefined && { session }),
});

export interface HomeJobsDeps {
  readonly store: SessionStore;
  readonly root: string;
  readonly settings: Settings;
  /** Those that are set up, whether or not a gateway runs. */
  readonly readAccounts: () => Promise<readonly GatewayAccount[]>;
  readonly registered: RegistrySnapshot;
  readonly scan: () => Promise<ScanText>;
  readonly openRunner: () => Promise<CronDeps>;
}

/** Jobs of a home, for commands, the tool and the API. */
export function createHomeJobs({ store, root, settings, readAccounts, registered, scan, openRunner }: HomeJobsDeps): JobService {
  return createJobService({
    store,
    root,
    zone: findZone(settings),
    openRunner,
    checkTarget: async (wanted, by) => {
      const found = await findTarget(wanted, { store, accounts: await readAccounts(), root }, by === 'model' ? FOR_MODELS : {});
      return found.ok ? undefined : found.why;
    },
    findHome: async () => {
      const home = findHome((await readAccounts()).filter(({ enabled }) => enabled));
      return home && formatTarget(home);
    },
    checkToolsets: createToolsetCheck(settings, registered),
    checkPrompt: async (text) => {
      const [finding] = (await scan())(text, 'memory');
      return finding === undefined
        ? undefined
        : `line ${finding.line} looks like ${finding.threat.replaceAll('_', ' ')}: ${finding.excerpt}`;
    },
  });
}
