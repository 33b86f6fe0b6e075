import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { abandonCopiedTurns } from '../../agent/abandon.ts';
import { UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { version } from '../../base/version.ts';
import type { BackupService } from '../../contracts/services/backups.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { skipPassed } from '../../faces/cron/skip-passed.ts';
import { writeBackup } from '../../parts/profiles/backup/backup.ts';
import { isEncryptedFile } from '../../parts/profiles/backup/cipher.ts';
import { restoreBackup, type RestoreDeps } from '../../parts/profiles/backup/restore.ts';
import { openHomeStore } from '../../parts/store/home-store.ts';
import { findHomeUser } from './home-users.ts';

export function createBackupService({ processEnv }: Pick<ServiceOptions, 'processEnv'>): BackupService {
  const { root } = resolveHome(processEnv);
  return {
    home: root,
    backup: (file, options) => writeBackup(root, file, options, { version, now: Date.now, copyStore }),
    isEncrypted: async (file) => existsSync(file) && isEncryptedFile(file),
    restore: (file, { home = root, ...options }) =>
      restoreBackup(file, home, options, { now: Date.now, findUser: findHomeUser, settleStore }),
  };
}

async function copyStore(root: string, to: string): Promise<number | undefined> {
  const home = resolveHome({ HERMES_HOME: root });
  if (!existsSync(home.store) && !existsSync(home.formerStore)) return undefined;
  await using store = await openHomeStore(home);
  await store.care.backup(to);
  return (await store.list()).length;
}

const settleStore: RestoreDeps['settleStore'] = async (path, { answerMissed }) => {
  await using store = await openHomeStore(resolveHome({ HERMES_HOME: dirname(path) }));
  const problems = await store.care.check();
  if (problems.length > 0) throw new UsageError(`the sessions in the backup are damaged: ${problems[0]} Nothing was restored.`);
  const turnsGivenUp = await abandonCopiedTurns(store);
  // Whoever had the store went on with its jobs.
  const { deliveries, processes } = await store.care.settleCopy({ keepCursors: answerMissed });
  return { turnsGivenUp, deliveriesMarked: deliveries, processesForgotten: processes, jobsSkipped: (await skipPassed(store.jobs)).length };
};
