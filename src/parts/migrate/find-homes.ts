import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { realPath } from '../../base/real-path.ts';
import type { FoundHome, MigrationRequest, MigrationSource } from '../../contracts/services/migration.ts';
import { isFolder } from './foreign/files.ts';
import { isHermesHome } from './hermes/read-home.ts';
import { isOpenClawHome } from './openclaw/read-home.ts';

const CHECKS: Readonly<Record<MigrationSource, (folder: string) => boolean>> = { hermes: isHermesHome, openclaw: isOpenClawHome };
/** What says enough about a folder whose program was named. */
const HINTS: Readonly<Record<MigrationSource, readonly string[]>> = {
  hermes: ['config.yaml', 'SOUL.md', 'memories', 'skills', '.env'],
  openclaw: ['workspace', 'agents', '.env'],
};
const SOURCES = ['hermes', 'openclaw'] as const satisfies readonly MigrationSource[];

/** Where the programs keep their homes unless they are told otherwise; ours may be one of them. */
export function listUsualHomes(ours: string): readonly (readonly [MigrationSource, string])[] {
  const folders = [
    ['hermes', join(homedir(), '.hermes')],
    ['hermes', ours],
    ['openclaw', join(homedir(), '.openclaw')],
  ] as const;
  return [...new Map(folders.map((pair) => [realPath(pair[1]) ?? pair[1], pair])).values()];
}

/** The named home, or those at the usual places. */
export function findHomes({ source, from }: MigrationRequest, ours: string): readonly FoundHome[] {
  const isShared = (folder: string) => (realPath(folder) ?? folder) === (realPath(ours) ?? ours);
  if (from !== undefined) return [{ ...nameHome(resolve(from), source), shared: isShared(from) }];
  return listUsualHomes(ours)
    .filter(([kind, folder]) => (source ?? kind) === kind && isFolder(folder) && CHECKS[kind](folder))
    .map(([kind, folder]) => ({ source: kind, folder, shared: isShared(folder) }));
}

function nameHome(folder: string, source: MigrationSource | undefined): Omit<FoundHome, 'shared'> {
  if (!isFolder(folder)) throw new UsageError(`there is no folder ${folder}. Name the folder of the other program's home with --from.`);
  const kinds = SOURCES.filter((kind) => CHECKS[kind](folder));
  const [kind] = source === undefined ? kinds : [source];
  if (kind === undefined || (source === undefined && kinds.length > 1))
    throw new UsageError(`cannot tell whose home ${folder} is. Name the program: hermes migrate hermes --from ${folder}`);
  if (!CHECKS[kind](folder) && !HINTS[kind].some((name) => existsSync(join(folder, name))))
    throw new UsageError(`${folder} is not a home of ${kind}: nothing that program keeps there is in it.`);
  return { source: kind, folder };
}
