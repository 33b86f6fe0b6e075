import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { identifyOwnProcess } from '../../../src/base/process-identity.ts';
import { localTerminal } from '../../../src/parts/terminals/local/local.ts';
import { removeProcessFiles } from '../../../src/parts/terminals/local/logged.ts';
import { adopt, createProcessRegistry } from '../../../src/parts/terminals/registry.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { retryUntil } from '../../../src/testing/conformance/terminal-commands.ts';
import { processesWith } from '../../processes.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-registry-')));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'processes.json');
const place = join(folder, 'sessions.db');
const store = await openSqliteStore({ path: place, durability: 'process' });
after(() => store[Symbol.asyncDispose]());
const registry = createProcessRegistry(store.processes, file);
const clear = async () => {
  for (const { id } of await store.processes.list()) await store.processes.remove(id);
};
const logs = join(folder, 'logs');
const src = join(import.meta.dirname, '../../../src/parts/terminals');

/** Another process of ours: starts a command that shall outlive it, enters it, and waits to be killed. */
const EARLIER = `
import { localTerminal } from ${JSON.stringify(`${src}/local/local.ts`)};
import { createProcessRegistry } from ${JSON.stringify(`${src}/registry.ts`)};
import { openSqliteStore } from ${JSON.stringify(`${src}/../store/sqlite/store.ts`)};
const [file, cwd, command] = process.argv.slice(1);
const terminal = await localTerminal.open({ cwd, env: { PATH: process.env.PATH }, logs: cwd + '/logs' });
await terminal.run('export CARRIED=over', { signal: new AbortController().signal, timeoutMs: 9000, maxOutput: 100 });
const running = await terminal.start(command, { maxOutput: 1000, outlive: true });
await createProcessRegistry((await openSqliteStore({ path: file })).processes).add({ id: 'proc_1', sessionId: 's1', trace: running.trace });
console.log('entered');
setInterval(() => {}, 1000);
`;
async function startedEarlier(command: string): Promise<void> {
  await clear();
  const earlier = spawn(process.execPath, ['--input-type=module', '-e', EARLIER, place, folder, command], {
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
  const [record, ...others] = await registry.list();
  assert.ok(record !== undefined && others.length === 0);
  assert.equal(statSync(place).mode & 0o777, 0o600);
  const running = adopt(record, options);
  assert.ok(running !== undefined);
  await retryUntil('its first words are read', async () => running.output() === 'first over\n');
  assert.deepEqual(running.status(), { state: 'running' });
  const heard: string[] = [];
  running.onOutput((text) => heard.push(text));
  writeFileSync(join(folder, 'go'), '');
  await retryUntil('it is over', async () => running.status().state === 'exited');
  assert.deepEqual([await running.exited, running.output(), heard.join('')], [7, 'first over\nlast\n', 'last\n']);
  await registry.remove('proc_1');
  assert.deepEqual(await registry.list(), []);
  assert.equal(existsSync(record.trace.log), false, 'its files are gone with it');
  assert.equal(adopt(record, options), undefined);
});

test('a kill ends an adopted process and all of its group', async () => {
  await startedEarlier('sleep 4711.5 & sleep 4711.5');
  const [record] = await registry.list();
  const running = record === undefined ? undefined : adopt(record, options);
  assert.equal(running?.status().state, 'running');
  await running?.kill();
  await retryUntil('it is over', async () => running?.status().state === 'exited');
  assert.deepEqual(processesWith('sleep 4711.5'), []);
  await registry.remove('proc_1');
});

test('another process under the same pid is not taken for it', async () => {
  await startedEarlier('sleep 30');
  const [record] = await registry.list();
  assert.ok(record !== undefined);
  const other = { ...record, trace: { ...record.trace, identity: { ...record.trace.identity, started: 'another time' } } };
  assert.equal(adopt(other, options)?.status().state, 'exited');
  process.kill(-record.trace.pid, 'SIGKILL');
  await registry.remove('proc_1');
});

test('only what was asked to outlives its terminal', async () => {
  const terminal = await localTerminal.open({ cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, logs });
  const [staying, going] = [await terminal.start('sleep 40', { ...options, outlive: true }), await terminal.start('sleep 40', options)];
  staying.write('ignored\n');
  await terminal[Symbol.asyncDispose]();
  assert.deepEqual([staying.status().state, going.status().state], ['running', 'exited']);
  assert.equal(going.trace, undefined);
  await staying.kill();
  await retryUntil('it is over', async () => staying.status().state === 'exited');
  if (staying.trace !== undefined) removeProcessFiles(staying.trace);
});

test('a registry that is broken, or from elsewhere, is no reason to fail', async () => {
  for (const text of ['', '{', '[]', '{"a":1}', '[{"id":"proc_1"}]', '[null, 5]']) {
    writeFileSync(file, text);
    assert.deepEqual(await createProcessRegistry(store.processes, file).list(), [], text);
    assert.equal(existsSync(file), false, text);
  }
  const trace = { backend: 'docker', pid: 1, command: 'x', startedAt: 0, log: file, exit: file, identity: { container: 'c' } };
  await registry.add({ id: 'proc_2', sessionId: 's', trace });
  assert.deepEqual(await registry.list(), [{ id: 'proc_2', sessionId: 's', trace }]);
  assert.equal(adopt({ trace }, options), undefined);
  await clear();
  const rows = [
    { id: 'proc_3', sessionId: 's', trace, kept: true, watch: { patterns: ['READY'], seen: 4 } },
    { id: 'proc_4', sessionId: 's', trace, tell: true },
  ];
  writeFileSync(file, JSON.stringify(rows));
  assert.deepEqual(await createProcessRegistry(store.processes, file).list(), rows, 'an earlier version left a file');
  assert.equal(existsSync(file), false);
});

test('a log that grows for ever is emptied while somebody looks', async () => {
  await using terminal = await localTerminal.open({ cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, logs });
  const running = await terminal.start('head -c 70000000 /dev/zero; sleep 30', { ...options, outlive: true });
  const log = running.trace?.log ?? '';
  await retryUntil('it is emptied', async () => (running.output(), existsSync(join(log, '../emptied'))));
  assert.ok(statSync(log).size < 10_000_000);
  await running.kill();
  if (running.trace !== undefined) removeProcessFiles(running.trace);
});

test('two processes that enter and strike off at once lose nothing of each other', async () => {
  await clear();
  const program = `
import { createProcessRegistry } from ${JSON.stringify(`${src}/registry.ts`)};
import { openSqliteStore } from ${JSON.stringify(`${src}/../store/sqlite/store.ts`)};
const [file, name] = process.argv.slice(1);
const registry = createProcessRegistry((await openSqliteStore({ path: file, durability: 'process' })).processes);
const trace = { backend: 'docker', pid: 1, command: 'x', startedAt: 0, log: '/l', exit: '/e', identity: { container: 'c' } };
console.log('ready');
process.stdin.once('data', async () => {
  for (let count = 0; count < 40; count++) {
    await registry.add({ id: name + count, sessionId: 's', trace, watch: { patterns: ['x'], seen: 0 } });
    if (count % 4 === 1) await registry.remove(name + count);
    if (count % 4 === 2) await registry.change(name + count, { watch: { patterns: ['x'], seen: count } });
  }
  process.exit(0);
});
`;
  const writers = ['a', 'b'].map((name) =>
    spawn(process.execPath, ['--input-type=module', '-e', program, place, name], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  await Promise.all(writers.map((writer) => new Promise((resolve) => writer.stdout.once('data', resolve))));
  const over = writers.map((writer) => new Promise((resolve) => writer.once('exit', resolve)));
  for (const writer of writers) writer.stdin.write('go\n');
  assert.deepEqual(await Promise.all(over), [0, 0]);
  const expected = ['a', 'b'].flatMap((name) =>
    Array.from({ length: 40 }, (_, count) => [`${name}${count}`, count % 4 === 2 ? count : 0] as const).filter(
      (_, count) => count % 4 !== 1,
    ),
  );
  const found = await registry.list();
  assert.deepEqual(
    found.map(({ id, watch }) => [id, watch?.seen] as const).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    expected.toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
});

test('a process whose files were swept away is struck off when the next one is entered', async () => {
  await clear();
  const { pid, host, space, started } = identifyOwnProcess();
  const identity = { pid, host, space, started };
  const trace = { backend: 'local', pid, command: 'x', startedAt: 0, log: join(folder, 'no/log'), exit: join(folder, 'no/exit'), identity };
  await registry.add({ id: 'proc_old', sessionId: 's', trace });
  await registry.add({
    id: 'proc_far',
    sessionId: 's',
    trace: { ...trace, identity: { ...identity, host: 'elsewhere' } },
  });
  await registry.add({ id: 'proc_new', sessionId: 's', trace: { ...trace, log: place } });
  assert.deepEqual(
    (await registry.list()).map(({ id }) => id),
    ['proc_far', 'proc_new'],
  );
});

test('a log that was emptied is taken up behind the lines that were heard', async () => {
  await startedEarlier("printf 'one\\ntwo\\nthree\\n'; sleep 30");
  const [record] = await registry.list();
  assert.ok(record !== undefined);
  const heardFrom = async (seen: number) => {
    const running = adopt({ ...record, watch: { patterns: [], seen } }, options);
    let heard = '';
    running?.onOutput((text) => (heard += text));
    await retryUntil('all of it was read', async () => running?.output() === 'one\ntwo\nthree\n');
    return heard;
  };
  assert.deepEqual([await heardFrom(0), await heardFrom(2), await heardFrom(9)], ['one\ntwo\nthree\n', 'three\n', '']);
  writeFileSync(join(record.trace.log, '../emptied'), '100');
  assert.deepEqual([await heardFrom(100), await heardFrom(101)], ['one\ntwo\nthree\n', 'two\nthree\n']);
  process.kill(-record.trace.pid, 'SIGKILL');
  await registry.remove('proc_1');
});
