/**
 * What `hermes insights` counts, at size: builds a store of a million messages with their tools, turns and model calls, then
 * counts all of it and the last 30 days, beside one plain pass over the same texts.
 *   node bench/insights.ts [--messages N] [--json]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { NewEntry } from '../src/contracts/entry.ts';
import { createTextBlock } from '../src/contracts/message.ts';
import { openDb, type Db } from '../src/parts/store/sqlite/database/db.ts';
import { openSqliteStore } from '../src/parts/store/sqlite/store.ts';
import { createCallRecord } from '../src/testing/conformance/session-store-samples.ts';
import { english, generator } from './store-corpus.ts';

const { values } = parseArgs({ options: { messages: { type: 'string', default: '1000000' }, json: { type: 'boolean', default: false } } });

const TOOLS = ['read_file', 'terminal', 'search_files', 'patch', 'web_fetch'] as const;
const DAY = 86_400_000;
/** A turn is five messages: question, call, result, result, answer. */
const TURN = 5;
const PER_SESSION = 50;
const START = Date.now() - 365 * DAY;

function body(index: number, words: string): NewEntry & { readonly type: 'message' } {
  const block = createTextBlock(words, 'owner');
  const place = index % TURN;
  if (place === 0) return { type: 'message', origin: 'user', message: { role: 'user', content: [block] } };
  if (place === 1 || place === 4)
    return { type: 'message', origin: 'model', message: { role: 'assistant', content: [createTextBlock(words, 'model')] } };
  const name = TOOLS[index % TOOLS.length] ?? 'terminal';
  const message = { role: 'tool', callId: 'c', name, content: [createTextBlock(words, 'tool')], failed: index % 13 === 0 } as const;
  return { type: 'message', origin: 'tool', message, ms: index % 997 };
}

function fill(db: Db, from: number, to: number, random: () => number): void {
  const entry = `INSERT INTO entries (session, seq, id, at, origin, type, sum, body) VALUES (?, ?, ?, ?, ?, ?, 0, ?)`;
  const call = `INSERT INTO calls (session, id, at, input, output, cache_read, cache_write, reasoning, price, kept, depth, record) VALUES (?, ?, ?, 900, 120, 9000, 300, 40, 0.01, 0, 0, ?)`;
  for (let index = from; index < to; index++) {
    const [session, at] = [Math.floor(index / PER_SESSION) + 1, START + Math.floor((index / Number(values.messages)) * 365 * DAY)];
    if (index % PER_SESSION === 0)
      db.run(
        `INSERT INTO sessions (n, id, source, platform, cwd, model, provider, started_at, updated_at, last_seq, messages) VALUES (?, ?, 'cli', 'cli', '/', 'm', 'p', ?, ?, 60, 50)`,
        session,
        `s${session}`,
        at,
        at,
      );
    const seq = (index % PER_SESSION) * 2 + 1;
    const { origin, ...message } = body(index, english(random, 60));
    db.run(entry, session, seq, `e${index}`, at, origin, 'message', JSON.stringify(message));
    if (origin === 'model') db.run(call, session, `c${index}`, at, JSON.stringify(createCallRecord(`s${session}`, `c${index}`, { at })));
    if (index % TURN === TURN - 1)
      db.run(
        entry,
        session,
        seq + 1,
        `o${index}`,
        at,
        'system',
        'outcome',
        '{"type":"outcome","outcome":"answered","exitReason":"answered"}',
      );
  }
}

async function measure(path: string): Promise<Record<string, number>> {
  await using store = await openSqliteStore({ path });
  const db = await openDb({ path });
  const time = async (work: () => unknown): Promise<number> => {
    const times: number[] = [];
    for (let run = 0; run < 3; run++) {
      const start = performance.now();
      await work();
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };
  const passMs = await time(() => db.get('SELECT total(length(body)) FROM entries'));
  const allMs = await time(async () => [await store.activity({}), await store.compactions({})]);
  const monthMs = await time(async () => [await store.activity({ since: Date.now() - 30 * DAY }), await store.compactions({})]);
  db.close();
  return { passMs, allMs, monthMs, allOfPass: allMs / passMs, monthOfPass: monthMs / passMs };
}

const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-insights-'));
try {
  const path = join(folder, 'state.db');
  await (await openSqliteStore({ path, durability: 'process' }))[Symbol.asyncDispose]();
  const db = await openDb({ path, durability: 'process' });
  const [messages, random] = [Number(values.messages), generator(1)];
  for (let from = 0; from < messages; from += 20_000)
    await db.write('fill', () => fill(db, from, Math.min(from + 20_000, messages), random));
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  const figures = { messages, fileMB: statSync(path).size / 1e6, ...(await measure(path)) };
  if (values.json) console.log(JSON.stringify(figures));
  else
    for (const [name, value] of Object.entries(figures))
      console.log(name.padEnd(16), value.toLocaleString('en', { maximumFractionDigits: 3 }).padStart(14));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
