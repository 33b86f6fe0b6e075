/**
 * Measures hermes beside the smallest Node program that does the same work, in turns.
 *   node bench/run.ts [--only NAME] [--runs N] [--json] [--save] [--no-build]
 * `--save` makes the figures the baseline, which is committed; nothing here is a test, because time on a shared machine proves nothing alone.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EXPERIMENTS } from './experiments.ts';
import { rowOf, tableOf, type Row, type Rows } from './table.ts';
import { startWire } from './wire.ts';

const BASELINE = join(import.meta.dirname, 'baseline.json');
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const chosen = Object.entries(EXPERIMENTS).filter(([name]) => values.only === undefined || values.only === name);
  if (chosen.length === 0) throw new Error(`there is no experiment ${values.only}; there are: ${Object.keys(EXPERIMENTS).join(', ')}`);
  if (!values['no-build']) spawnSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
  using wire = startWire();
  const rows: Row[] = [];
  for (const [, experiment] of chosen) rows.push(...(await experiment(wire, Number(values.runs))).map(rowOf));
  const baseline = readBaseline();
  console.log(values.json ? JSON.stringify(rows, null, 2) : `${tableOf(rows, baseline)}\n\n${noise(rows)}`);
  if (values.save) writeFileSync(BASELINE, `${JSON.stringify({ machine: machine(), rows: merged(baseline, rows) }, null, 2)}\n`);
}

function readBaseline(): Rows {
  return existsSync(BASELINE) ? (JSON.parse(readFileSync(BASELINE, 'utf8')) as { readonly rows: Rows }).rows : [];
}

const merged = (old: Rows, fresh: Rows): Rows => [...fresh, ...old.filter((row) => fresh.every(({ name }) => name !== row.name))];
const machine = (): string =>
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;

function noise(rows: Rows): string {
  const timed = rows.flatMap((row) => (row.unit === 'ms' && row.floor !== undefined ? [`${Math.round(row.floor.spread * 100)} %`] : []));
  return `${machine()}, ${values.runs} runs each in turns; noise (middle half of the floor's times, as a share of their median): ${timed.join(', ') || 'not measured'}`;
}

await main();
