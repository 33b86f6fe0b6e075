import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { abandonCopiedTurns } from '../../agent/abandon.ts';
import { UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { version } from '../../base/version.ts';
import type { BackupService } from '../../contracts/services/backups.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { skipPassed } from '../../faces/cron/skip-passed.ts';
import { findGateway } from '../../faces/gateway/process/claims.ts';
import { findApiServer } from '../../faces/serve/api/state-file.ts';
import { writeBackup } from '../../parts/profiles/backup/backup.ts';
import { isEncryptedFile } from '../../parts/profiles/backup/cipher.ts';
import { restoreBackup, type HomeUser, type RestoreDeps } from '../../parts/profiles/backup/restore.ts';
import { isStoreOpen } from '../../parts/store/is-store-open.ts';
import { findStore, openHomeStore } from '../../parts/store/home-store.ts';

export function createBackupService({ processEnv }: Pick<ServiceOptions, 'processEnv'>): BackupService {
  const { root } = resolveHome(processEnv);
  return {
    home: root,
    backup: (file, options) => writeBackup(root, file, options, { version, now: Date.now, copyStore }),
    isEncrypted: async (file) => existsSync(file) && isEncryptedFile(file),
    restore: (file, { home = root, ...options }) => restoreBackup(file, home, options, { now: Date.now, findUser, settleStore }),
  };
}

async function copyStore(root: string, to: string): Promise<number | undefined> {
  const home = resolveHome({ HERMES_HOME: root });
  if (!existsSync(home.store) && !existsSync(home.formerStore)) return undefined;
  await using store = await openHomeStore(home);
  await store.care.backup(to);
  return (await store.list()).length;
}

async function findUser(root: string): Promise<HomeUser | undefined> {
  const [gateway, server] = [findGateway(root), findApiServer(root)];
  if (gateway !== undefined) return { who: `the gateway (process ${gateway.pid})`, stop: 'hermes gateway stop' };
  if (server !== undefined) return { who: `hermes serve (process ${server.pid})`, stop: `kill ${server.pid}` };
  const store = await findStore(resolveHome({ HERMES_HOME: root }));
  return store !== undefined && isStoreOpen(store) ? OTHER_USER : undefined;
}

const OTHER_USER: HomeUser = { who: 'another hermes, such as an open chat or an editor,', stop: 'close it where it is open' };

const settleStore: RestoreDeps['settleStore'] = async (path, { answerMissed }) => {
  await using store = await openHomeStore(resolveHome({ HERMES_HOME: dirname(path) }));
  const problems = await store.care.check();
  if (problems.length > 0) throw new UsageError(`the sessions in the backup are damaged: ${problems[0]} Nothing was restored.`);
  const turnsGivenUp = await abandonCopiedTurns(store);
  // Whoever had the store went on with its jobs.
  const { deliveries, processes } = await store.care.settleCopy({ keepCursors: answerMissed });
  return { turnsGivenUp, deliveriesMarked: deliveries, processesForgotten: processes, jobsSkipped: (await skipPassed(store.jobs)).length };
};
