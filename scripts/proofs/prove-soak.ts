/**
 * A day of messages through a gateway and the API of one process, as fast as they go. Writes docs/proofs/soak.md.
 *   npm run prove -- soak
 *   HERMES_SOAK_MESSAGES=20000 HERMES_SOAK_MINUTES=5 npm run prove -- soak
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { SoakReading, SoakResult } from './soak/result.ts';

const MOST_GROWTH_MB = 5;

export function proveSoak(messages: number, minutes: number): boolean {
  const args = ['--expose-gc', 'scripts/proofs/soak/program.ts', String(messages), String(minutes)];
  const { status, stdout } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`the soak ended with ${status}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printed by our own program
  const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SoakResult;
  const faults = judge(result, messages);
  writeFileSync('docs/proofs/soak.md', describe(result, faults));
  console.log(faults.length === 0 ? 'soak: no faults' : faults.join('\n'));
  return faults.length === 0;
}

/** The first quarter and the last: single readings are noisy. */
function growthOf(readings: readonly SoakReading[]): number {
  const quarter = Math.max(1, Math.floor(readings.length / 4));
  const middle = (part: readonly SoakReading[]): number => {
    const held = part.map(({ heldMb }) => heldMb).toSorted((a, b) => a - b);
    return held[Math.floor(held.length / 2)] ?? 0;
  };
  return middle(readings.slice(-quarter)) - middle(readings.slice(0, quarter));
}

function judge({ readings }: SoakResult, messages: number): readonly string[] {
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined) return ['nothing was read'];
  const growth = growthOf(readings);
  return [
    ...(last.messages < messages ? [`the time was over after ${last.messages} of ${messages} messages`] : []),
    ...(growth > MOST_GROWTH_MB ? [`memory grew by ${growth.toFixed(1)} MB`] : []),
    ...(last.files > first.files ? [`open files: ${first.files}, then ${last.files}`] : []),
    ...(last.handles > first.handles ? [`handles: ${first.handles}, then ${last.handles}`] : []),
  ];
}

function describe({ warmUp, seconds, sentAgain, readings }: SoakResult, faults: readonly string[]): string {
  const step = Math.max(1, Math.ceil(readings.length / 12));
  const shown = readings.filter((_, at) => at % step === 0 || at === readings.length - 1);
  return `${[
    '# The soak',
    '',
    'A gateway and the API of one home in one process, with a store on disk and a model that takes no time. Half of those who ask are 48 chats, which start anew now and then; the others are programs: completions whole and as streams, responses, runs, sessions that go on and are deleted, clients that leave with the first event and come back for the rest. Memory is read after collections, files and sockets are counted by the kernel. Repeat with `npm run prove -- soak`.',
    '',
    `- messages: ${readings.at(-1)?.messages ?? 0} after ${warmUp} to warm up, in ${Math.round(seconds / 60)} min (${Math.round((readings.at(-1)?.messages ?? 0) / seconds)} a second)`,
    `- growth of heap and external memory, middle of the first quarter to middle of the last: ${growthOf(readings).toFixed(1)} MB (goal: at most ${MOST_GROWTH_MB})`,
    `- requests that a client sent again, since the server had just closed its idle connection: ${sentAgain}`,
    '',
    '| messages | heap and external (MB) | RSS (MB) | open files | handles | timers |',
    '|---|---|---|---|---|---|',
    ...shown.map(
      ({ messages, heldMb, rssMb, files, handles, timers }) =>
        `| ${messages} | ${heldMb.toFixed(1)} | ${Math.round(rssMb)} | ${files} | ${handles} | ${timers} |`,
    ),
    '',
    `- faults: ${faults.length}`,
    ...faults.map((fault) => `  - ${fault}`),
    '',
    `Run on ${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB.`,
  ].join('\n')}\n`;
}
