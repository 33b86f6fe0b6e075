import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stablePairs } from './prefix.ts';
import { floor, hermes, type Program } from './programs.ts';
import { growth, median } from './statistics.ts';
import type { Wire } from './wire.ts';

/** What is to be reached: a ratio to the floor, or a figure of our own. */
export type Goal = { readonly ratio: number } | { readonly most: number } | { readonly all: true };
/** One figure with every value that was measured. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly goal: Goal;
  readonly floor: readonly number[];
  readonly ours: readonly number[];
}
export type Experiment = (wire: Wire, runs: number) => Promise<readonly Figure[]>;

/** Each gives one or more figures. Floor and ours take turns, so that a busy minute of the machine meets both. */
export const EXPERIMENTS: Readonly<Record<string, Experiment>> = {
  start: async (wire, runs) => {
    const { floor, ours } = await alternate(runs, async (program, home) => {
      const ran = await program({ url: await wire.anew(), model: 'hi', home });
      const { arrivals } = await wire.report();
      return { first: (arrivals[0] ?? Number.NaN) - ran.startedAt, wall: ran.wallMs };
    });
    return [
      {
        name: 'start to first model request',
        unit: 'ms',
        goal: { ratio: 2 },
        floor: floor.map((run) => run.first),
        ours: ours.map((run) => run.first),
      },
      { name: 'one-shot hi, wall', unit: 'ms', goal: { ratio: 2 }, floor: floor.map((run) => run.wall), ours: ours.map((run) => run.wall) },
    ];
  },
  memory: async (wire, runs) => {
    const { floor, ours } = await alternate(runs, async (program, home) => {
      return (await program({ url: await wire.anew(), model: 'hi', home, weigh: true })).peakMB;
    });
    return [{ name: 'one-shot hi, peak memory', unit: 'MB', goal: { ratio: 1.5 }, floor, ours }];
  },
  steps: async (wire, runs) => {
    const { floor, ours } = await alternate(runs, async (program, home) => {
      const { peakMB } = await program({ url: await wire.anew(), model: `steps-${STEPS}`, home, weigh: true });
      const { arrivals } = await wire.report();
      const steps = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? Number.NaN));
      return { step: median(steps), growth: growth(steps.slice(WARM_UP)), peakMB };
    });
    return [
      {
        name: 'one shell step, log included',
        unit: 'ms',
        goal: { ratio: 2 },
        floor: floor.map((run) => run.step),
        ours: ours.map((run) => run.step),
      },
      {
        name: 'growth of a step in 100 steps',
        unit: 'ms',
        goal: { most: 2 },
        floor: floor.map((run) => run.growth),
        ours: ours.map((run) => run.growth),
      },
      {
        name: `peak memory after ${STEPS} steps`,
        unit: 'MB',
        goal: { ratio: 1.2 },
        floor: floor.map((run) => run.peakMB),
        ours: ours.map((run) => run.peakMB),
      },
    ];
  },
  prefix: async (wire) => [
    { name: 'request prefix kept, step to step and resumed', unit: '%', goal: { all: true }, floor: [], ours: await stablePairs(wire) },
  ],
};

const STEPS = 200;
/** Steps in which V8 still compiles: they would hide growth. */
const WARM_UP = 20;

/** Runs both programs in turns, each in a home that stays the same from run to run. */
async function alternate<Value>(runs: number, measure: (program: Program, home: string) => Promise<Value>) {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
  const values: { floor: Value[]; ours: Value[] } = { floor: [], ours: [] };
  try {
    // The first of each fills caches and is not counted.
    for (let run = 0; run <= runs; run++) {
      const first = await measure(floor, home);
      const second = await measure(hermes, home);
      if (run === 0) continue;
      values.floor.push(first);
      values.ours.push(second);
    }
    return values;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
