import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { sandboxHere } from '../../../src/parts/terminals/sandbox/probe.ts';
import { probeFloor } from '../../../src/parts/terminals/sandbox/floor-probe.ts';
import { sandboxTerminal } from '../../../src/parts/terminals/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../../src/parts/terminals/sandbox/survey.ts';
import type { SandboxTools } from '../../../src/parts/terminals/sandbox/tools.ts';

const probe = await sandboxHere();
/** Why nothing can be shut in here; told by the tests that are skipped. */
export const noSandbox: string | undefined = probe.ok ? undefined : probe.why;
if (noSandbox !== undefined) console.log(`sandbox: skipped, ${noSandbox}`);

export const floor = await probeFloor('a test asked for it');
/** Every tier of the wall that works here. */
export const tiers: readonly SandboxTools[] = [
  ...(probe.ok && probe.tools.tier === 'bubblewrap' ? [probe.tools] : []),
  ...('why' in floor ? [] : [floor]),
];
if ('why' in floor) console.log(`floor: skipped, ${floor.why}`);
/** Tests of what only mounts and namespaces can do. */
export const noBubblewrap: string | undefined = tiers[0]?.tier === 'bubblewrap' ? undefined : 'there is no bubblewrap that works here';

export async function openSandboxed(options: SandboxOptions = {}, env: Readonly<Record<string, string>> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-workspace-')));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const terminal = await sandboxTerminal(options).open({
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8', ...env },
  });
  return { terminal, folder };
}
