import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJson, readPath } from '../../../src/base/json.ts';
import { toHereDocumentCommand } from '../../../src/base/shell.ts';
import { ycBench } from '../../../src/faces/environments/library/yc-bench.ts';
import type { Script } from '../../../src/testing/scripted-provider.ts';
import { stagePlays } from '../../../test/faces/environments/play.ts';
import { installPeer } from './peers.ts';
import { tableOf, type ProofSection } from './section.ts';

const HERE = import.meta.dirname;
const BEGUN_CENTS = 25_000_000;
const runs = (command: string): Script => [
  { calls: [{ id: 'c1', name: 'terminal', input: { command, timeout: 600 } }] },
  { text: 'Done.' },
];
/** From the best to the worst. */
const PLAYERS: Readonly<Record<string, Script>> = {
  good: runs(toHereDocumentCommand('python', readFileSync(join(HERE, 'good_player.py'), 'utf8'))),
  idle: [{ text: 'Done.' }],
  bankrupt: runs('yc-bench sim resume'),
};

export async function proveYcBench(seeds: number): Promise<ProofSection> {
  const title = 'YC-Bench';
  const peer = installPeer('yc-bench', [
    ['--no-deps', 'yc-bench==0.1.0'],
    ['typer', 'sqlalchemy', 'pydantic', 'python-dotenv'],
  ]);
  if (peer === undefined) return { title, lines: [], faults: ['yc-bench 0.1.0 could not be installed: it needs Python 3.12 or newer'] };
  const kept = mkdtempSync(join(tmpdir(), 'hermes-companies-'));
  try {
    const faults: string[] = [];
    const rows: (readonly (string | number)[])[] = [
      ['preset, seed', 'player', 'money at the end', 'came to', 'ours', 'ours by SQL', 'the seed’s', 'the seed’s by SQL'],
    ];
    const env = {
      presets: ['fast_test'],
      seeds: Array.from({ length: seeds }, (_, index) => index + 1),
      program: join(peer, 'bin/yc-bench'),
      db_dir: kept,
    };
    await using stage = await stagePlays(ycBench, { ...env, terminal_timeout: 600 });
    for (const task of stage.tasks) {
      const scores = [];
      for (const [name, player] of Object.entries(PLAYERS)) {
        const before = new Set(readdirSync(kept));
        const { reward, metrics, note, error } = await stage.play(task, player);
        const file = readdirSync(kept).find((one) => !before.has(one));
        const sql = file === undefined ? {} : scoreBySql(join(peer, 'bin/python'), join(kept, file));
        const pairs = [reward, readPath(sql, 'ours'), metrics['score_by_seed'], readPath(sql, 'by_seed')].map(Number);
        const [ours = NaN, oursSql = NaN, seed = NaN, seedSql = NaN] = pairs;
        if (error !== undefined) faults.push(`${task.id} ${name}: ${error}`);
        if (Math.abs(ours - oursSql) > 1e-9 || Math.abs(seed - seedSql) > 1e-9 || pairs.some(Number.isNaN))
          faults.push(`${task.id} ${name}: SQL says otherwise`);
        rows.push([
          task.id,
          name,
          `$${Math.round(metrics['funds_usd'] ?? 0).toLocaleString('en-US')}`,
          (note ?? '').slice(0, 10),
          ...pairs.map((value) => value.toFixed(4)),
        ]);
        scores.push({ ours, seed });
      }
      const [good, idle, bankrupt] = scores;
      const isOrdered =
        good &&
        idle &&
        bankrupt &&
        good.ours > idle.ours &&
        idle.ours >= bankrupt.ours &&
        good.seed > idle.seed &&
        idle.seed > bankrupt.seed;
      if (isOrdered !== true) faults.push(`${task.id}: the players are not in order`);
    }
    const words =
      'yc-bench 0.1.0 (PyPI) on its preset `fast_test`. *Good* is a script that takes the tasks that pay best, *idle* says at once that it is done, *bankrupt* lets a year pass. `score_company.py` computes both scores again from the database, by SQL. The seed’s formula pays idling more than half; ours pays for a company that came to its end.';
    return { title, lines: [words, '', ...tableOf(rows)], faults };
  } finally {
    rmSync(kept, { recursive: true, force: true });
  }
}

function scoreBySql(python: string, database: string): unknown {
  const { stdout } = spawnSync(python, [join(HERE, 'score_company.py'), database, String(BEGUN_CENTS)], { encoding: 'utf8' });
  return parseJson(stdout);
}
