/**
 * Many messages through the gateway and the API of one process, which then holds no more than before.
 *   node --expose-gc scripts/proofs/soak/program.ts MESSAGES MINUTES
 * A program of its own, so that collections can be asked for and nothing else is in it. It ends after so many messages or so much
 * time, and prints what was measured as JSON.
 */
import { readdirSync } from 'node:fs';
import { countSentAgain, openSoakClient, type SoakClient } from './api-client.ts';
import { openSoak } from './scene.ts';
import type { SoakReading, SoakResult } from './result.ts';

const [MESSAGES, MINUTES] = [Number(process.argv[2] ?? 200_000), Number(process.argv[3] ?? 60)];
/** Half of them are chats, the others programs. */
const LINES = 16;
/** More than the sessions that are kept open: each line has chats of its own. */
const CHATS_OF_A_LINE = 6;
/** Enough to fill every cache there is. */
const WARM_UP = Math.max(700, Math.ceil(MESSAGES / 20));
const PART = Math.max(100, MESSAGES / 40);

/** Somebody who asks again and again. */
type AskNext = () => Promise<void>;

/** Chats start anew now and then, as they do by their resets: a log that grows is no leak. */
function createChatLine(line: number): AskNext {
  let round = 0;
  return async () => {
    const chat = 1 + line * CHATS_OF_A_LINE + (round % CHATS_OF_A_LINE);
    await scene.gateway.ask(chat, round++ % 60 >= 54 ? '/new' : undefined);
  };
}

function createApiLine(line: number): AskNext {
  let round = 0;
  const client = openSoakClient(scene.api.port, line);
  clients.push(client);
  return () => client.ask(round++);
}

async function askMany(count: number): Promise<void> {
  let left = count;
  await Promise.all(
    lines.map(async (askNext) => {
      while (left-- > 0) await askNext();
    }),
  );
  for (const client of clients) client.hangUp();
}

async function read(messages: number): Promise<SoakReading> {
  // What is kept for a moment is let go.
  for (let round = 0; round < 4; round++) {
    await new Promise((done) => setTimeout(done, 250));
    globalThis.gc?.();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const timers = resources.filter((name) => name === 'Timeout' || name === 'Immediate').length;
  return {
    messages,
    heldMb: (heapUsed + external) / 1e6,
    rssMb: rss / 1e6,
    // Reading the folder opens one.
    files: readdirSync('/proc/self/fd').length - 1,
    handles: resources.length - timers,
    timers,
  };
}

await using scene = await openSoak();
const clients: SoakClient[] = [];
const lines = Array.from({ length: LINES }, (_, line) => (line % 2 === 0 ? createChatLine(line) : createApiLine(line)));
await askMany(WARM_UP);
await scene.tend();
const readings: SoakReading[] = [await read(0)];
const begun = performance.now();
const secondsSince = (): number => (performance.now() - begun) / 1_000;
for (let done = 0; done < MESSAGES && secondsSince() < MINUTES * 60;) {
  await askMany(PART);
  done += PART;
  await scene.tend();
  readings.push(await read(done));
  process.stderr.write(`${JSON.stringify(readings.at(-1))}\n`);
}
console.log(JSON.stringify({ warmUp: WARM_UP, seconds: secondsSince(), sentAgain: countSentAgain(), readings } satisfies SoakResult));
