/**
 * What keeping files adds to a terminal call, beside the least such a look can cost, in turns.
 *   node bench/undo.ts [--files N] [--runs N] [--json]
 * The folder does not change, as before most calls. floor: list the folder and look at every file, once before the call
 * and once after it. first: the folder is kept for the first time, every file is read, packed and made durable.
 */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ToolCallInfo } from '../src/contracts/safety.ts';
import { openCheckpoints } from '../src/parts/safety/checkpoints/store.ts';
import { createUndo } from '../src/parts/safety/checkpoints/undo.ts';
import { rowOf, tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const PER_FOLDER = 40;

async function main(files: number, runs: number): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), 'hermes-bench-undo-'));
  try {
    const work = join(top, 'work');
    fill(work, files);
    const undo = undoIn(top);
    const first = await timed(() => around(undo, work, 0));
    const [floor, ours]: [number[], number[]] = [[], []];
    for (let run = 1; run <= runs; run++) {
      floor.push(await timed(() => [look(work), look(work)]));
      ours.push(await timed(() => around(undo, work, run)));
    }
    const rows = [
      { name: `${files} unchanged files, before and after a command`, unit: 'ms', goal: { most: 60 }, floor, ours } as const,
      { name: `${files} files kept for the first time`, unit: 'ms', goal: { most: 5_000 }, floor: [], ours: [first] } as const,
    ].map(rowOf);
    console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function fill(work: string, files: number): void {
  for (let n = 0; n < files; n++) {
    const folder = join(work, `folder${Math.floor(n / PER_FOLDER)}`);
    if (n % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file${n}.ts`), `export const value${n} = ${n};\n`.repeat(120));
  }
}

function undoIn(top: string) {
  const home = join(top, 'home');
  return createUndo({
    store: openCheckpoints(join(home, 'checkpoints'), { maxTurns: 20, maxBytes: 500_000_000, keepMs: 604_800_000 }),
    kind: 'local',
    bounds: { maxFiles: 5_000, maxFileBytes: 10_485_760, maxBytes: 500_000_000, apart: [], patienceMs: 60_000 },
    context: { home, profile: home, own: [] },
  });
}

async function around(undo: ReturnType<typeof undoIn>, work: string, run: number): Promise<void> {
  const call: ToolCallInfo = {
    tool: 'terminal',
    input: { command: 'make' },
    cwd: work,
    sessionId: 's',
    effects: { kind: 'write', resources: ['*'] },
  };
  const notice = await undo.before(call, `t${run}`);
  if (notice !== undefined) throw new Error(notice);
  await undo.after(call, `t${run}`);
}

function look(folder: string): number {
  let count = 0;
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    lstatSync(join(folder, item.name));
    count += item.isDirectory() ? look(join(folder, item.name)) : 1;
  }
  return count;
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

await main(Number(values.files), Number(values.runs));
