import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTrash } from '../../../../src/parts/safety/trash/trash.ts';
import { program } from '../../../program.ts';

const PROGRAM = program(join(import.meta.dirname, 'killed.ts'));

function killedAt(step: number): { readonly top: string; readonly out: string } {
  const top = mkdtempSync(join(tmpdir(), 'hermes-trash-kill-'));
  after(() => rmSync(top, { recursive: true, force: true }));
  writeFileSync(join(top, 'a.txt'), 'a');
  mkdirSync(join(top, 'folder'));
  writeFileSync(join(top, 'folder', 'b.txt'), 'b');
  return { top, out: spawnSync(process.execPath, [PROGRAM, top, String(step)], { encoding: 'utf8' }).stdout };
}

test('a deleted file is in its place or in the list, at whatever step the process ends', async () => {
  const steps = Number(/steps (\d+)/.exec(killedAt(0).out)?.[1]);
  assert.ok(steps >= 30, `${steps} steps`);
  for (let step = 1; step <= steps; step++) {
    const { top } = killedAt(step);
    const trash = openTrash(join(top, 'trash'), { keepMs: 86_400_000, maxBytes: 1_000_000 });
    for (const { id, path } of trash.list()) if (!existsSync(path)) await trash.restore(id);
    const found = ['a.txt', 'folder/b.txt'].map((name) => readFileSync(join(top, name), 'utf8'));
    assert.deepEqual(found, ['a', 'b'], `killed at step ${step} of ${steps}`);
  }
});
