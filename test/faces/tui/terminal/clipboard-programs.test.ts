import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyByProgram } from '../../../../src/faces/tui/terminal/clipboard-programs.ts';
import { fitsClipboard } from '../../../../src/faces/tui/terminal/sequences.ts';

test('a program of the desktop gets the text, the next one when the first fails; through ssh none is asked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-copy-'));
  const before = process.env['PATH'];
  try {
    const program = (name: string, script: string): void => {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(folder, name), 0o755);
    };
    program('wl-copy', 'exit 1');
    program('xclip', `cat > ${join(folder, 'copied')}`);
    process.env['PATH'] = `${folder}:${before ?? ''}`;
    const env = { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' };
    assert.equal(await copyByProgram('grüße\n'.repeat(30_000), env, 'linux'), true);
    assert.equal(readFileSync(join(folder, 'copied'), 'utf8'), 'grüße\n'.repeat(30_000));
    assert.equal(await copyByProgram('x', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux'), false);
    assert.equal(await copyByProgram('x', { ...env, SSH_CONNECTION: '1 2 3 4' }, 'linux'), false);
  } finally {
    process.env['PATH'] = before;
    rmSync(folder, { recursive: true });
  }
});

test('what a terminal would cut off is not sent to it', () => {
  assert.ok(fitsClipboard('x'.repeat(74_994)));
  assert.ok(!fitsClipboard('ü'.repeat(40_000)));
});
