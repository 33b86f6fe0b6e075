import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readErrorCode, toErrorMessage, UsageError } from '../base/errors.ts';

/** Writes a file that only its owner can read. `what` is said to the person when it cannot be. Gives its full path. */
export function writeNewFile(file: string, text: string, what: string): string {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    return resolve(file);
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') throw createFileExistsError(file);
    throw new UsageError(`${what} could not be written to ${file}: ${toErrorMessage(error)}. Name another file.`);
  }
}

/** Nothing that is there is written over: it may be the only copy of something else. */
export const createFileExistsError = (file: string): UsageError =>
  new UsageError(`${file} already exists and was left as it is. Name another file, or remove this one first.`);
