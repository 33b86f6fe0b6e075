import { test } from 'node:test';
import { openSandboxed, noSandbox } from './sandbox-stage.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';
import { testFilesConformance } from '../../../src/testing/conformance/files.ts';
import { testTerminalConformance } from '../../../src/testing/conformance/terminal.ts';

if (noSandbox !== undefined) test('the sandbox terminal', { skip: noSandbox }, () => {});
else {
  testTerminalConformance('the sandbox terminal', () => openSandboxed());
  testFilesConformance('the sandbox', async () => {
    const { terminal, folder } = await openSandboxed();
    return {
      files: terminal.files,
      folder,
      shell: async (command) => (await run(terminal, command)).output,
      close: async () => terminal[Symbol.asyncDispose](),
    };
  });
}
