/**
 * The price of a step: from the last byte of an answer to the last byte of the next request, beside the floor program and beside
 * pi, in turns, in one run.
 *   node bench/step.ts [--runs N] [--steps N] [--think MS] [--write MS] [--only shell|read|delta] [--no-pi] [--json] [--no-build]
 * A model that answers at once leaves no time to make anything ready; real ones think, and write a call piece by piece. All three
 * are measured: `--think` is how long the second and the third take before their first byte, `--write` how long the third takes
 * from the name of a call to its end. Neither is counted.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { probeFloor } from '../src/parts/terminals/sandbox/floor-probe.ts';
import { rememberSandbox } from '../src/parts/terminals/sandbox/known.ts';
import { sandboxHere } from '../src/parts/terminals/sandbox/probe.ts';
import type { SandboxTools } from '../src/parts/terminals/sandbox/tools.ts';
import { startBareModel, type BareCall, type BareModelOptions } from './bare-model.ts';
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
    write: { type: 'string', default: '100' },
    only: { type: 'string' },
    'no-pi': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});
const [RUNS, STEPS] = [Number(values.runs), Number(values.steps)];
/** Steps before the measured ones: the first calls compile the code. */
const WARM_UP = 10;
const TEXT_DELTAS = 20_000;

/** A program that takes part, with the settings of its home and what it calls its tools. */
interface Runner {
  readonly program: Program;
  readonly backend?: 'local' | 'sandbox';
  /** What makes the sandbox; absent where there is none. */
  readonly tools?: SandboxTools;
  shell(step: number): BareCall;
  read(step: number): BareCall;
}
const command = (step: number): string => `printf 'step ${step} %01980d' 0`;
const OURS = {
  shell: (step: number) => ({ name: 'terminal', arguments: { command: command(step) } }),
  read: (step: number) => ({ name: 'read_file', arguments: { path: `${step}.txt` } }),
};

/** The tiers of the wall that work here, by their names in the rows. */
async function findTiers(): Promise<Readonly<Record<string, SandboxTools>>> {
  const [best, landlock] = [await sandboxHere(), await probeFloor('it is measured')];
  return {
    ...(!('why' in landlock) && { landlock }),
    ...(best.ok && best.tools.tier === 'bubblewrap' && { bubblewrap: best.tools }),
  };
}
const TIERS = await findTiers();

const RUNNERS: Readonly<Record<string, Runner>> = {
  floor: { program: floor, ...OURS },
  local: { program: hermes, backend: 'local', ...OURS },
  ...Object.fromEntries(
    Object.entries(TIERS).map(([name, tools]): [string, Runner] => [name, { program: hermes, backend: 'sandbox', tools, ...OURS }]),
  ),
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
async function stepsOf({ program, backend, tools }: Runner, call: (step: number) => BareCall, manner: Manner): Promise<StepTimes> {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-step-'));
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  if (backend !== undefined) writeFileSync(join(home, 'config.yaml'), `terminal:\n  backend: ${backend}\n`);
  if (tools !== undefined) rememberSandbox(home, { ok: true, tools });
  for (let step = 0; step < STEPS; step++) writeFileSync(join(cwd, `${step}.txt`), `file ${step}\n${'a line of text\n'.repeat(130)}`);
  const waits: number[] = [];
  try {
    await using model = await startBareModel((step, waitedMs) => {
      waits.push(waitedMs);
      return step < STEPS ? [call(step)] : undefined;
    }, manner);
    await program({ url: model.url, model: 'bench', home, cwd });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return { first: waits[1] ?? Number.NaN, step: median(waits.slice(1 + WARM_UP)) };
}

type Times = Readonly<Record<string, StepTimes[]>>;
/** How a model answers. */
type Manner = Required<Pick<BareModelOptions, 'thinkMs' | 'writeMs'>>;

async function inTurns(kind: 'shell' | 'read', manner: Manner): Promise<Times> {
  const times: Record<string, StepTimes[]> = {};
  for (let run = 0; run <= RUNS; run++) {
    for (const [name, runner] of Object.entries(RUNNERS)) {
      const found = await stepsOf(runner, runner[kind], manner);
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
  return [
    beside(`${kind} step, ${label}`, 'floor', 2),
    ...(times['pi'] === undefined ? [] : [beside(`${kind} step beside pi, ${label}`, 'pi', 1)]),
    ...(kind === 'shell'
      ? [
          { name: `first step, ${label}`, unit: 'ms', goal: { ratio: 3 }, floor: of('floor', 'first'), ours: of('local', 'first') },
          ...Object.keys(TIERS).flatMap((tier) => tierFigures(label, tier, of)),
        ]
      : []),
  ];
}

/** The same commands behind a tier of the wall, beside the smallest program. */
function tierFigures(label: string, tier: string, of: (name: string, key?: keyof StepTimes) => number[]): Figure[] {
  const more = of(tier).map((value, index) => value - (of('local')[index] ?? Number.NaN));
  return [
    { name: `shell step behind ${tier}, ${label}`, unit: 'ms', goal: { ratio: 2.5 }, floor: of('floor'), ours: of(tier) },
    { name: `that minus local, ${label}`, unit: 'ms', goal: { most: 4 }, floor: [], ours: more },
    { name: `first step behind ${tier}, ${label}`, unit: 'ms', goal: { most: 30 }, floor: of('floor', 'first'), ours: of(tier, 'first') },
  ];
}

if (!values['no-build']) spawnSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
const [think, write] = [Number(values.think), Number(values.write)];
const MANNERS: Readonly<Record<string, Manner>> = {
  'at once': { thinkMs: 0, writeMs: 0 },
  [`thinks ${think}`]: { thinkMs: think, writeMs: 0 },
  [`thinks ${think}, writes ${write}`]: { thinkMs: think, writeMs: write },
};
const figures: Figure[] = [];
for (const kind of ['shell', 'read'] as const)
  for (const [label, manner] of Object.entries(MANNERS))
    if (values.only === undefined || values.only === kind) figures.push(...figuresOf(label, kind, await inTurns(kind, manner)));
if (values.only === undefined || values.only === 'delta') figures.push(await measureDeltas());
const rows = figures.map(rowOf);
console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
