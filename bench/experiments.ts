import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stablePairs } from './prefix.ts';
import { floor, hermes, leanFloor, type Program } from './programs.ts';
import { growth, median } from './statistics.ts';
import type { Wire } from './wire.ts';

/** What is to be reached: a ratio to the floor, or a figure of our own. Some figures only explain others. */
export type Goal = { readonly ratio: number } | { readonly most: number } | { readonly all: true } | { readonly none: true };
/** One figure with every value that was measured. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly goal: Goal;
  readonly floor: readonly number[];
  readonly ours: readonly number[];
}
export type Experiment = (wire: Wire, runs: number) => Promise<readonly Figure[]>;

/** Each gives one or more figures. The programs take turns, so that a busy minute of the machine meets all of them. */
export const EXPERIMENTS: Readonly<Record<string, Experiment>> = {
  start: async (wire, runs) => {
    const [plain = [], lean = [], ours = []] = await inTurns([floor, leanFloor, hermes], runs, async (program, home) => {
      const ran = await program({ url: await wire.anew(), model: 'hi', home });
      const { arrivals } = await wire.report();
      return { first: (arrivals[0] ?? Number.NaN) - ran.startedAt, wall: ran.wallMs };
    });
    const first = { name: 'start to first model request', unit: 'ms', goal: { ratio: 2 }, ours: ours.map((run) => run.first) };
    const wall = { name: 'one-shot hi, wall', unit: 'ms', goal: { ratio: 2 }, ours: ours.map((run) => run.wall) };
    return [
      { ...first, floor: plain.map((run) => run.first) },
      { ...toLean(first), floor: lean.map((run) => run.first) },
      { ...wall, floor: plain.map((run) => run.wall) },
      { ...toLean(wall), floor: lean.map((run) => run.wall) },
    ];
  },
  memory: async (wire, runs) => {
    const [plain = [], lean = [], ours = []] = await inTurns([floor, leanFloor, hermes], runs, async (program, home) => {
      return (await program({ url: await wire.anew(), model: 'hi', home, weigh: true })).peakMB;
    });
    const peak = { name: 'one-shot hi, peak memory', unit: 'MB', goal: { ratio: 1.5 }, ours };
    return [
      { ...peak, floor: plain },
      { ...toLean(peak), floor: lean },
    ];
  },
  steps: async (wire, runs) => {
    const [plain = [], ours = []] = await inTurns([floor, hermes], runs, async (program, home) => {
      const { peakMB } = await program({ url: await wire.anew(), model: `steps-${STEPS}`, home, weigh: true });
      const { arrivals } = await wire.report();
      const steps = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? Number.NaN));
      return { step: median(steps), growth: growth(steps.slice(WARM_UP)), peakMB };
    });
    const figure = (name: string, unit: string, goal: Goal, key: 'step' | 'growth' | 'peakMB'): Figure => ({
      name,
      unit,
      goal,
      floor: plain.map((run) => run[key]),
      ours: ours.map((run) => run[key]),
    });
    return [
      figure('one shell step, log included', 'ms', { ratio: 2 }, 'step'),
      figure('growth of a step in 100 steps', 'ms', { most: 2 }, 'growth'),
      figure(`peak memory after ${STEPS} steps`, 'MB', { ratio: 1.2 }, 'peakMB'),
    ];
  },
  prefix: async (wire) => {
    return [{ name: 'requests that repeat the one before', unit: '%', goal: { all: true }, floor: [], ours: await stablePairs(wire) }];
  },
};

const STEPS = 200;
/** Steps in which V8 still compiles: they would hide growth. */
const WARM_UP = 20;

const toLean = <Kind extends { readonly name: string }>(figure: Kind): Kind => ({ ...figure, name: `${figure.name}, lean floor` });

/** Runs the programs in turns, each in a home that stays the same from run to run; gives the values of each program. */
async function inTurns<Value>(
  programs: readonly Program[],
  runs: number,
  measure: (program: Program, home: string) => Promise<Value>,
): Promise<Value[][]> {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
  const values: Value[][] = programs.map(() => []);
  try {
    // The first round fills caches and is not counted.
    for (let run = 0; run <= runs; run++) {
      for (const [index, program] of programs.entries()) {
        const value = await measure(program, home);
        if (run > 0) values[index]?.push(value);
      }
    }
    return values;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
