import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../statistics.ts';
import { copyStore, openFloor, recordCommits, type CommitRecord, type FloorStore, type WrittenStatement } from './commits.ts';
import { openGatewayBench, type GatewayBench } from './scene.ts';

export interface ThroughputOptions {
  readonly chats: number;
  /** Chats that wait for an answer at a time. */
  readonly atOnce: number;
  readonly durability: 'power' | 'process';
}
export interface Throughput {
  readonly perMessageMs: number;
  readonly p95Ms: number;
  /** What the processor did for a message, which other load on the machine changes least. */
  readonly cpuMs: number;
}
export interface ThroughputRun {
  readonly ours: Throughput;
  /** The commits that were made, those that several messages shared among them. */
  readonly floor: Throughput;
  /** The commits that a message needs when it shares none, one message after the other. */
  readonly plainFloor: Throughput;
  readonly commitsPerMessage: number;
  readonly plainCommitsPerMessage: number;
}

/** Ours and the floors take turns after so many messages: the disk of a busy machine is another one a moment later. */
const SLICE = 250;

/** One message in each of many chats, after two in each that nobody counts, beside what was committed, again by SQLite alone. */
export async function measureThroughput(options: ThroughputOptions): Promise<ThroughputRun> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-gateway-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'config.yaml'), `database:\n  durability: ${options.durability}\n`);
  try {
    using record = recordCommits();
    await using bench = await openGatewayBench(home);
    const chats = Array.from({ length: options.chats }, (_, chat) => chat + 1);
    await askAll(bench, chats, options.atOnce, record);
    using plain = copyFloor(home, join(folder, 'plain.db'), options);
    const alone = await askOneByOne(bench, chats, record);
    using shared = copyFloor(home, join(folder, 'shared.db'), options);
    return await takeTurns(chats, { ...options, bench, record, plain, shared, alone });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const copyFloor = (home: string, copy: string, { durability }: ThroughputOptions): FloorStore => {
  copyStore(join(home, 'sessions.db'), copy);
  return openFloor(copy, durability);
};

interface Turns extends ThroughputOptions {
  readonly bench: GatewayBench;
  readonly record: CommitRecord;
  readonly plain: FloorStore;
  readonly shared: FloorStore;
  /** What a message of each chat wrote while no other came. */
  readonly alone: readonly (readonly WrittenStatement[])[];
}

async function takeTurns(chats: readonly number[], turns: Turns): Promise<ThroughputRun> {
  const { bench, atOnce, record, plain, shared, alone } = turns;
  const [ours, floor, plainFloor] = [newMeasure(), newMeasure(), newMeasure()];
  let [commits, plainCommits] = [0, 0];
  for (let at = 0; at < chats.length; at += SLICE) {
    record.restart();
    const begun = process.cpuUsage();
    const asked = await askAll(bench, chats.slice(at, at + SLICE), atOnce, record);
    const wall = asked.at(-1)?.overMs ?? Number.NaN;
    ours.add({ times: asked.map(({ tookMs }) => tookMs), wallMs: wall, cpuMs: readCpuMs(begun) });
    const statements = record.statements.slice();
    commits += floor.replay(shared, statements, (ends) => asked.map(({ from, to }) => endOf(ends, to) - endOf(ends, from)));
    const each = alone.slice(at, at + SLICE);
    plainCommits += plainFloor.replay(plain, each.flat(), (ends) => waitInLine(ends, each.map(countCommits), atOnce));
  }
  return {
    ours: ours.summary(),
    floor: floor.summary(),
    plainFloor: plainFloor.summary(),
    commitsPerMessage: commits / chats.length,
    plainCommitsPerMessage: plainCommits / chats.length,
  };
}

interface Measured {
  readonly times: readonly number[];
  readonly wallMs: number;
  readonly cpuMs: number;
}
function newMeasure() {
  const parts: Measured[] = [];
  const sum = (key: 'wallMs' | 'cpuMs'): number => parts.reduce((total, part) => total + part[key], 0);
  return {
    add: (part: Measured): void => void parts.push(part),
    /** Gives how many commits there were. */
    replay: (
      store: FloorStore,
      statements: readonly WrittenStatement[],
      toTimes: (ends: readonly number[]) => readonly number[],
    ): number => {
      const begun = process.cpuUsage();
      const ends = store.replay(statements);
      parts.push({ times: toTimes(ends), wallMs: ends.at(-1) ?? Number.NaN, cpuMs: readCpuMs(begun) });
      return ends.length;
    },
    summary: (): Throughput => {
      const times = parts.flatMap((part) => part.times);
      return { perMessageMs: sum('wallMs') / times.length, p95Ms: quantile(times, 0.95), cpuMs: sum('cpuMs') / times.length };
    },
  };
}

const endOf = (ends: readonly number[], commits: number): number => ends[commits - 1] ?? 0;
const countCommits = (statements: readonly WrittenStatement[]): number => statements.filter(([sql]) => sql === 'COMMIT').length;

/** So many wait at a time and are served in their order: each from the end of the one that made room for it to its own. */
function waitInLine(ends: readonly number[], counts: readonly number[], atOnce: number): readonly number[] {
  let commits = 0;
  const over = counts.map((count) => endOf(ends, (commits += count)));
  return over.map((end, index) => end - (over[index - atOnce] ?? 0));
}

function readCpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** One message: how long it took, when it was over, and how many commits there were before and after it. */
interface AskedMessage {
  readonly tookMs: number;
  readonly overMs: number;
  readonly from: number;
  readonly to: number;
}

async function askAll(
  bench: GatewayBench,
  chats: readonly number[],
  atOnce: number,
  record: CommitRecord,
): Promise<readonly AskedMessage[]> {
  const asked: AskedMessage[] = [];
  const [start, waiting] = [performance.now(), chats.values()];
  const askNext = async (): Promise<void> => {
    for (const chat of waiting) {
      const [begun, from] = [performance.now(), record.count];
      await bench.ask(chat);
      const now = performance.now();
      asked.push({ tookMs: now - begun, overMs: now - start, from, to: record.count });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askNext));
  return asked;
}

/** What follows an answer (the session is given back) belongs to the next message's statements; the sum is the same. */
async function askOneByOne(bench: GatewayBench, chats: readonly number[], record: CommitRecord): Promise<readonly WrittenStatement[][]> {
  const written: WrittenStatement[][] = [];
  for (const chat of chats) {
    record.restart();
    await bench.ask(chat);
    await new Promise((done) => setImmediate(done));
    written.push(record.statements.slice());
  }
  return written;
}
