import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { homeAt } from '../../src/base/home.ts';
import { visibleText, type JsonObject } from '../../src/contracts/message.ts';
import { loadConfig } from '../../src/app/config.ts';
import { openToolkit } from '../../src/app/toolkit.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-toolkit-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const home = homeAt({ HERMES_HOME: join(folder, 'home') });
const question = {
  flags: {},
  home,
  config: await loadConfig(home.config, {}),
  env: { PATH: process.env['PATH'] },
  cwd: folder,
  kept: undefined,
};

test('a small window bounds what tools give, a large one leaves it to the settings', async () => {
  writeFileSync(join(folder, 'long.txt'), `${'x'.repeat(99)}\n`.repeat(120));
  for (const [window, spills] of [
    [8_192, true],
    [200_000, false],
  ] as const) {
    const { toolkit, terminal } = await openToolkit({ ...question, window });
    await using _ = terminal;
    const call = async (name: string, input: JsonObject) => {
      const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name, input, trust: 'model' });
      assert.ok(resolved.ok);
      return visibleText(
        await toolkit.execute(resolved, {
          signal: new AbortController().signal,
          sessionId: `s${window}`,
          turnId: 't',
          taint: [],
          report: () => {},
        }),
      );
    };
    assert.equal((await call('terminal', { command: 'cat long.txt' })).includes(join(home.spill, `s${window}`, 'c.txt')), spills);
    assert.equal((await call('read_file', { path: 'long.txt' })).startsWith('Refused: these 120 lines'), spills);
  }
});

test('clarify is there exactly when the face can ask', async () => {
  for (const ports of [{}, { clarify: async () => 'yes' }]) {
    const { toolkit, terminal } = await openToolkit({ ...question, ports });
    await using _ = terminal;
    assert.equal(
      toolkit.definitions.some(({ name }) => name === 'clarify'),
      'clarify' in ports,
    );
  }
});

test('a tool that a resumed session was promised answers a call, also where it is not available', async () => {
  const asked = await openToolkit({ ...question, ports: { clarify: async () => 'yes' } });
  await using _asked = asked.terminal;
  const kept = { slots: [], tools: asked.toolkit.definitions, model: 'm', provider: 'p', toolsets: ['hermes-cli'] };
  const { toolkit, terminal } = await openToolkit({ ...question, kept });
  await using _ = terminal;
  const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name: 'clarify', input: { question: 'which?' }, trust: 'model' });
  assert.ok(resolved.ok);
  const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], report: () => {} };
  assert.match(visibleText(await toolkit.execute(resolved, run)), /nobody can answer here/);
  assert.ok(!toolkit.definitions.some(({ name }) => name === 'clarify'));
});
