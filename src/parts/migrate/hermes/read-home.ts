import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseJson, readPath, readStringAt } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { MigrationItem } from '../../../contracts/services/migration.ts';
import { createHomeReader, isFolder, listFiles, listFolders, type HomeReader } from '../foreign/files.ts';
import type { ForeignHome, ForeignMemory, ForeignSession } from '../foreign/foreign-home.ts';
import { openForeignDatabase, type ForeignDatabase } from '../foreign/open-database.ts';
import { readSessions } from './sessions.ts';
import { readJobs } from './jobs.ts';
import { readSkills } from './skills.ts';

const STORE = 'state.db';
const JOBS = join('cron', 'jobs.json');

/** What that program and no other leaves in its home. */
export const isHermesHome = (folder: string): boolean =>
  isPythonStore(join(folder, STORE)) ||
  existsSync(join(folder, JOBS)) ||
  existsSync(join(folder, 'skills', '.bundled_manifest')) ||
  /^_config_version:/m.test(createHomeReader(folder).read('config', 'config.yaml')?.text ?? '');

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
export function readHermesHome(folder: string, isShared: boolean): ForeignHome {
  const reader = createHomeReader(folder);
  const config = reader.read('config', 'config.yaml');
  const soul = reader.read('soul', 'SOUL.md');
  const schedule = reader.read('cron', JOBS);
  const jobs = schedule && readJobs(schedule.text);
  const variables = parseEnv(reader.read('secrets', '.env')?.text ?? '');
  const { skills, left } = readSkills(reader);
  const store = openStore(reader);
  const isDefaultSoul = soul !== undefined && DEFAULT_SOULS.has(sha256(soul.text.trimEnd()));
  return {
    source: 'hermes',
    program: 'hermes-agent (Python)',
    folder,
    settings: { ...(config !== undefined && { text: config.text }), values: new Map() },
    variables: new Map(Object.entries(variables).map(([name, value]) => [name, value ?? ''])),
    ...(soul !== undefined && !isDefaultSoul && { soul }),
    memories: readMemories(reader),
    skills,
    ...(jobs !== undefined && { jobs }),
    cron: schedule === undefined || jobs !== undefined ? [] : [schedule],
    files: [reader.read('files', join('memories', 'ARCHIVE.jsonl'))].filter((file) => file !== undefined),
    sessions: store.sessions,
    left: [
      // In a shared folder both programs use what one of them brought along.
      ...(isShared ? [] : [...left, ...(isDefaultSoul ? [DEFAULT_SOUL_LEFT] : [])]),
      ...listLeftovers(reader, store.sessions, isShared),
      ...store.left,
      ...reader.unread(),
    ],
    [Symbol.dispose]: () => store.database?.[Symbol.dispose](),
  };
}

interface ReadStore {
  readonly database?: ForeignDatabase;
  readonly sessions: readonly ForeignSession[];
  readonly left: readonly MigrationItem[];
}

function openStore({ folder, attempt }: HomeReader): ReadStore {
  if (!existsSync(join(folder, STORE))) return { sessions: [], left: [] };
  const database = attempt('sessions', STORE, () => openForeignDatabase(join(folder, STORE)));
  const opened = database === undefined ? {} : { database };
  const isTheirs = database !== undefined && attempt('sessions', STORE, () => hasSessions(database));
  if (isTheirs === false && database !== undefined)
    return { ...opened, sessions: [], left: [leave('sessions', STORE, 'it is not a session store of the Python system')] };
  const sessions = database !== undefined && isTheirs === true ? attempt('sessions', STORE, () => readSessions(database)) : undefined;
  return { ...opened, sessions: sessions ?? [], left: [] };
}

function readMemories({ read }: HomeReader): readonly ForeignMemory[] {
  const rows = [
    ['memory', 'MEMORY.md'],
    ['user', 'USER.md'],
  ] as const;
  return rows.flatMap(([target, file]) => {
    const name = join('memories', file);
    const entries = (read('memories', name)?.text ?? '')
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
function hasSignIns({ read }: HomeReader): boolean {
  const auth = parseJson(read('secrets', 'auth.json')?.text ?? '{}');
  const pools = Object.values(readPath(auth, 'credential_pool') ?? {}).flat();
  return Object.keys(readPath(auth, 'providers') ?? {}).length > 0 || pools.some((entry) => readStringAt(entry, 'auth_type') === 'oauth');
}

const leave = (kind: MigrationItem['kind'], name: string, why: string): MigrationItem => ({ kind, name, state: 'left', why });

/** What else people keep there, and why it is not taken. */
const UNUSED: Readonly<Record<string, string>> = {
  plugins: 'programs written for the Python system do not run here',
  hooks: 'copy those you still want into the folder hooks, read them, and let them run with hermes hooks trust',
  'agent-hooks': 'programs written for the Python system do not run here',
  'kanban.db': 'nothing here reads it',
  skins: 'nothing here reads it',
  'skill-bundles': 'nothing here reads it',
  'webhook_subscriptions.json': 'it holds secrets; copy it into the home yourself, or add each with hermes webhook add',
  pairing: 'nothing here reads it',
  'mcp-tokens': 'sign-ins of the other program work only there',
};

function listLeftovers(reader: HomeReader, sessions: readonly ForeignSession[], isShared: boolean): MigrationItem[] {
  const { folder } = reader;
  const known = new Set(sessions.map(({ key }) => key));
  const transcripts = listFiles(join(folder, 'sessions'), '.jsonl').filter((name) => !known.has(name.slice(0, -'.jsonl'.length)));
  return [
    ...(hasSignIns(reader) ? [leave('secrets', 'auth.json', 'sign-ins of the other program work only there; use an API key here')] : []),
    ...listFolders(join(folder, 'profiles')).map((name) => {
      const from = join(folder, 'profiles', name);
      const lines = isShared
        ? `hermes -p ${name} migrate`
        : `hermes profile create ${name}; hermes -p ${name} migrate hermes --from ${from}`;
      return leave('files', join('profiles', name), `a profile is a home of its own. To take it over: ${lines}`);
    }),
    ...transcripts.map((name) => leave('sessions', join('sessions', name), `it is not in ${STORE}: a version before 0.13 wrote it`)),
    ...Object.entries(UNUSED).flatMap(([name, why]) => (isFilled(join(folder, name)) ? [leave('files', name, why)] : [])),
  ];
}

const isFilled = (path: string): boolean => (isFolder(path) ? readdirSync(path).length > 0 : existsSync(path));
