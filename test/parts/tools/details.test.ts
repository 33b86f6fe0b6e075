import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ToolDetails } from '../../../src/contracts/details.ts';
import type { JsonObject } from '../../../src/contracts/message.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { AnyTool } from '../../../src/contracts/tool.ts';
import { createSecrets } from '../../../src/parts/safety/secrets/secrets.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { patchTool } from '../../../src/parts/tools/builtin/patch/tool.ts';
import { createProcessTable } from '../../../src/parts/tools/builtin/terminal/processes.ts';
import { terminalTool } from '../../../src/parts/tools/builtin/terminal/terminal.ts';
import { todoTool } from '../../../src/parts/tools/builtin/todo/tool.ts';
import { writeFileTool } from '../../../src/parts/tools/builtin/write-file.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import { testTool } from '../../agent/setup.ts';
import { resultOf } from './executed.ts';
import { deskAt, fileOptions, put, tempFolder } from './setup.ts';

const VALUE = 'correct-horse-battery-staple';
const LOOKS_LIKE_ONE = `ghp_${'a1B2'.repeat(9)}`;
const secrets = createSecrets({ known: () => [{ name: 'MY_API_KEY', value: VALUE }], salt: () => 'salt' });

/** Details of one call that went through the whole door. */
async function told(folder: string, tool: AnyTool, input: JsonObject): Promise<ToolDetails | undefined> {
  const run = async (command: string) => ({ exitCode: 3, ended: 'exited' as const, output: command, omitted: 0, cwd: folder });
  const kit = await createToolkit({
    tools: [tool],
    toolsets: ['test'],
    terminal: { ...deskAt(folder), run },
    ports: {},
    approval: { ask: async () => ({ allow: true, by: 'test' }) },
    spill: spillTo(folder, collectDefaults(toolSettings)),
    secrets,
  });
  const resolved = kit.resolve({ type: 'tool_call', id: 'c1', name: tool.name, input, trust: 'model' });
  assert.ok(resolved.ok);
  const signal = new AbortController().signal;
  return (await resultOf(kit, resolved, { signal, sessionId: 's', turnId: 't', taint: [], report: () => {} })).details;
}

test('what file tools changed is a diff of each file', async () => {
  const folder = tempFolder();
  put(folder, { 'a.txt': 'one\ntwo\nthree\n', 'old.txt': 'gone\n' });
  assert.deepEqual(await told(folder, writeFileTool(fileOptions(folder)), { path: 'a.txt', content: 'one\n2\nthree\nfour\n' }), {
    kind: 'diff',
    files: [
      {
        path: join(folder, 'a.txt'),
        change: 'changed',
        diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four',
        added: 2,
        removed: 1,
      },
    ],
  });
  const patch = '*** Begin Patch\n*** Add File: b.txt\n+new\n*** Delete File: old.txt\n*** End Patch';
  assert.deepEqual(await told(folder, patchTool(fileOptions(folder)), { mode: 'patch', patch }), {
    kind: 'diff',
    files: [
      { path: join(folder, 'b.txt'), change: 'created', diff: '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,1 @@\n+new', added: 1, removed: 0 },
      {
        path: join(folder, 'old.txt'),
        change: 'deleted',
        diff: '--- a/old.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone',
        added: 0,
        removed: 1,
      },
    ],
  });
});

test('a file that is too long to be read whole is only said to be changed', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'long.txt'), 'line\n'.repeat(20_000));
  assert.deepEqual(await told(folder, writeFileTool(fileOptions(folder)), { path: 'long.txt', content: 'short\n' }), {
    kind: 'diff',
    files: [{ path: join(folder, 'long.txt'), change: 'changed', diff: '', added: 0, removed: 0, cut: true }],
  });
});

test('the task list and the end of a command are data', async () => {
  const folder = tempFolder();
  const tasks = [
    { id: '1', content: 'look', status: 'completed' },
    { id: '2', content: 'write', status: 'in_progress' },
  ] as const;
  assert.deepEqual(await told(folder, todoTool({}), { todos: tasks }), { kind: 'tasks', tasks });
  const judge = () => ({ type: 'fine' as const });
  const terminal = terminalTool({ processes: createProcessTable({}), judge, timeoutSeconds: 5, maxTimeoutSeconds: 5, maxOutput: 1_000 });
  assert.deepEqual(await told(folder, terminal, { command: 'false' }), { kind: 'command', exitCode: 3, ended: 'exited', cwd: folder });
});

const giving = (details: ToolDetails): AnyTool => testTool('give', async () => ({ content: [], details }));

test('no secret is in details: not as a value, not as a name, not what only looks like one', async () => {
  const given: ToolDetails = { kind: 'data', data: { [VALUE]: [`is ${VALUE}`, { token: LOOKS_LIKE_ONE }], n: 1 } };
  const details = await told(tempFolder(), giving(given), {});
  const json = JSON.stringify(details);
  assert.ok(!json.includes(VALUE) && !json.includes(LOOKS_LIKE_ONE), json);
  assert.match(json, /^\{"kind":"data","data":\{"«secret:MY_API_KEY:/);
  assert.equal(given.kind === 'data' && JSON.stringify(given.data).includes(VALUE), true, 'what the tool keeps in hand is its own');
});

test('details that are too large, or no plain data, are left out with a word on what they were', async () => {
  const folder = tempFolder();
  const most = 'x'.repeat(99_000);
  assert.deepEqual(await told(folder, giving({ kind: 'data', data: most }), {}), { kind: 'data', data: most });
  assert.deepEqual(await told(folder, giving({ kind: 'data', data: 'x'.repeat(200_000) }), {}), {
    kind: 'left_out',
    of: 'data',
    chars: 200_000 + JSON.stringify({ kind: 'data', data: '' }).length,
  });
  const ring: Record<string, unknown> = {};
  ring['self'] = ring;
  const details = { kind: 'data', data: ring };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what somebody else's tool may give all the same
  assert.deepEqual(await told(folder, giving(details as ToolDetails), {}), { kind: 'left_out', of: 'data', chars: 0 });
});
