import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { adoptOverSsh, sshTerminal } from '../../../src/parts/terminals/ssh/ssh.ts';
import { testFilesConformance } from '../../../src/testing/conformance/files.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';
import { testTerminalConformance } from '../../../src/testing/conformance/terminal.ts';
import { hereEnv, noFarPty, noSshd, startHost } from './ssh-stage.ts';

if (noSshd !== undefined) test('the ssh terminal', { skip: noSshd }, () => {});
else {
  const host = await startHost();
  after(() => host.close());
  const noPty = await import('@lydell/node-pty').then(
    () => noFarPty(host),
    () => '@lydell/node-pty is not installed for this machine',
  );
  const open = async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-far-')));
    after(() => rmSync(folder, { recursive: true, force: true }));
    return { terminal: await sshTerminal({ settings: host.settings }).open({ cwd: folder, env: hereEnv() }), folder };
  };

  testTerminalConformance('the ssh terminal', open, {
    ...(noPty !== undefined && { noPty }),
    begunWithinMs: 1_000,
    adopt: (trace, options) => adoptOverSsh(trace, { settings: host.settings }, hereEnv(), options),
  });
  testFilesConformance('a host over ssh', async () => {
    const { terminal, folder } = await open();
    return {
      files: terminal.files,
      folder,
      shell: async (command) => (await run(terminal, command)).output,
      close: () => terminal[Symbol.asyncDispose](),
    };
  });
}
