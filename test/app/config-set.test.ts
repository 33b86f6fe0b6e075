import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseEnv } from 'node:util';
import { withVariable } from '../../src/parts/config/env-file.ts';
import { maskSecret, maskValue } from '../../src/base/secret-names.ts';
import { writeWhole } from '../../src/parts/config/write-whole.ts';
import { withSetting } from '../../src/parts/config/yaml-edit.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-set-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const FILE = `# mine

model: gpt-5 # the good one
# how long
agent:
  max_turns: 0x10 # many

  api_max_retries: "3"
terminal:
toolsets: [a, b]

# the end
`;
const CHANGES: readonly (readonly [key: string, value: unknown, before: string, after: string])[] = [
  ['agent.max_turns', 12, 'max_turns: 0x10 # many', 'max_turns: 12 # many'],
  ['agent.api_max_retries', 5, 'api_max_retries: "3"', 'api_max_retries: 5'],
  ['agent.parallel_tools', 2, '  api_max_retries: "3"\n', '  api_max_retries: "3"\n  parallel_tools: 2\n'],
  ['model.default', 'a: b', 'model: gpt-5 #', 'model: "a: b" #'],
  ['model.provider', 'openrouter', 'model: gpt-5 # the good one\n', 'model:\n  default: gpt-5 # the good one\n  provider: openrouter\n'],
  ['terminal.timeout', 5, 'terminal:\n', 'terminal:\n  timeout: 5\n'],
  ['toolsets', ['c'], '[a, b]', '[c]'],
  ['database.durability', 'process', '\n# the end\n', 'database:\n  durability: process\n\n# the end\n'],
];
for (const [key, value, before, after_] of CHANGES) {
  test(`setting ${key} changes its line and nothing else`, () => assert.equal(withSetting(FILE, key, value), FILE.replace(before, after_)));
}

test('an empty file and a file of comments take their first setting', () => {
  assert.equal(withSetting('', 'agent.max_turns', 3), 'agent:\n  max_turns: 3\n');
  assert.equal(withSetting('# mine\n', 'agent.max_turns', 3), '# mine\n\nagent:\n  max_turns: 3\n');
  assert.equal(withSetting('agent.max_turns: 1 # literal\n', 'agent.max_turns', 3), 'agent.max_turns: 3 # literal\n');
});

test('a long text stays on one line', () => {
  const long = 'word '.repeat(60).trim();
  assert.equal(withSetting('', 'model.default', long), `model:\n  default: ${long}\n`);
});

test('.env keeps its other lines and gives every value back as it was', () => {
  const file = '# keys\nexport A_KEY=old # mine\n\nB=2';
  assert.equal(withVariable(file, 'A_KEY', 'new'), '# keys\nA_KEY=new\n\nB=2');
  for (const value of ['plain', 'with space', 'hash#tag', "it's", 'say "x"', '$HOME', 'a=b', 'back\\slash', 'é漢字', ' edge ']) {
    assert.equal(parseEnv(withVariable(file, 'C_TOKEN', value))['C_TOKEN'], value);
  }
  assert.throws(() => withVariable(file, 'C_TOKEN', 'two\nlines'), /line break/);
});

test('a file is written whole, keeps its mode and its link, and leaves nothing beside it', () => {
  const real = join(folder, 'real.yaml');
  const link = join(folder, 'link.yaml');
  writeFileSync(real, 'old', { mode: 0o640 });
  symlinkSync(real, link);
  writeWhole(link, 'new');
  assert.deepEqual([readFileSync(real, 'utf8'), statSync(real).mode & 0o777], ['new', 0o640]);
  writeWhole(real, 'secret', 0o600);
  assert.equal(statSync(real).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder).toSorted(), ['link.yaml', 'real.yaml']);
});

test('secrets are masked by name, by value and inside addresses', () => {
  const secret = 'sk-or-v1-0123456789abcdef';
  assert.equal(maskSecret(secret), '***cdef');
  assert.equal(maskSecret('short'), '***');
  assert.deepEqual(maskValue([{ api_key: 'abc', url: 'http://me:pw@host/x', note: `uses ${secret}` }], [secret]), [
    { api_key: '***', url: 'http://me:***@host/x', note: 'uses ***cdef' },
  ]);
});
