import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { readCompany } from '../../../src/faces/environments/library/yc-bench-database.ts';
import { scoreBySeed, scoreCompany, type CompanyEnd } from '../../../src/faces/environments/library/yc-bench-score.ts';
import { YC_BENCH_INSTALL } from '../../../src/commands/python-peers.ts';
import { ycBench } from '../../../src/faces/environments/library/yc-bench.ts';
import type { Script } from '../../../src/testing/scripted-provider.ts';
import { stagePlays } from './play.ts';
import { noSandbox } from './scene.ts';

const BEGUN = 25_000_000;
const end = (values: Partial<CompanyEnd>): CompanyEnd => {
  const fundsCents = values.fundsCents ?? BEGUN;
  return {
    fundsCents,
    initialCents: BEGUN,
    bookedCents: fundsCents - BEGUN,
    simTime: '2026',
    horizonEnd: '2026',
    endings: ['horizon_end'],
    ...values,
  };
};
const both = (values: Partial<CompanyEnd>) =>
  [scoreBySeed(end(values)).score, scoreCompany(end(values)).score].map((score) => Number(score.toFixed(3)));

test('both formulas: the seed’s pays for leaving on the first day, ours for coming to the end with more', () => {
  assert.deepEqual(both({ simTime: '2025' }), [0.575, 0], 'left on the first day');
  assert.deepEqual(both({}), [0.575, 0.5], 'as much as at the beginning');
  assert.deepEqual(both({ fundsCents: 10 * BEGUN }), [0.76, 0.75]);
  assert.deepEqual(both({ fundsCents: 200 * BEGUN }), [1, 1]);
  assert.deepEqual(both({ fundsCents: -1, endings: ['bankruptcy', 'horizon_end'] }), [0, 0]);
  assert.deepEqual(both({ fundsCents: 1, endings: ['bankruptcy', 'horizon_end'] }), [0.5, 0], 'a bankruptcy is hidden by the planned end');
  assert.deepEqual(both({ fundsCents: 10 * BEGUN, bookedCents: 0 }), [0.76, 0], 'money that nobody booked');
});

test('runs are presets times seeds, nine by default; a missing package is told with its install line', async () => {
  const values = { program: process.execPath };
  await assert.rejects(stagePlays(ycBench, values), /was not installed by pip/);
  await assert.rejects(stagePlays(ycBench, { program: '/nowhere/yc-bench' }), /pip install yc-bench==0\.1\.0/);
  await using stage = await stagePlays(ycBench, { program: 'yc-bench', terminal_backend: 'docker' });
  assert.deepEqual(
    stage.tasks.map(({ id }) => id),
    ['fast_test', 'medium', 'hard'].flatMap((preset) => [1, 2, 3].map((seed) => `${preset}-${seed}`)),
  );
});

const TABLES: Readonly<Record<string, string>> = {
  sim_state: "(sim_time, horizon_end); INSERT INTO sim_state VALUES ('2025-03-01', '2026-01-01')",
  sim_events: "(event_type, scheduled_at); INSERT INTO sim_events VALUES ('horizon_end', '2026-01-01'), ('bankruptcy', '2025-02-01')",
  companies: '(funds_cents); INSERT INTO companies VALUES (700)',
  ledger_entries: '(amount_cents); INSERT INTO ledger_entries VALUES (300), (-50)',
};
const ENDLESS = 'AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) AS';

test('the database of a company is read, and one that the model made endless ends nothing but the attempt', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-company-'));
  try {
    const { signal } = new AbortController();
    const write = (name: string, script: string): string => {
      const path = join(folder, name);
      const database = new DatabaseSync(path);
      database.exec(script);
      database.close();
      return path;
    };
    const tables = Object.entries(TABLES).map(([name, rest]) => `CREATE TABLE ${name} ${rest};`);
    const honest = write('honest.db', tables.join('\n'));
    assert.deepEqual(await readCompany(honest, { signal }), {
      fundsCents: 700,
      bookedCents: 250,
      simTime: '2025-03-01',
      horizonEnd: '2026-01-01',
      endings: ['bankruptcy', 'horizon_end'],
    });
    const endless = write(
      'endless.db',
      `${tables.slice(1).join('\n')} CREATE VIEW sim_state ${ENDLESS} sim_time, 'x' AS horizon_end FROM c;`,
    );
    await assert.rejects(readCompany(endless, { signal }), /sim_state is no table/);
    await assert.rejects(readCompany(honest, { signal, seconds: 0.001 }), /within 0\.001 s/);
    await assert.rejects(readCompany(join(folder, 'none.db'), { signal }), /could not be read: unable to open/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const program = resolve('.cache/benchmarks/yc-bench/bin/yc-bench');
const noPackage = existsSync(program)
  ? noSandbox
  : `yc-bench is not below .cache/benchmarks (npm run prove -- benchmarks, or: ${YC_BENCH_INSTALL})`;
if (noPackage !== false) console.log(`yc-bench: skipped, ${noPackage}`);

test('the real package: idling is worth nothing, and a company that only waits goes bankrupt', { skip: noPackage }, async () => {
  await using stage = await stagePlays(ycBench, { presets: ['fast_test'], seeds: [1], program });
  const [task] = stage.tasks;
  assert.ok(task);
  const idle = await stage.play(task, [{ text: 'Done.' }]);
  assert.deepEqual([idle.reward, idle.error, idle.metrics['survived_by_seed'], idle.metrics['funds_usd']], [0, undefined, 1, 250_000]);
  const waits: Script = [{ calls: [{ id: 'c1', name: 'terminal', input: { command: 'yc-bench sim resume' } }] }, { text: 'Done.' }];
  const bankrupt = await stage.play(task, waits);
  assert.deepEqual([bankrupt.reward, bankrupt.metrics['score_by_seed'], bankrupt.metrics['survived']], [0, 0, 0]);
  assert.match(bankrupt.note ?? '', /bankrupt/);
});
