import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commandEnvironment } from '../../../src/parts/terminals/environment.ts';
import { localTerminal } from '../../../src/parts/terminals/local.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';
import { terminalConformance } from '../../../src/testing/conformance/terminal.ts';

async function open(env: Readonly<Record<string, string>> = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-terminal-')));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return { terminal: await localTerminal.open({ cwd: folder, env }), folder };
}

const noPty = await import('@lydell/node-pty').then(
  () => undefined,
  () => '@lydell/node-pty is not installed for this machine',
);

terminalConformance('the local terminal', () => open(), noPty === undefined ? {} : { noPty });

test('a shell that takes itself for a remote login reads no start-up file', async () => {
  const { folder } = await open();
  const { terminal } = await open({ PATH: process.env['PATH'] ?? '', HOME: folder });
  await using _ = terminal;
  await run(terminal, 'echo "echo from start-up" > "$HOME/.bashrc"');
  const running = await terminal.start('echo ran', { maxOutput: 1_000 });
  await running.exited;
  assert.equal(running.output(), 'ran\n');
  assert.equal((await run(terminal, 'echo ran', { stdin: '' })).output, 'ran\n');
});

test('secrets do not reach commands unless the owner names them', async () => {
  const env = {
    PATH: process.env['PATH'],
    OPENAI_API_KEY: 'sk-1',
    GITHUB_TOKEN: 'gh',
    DB_PASSWORD: 'pw',
    MY_SECRET: 's',
    SSH_AUTH_SOCK: '/run/agent',
    LANG: 'C',
    NAMED_KEY: 'ok',
    GONE: undefined,
  };
  const { terminal } = await open(commandEnvironment(env, ['NAMED_KEY']));
  await using _ = terminal;
  const { output } = await run(terminal, 'env');
  for (const name of ['OPENAI_API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'MY_SECRET', 'GONE']) assert.ok(!output.includes(`${name}=`), name);
  for (const name of ['PATH', 'SSH_AUTH_SOCK', 'LANG', 'NAMED_KEY']) assert.ok(output.includes(`${name}=`), name);
});
