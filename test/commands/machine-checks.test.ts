import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { resolveHome } from '../../src/base/home.ts';
import { checkHome } from '../../src/commands/machine-checks.ts';

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
