import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Why a test that needs these programs is skipped; `false` where all of them are there. */
export function lacks(...names: readonly string[]): string | false {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = names.find((name) => !folders.some((folder) => existsSync(join(folder, name))));
  return missing === undefined ? false : `there is no ${missing} here`;
}
