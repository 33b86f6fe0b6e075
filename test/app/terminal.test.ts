import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SETTINGS } from '../../src/app/config/config.ts';
import { createRegistries, snapshotRegistries } from '../../src/app/tools/registries.ts';
import { openTerminal } from '../../src/app/tools/terminal.ts';
import { resolveHome } from '../../src/base/home.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import { sandboxHere } from '../../src/parts/terminals/sandbox/probe.ts';

const root = mkdtempSync(join(tmpdir(), 'terminal-app-'));
after(() => rmSync(root, { recursive: true, force: true }));
async function open(platform: string, chosen = false) {
  const notices: string[] = [];
  const parts = {
    home: resolveHome({ HERMES_HOME: join(root, 'home') }),
    config: { settings: collectDefaults(SETTINGS), sources: chosen ? ({ 'terminal.backend': 'file' } as const) : {} },
    env: process.env,
    registered: snapshotRegistries(createRegistries()),
  };
  const notice = (words: string) => void notices.push(words);
  const terminal = await openTerminal(parts, { platform, cwd: root, terminalTask: 'test', notice });
  return { terminal, notices };
}

const here = await sandboxHere();
for (const [platform, kind] of [
  ['cli', 'local'],
  ['tui', 'local'],
  ['telegram', 'sandbox'],
  ['cron', 'sandbox'],
  ['api_server', 'sandbox'],
] as const)
  test(`work on ${platform} runs ${kind === 'local' ? 'on this machine' : 'in the sandbox where there is one, and with a banner where there is none'}`, async () => {
    const { terminal, notices } = await open(platform);
    await using _ = terminal;
    if (kind === 'local' || here.ok) assert.deepEqual([terminal.kind, notices], [kind, []]);
    else {
      assert.equal(terminal.kind, 'local');
      assert.match(notices.join(), new RegExp(`NOT SANDBOXED: commands of ${platform}`));
    }
  });

test('an owner who named a back end is obeyed, watched or not', async () => {
  const { terminal } = await open('telegram', true);
  await using _ = terminal;
  assert.equal(terminal.kind, 'local');
});
