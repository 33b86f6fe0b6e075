import { join } from 'node:path';
import { realPath } from './real-path.ts';
import { sha256 } from './sha256.ts';

/** Where a home keeps what belongs to taking over another one: reports, backups and files. Below the home. */
export const nameMigratedFolder = (source: string, folder: string): string =>
  join('migrated', `${source}-${sha256(realPath(folder) ?? folder).slice(0, 8)}`);
