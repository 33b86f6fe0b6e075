/**
 * How much of what a gateway once held stays: heap and memory outside of it after a collection, before and after many messages.
 * A program of its own, so that collections can be asked for and nothing else is in it.
 *   node --expose-gc bench/gateway/growth.ts   (HERMES_BENCH_MESSAGES; 100,000 when absent)
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGatewayBench, type GatewayBench } from './scene.ts';

const MESSAGES = Number(process.env['HERMES_BENCH_MESSAGES'] ?? 100_000);
const AT_ONCE = 32;
/** More than the sessions that are kept open: each line has chats of its own. */
const CHATS_OF_A_LINE = 6;
/** A tenth, and enough to fill every cache there is. */
const WARM_UP = Math.max(1_000, MESSAGES / 10);

/** Chats start anew now and then, as they do by their resets: a log that grows is no leak. */
async function askMany(bench: GatewayBench, count: number): Promise<void> {
  let left = count;
  const askNext = async (_: unknown, line: number): Promise<void> => {
    for (let round = 0; left-- > 0; round++) {
      const chat = 1 + line * CHATS_OF_A_LINE + (round % CHATS_OF_A_LINE);
      await bench.ask(chat, round % 60 >= 54 ? '/new' : undefined);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
}

async function weigh(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    await new Promise((done) => setTimeout(done, 300));
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

const home = mkdtempSync(join(tmpdir(), 'hermes-bench-growth-'));
// Memory is measured, not the disk.
writeFileSync(join(home, 'config.yaml'), 'database:\n  durability: process\n');
{
  await using bench = await openGatewayBench(home);
  await askMany(bench, WARM_UP);
  const before = await weigh();
  await askMany(bench, MESSAGES);
  console.log(JSON.stringify({ messages: MESSAGES, before, after: await weigh() }));
}
rmSync(home, { recursive: true, force: true });
