import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { noBubblewrap, noSandbox, openSandboxed, tiers } from './sandbox-stage.ts';
import { expectCommands, run } from '../../../src/testing/conformance/terminal-commands.ts';
import { testFilesConformance } from '../../../src/testing/conformance/files.ts';
import { testTerminalConformance } from '../../../src/testing/conformance/terminal.ts';

if (noSandbox !== undefined) test('the sandbox terminal', { skip: noSandbox }, () => {});
for (const tools of tiers)
  for (const wall of ['unattended', 'attended'] as const) {
    testTerminalConformance(`the ${wall} sandbox by ${tools.tier}${wall === 'attended' ? ', with a shell that waits' : ''}`, async () => {
      const { terminal, folder } = await openSandboxed({ wall, tools });
      return { terminal: wall === 'attended' ? expectCommands(terminal) : terminal, folder };
    });
    testFilesConformance(`the ${wall} sandbox by ${tools.tier}`, async () => {
      const { terminal, folder } = await openSandboxed({ wall, tools });
      return {
        files: terminal.files,
        folder,
        shell: async (command) => (await run(terminal, command)).output,
        close: async () => terminal[Symbol.asyncDispose](),
      };
    });
  }

test('a sandbox of one profile sees neither the keys of the default one nor those of another', { skip: noSandbox }, async () => {
  const root = mkdtempSync(join(homedir(), '.hermes-profiles-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const own = join(root, 'profiles', 'work');
  for (const profile of [root, own, join(root, 'profiles', 'other')]) {
    mkdirSync(join(profile, 'skills'), { recursive: true });
    writeFileSync(join(profile, '.env'), 'KEY=value\n');
    writeFileSync(join(profile, 'skills', 'note.txt'), 'read me\n');
  }
  const { terminal } = await openSandboxed({ profile: own, readPaths: [homedir()] });
  await using _ = terminal;
  const { output } = await run(
    terminal,
    `cat ${root}/.env ${root}/profiles/*/.env 2>/dev/null; ls ${root}/profiles; cat ${own}/skills/note.txt`,
  );
  // By the floor, names can be seen.
  assert.equal(output.trim(), noBubblewrap === undefined ? 'work\nread me' : 'other\nwork\nread me');
});
