import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProcess } from '../../../../../src/contracts/terminal.ts';
import { localTerminal } from '../../../../../src/parts/terminals/local/local.ts';
import type { SessionStore } from '../../../../../src/contracts/session-store.ts';
import { openSqliteStore } from '../../../../../src/parts/store/sqlite/store.ts';
import { adopt, createProcessRegistry } from '../../../../../src/parts/terminals/registry.ts';
import { createProcessNotices } from '../../../../../src/parts/tools/builtin/terminal/process-notices.ts';
import { processTool, type ProcessInput } from '../../../../../src/parts/tools/builtin/terminal/process.ts';
import { createProcessTable, type Survivors } from '../../../../../src/parts/tools/builtin/terminal/processes.ts';
import { terminalTool, type TerminalInput } from '../../../../../src/parts/tools/builtin/terminal/terminal.ts';
import { answer, contextIn, tempFolder } from '../../setup.ts';

type Told = [sessionId: string, text: string, key: string];

async function desk(survivors?: Survivors) {
  const told: Told[] = [];
  const processes = createProcessTable({ notify: (...message) => void told.push(message), ...(survivors !== undefined && { survivors }) });
  const terminal = await localTerminal.open({ cwd: tempFolder(), env: { PATH: process.env['PATH'] ?? '' }, logs: tempFolder() });
  after(() => terminal[Symbol.asyncDispose]());
  const times = { timeoutSeconds: 10, maxTimeoutSeconds: 20 };
  const start = terminalTool({ processes, judge: () => ({ type: 'fine' }), maxOutput: 10_000, ...times });
  const look = processTool({ processes, judge: () => ({ type: 'fine' }), ...times });
  const context = contextIn(terminal);
  return {
    told,
    processes,
    ask: (input: ProcessInput) => answer(look, input, context),
    start: async (input: TerminalInput): Promise<string> => {
      const words = await answer(start, { background: true, ...input }, context);
      return /proc_\w+/.exec(words)?.[0] ?? words;
    },
  };
}

async function until(what: string, happened: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await happened()); waited += 20) {
    if (waited > 10_000) throw new Error(`${what} did not happen within 10 s`);
    await sleep(20);
  }
}

test('the end is told exactly once, with the exit code and where to look, and without a word of the output', async () => {
  const { told, start } = await desk();
  const id = await start({ command: 'echo do as I say; exit 3', notify_on_complete: true, watch_patterns: ['say'] });
  await until('the end is told', () => told.length > 0);
  await sleep(200);
  assert.deepEqual(told, [
    [
      's1',
      `[Background process ${id} (echo do as I say; exit 3) is over: exit code 3. See its output with process (action: log, session_id: ${id}).]`,
      `${id}:exit`,
    ],
  ]);
});

test('an end that was seen is not told: by waiting, polling, reading or killing', async () => {
  for (const action of ['wait', 'poll', 'log', 'kill'] as const) {
    const { told, start, ask, processes } = await desk();
    const id = await start({ command: action === 'kill' ? 'sleep 30' : 'sleep 0.2', notify_on_complete: true });
    if (action === 'poll' || action === 'log')
      await until('it is over', async () => (await processes.list('s1'))[0]?.running.status().state === 'exited');
    assert.match(await ask({ action, session_id: id }), /exited with code/, action);
    await sleep(300);
    assert.deepEqual(told, [], action);
  }
});

test('what a call ends is not told, however long the call takes', async () => {
  const told: string[] = [];
  const processes = createProcessTable({ notify: (_session, text) => void told.push(text) });
  const { running: still, exit } = puppet();
  let isOver = false;
  const running: RunningProcess = {
    ...still,
    status: () => (isOver ? { state: 'exited', exitCode: 143 } : { state: 'running' }),
    kill: async () => {
      isOver = true;
      exit(143);
      await sleep(400);
    },
  };
  const id = await processes.add('s1', running, { onComplete: true, patterns: [] });
  const tool = processTool({ processes, judge: () => ({ type: 'fine' }), timeoutSeconds: 10, maxTimeoutSeconds: 20 });
  const terminal = await localTerminal.open({ cwd: tempFolder(), env: {}, logs: tempFolder() });
  after(() => terminal[Symbol.asyncDispose]());
  assert.match(await answer(tool, { action: 'kill', session_id: id }, contextIn(terminal)), /^Killed/);
  assert.deepEqual(told, []);
});

test('looking at one that still runs is not seeing its end, and nobody who did not ask is told', async () => {
  const { told, start, ask } = await desk();
  await start({ command: 'true' });
  const id = await start({ command: 'sleep 0.4', notify_on_complete: true });
  assert.match(await ask({ action: 'poll', session_id: id }), /running for/);
  await until('the end is told', () => told.length > 0);
  assert.deepEqual(
    told.map(([, , key]) => key),
    [`${id}:exit`],
  );
});

test('a line with one of the words is told once for a while, and nothing after the end', async () => {
  const { told, start } = await desk();
  const id = await start({
    command: "printf 'not rea'; sleep 0.2; printf 'dy\\n\\033[32mERROR\\033[0m one\\n'; sleep 0.3; echo ready; exit 1",
    watch_patterns: ['ready', 'ERROR', ''],
  });
  await until('the match is told', () => told.length > 0);
  await sleep(900);
  assert.equal(told.length, 1);
  assert.match(told[0]?.[1] ?? '', new RegExp(`^\\[Background process ${id} \\(.*\\) wrote a line with "ready"\\. See its output`));
  assert.equal(told[0]?.[2], `${id}:watch:1`);
});

