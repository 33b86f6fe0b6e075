/**
 * What a terminal adds to a command: a call through the session, with its snapshot, beside a bare spawn of `bash -c`, in turns.
 *   node bench/terminals.ts [--runs N] [--json] [--command TEXT]
 * Then both tiers of the sandbox against the local terminal, what the launcher of the floor adds to a spawn, and the first command
 * of each: from nothing, and where the place was opened ahead, as it is while a model writes its call.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Terminal, TerminalBackend } from '../src/contracts/terminal.ts';
import { filterCommandEnvironment } from '../src/parts/terminals/process/environment.ts';
import { localTerminal } from '../src/parts/terminals/local/local.ts';
import { probeFloor } from '../src/parts/terminals/sandbox/floor-probe.ts';
import { sandboxHere } from '../src/parts/terminals/sandbox/probe.ts';
import { sandboxTerminal } from '../src/parts/terminals/sandbox/sandbox.ts';
import { survey } from '../src/parts/terminals/sandbox/survey.ts';
import { openTier } from '../src/parts/terminals/sandbox/tier.ts';
import type { Figure } from './experiments.ts';
import { rowOf, tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
    command: { type: 'string', default: 'ls -l /usr >/dev/null' },
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
const bare = (cwd: string, before: readonly string[] = []): Promise<string> =>
  new Promise((resolve) => {
    const [file, ...args] = [...before, '/bin/bash', '-c', COMMAND] as const;
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
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

/** The floor by itself, without a session around it, and with one. */
async function measureFloor(folder: string, runs: number): Promise<Figure[]> {
  const tools = await probeFloor('a measurement asked for it');
  if ('why' in tools) return (console.log(`floor: not measured, ${tools.why}`), []);
  await using local = await localTerminal.open({ cwd: folder, env });
  await using floor = await sandboxTerminal({ tools }).open({ cwd: folder, env });
  const tier = openTier(tools);
  const keeper = await tier.openKeeper({
    survey: () => survey(folder, {}),
    more: {},
    stamp: () => '',
    makeRoom: async () => {},
    notice: () => {},
    onBroken: () => {},
    onStale: () => {},
  });
  const { file, args } = await keeper.enter();
  const times = { bare: [] as number[], entered: [] as number[], local: [] as number[], floor: [] as number[] };
  for (let run = -5; run < runs; run++) {
    const [plain, entered] = [await timed(() => bare(folder)), await timed(() => bare(folder, [file, ...args]))];
    const [ours, inside] = [await timed(() => call(local)), await timed(() => call(floor))];
    if (run < 0) continue;
    times.bare.push(plain);
    times.entered.push(entered);
    times.local.push(ours);
    times.floor.push(inside);
  }
  await keeper.close();
  await tier.close();
  return [
    { name: 'spawn by the launcher against a bare one', unit: 'ms', goal: { ratio: 1.2 }, floor: times.bare, ours: times.entered },
    { name: 'the floor against local', unit: 'ms', goal: { ratio: 2 }, floor: times.local, ours: times.floor },
  ];
}

/** A model writes a call for longer than this: the shell that was prepared is there. */
const WRITTEN_MS = 50;

/** From nothing to the end of a first command, closed again; and what of it is left where the place was opened ahead. */
async function measureFirst(folder: string, runs: number): Promise<Figure[]> {
  const [best, landlock] = [await sandboxHere(), await probeFloor('a measurement asked for it')];
  const places: Readonly<Record<string, TerminalBackend>> = {
    local: localTerminal,
    ...(!('why' in landlock) && { 'the floor': sandboxTerminal({ tools: landlock, wall: 'attended' }) }),
    ...(best.ok && best.tools.tier === 'bubblewrap' && { bubblewrap: sandboxTerminal({ tools: best.tools, wall: 'attended' }) }),
  };
  const spawns: number[] = [];
  const times = new Map(Object.keys(places).map((name) => [name, { whole: [] as number[], ahead: [] as number[] }]));
  for (let run = -3; run < runs; run++) {
    const plain = await timed(() => bare(folder));
    if (run >= 0) spawns.push(plain);
    for (const [name, place] of Object.entries(places)) {
      const whole = await timed(async () => {
        await using fresh = await place.open({ cwd: folder, env });
        await call(fresh);
      });
      await using ready = await place.open({ cwd: folder, env });
      await ready.prepare?.();
      await pause(WRITTEN_MS);
      const ahead = await timed(() => call(ready));
      if (run < 0) continue;
      times.get(name)?.whole.push(whole);
      times.get(name)?.ahead.push(ahead);
    }
  }
  return [...times].flatMap(([name, { whole, ahead }]): Figure[] => [
    { name: `first command of ${name}, opened and closed`, unit: 'ms', goal: { most: 30 }, floor: spawns, ours: whole },
    { name: `first command of ${name}, opened ahead`, unit: 'ms', goal: { most: 10 }, floor: spawns, ours: ahead },
  ]);
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-bench-')));
try {
  const runs = Number(values.runs);
  const rows = [...(await measure(folder, runs)), ...(await measureFloor(folder, runs)), ...(await measureFirst(folder, runs))].map(rowOf);
  console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
