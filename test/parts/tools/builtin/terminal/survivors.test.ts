import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunningProcess } from '../../../../../src/contracts/terminal.ts';
import type { Survivor, Survivors } from '../../../../../src/parts/tools/builtin/terminal/processes.ts';
import { endSessionProcesses } from '../../../../../src/parts/tools/builtin/terminal/survivors.ts';

/** Processes by name that run until they are killed. */
function stage(records: readonly (Partial<Survivor> & { readonly id: string; readonly startedAt: number })[]) {
  const killed: string[] = [];
  const survivors: Survivors = {
    list: async () =>
      records.map(({ id, startedAt, ...more }) => ({
        id,
        sessionId: 's',
        trace: { backend: 'local', pid: 1, command: `run ${id}`, startedAt, log: '', exit: '', identity: {} },
        ...more,
      })),
    adopt: async ({ id }) => {
      const state = (): 'exited' | 'running' => (killed.includes(id) ? 'exited' : 'running');
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what ending one asks of it
      return {
        status: () => ({ state: state() }),
        kill: async () => void killed.push(id),
        exited: Promise.resolve(0),
      } as unknown as RunningProcess;
    },
    add: async () => {},
    attach: async () => {},
    change: async () => {},
    keep: async () => {},
    remove: async () => {},
  };
  return { survivors, killed };
}

test('a session ends what it started, not what the owner keeps, what another session has or what ran before', async () => {
  const { survivors, killed } = stage([
    { id: 'loop', startedAt: 20 },
    { id: 'server', startedAt: 20, kept: true },
    { id: 'theirs', startedAt: 20, sessionId: 'another' },
    { id: 'before', startedAt: 9 },
  ]);
  const words = await endSessionProcesses({ sessionId: 's', openedAt: 10, outlives: false }, survivors);
  assert.deepEqual(killed, ['loop']);
  assert.match(
    words ?? '',
    /^A background process was ended with the session: loop \(run loop\)\. .*\n2 background processes keep running: server \(run server\), before \(run before\)\./,
  );
});

test('nothing ends where the owner said so, and nothing is said where nothing runs', async () => {
  const { survivors, killed } = stage([{ id: 'loop', startedAt: 20 }]);
  assert.match(
    (await endSessionProcesses({ sessionId: 's', openedAt: 10, outlives: true }, survivors)) ?? '',
    /^A background process keeps running: loop/,
  );
  assert.deepEqual(killed, []);
  assert.equal(await endSessionProcesses({ sessionId: 'nobody', openedAt: 10, outlives: false }, survivors), undefined);
});
