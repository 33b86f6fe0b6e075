/**
 * The API beside a bare node:http echo that appends to the same SQLite, in the same run, each in a process of its own. The model
 * takes no time, so that all of it is added by us.
 *   node bench/api.ts [--only requests|streams] [--runs N] [--requests N] [--at-once N] [--json]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureLoad, post, type Load } from './api/load.ts';
import { MAX_STREAMS, STREAM } from './api/scene.ts';
import type { Figure } from './experiments.ts';
import { quantile } from './statistics.ts';
import { rowOf, tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '3' },
    requests: { type: 'string', default: '300' },
    'at-once': { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
});
const [RUNS, REQUESTS, AT_ONCE] = [Number(values.runs), Number(values.requests), Number(values['at-once'])];
const WARM = 40;
type Durability = 'power' | 'process';

interface BenchProcess extends Disposable {
  readonly port: number;
}
async function start(file: string, ...args: readonly string[]): Promise<BenchProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'api', file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { port: Number(String(line).trim()), [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

async function measure(server: BenchProcess, body: (index: number) => object): Promise<Load> {
  await measureLoad({ port: server.port, requests: WARM, atOnce: AT_ONCE, body: (index) => body(-1 - index) });
  return measureLoad({ port: server.port, requests: REQUESTS, atOnce: AT_ONCE, body });
}
const ask = (index: number) => ({ messages: [{ role: 'user', content: `How are you, number ${index}?` }] });

interface RequestsRun {
  readonly ours: Load;
  readonly echo: Load;
  readonly same: Load;
}

/** Every request is a conversation of its own: a session, its prompt and its tools are made for it. */
async function measureRequests(durability: Durability): Promise<RequestsRun> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-api-'));
  const at = (name: string): string => join(folder, name);
  try {
    const recording = [join(import.meta.dirname, 'api', 'record.ts'), at('recorded'), at('copy.db'), at('statements'), durability];
    execFileSync(process.execPath, [...recording, String(REQUESTS + WARM)], { stdio: 'inherit' });
    using same = await start('floor.ts', at('copy.db'), durability, at('statements'));
    const sameLoad = await measure(same, ask);
    using echo = await start('floor.ts', at('recorded/sessions.db'), durability);
    const echoLoad = await measure(echo, ask);
    using ours = await start('server.ts', at('home'), durability);
    return { ours: await measure(ours, ask), echo: echoLoad, same: sameLoad };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function requests(durability: Durability): Promise<readonly Figure[]> {
  const runs: RequestsRun[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await measureRequests(durability));
  const label = durability === 'power' ? 'each commit on disk' : 'no flush to disk';
  const figure = (name: string, floor: 'echo' | 'same', key: keyof Load): Figure => ({
    name: `${name}, ${label}`,
    unit: 'ms',
    goal: { ratio: 2 },
    floor: runs.map((each) => each[floor][key]),
    ours: runs.map(({ ours }) => ours[key]),
  });
  return [
    figure('p95 beside an echo with the same commits', 'same', 'p95Ms'),
    figure('time for a request beside it', 'same', 'perRequestMs'),
    figure('p95 beside an echo with one append', 'echo', 'p95Ms'),
    figure('time for a request beside it', 'echo', 'perRequestMs'),
  ];
}

/** Many streams at once: all of them end, and how late their words are. */
async function streams(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-api-'));
  try {
    using server = await start('server.ts', join(folder, 'home'), 'power');
    await measureLoad({ port: server.port, requests: WARM, atOnce: AT_ONCE, body: ask });
    const modelMs = STREAM.deltas * STREAM.paceMs;
    const took: number[] = [];
    let [whole, first]: [number, number[]] = [0, []];
    await Promise.all(
      Array.from({ length: MAX_STREAMS }, async (_, index) => {
        const begun = performance.now();
        let heard: number | undefined;
        const body = { stream: true, messages: [{ role: 'user', content: `Talk slowly, number ${index}.` }] };
        const { text } = await post(server.port, body, undefined, (piece) => {
          if (piece.includes('word')) heard ??= performance.now() - begun;
        });
        took.push(performance.now() - begun - modelMs);
        first = [...first, (heard ?? Infinity) - STREAM.paceMs];
        const said = text
          .split('\n')
          .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)).choices[0].delta.content ?? ''] : []));
        if (said.join('') === 'word '.repeat(STREAM.deltas) && text.trimEnd().endsWith('[DONE]')) whole++;
      }),
    );
    return [
      {
        name: `${MAX_STREAMS} streams at once that came whole`,
        unit: '%',
        goal: { all: true },
        floor: [],
        ours: [(100 * whole) / MAX_STREAMS],
      },
      { name: 'p95 of the time they took beyond the model', unit: 'ms', goal: { most: 5_000 }, floor: [], ours: [quantile(took, 0.95)] },
      { name: 'p95 of the first word beyond the model', unit: 'ms', goal: { most: 5_000 }, floor: [], ours: [quantile(first, 0.95)] },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const EXPERIMENTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  requests: async () => [...(await requests('power')), ...(await requests('process'))],
  streams,
};
const figures: Figure[] = [];
for (const [name, experiment] of Object.entries(EXPERIMENTS))
  if (values.only === undefined || values.only === name) figures.push(...(await experiment()));
const rows = figures.map(rowOf);
console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
