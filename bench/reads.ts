/**
 * A step of the agent with eight reads beside a step with one, in turns: from the end of an answer to the last byte of the
 * next request.
 *   node bench/reads.ts [--steps N] [--runs N] [--json] [--no-build]
 * Every read is of lines the session has not seen. Then the reads alone, through the door of a toolkit, in a place that
 * takes its time to answer, as one far away does. On this machine files lie in memory and nothing waits: eight bare calls
 * of `stat` take seven times as long as one there.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Files } from '../src/contracts/files.ts';
import type { Terminal } from '../src/contracts/terminal.ts';
import type { Toolkit, ToolRunOptions } from '../src/contracts/tool.ts';
import { localTerminal } from '../src/parts/terminals/local/local.ts';
import { guardFiles } from '../src/parts/tools/builtin/files/guarded.ts';
import { createPathResolution } from '../src/parts/tools/builtin/files/locate.ts';
import { createFileMemory } from '../src/parts/tools/builtin/files/memory.ts';
import { readFileTool } from '../src/parts/tools/builtin/read-file.ts';
import { createToolkit } from '../src/parts/tools/toolkit.ts';
import { startBareModel } from './bare-model.ts';
import type { Figure } from './experiments.ts';
import { hermes } from './programs.ts';
import { median } from './statistics.ts';
import { rowOf, tableOf } from './table.ts';
import { executed } from '../test/parts/tools/executed.ts';

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '30' },
    runs: { type: 'string', default: '9' },
    json: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});
const AT_ONCE = 8;
const LINES = 50;
/** Steps and rounds before the measured ones: the first calls compile the code. */
const WARM_UP = 5;

async function main(steps: number, runs: number): Promise<void> {
  if (!values['no-build']) spawnSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-reads-'));
  try {
    const text = Array.from({ length: LINES * (steps + 1) }, (_, line) => `  const value${line} = compute(${line}, options);\n`).join('');
    for (let file = 0; file < AT_ONCE; file++) writeFileSync(join(folder, `${file}.ts`), text);
    const rows = [await measureSteps(folder, steps, runs), await measureFar(folder, runs)].map(rowOf);
    console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const input = (file: number, step: number) => ({ path: `${file}.ts`, offset: 1 + step * LINES, limit: LINES });

/** The median step of each run; the first run fills caches and is not counted. */
async function measureSteps(folder: string, steps: number, runs: number): Promise<Figure> {
  const [one, eight]: [number[], number[]] = [[], []];
  for (let run = 0; run <= runs; run++) {
    for (const [count, kept] of [
      [1, one],
      [AT_ONCE, eight],
    ] as const) {
      const step = await stepWith(count, folder, steps);
      if (run > 0) kept.push(step);
    }
  }
  return { name: `a step with ${AT_ONCE} reads, beside one`, unit: 'ms', goal: { ratio: 1.5 }, floor: one, ours: eight };
}

async function stepWith(count: number, home: string, steps: number): Promise<number> {
  const waits: number[] = [];
  await using model = await startBareModel((step, waitedMs) => {
    waits.push(waitedMs);
    return step < steps ? Array.from({ length: count }, (_, file) => ({ name: 'read_file', arguments: input(file, step) })) : undefined;
  });
  await hermes({ url: model.url, model: 'reads', home });
  return median(waits.slice(WARM_UP + 1));
}

/** How long a far place takes for each answer. */
const ANSWER_MS = 25;

async function measureFar(folder: string, runs: number): Promise<Figure> {
  await using terminal = await localTerminal.open({ cwd: folder, env: {} });
  const kit = await kitIn({ ...terminal, kind: 'far', files: slow(terminal.files) });
  const [one, eight]: [number[], number[]] = [[], []];
  for (let round = 0; round < runs + WARM_UP; round++) {
    one.push(await timed(() => read(kit, round % AT_ONCE, 0, `one ${round}`)));
    eight.push(await timed(() => eightReads(kit, 0, `eight ${round}`)));
  }
  const name = `${AT_ONCE} reads far away, beside one`;
  return { name, unit: 'ms', goal: { ratio: 1.5 }, floor: one.slice(WARM_UP), ours: eight.slice(WARM_UP) };
}

const slow = (files: Files): Files => ({
  ...files,
  home: files.home,
  real: async (path) => (await sleep(ANSWER_MS), files.real(path)),
  stat: async (path) => (await sleep(ANSWER_MS), files.stat(path)),
  read: async function* (path, signal) {
    await sleep(ANSWER_MS);
    yield* files.read(path, signal);
  },
});

const kitIn = (terminal: Terminal): Promise<Toolkit> =>
  createToolkit({
    tools: [
      readFileTool({
        ...createPathResolution(terminal),
        guard: guardFiles(terminal.cwd),
        memory: createFileMemory(),
        maxChars: () => 100_000,
      }),
    ],
    toolsets: [],
    terminal,
    ports: {},
    approval: { ask: async () => ({ allow: false, by: 'bench', reason: 'nobody asks' }) },
    spill: { keep: async (message) => message, forScript: async () => ({}), fit: async (messages) => messages },
  });

/** A session of its own each time: nobody is told that the file is unchanged. */
const eightReads = (kit: Toolkit, step: number, sessionId: string): Promise<unknown> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, file) => read(kit, file, step, sessionId)));

async function read(kit: Toolkit, file: number, step: number, sessionId: string): Promise<void> {
  const run: ToolRunOptions = { signal: new AbortController().signal, sessionId, turnId: 't', taint: [], report: () => {} };
  const resolved = kit.resolve({ type: 'tool_call', id: 'c', name: 'read_file', input: input(file, step), trust: 'model' });
  if (!resolved.ok || (await executed(kit, resolved, run)).failed) throw new Error(`file ${file} could not be read`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

await main(Number(values.steps), Number(values.runs));
