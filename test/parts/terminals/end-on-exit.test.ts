import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { retryUntil } from '../../../src/testing/conformance/terminal-commands.ts';
import { processesThat } from '../../processes.ts';
import { noSandbox } from './sandbox-stage.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-ends-')));
// A watcher whose agent was killed may still write its last words while the folder is emptied.
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
const src = join(import.meta.dirname, '../../../src/parts/terminals');

/** A process like the agent: opens a terminal, runs or starts a command in it, and waits to be killed. */
const AGENT = `
const [file, name, cwd, how, command] = process.argv.slice(1);
const made = (await import(file))[name];
const backend = typeof made === 'function' ? made() : made;
const terminal = await backend.open({ cwd, env: { PATH: process.env.PATH }, logs: cwd + '/logs' });
const options = { signal: new AbortController().signal, timeoutMs: 60_000, maxOutput: 1000 };
await terminal.run('true', options);
const killWatcher = async () => {
  const children = (await import('node:fs')).readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ').map(Number);
  const [watcher] = children;
  process.kill(watcher, 'SIGKILL');
};
if (how === 'run after the watcher was killed') await killWatcher();
if (how.startsWith('run')) void terminal.run(command, { ...options, pty: how === 'run on a pty' });
else {
  const running = await terminal.start(command, { maxOutput: 1000, pty: how === 'start on a pty', outlive: how === 'start to outlive' });
  if (running.trace !== undefined) console.log(running.trace.log);
}
if (how === 'run before the watcher was killed') await killWatcher();
setInterval(() => console.log('here'), 50);
`;
interface Row {
  readonly backend: readonly [file: string, name: string];
  readonly how: string;
  readonly stays?: true;
}
const LOCAL = ['local/local.ts', 'localTerminal'] as const;
const SANDBOX = ['sandbox/sandbox.ts', 'sandboxTerminal'] as const;
const TABLE: readonly Row[] = [
  { backend: LOCAL, how: 'run' },
  { backend: LOCAL, how: 'run on a pty' },
  { backend: LOCAL, how: 'run after the watcher was killed' },
  { backend: LOCAL, how: 'run before the watcher was killed' },
  { backend: LOCAL, how: 'start' },
  { backend: LOCAL, how: 'start on a pty' },
  { backend: LOCAL, how: 'start to outlive', stays: true },
  { backend: SANDBOX, how: 'run' },
  { backend: SANDBOX, how: 'run on a pty' },
];

const alive = (words: string): number[] => processesThat((line) => line.endsWith(`sleep ${words}`));

let count = 0;
async function killed({ backend: [file, name], how }: Row): Promise<string> {
  const words = `4700.${process.pid}${(count += 1)}`;
  // A shell that does not listen to hangups, and a grandchild of it.
  const command = `trap '' HUP; (sleep ${words}; true) & sleep ${words}; wait`;
  const agent = spawn(process.execPath, ['--input-type=module', '-e', AGENT, join(src, file), name, folder, how, command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  agent.stdout.resume();
  const gone = new Promise((resolve) => agent.once('exit', resolve));
  await retryUntil('both sleep', async () => alive(words).length === 2);
  // The agent has turned its loop since: a kill between its spawn and its word to the watcher is not what is tried here.
  for (let turns = 0; turns < 3; turns++) await once(agent.stdout, 'data');
  agent.kill('SIGKILL');
  await gone;
  return words;
}

describe('what must end with the agent ends when it is killed', () => {
  for (const row of TABLE) {
    const skip = row.backend === SANDBOX && noSandbox !== undefined ? noSandbox : false;
    test(`${row.backend[1]}: ${row.how}${row.stays === true ? ', which stays' : ''}`, { skip }, async () => {
      const words = await killed(row);
      if (row.stays !== true) return retryUntil('nobody is left', async () => alive(words).length === 0);
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.equal(alive(words).length, 2);
      for (const pid of alive(words)) process.kill(pid, 'SIGKILL');
    });
  }
});

const noPs = spawnSync('ps').error === undefined ? false : 'there is no ps on this machine (apt install procps)';
test('a command carries nothing of that: it has no descriptor but its own, and nobody else in its group', { skip: noPs }, async () => {
  const { localTerminal } = await import('../../../src/parts/terminals/local/local.ts');
  await using terminal = await localTerminal.open({ cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, logs: join(folder, 'logs') });
  const options = { signal: new AbortController().signal, timeoutMs: 9_000, maxOutput: 5_000 };
  const { output } = await terminal.run('ls /proc/self/fd; ps -o pid= -g $$ | wc -l; jobs; echo ${!-none}', options);
  const bare = execFileSync('/bin/bash', ['-c', 'ls /proc/self/fd'], { encoding: 'utf8' });
  assert.equal(output.replaceAll(/ +/g, ''), `${bare}3\nnone\n`, 'beside the shell there are ps and wc');
  const running = await terminal.start('sleep 30', { maxOutput: 100, outlive: true });
  // The shell closes what it read its own script from a moment after it has begun.
  const few = bare.trim().split('\n').length - 1;
  while (readdirSync(`/proc/${running.pid}/fd`).length !== few) await new Promise((done) => setTimeout(done, 5));
  await running.kill();
});

test('what a command left behind on purpose stays when the command is over', async () => {
  const words = `4700.${process.pid}99`;
  const agent = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      AGENT,
      join(src, 'local/local.ts'),
      'localTerminal',
      folder,
      'run',
      `nohup sleep ${words} >/dev/null 2>&1 &`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const gone = new Promise((resolve) => agent.once('exit', resolve));
  await new Promise((resolve) => agent.stdout.once('data', () => agent.stdout.once('data', resolve)));
  await retryUntil('it sleeps', async () => alive(words).length === 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  agent.kill('SIGKILL');
  await gone;
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal(alive(words).length, 1);
  for (const pid of alive(words)) process.kill(pid, 'SIGKILL');
});
