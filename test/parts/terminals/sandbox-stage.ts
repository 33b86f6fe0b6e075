import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { sandboxHere } from '../../../src/parts/terminals/sandbox/probe.ts';
import { sandboxTerminal } from '../../../src/parts/terminals/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../../src/parts/terminals/sandbox/survey.ts';

const probe = await sandboxHere();
/** Why nothing can be shut in here; told by the tests that are skipped. */
export const noSandbox: string | undefined = probe.ok ? undefined : probe.why;
if (noSandbox !== undefined) console.log(`sandbox: skipped, ${noSandbox}`);

export async function openSandboxed(options: SandboxOptions = {}, env: Readonly<Record<string, string>> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-workspace-')));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const terminal = await sandboxTerminal(options).open({
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8', ...env },
  });
  return { terminal, folder };
}
