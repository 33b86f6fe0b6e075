import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseJson, readPath, readStringAt } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { MigrationItem } from '../../../contracts/services/migration.ts';
import { listFolders, readBelow } from '../foreign/files.ts';
import type { ForeignHome, ForeignMemory, ForeignSession } from '../foreign/foreign-home.ts';
import { openForeignDatabase, type ForeignDatabase } from '../foreign/open-database.ts';
import { readSessions } from './sessions.ts';
import { readSkills } from './skills.ts';

const STORE = 'state.db';
const JOBS = join('cron', 'jobs.json');

/** What that program and no other leaves in its home. */
export const isHermesHome = (folder: string): boolean =>
  isPythonStore(join(folder, STORE)) ||
  existsSync(join(folder, JOBS)) ||
  existsSync(join(folder, 'skills', '.bundled_manifest')) ||
  /^_config_version:/m.test(readBelow(folder, 'config.yaml')?.text ?? '');

function isPythonStore(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    using database = openForeignDatabase(path);
    return hasSessions(database);
  } catch {
    return false;
  }
}
const hasSessions = (database: ForeignDatabase): boolean =>
  database.columns('messages').has('session_id') &&
  database.columns('sessions').has('started_at') &&
  database.columns('schema_version').size > 0;

/** The home of the Python system, of any version that keeps its sessions in `state.db`. */
export function readHermesHome(folder: string): ForeignHome {
  const config = readBelow(folder, 'config.yaml');
  const soul = readBelow(folder, 'SOUL.md');
  const jobs = readBelow(folder, JOBS);
  const { skills, left } = readSkills(folder);
  const database = existsSync(join(folder, STORE)) ? openForeignDatabase(join(folder, STORE)) : undefined;
  const isDefaultSoul = soul !== undefined && DEFAULT_SOULS.has(sha256(soul.text.trimEnd()));
  return {
    source: 'hermes',
    program: 'hermes-agent (Python)',
    folder,
    settings: { ...(config !== undefined && { text: config.text }), values: new Map() },
    variables: new Map(Object.entries(parseEnv(readBelow(folder, '.env')?.text ?? '')).map(([name, value]) => [name, value ?? ''])),
    ...(soul !== undefined && !isDefaultSoul && { soul }),
    memories: readMemories(folder),
    skills,
    cron: jobs === undefined ? [] : [jobs],
    files: [readBelow(folder, join('memories', 'ARCHIVE.jsonl'))].filter((file) => file !== undefined),
    sessions: readStore(database),
    left: [...left, ...(isDefaultSoul ? [DEFAULT_SOUL_LEFT] : []), ...listLeftovers(folder, database)],
    [Symbol.dispose]: () => database?.[Symbol.dispose](),
  };
}

const readStore = (database: ForeignDatabase | undefined): readonly ForeignSession[] =>
  database !== undefined && hasSessions(database) ? readSessions(database) : [];

function readMemories(folder: string): readonly ForeignMemory[] {
  const rows = [
    ['memory', 'MEMORY.md'],
    ['user', 'USER.md'],
  ] as const;
  return rows.flatMap(([target, file]) => {
    const name = join('memories', file);
    const entries = (readBelow(folder, name)?.text ?? '')
      .split(/^[^\S\n]*§[^\S\n]*$/m)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    return entries.length === 0 ? [] : [{ target, name, entries }];
  });
}

/** SHA-256 of the text that program writes into a new home, without empty lines at its end. */
const DEFAULT_SOULS: ReadonlySet<string> = new Set(['2765a846e1bb371d78d3b93b403dfb0f8d1ba1a9895edb5f608367abfe81194d']);
const DEFAULT_SOUL_LEFT: MigrationItem = {
  kind: 'soul',
  name: 'SOUL.md',
  state: 'left',
  why: 'it is the text the other program wrote by itself, not yours',
};

/** Keys of the environment are listed in that file too; those are no sign-ins. */
function hasSignIns(folder: string): boolean {
  const auth = parseJson(readBelow(folder, 'auth.json')?.text ?? '{}');
  const pools = Object.values(readPath(auth, 'credential_pool') ?? {}).flat();
  return Object.keys(readPath(auth, 'providers') ?? {}).length > 0 || pools.some((entry) => readStringAt(entry, 'auth_type') === 'oauth');
}

function listLeftovers(folder: string, database: ForeignDatabase | undefined): MigrationItem[] {
  const left = (kind: MigrationItem['kind'], name: string, why: string): MigrationItem => ({ kind, name, state: 'left', why });
  return [
    ...(database !== undefined && !hasSessions(database)
      ? [left('sessions', STORE, 'it is not a session store of the Python system')]
      : []),
    ...(hasSignIns(folder) ? [left('secrets', 'auth.json', 'sign-ins of the other program work only there; use an API key here')] : []),
    ...listFolders(join(folder, 'profiles')).map((name) =>
      left(
        'files',
        join('profiles', name),
        `a profile is a home of its own; take it over with: hermes migrate hermes --from ${join(folder, 'profiles', name)}`,
      ),
    ),
    ...['plugins', 'hooks', 'agent-hooks'].flatMap((name) =>
      listFolders(join(folder, name)).length > 0 ? [left('files', name, 'programs written for the Python system do not run here')] : [],
    ),
  ];
}