/** A process that writes when it is told to. */
function puppet() {
  const listeners = new Set<(text: string) => void>();
  const end = Promise.withResolvers<number>();
  const running: RunningProcess = {
    pid: 1,
    command: 'serve',
    startedAt: 0,
    output: () => '',
    outputEnds: () => ({ begin: '', lines: 0 }),
    write: () => {},
    end: () => {},
    kill: async () => {},
    status: () => ({ state: 'running' }),
    onOutput: (listener) => (listeners.add(listener), () => void listeners.delete(listener)),
    exited: end.promise,
  };
  return { running, say: (text: string) => listeners.forEach((listener) => listener(text)), exit: end.resolve, listeners };
}

test('a process that matches all the time is watched no more, and its end is told instead', async () => {
  const told: Told[] = [];
  let now = 0;
  const notices = createProcessNotices((...message) => void told.push(message), { now: () => now });
  const { running, say, exit, listeners } = puppet();
  notices.follow({ id: 'p', sessionId: 's', running }, { onComplete: false, patterns: ['hit'] });
  for (const second of [0, 1, 2, 15, 16, 30, 31, 45]) {
    now = second * 1000;
    say('hit\n');
  }
  assert.equal(listeners.size, 0, 'nobody listens any more');
  exit(0);
  await until('its end is told', () => told.some(([, , key]) => key === 'p:exit'));
  assert.deepEqual(
    told.map(([, , key]) => key),
    ['p:watch:1', 'p:watch:4', 'p:watch:6', 'p:off', 'p:exit'],
  );
  assert.match(told[1]?.[1] ?? '', /and 2 more since the last message/);
});

test('many processes together are silenced, and a store that fails does no harm', async () => {
  const told: string[] = [];
  let now = 0;
  const notices = createProcessNotices(
    (_session, _text, key) => {
      told.push(key);
      throw new Error('the disk is full');
    },
    { now: () => now },
  );
  const puppets = Array.from({ length: 18 }, () => puppet());
  puppets.forEach(({ running }, index) =>
    notices.follow({ id: `p${index}`, sessionId: 's', running }, { onComplete: false, patterns: ['x'] }),
  );
  for (const { say } of puppets) say('x\n');
  now = 30_000;
  puppets[0]?.say('x\n');
  await sleep(10);
  assert.deepEqual(told, [...Array.from({ length: 15 }, (_, index) => `p${index}:watch:1`), 'p15:silence:0', 'p0:watch:2']);
});

test('at most 64 run at once', async () => {
  const { start, processes } = await desk();
  for (let count = 0; count < 64; count++) await processes.add('s2', puppet().running);
  assert.match(await start({ command: 'true' }), /^FAILED Not run: 64 background processes are running already/);
});

async function freshStore(): Promise<SessionStore> {
  const store = await openSqliteStore({ path: join(tempFolder(), 'sessions.db'), durability: 'process' });
  after(() => store[Symbol.asyncDispose]());
  return store;
}

test('what an earlier run of the session left is listed, read and ended by the next; another session sees nothing', async () => {
  const { processes: stored } = await freshStore();
  const survivors = (): Survivors => ({
    ...createProcessRegistry(stored),
    attach: async () => {},
    adopt: async (record) => adopt(record, { maxOutput: 10_000 }),
  });
  const first = await desk(survivors());
  const id = await first.start({ command: 'echo here I am; sleep 60' });
  const ended = await first.start({ command: 'echo over; exit 4' });
  const live = (await first.processes.find('s1', id))[0]?.running;
  assert.ok(live !== undefined);
  after(() => live.kill());
  await until('both have spoken', async () => (await first.processes.list('s1')).every(({ running }) => running.output() !== ''));
  await until('one is over', async () => (await first.processes.find('s1', ended))[0]?.running.status().state === 'exited');

  const second = await desk(survivors());
  assert.match(
    await second.ask({ action: 'list' }),
    new RegExp(`^${id}: running for \\d+ s, pid ${live.pid}: echo here.*\\n${ended}: exited with code 4: echo over`),
  );
  assert.deepEqual(await second.processes.list('s2'), []);
  assert.match(await second.ask({ action: 'log', session_id: id }), /here I am\n\[lines 1-1 of 1\]$/);
  assert.match(await second.ask({ action: 'poll', session_id: ended }), /exited with code 4.*\nover$/s);
  assert.match(await second.ask({ action: 'kill', session_id: id }), /^Killed/);
  assert.deepEqual(await stored.list(), [], 'what was seen to be over is forgotten');
  assert.match(await (await desk(survivors())).ask({ action: 'list' }), /^No background processes/);
});

test('one whose place cannot be asked is told of, stays entered, and is asked after again', async () => {
  const trace = { backend: 'ssh', pid: 7, command: 'make all', startedAt: 0, log: '/l', exit: '/e', identity: {} };
  const registry = createProcessRegistry((await freshStore()).processes);
  await registry.add({ id: 'proc_far', sessionId: 's1', trace });
  let answers = false;
  const adoptOne: Survivors['adopt'] = async () => {
    if (!answers) throw new Error('no way in');
    return puppet().running;
  };
  const { ask, processes } = await desk({ ...registry, attach: async () => {}, adopt: adoptOne });
  assert.equal(await ask({ action: 'list' }), 'proc_far: may still run, but its place cannot be asked now (no way in): make all');
  assert.match(await ask({ action: 'poll', session_id: 'far' }), /^FAILED proc_far: may still run/);
  assert.equal((await registry.list()).length, 1);
  answers = true;
  assert.match(await ask({ action: 'list' }), /^proc_far: running/);
  assert.equal((await processes.list('s1')).length, 1, 'and is taken up once');
});
