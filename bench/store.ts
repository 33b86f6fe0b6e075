/**
 * The session log at size: builds a store of a million messages, then measures opening it, searching it and committing to it.
 *   node bench/store.ts [--messages N] [--json] [--dir DIR]   (with --dir an existing store there is used again and kept)
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SessionStore } from '../src/contracts/session-store.ts';
import { openDb } from '../src/parts/store/sqlite/database/db.ts';
import { openSqliteStore } from '../src/parts/store/sqlite/store.ts';
import { buildStore } from './store-build.ts';
import { english, generator, queriesFrom } from './store-corpus.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    json: { type: 'boolean', default: false },
    dir: { type: 'string' },
    measure: { type: 'string' },
  },
});
type Figures = Record<string, number>;

async function main(messages: number, dir: string | undefined): Promise<void> {
  const folder = dir ?? mkdtempSync(join(tmpdir(), 'hermes-bench-'));
  const path = join(folder, 'state.db');
  try {
    const built = existsSync(path) ? {} : await buildStore(path, messages);
    const figures: Figures = { messages, ...built, fileMB: statSync(path).size / 1e6, ...inFreshProcess(path) };
    for (const durability of ['process', 'power'] as const)
      Object.assign(figures, await commits(join(folder, `${durability}.db`), durability));
    if (values.json) console.log(JSON.stringify(figures));
    else
      for (const [name, value] of Object.entries(figures))
        console.log(name.padEnd(28), value.toLocaleString('en', { maximumFractionDigits: 3 }).padStart(14));
  } finally {
    if (dir === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** A process that did not build the store, so that its memory is what a user would see. */
function inFreshProcess(path: string): Figures {
  const said = execFileSync(process.execPath, [import.meta.filename, '--measure', path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const figures: Figures = JSON.parse(said);
  return figures;
}

async function measureHere(path: string): Promise<Figures> {
  const start = performance.now();
  const store = await openSqliteStore({ path });
  const openMs = performance.now() - start;
  const figures = { openMs, ...(await searches(store, path)), rssMB: process.memoryUsage().rss / 1e6 };
  await store[Symbol.asyncDispose]();
  return figures;
}

async function searches(store: SessionStore, path: string): Promise<Figures> {
  const all: number[] = [];
  const figures: Figures = {};
  for (const [kind, queries] of Object.entries(await makeQueries(path))) {
    const times: number[] = [];
    for (const text of queries) {
      const start = performance.now();
      await store.search({ text, limit: 10 });
      times.push(performance.now() - start);
    }
    all.push(...times);
    figures[`search ${kind} p95 ms`] = quantile(times, 0.95);
  }
  return {
    ...figures,
    searches: all.length,
    searchP50Ms: quantile(all, 0.5),
    searchP95Ms: quantile(all, 0.95),
    searchMaxMs: Math.max(...all),
  };
}

async function commits(path: string, durability: 'process' | 'power'): Promise<Figures> {
  await using store = await openSqliteStore({ path, durability });
  const session = await store.create({ source: 'bench', cwd: '/', model: 'm', provider: 'p' });
  const claim = await store.claim(session.id);
  const random = generator(7);
  const times: number[] = [];
  for (let i = 0; i < 3000; i++) {
    const start = performance.now();
    await store.commit(claim, {
      turnId: 't',
      append: [
        {
          type: 'message',
          origin: 'user',
          message: { role: 'user', content: [{ type: 'text', text: english(random, 60), trust: 'owner' }] },
        },
      ],
    });
    times.push(performance.now() - start);
  }
  const name = durability === 'power' ? 'FULL' : 'NORMAL';
  return {
    [`commit ${name} p50 ms`]: quantile(times, 0.5),
    [`commit ${name} p95 ms`]: quantile(times, 0.95),
    [`commit ${name} p99 ms`]: quantile(times, 0.99),
  };
}

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

/** Queries from texts anywhere in the log, so that hits are old and new, rare and common. */
async function makeQueries(path: string): Promise<Record<string, string[]>> {
  const db = await openDb({ path });
  const random = generator(11);
  const top = db.get<{ top: number }>('SELECT max(n) AS top FROM entries')?.top ?? 0;
  const sql = `SELECT body ->> '$.message.content[0].text' AS text FROM entries WHERE n = ?`;
  const queries = queriesFrom(random, () => db.get<{ text: string }>(sql, 1 + Math.floor(random() * top))?.text ?? '');
  db.close();
  return queries;
}

if (values.measure === undefined) await main(Number(values.messages), values.dir);
else console.log(JSON.stringify(await measureHere(values.measure)));
