/**
 * What enabled plugins cost a start: argv to the end of `hermes chat -q` and of `--help`, with none and with twenty of them
 * (ten with tools alone, eight that look on, two that decide), in turns.
 *   node bench/plugins.ts [RUNS]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { spawn } from 'node:child_process';
import { startWireServer } from '../src/testing/wire-server/index.ts';
import { least } from './statistics.ts';

const runs = Number(process.argv[2] ?? 15);
const root = mkdtempSync(join(tmpdir(), 'hermes-bench-plugins-'));
const homes = { none: join(root, 'none'), twenty: join(root, 'twenty') };
for (const home of Object.values(homes)) mkdirSync(home, { recursive: true });

const KINDS = [
  ...Array.from({ length: 10 }, (_, index) => ['tools', index] as const),
  ...Array.from({ length: 8 }, (_, index) => ['looks', index] as const),
  ...Array.from({ length: 2 }, (_, index) => ['decides', index] as const),
];
for (const [kind, index] of KINDS) {
  const name = `${kind}-${index}`;
  const folder = join(homes.twenty, 'plugins', name);
  mkdirSync(folder, { recursive: true });
  const hook = kind === 'looks' ? 'on_session_switch' : 'pre_tool_call';
  const lists =
    kind === 'tools'
      ? `tools: [{ name: bench_${index}, description: Does nothing, effects: read, input: { type: object } }]`
      : `hooks: [${hook}]`;
  writeFileSync(join(folder, 'plugin.yaml'), `name: ${name}\nversion: 1.0.0\ndescription: Bench\napi: 1\nentry: index.js\n${lists}\n`);
  const add = kind === 'tools' ? `host.tools.add({ name: 'bench_${index}', run: () => 'x' })` : `host.on('${hook}', () => undefined)`;
  writeFileSync(join(folder, 'index.js'), `export default { name: '${name}', setup(host) { ${add} } };\n`);
  const env = { ...process.env, HERMES_HOME: homes.twenty };
  execFileSync(resolve('bin/hermes'), ['plugins', 'enable', name, '--yes'], { env, stdio: 'ignore' });
}

await using server = await startWireServer({ answer: () => ({ text: 'hi' }) });
let firstRequest = 0;
const stage = async (home: string, args: readonly string[]): Promise<number> => {
  const start = performance.now();
  const before = server.requests.length;
  const child = spawn(resolve('bin/hermes'), args, { env: { ...process.env, HERMES_HOME: home }, cwd: home, stdio: 'ignore' });
  const poll = setInterval(() => {
    if (firstRequest === 0 && server.requests.length > before) firstRequest = performance.now() - start;
  }, 1);
  await new Promise((end) => child.once('exit', end));
  clearInterval(poll);
  return performance.now() - start;
};
const chat = ['chat', '-q', 'hi', '--base-url', `${server.url}/v1`, '-m', 'bench', '--api-mode', 'chat_completions'];
const times = { chat: { none: [] as number[], twenty: [] as number[] }, help: { none: [] as number[], twenty: [] as number[] } };
for (let run = 0; run < runs; run++)
  for (const which of ['none', 'twenty'] as const) {
    firstRequest = 0;
    await stage(homes[which], chat);
    times.chat[which].push(firstRequest);
    times.help[which].push(await stage(homes[which], ['--help']));
  }
for (const [what, { none, twenty }] of Object.entries(times)) {
  // What else the machine does only adds: the quickest run is the one to compare.
  const [few, many] = [least(none), least(twenty)];
  console.log(`${what}: ${few.toFixed(1)} ms with none, ${many.toFixed(1)} ms with twenty, ${(many / few).toFixed(2)}x`);
}
rmSync(root, { recursive: true, force: true });
