/**
 * The price of a step: from the last byte of an answer to the last byte of the next request, beside the floor program and beside
 * pi, in turns, in one run.
 *   node bench/step.ts [--runs N] [--steps N] [--think MS] [--no-pi] [--json] [--no-build]
 * A model that answers at once leaves no time to make anything ready; real ones think. Both are measured: `--think` is how long
 * the second one takes, which is not counted.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBareModel, type BareCall } from './bare-model.ts';
import type { Figure } from './experiments.ts';
import { floor, hermes, piProgram, type Program } from './programs.ts';
import { median } from './statistics.ts';
import { rowOf, tableOf } from './table.ts';
import { installPi } from './terminal-ui/programs.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    steps: { type: 'string', default: '60' },
    think: { type: 'string', default: '100' },
    'no-pi': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});
const [RUNS, STEPS, THINK] = [Number(values.runs), Number(values.steps), Number(values.think)];
/** Steps before the measured ones: the first calls compile the code. */
const WARM_UP = 10;
const TEXT_DELTAS = 20_000;

/** A program that takes part, with the settings of its home and what it calls its tools. */
interface Runner {
  readonly program: Program;
  readonly backend?: 'local' | 'sandbox';
  shell(step: number): BareCall;
  read(step: number): BareCall;
}
const command = (step: number): string => `printf 'step ${step} %01980d' 0`;
const OURS = {
  shell: (step: number) => ({ name: 'terminal', arguments: { command: command(step) } }),
  read: (step: number) => ({ name: 'read_file', arguments: { path: `${step}.txt` } }),
};

const RUNNERS: Readonly<Record<string, Runner>> = {
  floor: { program: floor, ...OURS },
  local: { program: hermes, backend: 'local', ...OURS },
  sandbox: { program: hermes, backend: 'sandbox', ...OURS },
  ...(!values['no-pi'] && {
    pi: {
      program: piProgram(() => installPi(benchFolder())),
      shell: (step: number) => ({ name: 'bash', arguments: { command: command(step) } }),
      read: (step: number) => ({ name: 'read', arguments: { path: `${step}.txt` } }),
    },
  }),
};

function benchFolder(): string {
  const folder = join(tmpdir(), 'hermes-bench-terminal-ui');
  mkdirSync(folder, { recursive: true });
  return folder;
}

interface StepTimes {
  readonly first: number;
  readonly step: number;
}

/** One run of a program through all of its steps. */
async function stepsOf({ program, backend }: Runner, call: (step: number) => BareCall, think: number): Promise<StepTimes> {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-step-'));
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  if (backend !== undefined) writeFileSync(join(home, 'config.yaml'), `terminal:\n  backend: ${backend}\n`);
  for (let step = 0; step < STEPS; step++) writeFileSync(join(cwd, `${step}.txt`), `file ${step}\n${'a line of text\n'.repeat(130)}`);
  const waits: number[] = [];
  try {
    await using model = await startBareModel(
      (step, waitedMs) => {
        waits.push(waitedMs);
        return step < STEPS ? [call(step)] : undefined;
      },
      { thinkMs: think },
    );
    await program({ url: model.url, model: 'bench', home, cwd });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return { first: waits[1] ?? Number.NaN, step: median(waits.slice(1 + WARM_UP)) };
}

type Times = Readonly<Record<string, StepTimes[]>>;

async function inTurns(kind: 'shell' | 'read', think: number): Promise<Times> {
  const times: Record<string, StepTimes[]> = {};
  for (let run = 0; run <= RUNS; run++) {
    for (const [name, runner] of Object.entries(RUNNERS)) {
      const found = await stepsOf(runner, runner[kind], think);
      // The first round fills caches and is not counted.
      if (run > 0) (times[name] ??= []).push(found);
    }
  }
  return times;
}

/** Microseconds for one text delta: a long answer minus a short one. */
async function deltaOf({ program }: Runner, deltas: number): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-delta-'));
  try {
    await using model = await startBareModel(() => undefined, { deltas });
    const { wallMs } = await program({ url: model.url, model: 'bench', home });
    return wallMs;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function measureDeltas(): Promise<Figure> {
  const found = { floor: [] as number[], local: [] as number[] };
  for (let run = 0; run <= RUNS; run++) {
    for (const name of ['floor', 'local'] as const) {
      const runner = RUNNERS[name];
      if (runner === undefined) continue;
      const [short, long] = [await deltaOf(runner, 1), await deltaOf(runner, TEXT_DELTAS)];
      if (run > 0) found[name].push(((long - short) / TEXT_DELTAS) * 1000);
    }
  }
  return { name: 'one text delta', unit: 'µs', goal: { ratio: 2 }, floor: found.floor, ours: found.local };
}

function figuresOf(label: string, kind: 'shell' | 'read', times: Times): Figure[] {
  const of = (name: string, key: keyof StepTimes = 'step'): number[] => times[name]?.map((each) => each[key]) ?? [];
  const beside = (name: string, other: string, ratio: number): Figure => ({
    name,
    unit: 'ms',
    goal: { ratio },
    floor: of(other),
    ours: of('local'),
  });
  const more = of('sandbox').map((value, index) => value - (of('local')[index] ?? Number.NaN));
  return [
    beside(`${kind} step, ${label}`, 'floor', 2),
    ...(times['pi'] === undefined ? [] : [beside(`${kind} step beside pi, ${label}`, 'pi', 1)]),
    ...(kind === 'shell'
      ? [
          { name: `sandboxed step minus local, ${label}`, unit: 'ms', goal: { most: 4 }, floor: [], ours: more },
          { name: `first step, ${label}`, unit: 'ms', goal: { ratio: 3 }, floor: of('floor', 'first'), ours: of('local', 'first') },
          {
            name: `first sandboxed step, ${label}`,
            unit: 'ms',
            goal: { ratio: 3 },
            floor: of('floor', 'first'),
            ours: of('sandbox', 'first'),
          },
        ]
      : []),
  ];
}

if (!values['no-build']) spawnSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
const thinking = `model thinks ${THINK} ms`;
const figures = [
  ...figuresOf('model answers at once', 'shell', await inTurns('shell', 0)),
  ...figuresOf(thinking, 'shell', await inTurns('shell', THINK)),
  ...figuresOf('model answers at once', 'read', await inTurns('read', 0)),
  ...figuresOf(thinking, 'read', await inTurns('read', THINK)),
  await measureDeltas(),
];
const rows = figures.map(rowOf);
console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
