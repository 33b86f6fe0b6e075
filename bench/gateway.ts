/**
 * The gateway beside a floor that does no more than what must be done, in the same run.
 *   node bench/gateway.ts [--only throughput|idle|growth] [--runs N] [--chats N] [--at-once N] [--json] [--no-build]
 * `HERMES_BENCH_MESSAGES` is how many messages the growth of memory is measured over; 100,000 when absent.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figure, Goal } from './experiments.ts';
import { measureIdle } from './gateway/idle.ts';
import { measureThroughput, type Throughput, type ThroughputRun } from './gateway/throughput.ts';
import { rowOf, tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '3' },
    chats: { type: 'string', default: '1000' },
    'at-once': { type: 'string', default: '32' },
    'no-build': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

/**
 * Throughput is told as the time for a message: half of it is twice the time. The floor makes the commits that were made; the
 * plain one those that messages need when they share none.
 */
async function throughput(durability: 'power' | 'process'): Promise<readonly Figure[]> {
  const options = { chats: Number(values.chats), atOnce: Number(values['at-once']), durability };
  const runs: ThroughputRun[] = [];
  for (let run = 0; run < Number(values.runs); run++) runs.push(await measureThroughput(options));
  const label = durability === 'power' ? 'each commit on disk' : 'no flush to disk';
  const figure = (name: string, key: keyof Throughput, beside: 'floor' | 'plainFloor', goal: Goal = { ratio: 2 }): Figure => ({
    name: `${name}, ${label}${beside === 'plainFloor' ? ', none shared' : ''}`,
    unit: 'ms',
    goal,
    floor: runs.map((run) => run[beside][key]),
    ours: runs.map(({ ours }) => ours[key]),
  });
  const count = (name: string, key: 'commitsPerMessage' | 'plainCommitsPerMessage', goal: Goal): Figure => ({
    name: `${name}, ${label}`,
    unit: '',
    goal,
    floor: [],
    ours: runs.map((run) => run[key]),
  });
  return [
    ...(['floor', 'plainFloor'] as const).flatMap((beside) => [
      figure('time for a message', 'perMessageMs', beside),
      figure('p95 from event to receipt', 'p95Ms', beside),
      figure('processor time for a message', 'cpuMs', beside, { none: true }),
    ]),
    count('commits for a message', 'commitsPerMessage', { most: 20 }),
    count('commits for a message that shares none', 'plainCommitsPerMessage', { none: true }),
  ];
}

async function idle(): Promise<readonly Figure[]> {
  if (!values['no-build']) spawnSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
  const { ours, floor, threadedFloor } = await measureIdle();
  const beside = (name: string, other: number): Figure => ({ name, unit: 'MB', goal: { ratio: 1.5 }, floor: [other], ours: [ours] });
  return [
    beside('at rest with three platforms, same modules in the same threads', threadedFloor),
    { ...beside('at rest with three platforms, same modules in one thread', floor), goal: { none: true } },
    { name: 'at rest with three platforms', unit: 'MB', goal: { most: 150 }, floor: [], ours: [ours] },
  ];
}

function growth(): readonly Figure[] {
  const said = execFileSync(process.execPath, ['--expose-gc', join(import.meta.dirname, 'gateway', 'growth.ts')], { encoding: 'utf8' });
  const { messages, before, after }: { messages: number; before: number; after: number } = JSON.parse(said);
  return [
    { name: `growth over ${messages.toLocaleString('en')} messages`, unit: 'MB', goal: { most: 5 }, floor: [], ours: [after - before] },
  ];
}

const EXPERIMENTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  throughput: async () => [...(await throughput('power')), ...(await throughput('process'))],
  idle,
  growth: async () => growth(),
};

const figures: Figure[] = [];
for (const [name, experiment] of Object.entries(EXPERIMENTS))
  if (values.only === undefined || values.only === name) figures.push(...(await experiment()));
const rows = figures.map(rowOf);
console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
