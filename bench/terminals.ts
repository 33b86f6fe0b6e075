/**
 * What a terminal adds to a command: a call through the session, with its snapshot, beside a bare spawn of `bash -c`, in turns.
 *   node bench/terminals.ts [--runs N] [--json] [--command TEXT]
 * Then the sandbox minus the local terminal, and the files of the sandbox, which go through a shell.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Terminal } from '../src/contracts/terminal.ts';
import { filterCommandEnvironment } from '../src/parts/terminals/process/environment.ts';
import { localTerminal } from '../src/parts/terminals/local/local.ts';
import { sandboxHere } from '../src/parts/terminals/sandbox/probe.ts';
import { sandboxTerminal } from '../src/parts/terminals/sandbox/sandbox.ts';
import type { Figure } from './experiments.ts';
import { rowOf, tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
    command: { type: 'string', default: 'ls -l / >/dev/null' },
  },
});
const COMMAND = values.command;
const env = filterCommandEnvironment(process.env, []);

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

/** The least that runs a command and hears its output. */
const bare = (cwd: string): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn('/bin/bash', ['-c', COMMAND], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let heard = '';
    child.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    child.once('close', () => resolve(heard));
  });

const call = async (terminal: Terminal): Promise<void> => {
  const { exitCode, output } = await terminal.run(COMMAND, { signal: new AbortController().signal, timeoutMs: 20_000, maxOutput: 50_000 });
  if (exitCode !== 0) throw new Error(`nothing was measured: ${output}`);
};
const look = async (terminal: Terminal, folder: string): Promise<void> => void (await terminal.files.stat(folder));

async function measure(folder: string, runs: number): Promise<Figure[]> {
  await using local = await localTerminal.open({ cwd: folder, env });
  // A session that has something to carry over, as real ones have.
  await local.run('export A=1 B=2; greet() { echo hello; }; alias ll="ls -l"', {
    signal: new AbortController().signal,
    timeoutMs: 9_000,
    maxOutput: 100,
  });
  const probe = await sandboxHere();
  await using sandbox = probe.ok ? await sandboxTerminal().open({ cwd: folder, env }) : undefined;
  const times = { bare: [] as number[], local: [] as number[], sandbox: [] as number[], more: [] as number[], file: [] as number[] };
  for (let run = -5; run < runs; run++) {
    const [floor, ours] = [await timed(() => bare(folder)), await timed(() => call(local))];
    const inside = sandbox === undefined ? Number.NaN : await timed(() => call(sandbox));
    const file = sandbox === undefined ? Number.NaN : await timed(() => look(sandbox, folder));
    // Some rounds are not counted: they fill caches.
    if (run < 0) continue;
    times.bare.push(floor);
    times.local.push(ours);
    times.sandbox.push(inside);
    times.more.push(inside - ours);
    times.file.push(file);
  }
  const rows: Figure[] = [
    { name: 'terminal call against a bare spawn', unit: 'ms', goal: { ratio: 2 }, floor: times.bare, ours: times.local },
  ];
  if (!probe.ok) return (console.log(`sandbox: not measured, ${probe.why}`), rows);
  return [
    ...rows,
    { name: 'sandbox against local', unit: 'ms', goal: { ratio: 5 }, floor: times.local, ours: times.sandbox },
    { name: 'sandbox minus local', unit: 'ms', goal: { most: 25 }, floor: [], ours: times.more },
    { name: 'looking at a file in the sandbox', unit: 'ms', goal: { most: 50 }, floor: [], ours: times.file },
  ];
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-bench-')));
try {
  const rows = (await measure(folder, Number(values.runs))).map(rowOf);
  console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
