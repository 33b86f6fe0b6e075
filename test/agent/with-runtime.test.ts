import assert from 'node:assert/strict';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { isMessageEntry } from '../../src/contracts/entry.ts';
import { createTextBlock, joinTextBlocks } from '../../src/contracts/message.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import { localTerminal } from '../../src/parts/terminals/local/local.ts';
import { spillTo } from '../../src/parts/tools/budget.ts';
import { processTool } from '../../src/parts/tools/builtin/terminal/process.ts';
import { createProcessTable } from '../../src/parts/tools/builtin/terminal/processes.ts';
import { terminalTool } from '../../src/parts/tools/builtin/terminal/terminal.ts';
import { toolSettings } from '../../src/parts/tools/settings.ts';
import { createToolkit } from '../../src/parts/tools/toolkit.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { collect, RUNTIME, says, setup } from './setup.ts';

const OTHER = { ...RUNTIME, model: 'script-2', limits: { window: 32_000 } };
const signal = new AbortController().signal;

test('on another model the shell stands where it stood, what runs in the background is known, and a new prompt begins', async () => {
  const first = scriptedProvider([
    {
      calls: [
        { id: 'a', name: 'terminal', input: { command: 'cd sub && export MARK=kept' } },
        { id: 'b', name: 'terminal', input: { command: 'sleep 60', background: true } },
      ],
    },
    { text: 'there' },
  ]);
  const second = scriptedProvider([
    {
      calls: [
        { id: 'c', name: 'terminal', input: { command: 'pwd; echo $MARK' } },
        { id: 'd', name: 'process', input: { action: 'list' } },
      ],
    },
    { text: 'still there' },
  ]);
  const { store, session, deps, folder } = await setup(first);
  mkdirSync(join(folder, 'sub'));
  await using terminal = await localTerminal.open({ cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
  const running = {
    processes: createProcessTable({}),
    judge: () => ({ type: 'fine' as const }),
    timeoutSeconds: 20,
    maxTimeoutSeconds: 20,
  };
  const toolkit = await createToolkit({
    tools: [terminalTool({ ...running, maxOutput: 10_000 }), processTool(running)],
    toolsets: ['test'],
    terminal,
    ports: {},
    approval: { ask: async () => ({ allow: false, by: 'nobody', reason: 'nobody is there' }) },
    spill: spillTo(join(folder, 'spill'), collectDefaults(toolSettings)),
  });
  const agent = createAgent(store, { ...deps, toolkit }, RUNTIME);
  await collect(agent.send(session, says('go there'), signal));
  const { routes, price } = deps;
  const other = agent.withRuntime(OTHER, { provider: second, routes, price });
  await collect(other.send(session, says('where are you?'), signal));
  const entries = await store.entries(session.id);
  const results = entries.filter(isMessageEntry).flatMap(({ message }) => (message.role === 'tool' ? [joinTextBlocks(message)] : []));
  assert.equal(results[2], `${realpathSync(join(folder, 'sub'))}\nkept`);
  assert.match(results[3] ?? '', /sleep 60/);
  assert.deepEqual(
    entries.flatMap((entry) => (entry.type === 'epoch' ? [[entry.cause, entry.epoch.model]] : [])),
    [
      ['start', 'script-1'],
      ['model changed', 'script-2'],
    ],
  );
  assert.deepEqual(
    (await store.calls({ sessionId: session.id })).map(({ runtime }) => runtime.model),
    ['script-1', 'script-1', 'script-2', 'script-2'],
  );
});

test('a turn that runs when the model changes is stopped by a text posted to either agent', async () => {
  const slow = scriptedProvider([{ text: 'many words that come slowly', chunk: 1, paceMs: 50 }]);
  const { store, session, deps } = await setup(slow);
  const agent = createAgent(store, deps, RUNTIME);
  const turn = agent.send(session, says('go'), signal);
  for await (const event of turn) {
    if (event.type !== 'text_delta') {
      if (event.type === 'settled') assert.equal(event.outcome.exitReason, 'interrupted');
      continue;
    }
    const { provider, routes, price } = deps;
    const other = agent.withRuntime(OTHER, { provider, routes, price });
    await other.post({ sessionId: session.id, content: [createTextBlock('stop', 'owner')], mode: 'interrupt' });
  }
  const outcomes = (await store.entries(session.id)).flatMap((entry) => (entry.type === 'outcome' ? [entry.exitReason] : []));
  assert.deepEqual(outcomes, ['interrupted']);
});
