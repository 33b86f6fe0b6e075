import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { localTerminal } from '../../../src/parts/terminals/local.ts';
import { forget } from '../../../src/parts/terminals/logged.ts';
import { adopt, processRegistry } from '../../../src/parts/terminals/registry.ts';
import { eventually } from '../../../src/testing/conformance/terminal-commands.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-registry-')));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'processes.json');
const src = join(import.meta.dirname, '../../../src/parts/terminals');

/** Another process of ours: starts a command that shall outlive it, enters it, and waits to be killed. */
const EARLIER = `
import { localTerminal } from ${JSON.stringify(`${src}/local.ts`)};
import { processRegistry } from ${JSON.stringify(`${src}/registry.ts`)};
const [file, cwd, command] = process.argv.slice(1);
const terminal = await localTerminal.open({ cwd, env: { PATH: process.env.PATH } });
await terminal.run('export CARRIED=over', { signal: new AbortController().signal, timeoutMs: 9000, maxOutput: 100 });
const running = await terminal.start(command, { maxOutput: 1000, outlive: true });
processRegistry(file).add({ id: 'proc_1', sessionId: 's1', trace: running.trace });
console.log('entered');
setInterval(() => {}, 1000);
`;
async function startedEarlier(command: string): Promise<void> {
  rmSync(file, { force: true });
  const earlier = spawn(process.execPath, ['--input-type=module', '-e', EARLIER, file, folder, command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => earlier.stdout.once('data', resolve));
  const gone = new Promise((resolve) => earlier.once('exit', resolve));
  earlier.kill('SIGKILL');
  await gone;
}
const options = { maxOutput: 10_000 };

test('a process started by a process of ours that was killed goes on, is found again, and tells output and exit code', async () => {
  await startedEarlier('echo first $CARRIED; while [ ! -e go ]; do sleep 0.05; done; echo last; exit 7');
  const [record, ...others] = processRegistry(file).list();
  assert.ok(record !== undefined && others.length === 0);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const running = adopt(record, options);
  assert.ok(running !== undefined);
  await eventually('its first words are read', async () => running.output() === 'first over\n');
  assert.deepEqual(running.status(), { state: 'running' });
  const heard: string[] = [];
  running.onOutput((text) => heard.push(text));
  writeFileSync(join(folder, 'go'), '');
  await eventually('it is over', async () => running.status().state === 'exited');
  assert.deepEqual([await running.exited, running.output(), heard.join('')], [7, 'first over\nlast\n', 'last\n']);
  processRegistry(file).remove('proc_1');
  assert.deepEqual(processRegistry(file).list(), []);
  assert.equal(existsSync(record.trace.log), false, 'its files are gone with it');
  assert.equal(adopt(record, options), undefined);
});

test('a kill ends an adopted process and all of its group', async () => {
  await startedEarlier('sleep 4711.5 & sleep 4711.5');
  const [record] = processRegistry(file).list();
  const running = record === undefined ? undefined : adopt(record, options);
  assert.equal(running?.status().state, 'running');
  await running?.kill();
  await eventually('it is over', async () => running?.status().state === 'exited');
  assert.doesNotMatch(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }), /sleep 4711\.5/);
  processRegistry(file).remove('proc_1');
});

test('another process under the same pid is not taken for it', async () => {
  await startedEarlier('sleep 30');
  const [record] = processRegistry(file).list();
  assert.ok(record !== undefined);
  const other = { ...record, trace: { ...record.trace, identity: { ...record.trace.identity, started: 'another time' } } };
  assert.equal(adopt(other, options)?.status().state, 'exited');
  process.kill(-record.trace.pid, 'SIGKILL');
  processRegistry(file).remove('proc_1');
});

test('only what was asked to outlives its terminal', async () => {
  const terminal = await localTerminal.open({ cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
  const [staying, going] = [await terminal.start('sleep 40', { ...options, outlive: true }), await terminal.start('sleep 40', options)];
  staying.write('ignored\n');
  await terminal[Symbol.asyncDispose]();
  assert.deepEqual([staying.status().state, going.status().state], ['running', 'exited']);
  assert.equal(going.trace, undefined);
  await staying.kill();
  await eventually('it is over', async () => staying.status().state === 'exited');
  if (staying.trace !== undefined) forget(staying.trace);
});

test('a registry that is broken, or from elsewhere, is no reason to fail', () => {
  for (const text of ['', '{', '[]', '{"a":1}', '[{"id":"proc_1"}]', '[null, 5]']) {
    writeFileSync(file, text);
    assert.deepEqual(processRegistry(file).list(), [], text);
  }
  const trace = { backend: 'docker', pid: 1, command: 'x', startedAt: 0, log: file, exit: file, identity: { container: 'c' } };
  processRegistry(file).add({ id: 'proc_2', sessionId: 's', trace });
  assert.deepEqual(processRegistry(file).list(), [{ id: 'proc_2', sessionId: 's', trace }]);
  assert.equal(adopt({ trace }, options), undefined);
  assert.match(readFileSync(file, 'utf8'), /proc_2/);
});

test('a log that grows for ever is emptied while somebody looks', async () => {
  await using terminal = await localTerminal.open({ cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
  const running = await terminal.start('head -c 70000000 /dev/zero; sleep 30', { ...options, outlive: true });
  await eventually('it is small again', async () => (running.output(), statSync(running.trace?.log ?? '').size < 1_000_000));
  await running.kill();
  if (running.trace !== undefined) forget(running.trace);
});
