import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { firstWords } from '../processes.ts';
import { resolveHome } from '../../src/base/home.ts';
import { joinTextBlocks } from '../../src/contracts/message.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { createSurvivors, reportEndedProcesses } from '../../src/app/tools/processes.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { createProcessTable } from '../../src/parts/tools/builtin/terminal/processes.ts';
import { engine, noEngine, removeStage, SETTINGS } from '../parts/terminals/container-stage.ts';
import { hereEnv, noSshd, startHost } from '../parts/terminals/ssh-stage.ts';

const src = join(import.meta.dirname, '../../src');
after(removeStage);

/** An agent: starts commands in a place far away, tells of the first line of one of them, and waits to be killed. */
const agent = (module: string, open: string): string => `
import { resolveHome } from ${JSON.stringify(`${src}/base/home.ts`)};
import { loadConfig } from ${JSON.stringify(`${src}/app/config/config.ts`)};
import { createNotify, createSurvivors } from ${JSON.stringify(`${src}/app/tools/processes.ts`)};
import { openSqliteStore } from ${JSON.stringify(`${src}/parts/store/sqlite/store.ts`)};
import { createProcessTable } from ${JSON.stringify(`${src}/parts/tools/builtin/terminal/processes.ts`)};
import * as place from ${JSON.stringify(`${src}/parts/terminals/${module}`)};
const [folder, sessionId, given, watched, awaited] = process.argv.slice(1);
const home = resolveHome({ HERMES_HOME: folder });
const config = await loadConfig(home.config, {}, () => {});
const store = await openSqliteStore({ path: home.store, durability: 'process', notice: () => {} });
const processes = createProcessTable({ notify: createNotify((item) => store.post(item)), survivors: createSurvivors({ home, config, env: {}, processes: store.processes }) });
const terminal = await (${open})(config.settings, JSON.parse(given)).open({ cwd: '~', env: { PATH: process.env.PATH, HOME: process.env.HOME } });
const started = async (command, wishes) => {
  const running = await terminal.start(command, { maxOutput: 10_000, outlive: true });
  return processes.add(sessionId, running, wishes);
};
const ids = [await started(watched, { onComplete: false, patterns: ['READY'] }), await started(awaited, { onComplete: true, patterns: [] })];
console.log(ids.join(' '));
setInterval(() => {}, 1000);
`;

interface Place {
  readonly program: string;
  readonly settings: object;
  readonly env: Readonly<Record<string, string>>;
  /** What the agent's place is made of. */
  readonly given: object;
  /** Runs a command there, from outside. */
  say(command: string): string;
}

async function begun(place: Place) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-far-')));
  const home = resolveHome({ HERMES_HOME: folder });
  writeFileSync(home.config, JSON.stringify({ terminal: place.settings }));
  const store = await openSqliteStore({ path: home.store, durability: 'process', notice: () => {} });
  const { id: sessionId } = await store.create({ source: 'cli', cwd: folder, model: 'm', provider: 'p', title: 't' });
  after(async () => {
    await store[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const far = `/tmp/hermes-far-${process.pid}-${Math.random().toString(16).slice(2)}`;
  place.say(`mkdir ${far}`);
  const until = (name: string) => `while [ ! -e ${far}/${name} ]; do sleep 0.1; done`;
  const watched = `echo one READY; ${until('end')}; echo two READY; ${until('go')}; echo three READY; sleep 600`;
  const awaited = `echo begun; ${until('end')}; echo over; : > ${far}/ended; exit 5`;
  const args = ['--input-type=module', '-e', place.program, folder, sessionId, JSON.stringify(place.given), watched, awaited];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...place.env } });
  const ids = await firstWords(child);
  const kill = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  const config = await loadConfig(home.config, {}, () => {});
  const survivors = createSurvivors({ home, config, env: { ...process.env, ...place.env }, processes: store.processes });
  const inbox = async () =>
    (await store.inbox(sessionId)).map(({ key, content }) => [
      key,
      /exit code -?\d+/.exec(joinTextBlocks({ role: 'user', content }))?.[0] ?? '',
    ]);
  return { ids: ids.split(' '), kill, far, survivors, inbox, sessionId, store };
}

