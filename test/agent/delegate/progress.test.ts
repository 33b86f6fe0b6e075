import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAgent } from '../../../src/agent/agent.ts';
import { toFileToolArtefacts } from '../../../src/agent/artefacts.ts';
import { createSpawn } from '../../../src/agent/delegate/spawn.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createTextBlock } from '../../../src/contracts/message.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { SpawnChild } from '../../../src/contracts/ports.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { delegationSettings } from '../../../src/parts/tools/builtin/delegate/settings.ts';
import { delegateTool } from '../../../src/parts/tools/builtin/delegate/tool.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import { scriptedProvider } from '../../../src/testing/scripted-provider.ts';
import { deskAt } from '../../parts/tools/setup.ts';
import { play, RUNTIME, setup, testTool } from '../setup.ts';

test("a child's progress carries the session of that child, and the result names the same sessions", async () => {
  const tasks = [{ goal: 'one' }, { goal: 'two' }];
  const parent = await setup(scriptedProvider([{ calls: [{ id: 'd1', name: 'delegate_task', input: { tasks } }] }, { text: 'both done' }]));
  const { store, folder } = parent;
  const child = await setup(
    scriptedProvider((request) => (request.messages.length === 1 ? { calls: [{ id: 'l1', name: 'look' }] } : { text: 'looked' })),
    { tools: [testTool('look', async () => ({ content: [createTextBlock('seen', 'tool')] }))] },
  );
  const spawn: SpawnChild = createSpawn({
    store,
    clock: systemClock,
    patience: { idleMs: 60_000, inToolMs: 60_000 },
    timeoutMs: 0,
    begin: () => store.create({ source: 'child', cwd: folder, model: 'm', provider: 'p' }),
    withheld: () => [],
    follow: async () => toFileToolArtefacts([]),
    open: async () => ({ agent: createAgent(store, child.deps, RUNTIME), [Symbol.asyncDispose]: async () => {} }),
  });
  const ports = { spawn };
  const toolkit = await createToolkit({
    tools: [delegateTool({ ports, settings: collectDefaults(delegationSettings), depth: 0 })],
    toolsets: ['test'],
    terminal: deskAt(folder),
    ports,
    approval: { ask: async () => ({ allow: false, by: 'nobody', reason: 'nobody is there' }) },
    spill: spillTo(join(folder, 'spill'), collectDefaults(toolSettings)),
  });
  const { events } = await play({ ...parent, deps: { ...parent.deps, toolkit } }, 'go');
  const children = (await store.list()).filter(({ source }) => source === 'child').map(({ id }) => id);
  const notes = events.flatMap((event) => (event.type === 'tool_progress' ? [{ callId: event.callId, childId: event.childId }] : []));
  assert.deepEqual(notes.map(({ childId }) => childId ?? '').toSorted(), children.toSorted());
  assert.ok(children.length === 2 && notes.every(({ callId }) => callId === 'd1'));
  const details = events.flatMap((event) => (event.type === 'tool_finished' ? [event.details] : []))[0];
  assert.ok(details?.kind === 'children');
  assert.deepEqual(details.children.map(({ sessionId = '' }) => sessionId).toSorted(), children.toSorted());
});
