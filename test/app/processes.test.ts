import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { firstWords } from '../processes.ts';
import { resolveHome } from '../../src/base/home.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { createSurvivors, reportEndedProcesses } from '../../src/app/tools/processes.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { retryUntil } from '../../src/testing/conformance/terminal-commands.ts';

const src = join(import.meta.dirname, '../../src');

/** An agent: starts a process that says what is in a file as that grows, watches it, and waits to be killed. */
const AGENT = `
import { join } from 'node:path';
import { resolveHome } from ${JSON.stringify(`${src}/base/home.ts`)};
import { loadConfig } from ${JSON.stringify(`${src}/app/config/config.ts`)};
import { createNotify, createSurvivors } from ${JSON.stringify(`${src}/app/tools/processes.ts`)};
import { openSqliteStore } from ${JSON.stringify(`${src}/parts/store/sqlite/store.ts`)};
import { localTerminal } from ${JSON.stringify(`${src}/parts/terminals/local/local.ts`)};
import { createProcessTable } from ${JSON.stringify(`${src}/parts/tools/builtin/terminal/processes.ts`)};
const [folder, sessionId, command] = process.argv.slice(1);
const home = resolveHome({ HERMES_HOME: folder });
const store = await openSqliteStore({ path: join(folder, 'state.db'), durability: 'process', notice: () => {} });
const survivors = createSurvivors({ home, config: await loadConfig(home.config, {}, () => {}), processes: store.processes });
const processes = createProcessTable({ notify: createNotify((item) => store.post(item)), survivors });
const terminal = await localTerminal.open({ cwd: folder, env: { PATH: process.env.PATH }, logs: join(folder, 'processes') });
const running = await terminal.start(command, { maxOutput: 10_000, outlive: true });
console.log(await processes.add(sessionId, running, { onComplete: false, patterns: ['READY', 'ERROR'] }));
setInterval(() => {}, 1000);
`;

async function stage() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-watch-')));
  const said = join(folder, 'said');
  writeFileSync(said, '');
  const home = resolveHome({ HERMES_HOME: folder });
  const config = await loadConfig(home.config, {}, () => {});
  const store = await openSqliteStore({ path: join(folder, 'state.db'), durability: 'process', notice: () => {} });
  const { id: sessionId } = await store.create({ source: 'cli', cwd: folder, model: 'm', provider: 'p', title: 't' });
  const survivors = () => createSurvivors({ home, config, env: {}, processes: store.processes });
  after(async () => {
    for (const record of await survivors().list()) await (await survivors().adopt(record))?.kill();
    for (const { trace } of await survivors().list()) rmSync(dirname(trace.log), { recursive: true, force: true });
    await store[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const agent = spawn(process.execPath, ['--input-type=module', '-e', AGENT, folder, sessionId, `tail -n +1 -f said`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const id = await firstWords(agent);
  const kill = async () => {
    const gone = new Promise((resolve) => agent.once('exit', resolve));
    agent.kill('SIGKILL');
    await gone;
  };
  const inbox = async () => (await store.inbox(sessionId)).map(({ key }) => key);
  const goOn = () => reportEndedProcesses(sessionId, survivors(), (item) => store.post(item));
  return { said, sessionId, survivors, store, id, kill, inbox, goOn };
}

test('words that are watched for are watched for by the next run, from the line on that the killed one came to', async () => {
  const { said, id, kill, inbox, goOn, survivors } = await stage();
  appendFileSync(said, 'begin\nREADY\n');
  await retryUntil('the first run told of it', async () => (await inbox()).length === 1);
  await retryUntil('and wrote it down', async () => (await survivors().list())[0]?.watch?.seen === 2);
  await kill();

  await goOn();
  assert.deepEqual(await inbox(), [`${id}:watch:2`], 'what was told is not told again');

  appendFileSync(said, 'more\nERROR\n');
  await retryUntil('later lines are told as they come', async () => (await inbox()).length === 2);
  assert.deepEqual(await inbox(), [`${id}:watch:2`, `${id}:watch:4`]);
  await retryUntil('and written down', async () => (await survivors().list())[0]?.watch?.seen === 4);
});

test('what matched while nobody was there is told before the session goes on', async () => {
  const { said, id, kill, inbox, goOn, survivors } = await stage();
  await kill();
  appendFileSync(said, 'one\ntwo ERROR\n');
  await retryUntil('it is in the log', async () => {
    const [record] = await survivors().list();
    return (record && (await survivors().adopt(record))?.output()) === 'one\ntwo ERROR\n';
  });
  await goOn();
  assert.deepEqual(await inbox(), [`${id}:watch:2`]);
  await goOn();
  assert.deepEqual(await inbox(), [`${id}:watch:2`]);
});

test('a run that was killed between telling and writing down tells nothing twice', async () => {
  const { said, id, kill, inbox, goOn, survivors } = await stage();
  appendFileSync(said, 'READY\n');
  await retryUntil('it was told', async () => (await inbox()).length === 1);
  await kill();
  await survivors().change(id, { watch: { patterns: ['READY', 'ERROR'], seen: 0 } });
  await goOn();
  assert.deepEqual(await inbox(), [`${id}:watch:1`]);
});