async function soon(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await isSo()) return;
    await pause(150);
  }
  assert.fail(`never came to be: ${what}`);
}

async function story(place: Place): Promise<void> {
  const { ids, kill, far, survivors, inbox, sessionId, store } = await begun(place);
  const [watched = '', awaited = ''] = ids;
  await soon('the first run told of the first line and wrote it down', async () => (await survivors.list())[0]?.watch?.seen === 1);
  await kill();
  place.say(`: > ${far}/end`);
  await soon('one ends while nobody is there', () => place.say(`ls ${far}`).includes('ended'));

  await reportEndedProcesses(sessionId, survivors, (item) => store.post(item));
  const told = [
    [`${watched}:watch:1`, ''],
    [`${watched}:watch:2`, ''],
    [`${awaited}:exit`, 'exit code 5'],
  ];
  // A place that takes longer than the report waits is told of as it comes.
  await soon('what came meanwhile is told', async () => (await inbox()).length >= told.length);
  assert.deepEqual(new Set((await inbox()).map(String)), new Set(told.map(String)));

  const processes = createProcessTable({ survivors });
  const rows = await processes.list(sessionId);
  assert.deepEqual(
    rows.map(({ id, running }) => [id, running.status().state, running.output()]),
    [
      [watched, 'running', 'one READY\ntwo READY\n'],
      [awaited, 'exited', 'begun\nover\n'],
    ],
  );
  place.say(`: > ${far}/go`);
  await soon('later lines are heard as they come', () => rows[0]?.running.output() === 'one READY\ntwo READY\nthree READY\n');
  await rows[0]?.running.kill();
  await soon('a kill ends it', () => rows[0]?.running.status().state === 'exited');
  for (const row of rows) await processes.looked(row);
  assert.deepEqual(await survivors.list(), []);
  place.say(`rm -r ${far}`);
}

describe('processes far away are taken up by the next run after the agent was killed', () => {
  test('on a host over ssh', { skip: noSshd ?? false }, async () => {
    const host = await startHost();
    const { host: name, user, port, key, options } = host.settings;
    try {
      await story({
        program: agent('far-backends.ts', '(settings) => ({ open: async (o) => (await place.FAR_BACKENDS.ssh({ settings })).open(o) })'),
        settings: { ssh_host: name, ssh_user: user, ssh_port: port, ssh_key: key, ssh_options: options },
        env: hereEnv(),
        given: {},
        say: (command) => execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }),
      });
    } finally {
      await host.close();
    }
  });

  test('in a container that lives on', { skip: noEngine ?? false }, async () => {
    const store = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-far-store-')));
    const [task, env] = [`far${process.pid}`, { PATH: process.env['PATH'] ?? '', HERMES_DOCKER_BINARY: engine }];
    const id = () => execFileSync(engine, ['ps', '-q', '--filter', `label=hermes.task=${task}`], { encoding: 'utf8' }).trim();
    const { containerTerminal } = await import('../../src/parts/terminals/containers/container.ts');
    const given = { settings: { ...SETTINGS, persistent: true }, task, store, env };
    const cwd = realpathSync(tmpdir());
    await (await containerTerminal(given).open({ cwd, env: {} }))[Symbol.asyncDispose]();
    try {
      await story({
        program: agent(
          'containers/container.ts',
          `(_, given) => ({ open: (o) => place.containerTerminal(given).open({ ...o, cwd: ${JSON.stringify(cwd)} }) })`,
        ),
        settings: {},
        env,
        given,
        say: (command) => execFileSync(engine, ['exec', id(), 'sh', '-c', command], { encoding: 'utf8' }),
      });
    } finally {
      execFileSync(engine, ['rm', '-f', '-t', '0', id()]);
      rmSync(store, { recursive: true, force: true });
    }
  });
});
