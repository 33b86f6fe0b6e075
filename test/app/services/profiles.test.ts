import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createProfileService } from '../../../src/app/services/profiles.ts';
import { createRegistries, snapshotRegistries } from '../../../src/app/tools/registries.ts';
import { UsageError } from '../../../src/base/errors.ts';
import { readActiveProfile } from '../../../src/base/profile.ts';
import { resolveHome } from '../../../src/base/home.ts';
import { openHomeStore } from '../../../src/parts/store/home-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-profiles-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const KEY = 'sk-proj-4f9aK2mQx7Lp0vB8nRt3';
const CONFIG = `# mine
model:
  default: big-model # the good one
telegram:
  bot_token: 123:abc
cron:
  wrap_response: false
mcp_servers:
  notes:
    url: https://notes.example/mcp
    headers:
      Authorization: Bearer ${KEY}
    env:
      NOTES_TOKEN: \${NOTES_TOKEN}
`;

function rootWith(name: string) {
  const root = join(folder, name);
  const file = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  file('config.yaml', CONFIG);
  file('.env', `OPENAI_API_KEY=${KEY}\nTELEGRAM_BOT_TOKEN=123:abc\n# a note\n`);
  file('SOUL.md', 'Be kind.\n');
  file('skills/tools/deploy/SKILL.md', `Deploy with ${KEY}.\n`);
  file('skills/tools/deploy/.env', 'A=b\n');
  file('memories/MEMORY.md', 'remembered\n');
  file('cron/jobs.json', '[]');
  file('pairing/codes.json', '{}');
  file('mcp-tokens/notes.json', '{"refresh_token":"once"}');
  file('checkpoints/x', 'kept');
  const open = (home = root) =>
    createProfileService({ processEnv: { HERMES_HOME: home }, notice: () => {}, registered: snapshotRegistries(createRegistries()) });
  return { root, open, at: (profile: string, path: string) => join(root, 'profiles', profile, path) };
}
const read = (path: string) => readFileSync(path, 'utf8');

test('a clone has settings, keys, soul and skills, and neither channels nor schedules nor tokens', async () => {
  const { open, at } = rootWith('clone');
  const { profile, taken, left } = await open().create('work', { clone: 'settings', description: 'the office' });
  assert.deepEqual(
    [taken, left],
    [
      ['config.yaml', '.env', 'SOUL.md', 'skills'],
      ['cron', 'telegram', 'TELEGRAM_BOT_TOKEN'],
    ],
  );
  assert.deepEqual([profile.name, profile.model, profile.description, profile.active], ['work', 'big-model', 'the office', false]);
  assert.equal(read(at('work', 'config.yaml')), CONFIG.replace(/telegram:[\s\S]*?(?=mcp_servers)/, ''), 'comments and the rest stay');
  assert.equal(read(at('work', '.env')), `OPENAI_API_KEY=${KEY}\n# a note\n`);
  assert.deepEqual(readdirSync(at('work', '.')).toSorted(), ['.env', 'SOUL.md', 'config.yaml', 'profile.json', 'skills']);
  assert.deepEqual([statSync(at('work', '.')).mode & 0o777, statSync(at('work', '.env')).mode & 0o777], [0o700, 0o600]);
});

test('a full clone has memory and sessions as well, and still no channels', async () => {
  const { root, open, at } = rootWith('all');
  await using store = await openHomeStore(resolveHome({ HERMES_HOME: root }));
  await store.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p', title: 'a talk' });
  const { taken } = await open().create('twin', { clone: 'all' });
  assert.deepEqual(taken, ['config.yaml', '.env', 'SOUL.md', 'skills', 'memories', 'sessions']);
  for (const path of ['cron', 'pairing', 'mcp-tokens', 'checkpoints']) assert.ok(!existsSync(at('twin', path)), path);
  await using copy = await openHomeStore(resolveHome({ HERMES_HOME: at('twin', '.') }));
  assert.equal((await copy.find('a talk')).length, 1);
});

test('use, rename and delete follow each other; nothing is lost', async () => {
  const { root, open, at } = rootWith('moves');
  const profiles = open();
  await profiles.create('one', {});
  writeFileSync(at('one', 'SOUL.md'), 'one');
  await profiles.use('one');
  assert.equal(readActiveProfile(root), 'one');
  assert.deepEqual((await profiles.rename('one', 'two')).active, true, 'the choice follows the name');
  assert.deepEqual(
    (await profiles.list()).map(({ name, active, current }) => [name, active, current]),
    [
      ['default', false, true],
      ['two', true, false],
    ],
  );
  const { trash } = await profiles.remove('two');
  assert.equal(read(join(trash, 'SOUL.md')), 'one');
  assert.equal(readActiveProfile(root), 'default');
});

test('what cannot be is refused before anything is changed', async () => {
  const { open, at } = rootWith('refused');
  const profiles = open();
  await profiles.create('one', {});
  const refused = (work: Promise<unknown>, words: RegExp) =>
    assert.rejects(work, (error) => error instanceof UsageError && words.test(error.message));
  for (const name of ['../x', 'a/b', '', '-x', 'X']) await refused(profiles.create(name, {}), /cannot be the name/);
  await refused(profiles.create('one', {}), /already/);
  await refused(profiles.create('default', {}), /always there/);
  await refused(profiles.create('three', { clone: 'all', from: 'gone' }), /no profile gone/);
  assert.ok(!existsSync(at('three', '.')), 'no half of a profile is left');
  await refused(profiles.remove('default'), /cannot be renamed or deleted/);
  await refused(open(at('one', '.')).remove('one'), /runs in the profile one/);
  await refused(profiles.rename('one', '../../two'), /cannot be the name/);
  await refused(profiles.use('gone'), /no profile gone/);
});

