import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countHeap, findHolders, writeHeap } from './heap-counts.ts';

/** What did not go back to where it was. */
export interface Leak {
  readonly what: string;
  readonly before: number;
  readonly after: number;
  /** Of a thing on the heap: who holds the newest one. */
  readonly heldBy?: string;
}
export interface LeakOptions {
  /** How often the thing is used between two looks. What grows by one with each use is found from a few on. */
  readonly uses: number;
  /** Uses before the first look, which fill caches and load what is loaded when it is first needed. */
  readonly warmUps?: number;
  /** How long what was closed a moment ago may take until it is gone. */
  readonly settleMs?: number;
  /** Before each look: empties a cache that goes by time and not by uses, which is fuller the faster the machine. */
  readonly beforeLook?: () => Promise<void>;
}
type Counts = ReadonlyMap<string, number>;
const NOTHING: Counts = new Map();

/**
 * Uses something many times, twice, and tells what this process holds afterwards that it did not hold before. Handles,
 * processes, open files and listeners must be back where they were. Things on the heap must not grow with the number of
 * uses; what grows once and then stays is a cache.
 */
export async function findLeaks(use: (index: number) => Promise<void>, options: LeakOptions): Promise<readonly Leak[]> {
  const { uses, warmUps = 3, settleMs = 5_000, beforeLook } = options;
  const folder = mkdtempSync(join(tmpdir(), 'hermes-leaks-'));
  let index = 0;
  const repeat = async (times: number): Promise<void> => {
    for (let left = times; left > 0; left--) await use(index++);
  };
  try {
    // The event loop opens one descriptor for all watching with the first watch, and keeps it.
    watch(folder).close();
    await repeat(warmUps);
    await beforeLook?.();
    const before = countHoldings();
    const heaps = [await writeCleanHeap(join(folder, '0.heapsnapshot'))];
    for (const round of [1, 2]) {
      await repeat(uses);
      await beforeLook?.();
      await settled(before, settleMs);
      heaps.push(await writeCleanHeap(join(folder, `${round}.heapsnapshot`)));
    }
    return [...grown(before, countHoldings(), 1), ...heapLeaks(heaps, uses * LINEAR)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
/** A collection asks for clean-up, which runs afterwards and lets more go: what is counted comes after the next one. */
async function writeCleanHeap(path: string): Promise<string> {
  writeHeap(path);
  await sleep(20);
  return writeHeap(path);
}

function heapLeaks(heaps: readonly string[], least: number): Leak[] {
  const [first = NOTHING, second = NOTHING, third = NOTHING] = heaps.map(countHeap);
  const steadily = new Set(grown(first, second, least).map(({ what }) => what));
  const leaks = grown(second, third, least).filter(({ what }) => steadily.has(what));
  const holders = leaks.length === 0 ? undefined : findHolders(heaps.at(-1) ?? '', new Set(leaks.map(({ what }) => what)));
  return leaks.map((leak) => ({ ...leak, heldBy: holders?.get(leak.what) ?? '' })).toSorted((a, b) => steps(a) - steps(b));
}
/** Nearest to the root first: what hangs on a leak comes after it. */
const steps = ({ heldBy = '' }: Leak): number => heldBy.split(' → ').length;
/** Things on the heap for each use above which they grow with the uses. Less comes and goes by itself. */
const LINEAR = 0.5;

const grown = (before: Counts, after: Counts, least: number): Leak[] =>
  [...after].flatMap(([what, count]) => {
    const earlier = before.get(what) ?? 0;
    return count - earlier >= least ? [{ what, before: earlier, after: count }] : [];
  });

async function settled(before: Counts, settleMs: number): Promise<void> {
  const end = performance.now() + settleMs;
  while (performance.now() < end && grown(before, countHoldings(), 1).length > 0) await sleep(20);
}

/** What this process holds outside of its heap. Processes and files are known where there is `/proc`. */
export function countHoldings(): Counts {
  const names = [
    ...process.getActiveResourcesInfo().map((name) => `handle ${name}`),
    ...childProcesses().map((name) => `process ${name}`),
    ...openFiles().map((name) => `file ${name}`),
    ...process.eventNames().flatMap((event) => process.listeners(event).map(() => `listener on process ${String(event)}`)),
  ];
  return new Map(Object.entries(Object.groupBy(names, (name) => name)).map(([name, all = []]) => [name, all.length]));
}

/** By name: children of every thread of this process, those included that have ended and nobody has asked after. */
function childProcesses(): string[] {
  const pids = namesIn('/proc/self/task').flatMap((task) => textOf(`/proc/self/task/${task}/children`).split(' ').filter(Boolean));
  return pids.map((pid) => textOf(`/proc/${pid}/comm`).trim());
}

/** By what is behind them; numbers of sockets and pipes tell nothing. The folder that is read for it is left out. */
const openFiles = (): string[] =>
  namesIn('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return /^\/proc\/\d+\/fd$/.test(target) ? [] : [target.replace(/:\[\d+\]$/, '')];
    } catch {
      return [];
    }
  });

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Who opens sessions: a host, or a part of one. */
export interface SessionOpener<Options, Session extends AsyncDisposable> {
  openSession(options: Options): Promise<Session>;
}
export interface SessionUse<Options, Session> {
  options(index: number): Options;
  work(session: Session, index: number): Promise<void>;
}
/** One use of a host: a session is opened, worked with and disposed of. */
export const usingSession =
  <Options, Session extends AsyncDisposable>(host: SessionOpener<Options, Session>, { options, work }: SessionUse<Options, Session>) =>
  async (index: number): Promise<void> => {
    await using session = await host.openSession(options(index));
    await work(session, index);
  };

/** An `open` that counts what is open now and what was open at most at one time. */
export interface CountedOpen<Args extends readonly unknown[], Opened> {
  readonly open: (...args: Args) => Promise<Opened>;
  now(): number;
  most(): number;
}
/** Counted from before it opens until it has closed: what is on its way counts too. */
export function countOpen<Args extends readonly unknown[], Opened extends AsyncDisposable>(
  open: (...args: Args) => Promise<Opened>,
): CountedOpen<Args, Opened> {
  let [now, most] = [0, 0];
  return {
    now: () => now,
    most: () => most,
    open: async (...args) => {
      most = Math.max(most, ++now);
      try {
        const opened = await open(...args);
        const close = opened[Symbol.asyncDispose].bind(opened);
        let closed: Promise<void> | undefined;
        opened[Symbol.asyncDispose] = () => (closed ??= Promise.resolve(close()).finally(() => now--));
        return opened;
      } catch (error) {
        now--;
        throw error;
      }
    },
  };
}
