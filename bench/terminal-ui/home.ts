import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDb } from '../../src/parts/store/sqlite/database/db.ts';
import { writeSkills } from '../skill-files.ts';
import { buildStore } from '../store-build.ts';

export interface HomeOptions {
  /** Where everything of this benchmark is kept from run to run. */
  readonly dir: string;
  /** The address of the model. */
  readonly url: string;
  /** Messages in the store; none: a new home. */
  readonly messages?: number;
}

const SKILLS = 200;

/** A home for hermes and for pi: a model, and for hermes as much as a person gathers in years. */
export async function makeBenchHome({ dir, url, messages = 0 }: HomeOptions): Promise<string> {
  const home = mkdtempSync(join(dir, 'home-'));
  const model = { default: 'bench', base_url: url, context_length: 2_000_000 };
  const settings = { model, ...(messages > 0 && { mcp_servers: DEAD_SERVERS }) };
  // JSON is YAML too.
  writeFileSync(join(home, 'config.yaml'), `${JSON.stringify(settings, null, 2)}\n`);
  if (messages > 0) {
    writeSkills(join(home, 'skills'), SKILLS);
    copyFileSync(await findStore(dir, messages), join(home, 'state.db'), constants.COPYFILE_FICLONE);
  }
  const pi = join(home, '.pi', 'agent');
  mkdirSync(pi, { recursive: true });
  const models = [{ id: 'bench', contextWindow: 2_000_000, maxTokens: 100_000 }];
  writeFileSync(
    join(pi, 'models.json'),
    JSON.stringify({ providers: { bench: { baseUrl: url, api: 'openai-completions', apiKey: 'none', models } } }),
  );
  writeFileSync(join(pi, 'settings.json'), JSON.stringify({ defaultProvider: 'bench', defaultModel: 'bench', quietStartup: false }));
  return home;
}

/** One that ends at once, one that never says anything, one that nobody listens at. */
const DEAD_SERVERS = {
  ends: { command: '/bin/false' },
  silent: { command: '/bin/sleep', args: ['1000'] },
  nobody: { url: 'http://127.0.0.1:9/mcp' },
};

/** Built once: it takes minutes. */
async function findStore(dir: string, messages: number): Promise<string> {
  const folder = join(dir, `store-${messages}`);
  const path = join(folder, 'state.db');
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const building = join(folder, `building-${process.pid}.db`);
  process.stderr.write(`Building a store of ${messages.toLocaleString('en')} messages; it is kept in ${folder}.\n`);
  await buildStore(building, messages);
  renameSync(building, path);
  return path;
}

/** A session of 10,000 messages in the home, and how its last one begins. */
export async function makeLongSession(home: string): Promise<{ readonly id: string; readonly end: string }> {
  const path = join(home, 'state.db');
  await buildStore(path, LONG, LONG);
  const db = await openDb({ path });
  const row = db.get<{ id: string; text: string }>(
    `SELECT s.id, e.body ->> '$.message.content[0].text' AS text FROM sessions s JOIN entries e ON e.session = s.n WHERE e.seq = ?`,
    LONG,
  );
  db.close();
  if (row === undefined) throw new Error('the session was not built');
  return { id: row.id, end: row.text.slice(0, 8) };
}
const LONG = 10_000;
