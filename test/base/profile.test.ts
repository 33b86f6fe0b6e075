import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../src/base/errors.ts';
import {
  isProfileName,
  listProfileNames,
  readActiveProfile,
  resolveProfileRoot,
  selectProfile,
  toProfileName,
} from '../../src/base/profile.ts';

const root = mkdtempSync(join(tmpdir(), 'hermes-profile-'));
after(() => rmSync(root, { recursive: true, force: true }));
for (const name of ['work', 'play', '.new-half', 'Not A Name']) mkdirSync(join(root, 'profiles', name), { recursive: true });
const env = { HERMES_HOME: root };

test('names that could lead elsewhere, or be read as an option, are none', () => {
  for (const name of ['work', 'a', '0-day', 'a_b', 'x'.repeat(64)]) assert.ok(isProfileName(name), name);
  for (const name of ['', '..', '.', 'a/b', '../a', '-p', 'A', 'a b', 'a\n', '~', 'x'.repeat(65), 'ä'])
    assert.ok(!isProfileName(name), name);
});

test('a home in profiles belongs to the root above it; every other home is a root', () => {
  assert.deepEqual([resolveProfileRoot(root), toProfileName(root)], [root, 'default']);
  assert.deepEqual([resolveProfileRoot(join(root, 'profiles', 'work')), toProfileName(join(root, 'profiles', 'work'))], [root, 'work']);
  assert.equal(resolveProfileRoot('/srv/profiles/Bad Name'), '/srv/profiles/Bad Name');
  assert.deepEqual(listProfileNames(root), ['default', 'play', 'work']);
  assert.deepEqual(listProfileNames('/nowhere'), ['default']);
});

test('a profile is named in front of the command and nowhere else', () => {
  const home = join(root, 'profiles', 'work');
  for (const line of [
    ['-p', 'work', 'chat', '-q', 'x'],
    ['--profile', 'work', 'chat', '-q', 'x'],
    ['--profile=work', 'chat', '-q', 'x'],
  ])
    assert.deepEqual(selectProfile(line, env), { argv: ['chat', '-q', 'x'], home });
  assert.deepEqual(selectProfile(['chat', '-q', '-p', 'work'], env), { argv: ['chat', '-q', '-p', 'work'] });
  assert.deepEqual(selectProfile(['-p', 'default', 'doctor'], { HERMES_HOME: home }), { argv: ['doctor'], home: root });
  assert.deepEqual(selectProfile(['-p', 'play'], { HERMES_HOME: home }), { argv: [], home: join(root, 'profiles', 'play') });
});

test('a profile that is not there, and a name that cannot be, are told with what to do', () => {
  const thrown = (line: readonly string[]): string => {
    try {
      selectProfile(line, env);
    } catch (error) {
      if (error instanceof UsageError) return error.message;
    }
    return assert.fail(line.join(' '));
  };
  assert.match(thrown(['-p', 'wrok']), /^there is no profile wrok\. Did you mean work\? To create it: hermes profile create wrok$/);
  for (const name of ['../..', '/etc', '', '-x']) assert.match(thrown(['-p', name]), /cannot be the name of a profile/);
  assert.match(thrown(['-p']), /needs the name of a profile/);
});

test('the chosen profile holds where no home is named, and a file that names none chooses nothing', () => {
  for (const [text, expected] of [
    ['work\n', 'work'],
    ['gone\n', 'gone'],
    ['', 'default'],
  ] as const) {
    writeFileSync(join(root, 'active_profile'), text);
    assert.equal(readActiveProfile(root), expected, JSON.stringify(text));
  }
  writeFileSync(join(root, 'active_profile'), 'work\n');
  assert.deepEqual(selectProfile(['doctor'], env), { argv: ['doctor'] }, 'HERMES_HOME wins');
  assert.ok(!(selectProfile(['doctor'], {}).home ?? homedir()).startsWith(root), 'another root is not asked');
});
