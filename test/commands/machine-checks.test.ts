import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { resolveHome } from '../../src/base/home.ts';
import { checkHome, checkModes } from '../../src/commands/machine-checks.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-checks-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'file');
writeFileSync(file, '');

for (const [name, root] of [
  ['a file', file],
  ['below a file', join(file, 'home')],
] as const)
  test(`a home that is ${name} is a finding, not a crash`, () => {
    const finding = checkHome(resolveHome({ HERMES_HOME: root }));
    assert.equal(finding.ok, false);
    assert.match(finding.words, /^Cannot write to /);
    assert.match(finding.cure ?? '', /HERMES_HOME/);
  });

test('a home that can be written leaves nothing behind', () => {
  assert.equal(checkHome(resolveHome({ HERMES_HOME: join(folder, 'new') })).ok, true);
});

const POSIX = { skip: process.platform === 'win32' ? 'Windows has no such bits' : false };

/** The mode of the folder, those of files in it, and what is found. */
const MODES: readonly (readonly [folder: number, files: Readonly<Record<string, number>>, found: RegExp | undefined])[] = [
  [0o700, { 'config.yaml': 0o666, '.env': 0o644, memories: 0o777 }, undefined],
  [0o755, { 'config.yaml': 0o600, '.env': 0o600, 'notes.txt': 0o666 }, undefined],
  [0o755, { 'config.yaml': 0o644 }, /enter .* and get at config\.yaml \(read\)$/],
  [0o711, { 'approvals.json': 0o602, '.env': 0o640 }, /get at \.env \(read\), approvals\.json \(change\)$/],
  [0o750, { 'sessions.db': 0o604, 'state.db': 0o660 }, /get at state\.db \(change\)$/],
  [0o777, {}, /can replace any file in/],
  [0o720, {}, /can replace any file in/],
];
test('what other accounts can read or change is found, and nothing else is', POSIX, () => {
  for (const [index, [mode, files, found]] of MODES.entries()) {
    const root = join(folder, `modes-${index}`);
    mkdirSync(root);
    for (const [name, fileMode] of Object.entries(files)) {
      if (name === 'memories') mkdirSync(join(root, name));
      else writeFileSync(join(root, name), '');
      chmodSync(join(root, name), fileMode);
    }
    chmodSync(root, mode);
    const { ok, words, fix } = checkModes(resolveHome({ HERMES_HOME: root }));
    assert.equal(ok, found === undefined, words);
    if (found !== undefined) assert.match(words, found);
    assert.equal(fix?.target, found === undefined ? undefined : root);
  }
});
