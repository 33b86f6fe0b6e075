/**
 * What a rollout costs beyond what it cannot do without: `hermes env evaluate` with a model that takes no time, beside the same
 * number of sandboxes that are opened, used once and closed, and of model calls, in turns.
 *   node bench/rollouts.ts [--rollouts N] [--at-once N] [--runs N] [--json] [--no-build]
 * Memory is that of /proc: what one more rollout at a time adds to the program, and to the processes of its sandboxes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { filterCommandEnvironment } from '../src/parts/terminals/process/environment.ts';
import { sandboxHere } from '../src/parts/terminals/sandbox/probe.ts';
import { sandboxTerminal } from '../src/parts/terminals/sandbox/sandbox.ts';
import type { Figure } from './experiments.ts';
import { rowOf, tableOf } from './table.ts';
import { monotonic, startWire, type Wire } from './wire.ts';

const { values } = parseArgs({
  options: {
    rollouts: { type: 'string', default: '100' },
    'at-once': { type: 'string', default: '8' },
    runs: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});
const [ROLLOUTS, AT_ONCE] = [Number(values.rollouts), Number(values['at-once'])];
const COMMAND = "printf 'step 0 %01980d' 0";
const env = filterCommandEnvironment(process.env, []);

const ENVIRONMENT = `export default {
  name: 'bench', description: 'tasks of a measurement', defaults: { enabled_toolsets: ['terminal'] },
  load: async () => ({
    evaluation: Array.from({ length: ${ROLLOUTS} }, (_, index) => ({ id: 'task-' + index })),
    format: ({ id }) => 'Do ' + id,
    reward: async () => 1,
  }),
};`;

interface Measured {
  /** Milliseconds of one rollout, from the first model request on. */
  readonly each: number;
  /** Megabytes of the program at its peak, and of the processes below it. */
  readonly program: number;
  readonly below: number;
}

async function runHermes(wire: Wire, root: string, atOnce: number): Promise<Measured> {
  const url = await wire.anew();
  const out = mkdtempSync(join(root, 'out-'));
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  const flags = [`openai.base_url=${url}/v1`, 'openai.model_name=steps-1', `env.max_num_workers=${atOnce}`].flatMap((flag) => [
    '--set',
    flag,
  ]);
  const child = spawn(process.execPath, [resolve('dist/main.cjs'), 'env', 'evaluate', join(root, 'bench.mjs'), '--out', out, ...flags], {
    env: { PATH: process.env['PATH'], HOME: home, HERMES_HOME: home, TMPDIR: root },
    stdio: 'ignore',
  });
  const peak = { program: 0, below: 0 };
  const timer = setInterval(() => {
    const { own, below } = weigh(child.pid ?? 0);
    peak.program = Math.max(peak.program, own);
    peak.below = Math.max(peak.below, below);
  }, 100);
  const code = await new Promise((ended) => child.once('close', ended));
  const end = monotonic();
  clearInterval(timer);
  const { arrivals } = await wire.report();
  if (code !== 0 || arrivals.length !== ROLLOUTS * 2)
    throw new Error(`nothing was measured: exit code ${String(code)}, ${arrivals.length} model calls`);
  return { each: (end - (arrivals[0] ?? end)) / ROLLOUTS, ...peak };
}

/** Megabytes of a process and of all below it. */
function weigh(root: number): { readonly own: number; readonly below: number } {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        const number = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
        return [{ pid: Number(name), parent: number('PPid'), mb: number('VmRSS') / 1_024 }];
      } catch {
        return [];
      }
    });
  const family = new Set([root]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid, parent } of found) if (family.has(parent)) family.add(pid);
  }
  const sum = (keep: (pid: number) => boolean): number =>
    found.filter(({ pid }) => family.has(pid) && keep(pid)).reduce((total, { mb }) => total + mb, 0);
  return { own: sum((pid) => pid === root), below: sum((pid) => pid !== root) };
}

/** The least a rollout can do: a sandbox, one command in it, two model calls. */
async function runFloor(wire: Wire, root: string, atOnce: number): Promise<number> {
  const url = await wire.anew();
  const call = async (messages: readonly object[]): Promise<void> => {
    const body = JSON.stringify({ model: 'steps-1', stream: true, messages });
    const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await reply.text();
  };
  const queue = Array.from({ length: ROLLOUTS }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const index of queue) {
      const cwd = mkdtempSync(join(root, `floor-${index}-`));
      await call([{ role: 'user', content: `Do ${index}` }]);
      {
        await using sandbox = await sandboxTerminal().open({ cwd, env });
        const { output } = await sandbox.run(COMMAND, { signal: AbortSignal.timeout(60_000), timeoutMs: 60_000, maxOutput: 50_000 });
        await call([
          { role: 'user', content: `Do ${index}` },
          { role: 'tool', tool_call_id: 'c', content: output },
        ]);
      }
      rmSync(cwd, { recursive: true, force: true });
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (performance.now() - begun) / ROLLOUTS;
}

const probe = await sandboxHere();
if (!probe.ok) throw new Error(`nothing can be measured without a sandbox: ${probe.why}`);
if (!values['no-build']) spawnSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
const root = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
using opened = new DisposableStack();
opened.defer(() => rmSync(root, { recursive: true, force: true }));
const wire = opened.use(startWire());
writeFileSync(join(root, 'bench.mjs'), ENVIRONMENT);
const floor: number[] = [];
const ours: Measured[] = [];
const alone: Measured[] = [];
for (let run = 0; run < Number(values.runs); run++) {
  floor.push(await runFloor(wire, root, AT_ONCE));
  ours.push(await runHermes(wire, root, AT_ONCE));
  if (run === 0) alone.push(await runHermes(wire, root, 1));
}
const more = (valueOf: (measured: Measured) => number): number[] =>
  ours.map((measured) => (valueOf(measured) - valueOf(alone[0] ?? measured)) / Math.max(1, AT_ONCE - 1));
const figures: readonly Figure[] = [
  { name: `time of a rollout, ${AT_ONCE} at once`, unit: 'ms', goal: { ratio: 2 }, floor, ours: ours.map(({ each }) => each) },
  {
    name: 'rollouts a minute',
    unit: '',
    goal: { none: true },
    floor: floor.map((each) => 60_000 / each),
    ours: ours.map(({ each }) => 60_000 / each),
  },
  { name: 'peak memory of the program', unit: 'MB', goal: { none: true }, floor: [], ours: ours.map(({ program }) => program) },
  { name: 'of it for one more rollout at a time', unit: 'MB', goal: { none: true }, floor: [], ours: more(({ program }) => program) },
  { name: 'processes of one more sandbox', unit: 'MB', goal: { none: true }, floor: [], ours: more(({ below }) => below) },
];
const rows = figures.map(rowOf);
console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