test('an export holds no key, wherever it was written, and makes the same profile elsewhere', async () => {
  const { root, open, at } = rootWith('export');
  const file = join(root, 'mine.tar.gz');
  const { taken, left } = await open().exportTo('default', file, { sessions: false });
  assert.deepEqual(
    [taken, left],
    [
      ['config.yaml', 'SOUL.md', 'skills', 'memories'],
      ['.env', 'cron', 'telegram', 'Authorization'],
    ],
  );
  const all = execFileSync('tar', ['-xzOf', file], { encoding: 'utf8' });
  const names = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' });
  assert.ok(!all.includes(KEY) && !all.includes('123:abc'));
  assert.ok(all.includes('big-model # the good one') && all.includes('${NOTES_TOKEN}') && all.includes('remembered'));
  assert.doesNotMatch(names, /\.env|cron|pairing|mcp-tokens|checkpoints/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  await assert.rejects(open().exportTo('default', file, { sessions: false }), /already exists/);

  const { profile } = await open().importFrom(file, undefined);
  assert.equal(profile.name, 'mine');
  assert.equal(read(at('mine', 'memories/MEMORY.md')), 'remembered\n');
  assert.equal((await open().show('mine')).model, 'big-model');
});

test('a file that somebody else packed brings no links, no strange files and nothing outside', async () => {
  const { root, open, at } = rootWith('import');
  const made = join(folder, 'made');
  mkdirSync(made);
  writeFileSync(join(made, 'config.yaml'), 'model:\n  default: x\n');
  writeFileSync(join(made, '.env'), 'OPENAI_BASE_URL=http://evil\n');
  writeFileSync(join(made, 'approvals.json'), '{}');
  execFileSync('tar', ['-czf', join(folder, 'odd.tgz'), '-C', made, '.']);
  const { taken, left } = await open().importFrom(join(folder, 'odd.tgz'), 'odd');
  assert.deepEqual([taken, left], [['config.yaml'], ['.env', 'approvals.json']]);
  assert.deepEqual(readdirSync(at('odd', '.')), ['config.yaml']);

  // Two names of one file: one of them could be a file of the owner's.
  linkSync(join(made, 'config.yaml'), join(made, 'SOUL.md'));
  execFileSync('tar', ['-czf', join(folder, 'hard.tgz'), '-C', made, '.']);
  await assert.rejects(open().importFrom(join(folder, 'hard.tgz'), 'hard'), /a link or a device/);
  rmSync(join(made, 'SOUL.md'));
  writeFileSync(join(made, 'config.yaml'), '{model: {default: x}, "mcp_servers": {a: {command: evil}}, approvals: {mode: "off"}}\n');
  execFileSync('tar', ['-czf', join(folder, 'strong.tgz'), '-C', made, '.']);
  assert.deepEqual((await open().importFrom(join(folder, 'strong.tgz'), 'strong')).powerful, ['mcp_servers', 'approvals']);

  symlinkSync('/etc/passwd', join(made, 'SOUL.md'));
  execFileSync('tar', ['-czf', join(folder, 'link.tgz'), '-C', made, '.']);
  await assert.rejects(open().importFrom(join(folder, 'link.tgz'), 'linked'), /a link or a device/);
  execFileSync('tar', ['-czPf', join(folder, 'up.tgz'), '-C', made, '--transform', 's,^\\./config,../../escaped,', './config.yaml']);
  await assert.rejects(open().importFrom(join(folder, 'up.tgz'), 'up'), UsageError);
  writeFileSync(join(folder, 'text.tgz'), 'no archive');
  await assert.rejects(open().importFrom(join(folder, 'text.tgz'), 'text'), /could not be unpacked: it is damaged/);
  assert.deepEqual(readdirSync(join(root, 'profiles')).toSorted(), ['odd', 'strong']);
  assert.ok(!existsSync(join(root, 'escaped.yaml')) && !existsSync(join(tmpdir(), 'escaped.yaml')));
});

test('a profile that a program works in is neither renamed nor deleted', async () => {
  const root = mkdtempSync(join(folder, 'in-use-'));
  const profiles = createProfileService({
    processEnv: { HERMES_HOME: root },
    notice: () => {},
    registered: snapshotRegistries(createRegistries()),
  });
  await profiles.create('work', {});
  const home = join(root, 'profiles', 'work');
  {
    await using store = await openHomeStore(resolveHome({ HERMES_HOME: home }));
    await store.list();
    await assert.rejects(profiles.remove('work'), /works in the profile work\. Stop it first/);
    await assert.rejects(profiles.rename('work', 'office'), /works in the profile work/);
    assert.ok(existsSync(home));
  }
  assert.equal((await profiles.rename('work', 'office')).name, 'office');
  assert.equal((await profiles.remove('office')).name, 'office');
});
