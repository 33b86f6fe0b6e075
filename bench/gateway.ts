/**
 * The gateway beside a floor that does no more than what must be done, in the same run.
 *   node bench/gateway.ts [--only throughput|idle|growth] [--runs N] [--chats N] [--at-once N] [--messages N] [--json]
 */
import { parseArgs } from 'node:util';
import type { Figure } from './experiments.ts';
import { measureThroughput, type ThroughputRun } from './gateway/throughput.ts';
import { rowOf, tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '3' },
    chats: { type: 'string', default: '1000' },
    'at-once': { type: 'string', default: '32' },
    json: { type: 'boolean', default: false },
  },
});

/** Throughput is told as the time for a message: half of it is twice the time. */
async function throughput(durability: 'power' | 'process'): Promise<readonly Figure[]> {
  const options = { chats: Number(values.chats), atOnce: Number(values['at-once']), durability };
  const runs: ThroughputRun[] = [];
  for (let run = 0; run < Number(values.runs); run++) runs.push(await measureThroughput(options));
  const label = durability === 'power' ? 'each commit on disk' : 'no flush to disk';
  const figure = (name: string, key: 'perMessageMs' | 'p95Ms'): Figure => ({
    name: `${name}, ${label}`,
    unit: 'ms',
    goal: { ratio: 2 },
    floor: runs.map(({ floor }) => floor[key]),
    ours: runs.map(({ ours }) => ours[key]),
  });
  return [
    figure('time for a message', 'perMessageMs'),
    figure('p95 from event to receipt', 'p95Ms'),
    { name: `commits for a message, ${label}`, unit: '', goal: { most: 20 }, floor: [], ours: runs.map((run) => run.commitsPerMessage) },
  ];
}

const EXPERIMENTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  throughput: async () => [...(await throughput('power')), ...(await throughput('process'))],
};

const figures: Figure[] = [];
for (const [name, experiment] of Object.entries(EXPERIMENTS))
  if (values.only === undefined || values.only === name) figures.push(...(await experiment()));
const rows = figures.map(rowOf);
console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
