/** Chance that can be repeated: the same seed gives the same draws, so a failing case is replayed by its seed alone. */
export interface SeededRandom {
  readonly seed: string;
  /** From 0 up to, but not, 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number;
  /** True with this likelihood. */
  hits(likelihood: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** One of the keys, as likely as its weight. */
  weighed<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
  shuffled<Item>(items: readonly Item[]): Item[];
  list<Item>(least: number, most: number, make: (index: number) => Item): Item[];
  /** Draws of its own under a name: what one part of a case draws never shifts what another gets. */
  fork(name: string): SeededRandom;
}

export function createSeededRandom(seed: string): SeededRandom {
  const next = draws(seed);
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    seed,
    next,
    int,
    hits: (likelihood) => next() < likelihood,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    weighed: (weights) => weighed(weights, next()),
    shuffled: (items) => shuffled(items, int),
    list: (least, most, make) => Array.from({ length: int(least, most) }, (_, index) => make(index)),
    fork: (name) => createSeededRandom(`${seed}/${name}`),
  };
}

/** A case that runs longer than this hangs. */
const HANGS_AFTER_MS = 20_000;

/**
 * Runs a property over many seeds. `HERMES_SEED` names the first one, `HERMES_PROPERTY_RUNS` how many there are;
 * a failure tells both, so that the one case can be run again by itself.
 */
export async function forAll(cases: number, property: (chance: SeededRandom) => void | Promise<void>, env = process.env): Promise<void> {
  const first = Number(env['HERMES_SEED'] ?? 1);
  const runs = Number(env['HERMES_PROPERTY_RUNS'] ?? cases);
  for (let seed = first; seed < first + runs; seed++) {
    try {
      await inTime(Promise.try(property, createSeededRandom(String(seed))));
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      throw new Error(`Case ${seed} fails; HERMES_SEED=${seed} HERMES_PROPERTY_RUNS=1 runs it again. ${said}`, { cause: error });
    }
  }
}

async function inTime(running: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`It did not end within ${HANGS_AFTER_MS / 1000} s.`)), HANGS_AFTER_MS);
  try {
    await Promise.race([running, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Numbers from 0 to 1 out of a 32-bit state: small, fast and the same on every machine. */
function draws(seed: string): () => number {
  let state = hashed(seed);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return (scrambled(state) >>> 0) / 2 ** 32;
  };
}

function scrambled(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
  return twice ^ (twice >>> 16);
}

const hashed = (text: string): number => Buffer.from(text).reduce((hash, byte) => scrambled(hash ^ byte), 0x2545f491);

function weighed<Key extends string>(weights: Readonly<Record<Key, number>>, draw: number): Key {
  let left = draw * Object.values<number>(weights).reduce((sum, weight) => sum + weight, 0);
  for (const key in weights) if ((left -= weights[key]) < 0) return key;
  throw new Error('there is nothing to choose from');
}

function shuffled<Item>(items: readonly Item[], int: (least: number, most: number) => number): Item[] {
  const pool = [...items];
  return items.flatMap(() => pool.splice(int(0, pool.length - 1), 1));
}
