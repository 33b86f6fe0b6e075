import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { joinTextBlocks } from '../../../../src/contracts/message.ts';
import { collectDefaults } from '../../../../src/contracts/settings.ts';
import { toToolTableLimits } from '../../../../src/app/tools/toolkit.ts';
import { resolveHome } from '../../../../src/base/home.ts';
import { createBuiltinTools } from '../../../../src/parts/tools/builtin/all.ts';
import { openHomeParts } from '../../../../src/app/tools/home-parts.ts';
import { createPersistentTools } from '../../../../src/app/tools/persistent-tools.ts';
import { SETTINGS } from '../../../../src/app/config/config.ts';
import { spillTo } from '../../../../src/parts/tools/budget.ts';
import { createToolkit } from '../../../../src/parts/tools/toolkit.ts';
import { CORE_TOOLS, expand } from '../../../../src/parts/tools/toolsets.ts';
import { guardFiles } from '../../../../src/parts/tools/builtin/files/guarded.ts';
import { deskAt, tempFolder } from '../setup.ts';
import { executed } from '../executed.ts';

const settings = collectDefaults(SETTINGS);
const folder = tempFolder();

async function toolkit(ports: { readonly clarify?: () => Promise<string> }) {
  const terminal = deskAt(folder);
  const parts = openHomeParts({ home: resolveHome({ HERMES_HOME: folder }), config: { settings, sources: {} }, env: {}, notice: () => {} });
  const more = createPersistentTools(parts, () => ({ tools: [], toolsets: [], platform: 'cli' }));
  const all = createBuiltinTools(settings, { terminal, ports, guard: guardFiles(folder), more });
  const { tools } = expand(settings.toolsets);
  return createToolkit({
    tools: tools.flatMap((name) => all.get(name) ?? []),
    toolsets: settings.toolsets,
    terminal,
    ports,
    approval: { ask: async () => ({ allow: false, by: 'test', reason: 'no' }) },
    spill: spillTo(folder, settings),
    room: toToolTableLimits(settings),
  });
}

test('the tools of a terminal session take little of the first request', async (t) => {
  const { definitions } = await toolkit({ clarify: async () => '' });
  const bytes = Buffer.byteLength(JSON.stringify(definitions));
  t.diagnostic(`${bytes} bytes: ${definitions.map((each) => `${each.name} ${Buffer.byteLength(JSON.stringify(each))}`).join(', ')}`);
  const names = definitions.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !CORE_TOOLS.has(name)),
    [],
  );
  assert.ok(
    ['terminal', 'read_file', 'patch', 'memory'].every((name) => names.includes(name)),
    names.join(' '),
  );
  assert.match(JSON.stringify(definitions.find(({ name }) => name === 'execute_code')), /"code".*"language"/);
  assert.ok(bytes <= 9_600, `${bytes} bytes`);
});

test('without somebody to ask there is no clarify', async () => {
  const { definitions } = await toolkit({});
  assert.ok(!definitions.some(({ name }) => name === 'clarify'));
});

test('a file without its text gets words of its own', async () => {
  const kit = await toolkit({});
  const resolved = kit.resolve({ type: 'tool_call', id: 'c', name: 'write_file', input: { path: 'a' }, trust: 'model' });
  assert.match(resolved.ok ? '' : resolved.words, /content is missing: the text of the file did not arrive/);
});

test('after the view shrank, a file is shown again in full', async () => {
  writeFileSync(join(folder, 'notes.txt'), 'first line\n');
  const kit = await toolkit({});
  const read = async (sessionId: string) => {
    const resolved = kit.resolve({ type: 'tool_call', id: 'c', name: 'read_file', input: { path: 'notes.txt' }, trust: 'model' });
    assert.ok(resolved.ok);
    return joinTextBlocks(
      await executed(kit, resolved, { signal: new AbortController().signal, sessionId, turnId: 't', taint: [], report: () => {} }),
    );
  };
  for (const id of ['s1', 's2']) assert.match(await read(id), /^1\|first line/);
  assert.match(await read('s1'), /^Unchanged/);
  kit.forget?.('s1');
  assert.match(await read('s1'), /^1\|first line/);
  assert.match(await read('s2'), /^Unchanged/, 'the other session still sees it');
});
