import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { ProcessRecord } from '../../contracts/process-store.ts';
import type { OpenStore } from './session-store-samples.ts';

const processOf = (id: string, more: Partial<ProcessRecord> = {}): ProcessRecord => ({
  id,
  sessionId: 's1',
  trace: { backend: 'local', pid: 7, command: 'make', startedAt: 1, log: '/l', exit: '/e', identity: { pid: 7, host: 'here' } },
  ...more,
});

/** Background processes that are found again. */
export function testStoredProcesses(open: OpenStore): void {
  test('a background process is there until it is struck off, with what its session wants to hear', async () => {
    await using store = await open();
    const { processes } = store;
    const watch = { patterns: ['READY'], seen: 0 };
    for (const record of [processOf('p1', { watch }), processOf('p2', { tell: true }), processOf('p3')]) await processes.add(record);
    await processes.keep('p1');
    await processes.change('p1', { watch: { ...watch, seen: 4 } });
    await processes.change('p2', {});
    await processes.change('nobody', { tell: true });
    const kept = processOf('p1', { kept: true, watch: { ...watch, seen: 4 } });
    deepEqual(await processes.list(), [kept, processOf('p2'), processOf('p3')]);
    deepEqual([await processes.remove('p1'), await processes.remove('p1')], [kept, undefined]);
    await processes.add(processOf('p2', { sessionId: 's2' }));
    deepEqual(await processes.list(), [processOf('p3'), processOf('p2', { sessionId: 's2' })]);
  });
}
