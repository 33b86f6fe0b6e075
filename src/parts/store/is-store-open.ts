import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite/database/errors.ts';

/** Long enough for a command that is about to end. */
const LOCK_WAIT_MS = 500;

/**
 * Whether somebody on this machine has a store open, also who does nothing with it at the moment: nobody else gets the lock that
 * keeps all others out. A file that is damaged is nobody's.
 */
export function isStoreOpen(path: string): boolean {
  try {
    const database = new DatabaseSync(path, { timeout: LOCK_WAIT_MS });
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT');
      return false;
    } finally {
      database.close();
    }
  } catch (error) {
    return isBusy(error);
  }
}
