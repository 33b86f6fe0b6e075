import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../statistics.ts';
import { copyStore, recordCommits, replayCommits, type CommitRecord } from './commits.ts';
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
}
export interface ThroughputRun {
  readonly ours: Throughput;
  readonly floor: Throughput;
  readonly commitsPerMessage: number;
}

/** One message in each of many chats, after one in each that nobody counts; then what was committed, again by SQLite alone. */
export async function measureThroughput(options: ThroughputOptions): Promise<ThroughputRun> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-gateway-'));
  const [home, copy] = [join(folder, 'home'), join(folder, 'floor.db')];
  mkdirSync(home);
  writeFileSync(join(home, 'config.yaml'), `database:\n  durability: ${options.durability}\n`);
  try {
    const { asked, statements } = await runOurs(home, copy, options);
    const ends = replayCommits(copy, options.durability, statements);
    const endOf = (commits: number): number => ends[commits - 1] ?? 0;
    return {
      ours: summarize(
        asked.map(({ tookMs }) => tookMs),
        asked.at(-1)?.overMs ?? Number.NaN,
      ),
      floor: summarize(
        asked.map(({ from, to }) => endOf(to) - endOf(from)),
        ends.at(-1) ?? Number.NaN,
      ),
      commitsPerMessage: ends.length / asked.length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const summarize = (times: readonly number[], wallMs: number): Throughput => ({
  perMessageMs: wallMs / times.length,
  p95Ms: quantile(times, 0.95),
});

/** One message: how long it took, when it was over, and how many commits there were before and after it. */
interface AskedMessage {
  readonly tookMs: number;
  readonly overMs: number;
  readonly from: number;
  readonly to: number;
}

async function runOurs(home: string, copy: string, options: ThroughputOptions) {
  using record = recordCommits();
  await using bench = await openGatewayBench(home);
  await askAll(bench, options, record);
  copyStore(join(home, 'sessions.db'), copy);
  record.restart();
  return { asked: await askAll(bench, options, record), statements: record.statements.slice() };
}

async function askAll(bench: GatewayBench, { chats, atOnce }: ThroughputOptions, record: CommitRecord): Promise<readonly AskedMessage[]> {
  const asked: AskedMessage[] = [];
  const [start, waiting] = [performance.now(), Array.from({ length: chats }, (_, chat) => chat + 1).values()];
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
