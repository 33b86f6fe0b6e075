import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const ROOT = join(import.meta.dirname, '../../..');
const BUILD = join(ROOT, 'scripts/launcher');
const COMMITTED = join(ROOT, 'src/parts/terminals/launcher');
const COMPILERS = {
  x64: process.env['CC_X64'] ?? 'x86_64-linux-gnu-gcc',
  arm64: process.env['CC_ARM64'] ?? 'aarch64-linux-gnu-gcc',
} as const;

const outputOf = (program: string, ...args: string[]): string => spawnSync(program, args, { encoding: 'utf8' }).stdout?.trim() ?? '';

/** Other compilers, and other versions of these, write other bytes. */
function findDifference(): string | undefined {
  const [, gcc, ld] =
    /by gcc (\S+) and GNU ld (\S+)/.exec(readFileSync(BUILD, 'utf8')) ?? assert.fail('scripts/launcher names no versions');
  for (const compiler of Object.values(COMPILERS)) {
    const version = outputOf(compiler, '-dumpfullversion');
    if (version === '') return `${compiler} is not installed`;
    if (version !== gcc) return `${compiler} is ${version}, and the launcher was built by ${gcc}`;
    const linker = / ([\d.]+)$/m.exec(outputOf(outputOf(compiler, '-print-prog-name=ld'), '--version'))?.[1];
    if (linker !== ld) return `the linker of ${compiler} is ${linker}, and the launcher was built by ${ld}`;
  }
  return undefined;
}
const difference = findDifference();
if (difference !== undefined) console.log(`launcher: not built again, ${difference}`);

test('the launcher of each machine is what its source gives', { skip: difference ?? false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-launcher-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const built = spawnSync(BUILD, [folder], { encoding: 'utf8' });
  assert.deepEqual([built.status, built.stderr], [0, '']);
  for (const name of Object.keys(COMPILERS).map((machine) => `launcher-${machine}`))
    assert.ok(readFileSync(join(folder, name)).equals(readFileSync(join(COMMITTED, name))), `${name} is not what scripts/launcher builds`);
});
