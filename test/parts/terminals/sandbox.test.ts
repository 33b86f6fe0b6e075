import { test } from 'node:test';
import { openSandboxed, noSandbox } from './sandbox-stage.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';
import { filesConformance } from '../../../src/testing/conformance/files.ts';
import { terminalConformance } from '../../../src/testing/conformance/terminal.ts';

if (noSandbox !== undefined) test('the sandbox terminal', { skip: noSandbox }, () => {});
else {
  terminalConformance('the sandbox terminal', () => openSandboxed());
  filesConformance('the sandbox', async () => {
    const { terminal, folder } = await openSandboxed();
    return {
      files: terminal.files,
      folder,
      shell: async (command) => (await run(terminal, command)).output,
      close: async () => terminal[Symbol.asyncDispose](),
    };
  });
}
