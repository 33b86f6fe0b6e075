import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openHost } from '../../src/app/host/host.ts';
import { resolveHome } from '../../src/base/home.ts';
import type { AnyTool } from '../../src/contracts/tool.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-given-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'config.yaml'), 'agent:\n  max_turns: 7\ncron:\n  misfire: skip\n');
const home = resolveHome({ HERMES_HOME: folder });

test('settings given as values win over the file and over variables, and leave the rest as it is', async () => {
  await using host = await openHost({ home, env: { HERMES_MAX_ITERATIONS: '9' }, settings: { 'agent.max_turns': 3 } });
  const { settings, sources } = host.config;
  assert.deepEqual([settings['agent.max_turns'], settings['cron.misfire']], [3, 'skip']);
  assert.deepEqual([sources['agent.max_turns'], sources['cron.misfire']], ['flag', 'file']);
});

test('a key that does not exist and a value that cannot be are refused by name', async () => {
  await assert.rejects(openHost({ settings: { 'agent.max_turn': 3 } }), /settings: .*agent\.max_turn/);
  await assert.rejects(openHost({ settings: { 'agent.max_turns': 'many' } }), /settings: agent\.max_turns must be/);
});

test('values hold after something was registered that has the settings read again', async () => {
  await using host = await openHost({ home, settings: { 'cron.misfire': 'run_once' } });
  host.registries.settings.add('garden.plants', { kind: 'string', default: 'ferns', describe: 'Which plants grow' });
  let seen: unknown;
  const look: AnyTool = {
    name: 'look',
    description: 'Looks.',
    input: { type: 'object' },
    effects: () => ({ kind: 'read', resources: [] }),
    replay: 'safe',
    idempotent: true,
    offTerminal: true,
    trust: 'tool',
    timeoutMs: 5_000,
    maxResult: 10_000,
    run: async () => ({ content: [] }),
  };
  host.registries.tools.add('look', { open: ({ settings }) => ((seen = settings['cron.misfire']), look), toolsets: ['file'] });
  await using session = await host.openSession({ cwd: folder, provider: scriptedRoute(scriptedProvider([{ text: 'hello' }])) });
  const message = await session.message('hi');
  for await (const _event of session.send(message, new AbortController().signal));
  assert.equal(seen, 'run_once');
});
