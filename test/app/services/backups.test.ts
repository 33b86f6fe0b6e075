import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { after, test } from 'node:test';
import { createBackupService } from '../../../src/app/services/backups.ts';
import { identifyOwnProcess } from '../../../src/base/process-identity.ts';
import { resolveHome } from '../../../src/base/home.ts';
import { createTextBlock } from '../../../src/contracts/message.ts';
import { openHomeStore } from '../../../src/parts/store/home-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-backups-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const serviceFor = (root: string) => createBackupService({ processEnv: { HERMES_HOME: root } });
const fresh = (name: string): string => mkdtempSync(join(folder, `${name}-`));
const target = { platform: 'telegram', account: 'main', chatId: '7' } as const;

/** A profile with something of everything, and something of what stays behind. */
async function makeHome(): Promise<string> {
  const root = fresh('home');
  writeFileSync(join(root, 'config.yaml'), 'model:\n  default: some-model\n');
  writeFileSync(join(root, '.env'), 'TELEGRAM_BOT_TOKEN=123:abc\n');
  for (const name of ['memories', 'skills/notes', 'cache/spillover', 'cache/mcp', 'logs', 'blobs', 'sandboxes/one'])
    mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, 'memories', 'MEMORY.md'), 'The owner likes tea.\n');
  writeFileSync(join(root, 'skills/notes', 'SKILL.md'), '---\nname: notes\n---\n');
  writeFileSync(join(root, 'cache/spillover', 'long.txt'), 'a long result');
  writeFileSync(join(root, 'cache/mcp', 'list.json'), '{}');
  writeFileSync(join(root, 'logs', 'gateway.log'), 'a line\n');
  writeFileSync(join(root, 'blobs', 'ab12'), 'bytes');
  writeFileSync(join(root, 'gateway.pid'), '1');
  symlinkSync(join(root, 'memories'), join(root, 'linked'));
  await using store = await openHomeStore(resolveHome({ HERMES_HOME: root }));
  const session = await store.create({ platform: 'telegram', source: 'telegram', cwd: root, model: 'm', provider: 'p', title: 'a talk' });
  const claim = await store.claim(session.id);
  await store.commit(claim, {
    append: [{ type: 'message', origin: 'user', message: { role: 'user', content: [createTextBlock('hello', 'owner')] } }],
  });
  await store.release(claim);
  await store.gateway.receive([], [{ ...target, scope: 'updates', value: '41' }]);
  const definition = {
    name: 'hourly',
    schedule: { kind: 'every', ms: 3_600_000, from: 0 },
    said: 'every hour',
    prompt: 'go',
    deliver: ['local'],
  } as const;
  await store.jobs.add({ definition, nextAt: Date.now() - 7_200_000 });
  await store.jobs.announce('gateway', 60_000);
  await store.gateway.plan([{ key: 'one', target, content: { type: 'text', markdown: 'an answer on its way' } }]);
  return root;
}

test('a profile comes back on another machine as it was, without what belongs to the first one', async () => {
  const root = await makeHome();
  const file = join(fresh('out'), 'all.tar.gz');
  const made = await serviceFor(root).backup(file, {});
  assert.deepEqual(
    { ...made, bytes: made.bytes > 0 },
    { file, bytes: true, files: 8, sessions: 1, encrypted: false, hasReadableKeys: true },
  );
  const home = join(fresh('other'), 'deeper', 'home');
  const restored = await serviceFor(home).restore(file, {});
  assert.deepEqual(restored.settled, { turnsGivenUp: 0, deliveriesMarked: 1, processesForgotten: 0, jobsSkipped: 1 });
  assert.deepEqual(
    readdirSync(home)
      .filter((name) => !name.startsWith('sessions.db'))
      .toSorted(),
    ['.env', 'blobs', 'cache', 'config.yaml', 'linked', 'memories', 'skills'],
  );
  assert.deepEqual(readdirSync(join(home, 'cache')), ['spillover']);
  assert.equal(readFileSync(join(home, 'memories', 'MEMORY.md'), 'utf8'), 'The owner likes tea.\n');
  await using store = await openHomeStore(resolveHome({ HERMES_HOME: home }));
  const [session] = await store.list();
  assert.equal(session?.title, 'a talk');
  assert.deepEqual(await store.jobs.tickers(), [], 'whoever ran the jobs of the first one does not run these');
  assert.equal((await store.entries(session?.id ?? '')).length, 1);
  const [delivery] = await store.gateway.deliveries({});
  assert.deepEqual([delivery?.state, delivery?.mayRepeat], ['pending', true]);
  assert.deepEqual(await store.gateway.cursors(target), []);
  assert.deepEqual(await store.jobs.due(10), [], 'its time came while nobody knows what was done');
  assert.ok(((await store.jobs.list())[0]?.nextAt ?? 0) > Date.now());
});

test('what was said meanwhile is answered when the owner wants it', async () => {
  const root = await makeHome();
  const file = join(fresh('out'), 'all.tar.gz');
  await serviceFor(root).backup(file, {});
  const home = join(fresh('other'), 'home');
  await serviceFor(home).restore(file, { answerMissed: true });
  await using store = await openHomeStore(resolveHome({ HERMES_HOME: home }));
  assert.deepEqual(await store.gateway.cursors(target), [{ scope: 'updates', value: '41' }]);
});

test('a backup is encrypted for whoever has the passphrase, in the format of age', async () => {
  const root = await makeHome();
  const file = join(fresh('out'), 'all.tar.gz.age');
  await serviceFor(root).backup(file, { passphrase: 'correct horse' });
  assert.ok(readFileSync(file).subarray(0, 21).equals(Buffer.from('age-encryption.org/v1')));
  assert.ok(!readFileSync(file).includes('123:abc'));
  const home = join(fresh('other'), 'home');
  await assert.rejects(serviceFor(home).restore(file, { passphrase: 'wrong' }), /the passphrase is wrong, or the file is damaged/);
  await assert.rejects(serviceFor(home).restore(file, {}), /is encrypted/);
  assert.equal(existsSync(home), false);
  const { sessions } = await serviceFor(home).restore(file, { passphrase: 'correct horse' });
  assert.equal(sessions, 1);
});

test('an encrypted backup that is damaged anywhere behind its head restores nothing', async () => {
  const root = await makeHome();
  const passphrase = 'correct horse';
  const file = join(fresh('out'), 'all.tar.gz.age');
  await serviceFor(root).backup(file, { passphrase });
  const whole = readFileSync(file);
  const damaged = join(fresh('out'), 'damaged.tar.gz.age');
  const home = join(fresh('other'), 'home');
  const rows: readonly Buffer[] = [
    Buffer.from(whole.map((byte, at) => (at === whole.length - 40 ? byte ^ 1 : byte))),
    whole.subarray(0, whole.length - 40),
  ];
  for (const bytes of rows) {
    writeFileSync(damaged, bytes);
    await assert.rejects(serviceFor(home).restore(damaged, { passphrase }), {
      code: 'usage',
      message: `${damaged} could not be opened: the passphrase is wrong, or the file is damaged.`,
    });
  }
  assert.deepEqual(readdirSync(join(home, '..')), [], 'nothing is left beside it');
});

test('a damaged, foreign or hostile file restores nothing', async () => {
  const root = await makeHome();
  const out = fresh('out');
  const file = join(out, 'all.tar.gz');
  await serviceFor(root).backup(file, {});
  const unpacked = fresh('unpacked');
  execFileSync('tar', ['-xzf', file, '-C', unpacked]);
  const pack = (name: string): string => {
    execFileSync('tar', ['-czf', join(out, name), '-C', unpacked, '.']);
    return join(out, name);
  };
  const home = join(fresh('other'), 'home');
  writeFileSync(join(unpacked, 'config.yaml'), 'approvals:\n  mode: off\n');
  await assert.rejects(serviceFor(home).restore(pack('changed.tar.gz'), {}), /is damaged: config\.yaml differs/);
  writeFileSync(join(unpacked, 'extra'), 'x');
  await assert.rejects(serviceFor(home).restore(pack('more.tar.gz'), {}), /is damaged: config\.yaml, extra differ/);
  symlinkSync('/etc/passwd', join(unpacked, 'link'));
  await assert.rejects(serviceFor(home).restore(pack('link.tar.gz'), {}), /is a link or a device/);
  writeFileSync(join(out, 'cut.tar.gz'), readFileSync(file).subarray(0, 300));
  await assert.rejects(
    serviceFor(home).restore(join(out, 'cut.tar.gz'), {}),
    /could not be unpacked: it is damaged, or no archive of hermes \(.+\)\. Nothing was changed\./,
  );
  writeFileSync(join(out, 'text'), 'no archive');
  await assert.rejects(
    serviceFor(home).restore(join(out, 'text'), {}),
    /could not be unpacked: it is damaged, or no archive of hermes \(.+\)\. Nothing was changed\./,
  );
  assert.equal(existsSync(home), false);
  assert.deepEqual(readdirSync(join(home, '..')), [], 'nothing is left beside it');
});

test('a profile that is there stays, or moves aside when that is wanted', async () => {
  const root = await makeHome();
  const file = join(fresh('out'), 'all.tar.gz');
  await serviceFor(root).backup(file, {});
  await assert.rejects(serviceFor(root).backup(file, {}), /already exists/);
  await assert.rejects(serviceFor(root).restore(file, {}), /--replace/);
  writeFileSync(join(root, 'memories', 'MEMORY.md'), 'newer\n');
  const { movedTo = '' } = await serviceFor(root).restore(file, { replace: true });
  assert.equal(readFileSync(join(root, 'memories', 'MEMORY.md'), 'utf8'), 'The owner likes tea.\n');
  assert.equal(readFileSync(join(movedTo, 'memories', 'MEMORY.md'), 'utf8'), 'newer\n');
});

test('a profile is not replaced while a chat has it open, also one that does nothing', async () => {
  const root = await makeHome();
  const file = join(fresh('out'), 'all.tar.gz');
  await serviceFor(root).backup(file, {});
  {
    await using store = await openHomeStore(resolveHome({ HERMES_HOME: root }));
    await store.list();
    await assert.rejects(serviceFor(root).restore(file, { replace: true }), /another hermes, such as an open chat .* works in .* close it/);
  }
  assert.equal((await serviceFor(root).restore(file, { replace: true })).sessions, 1);
  writeFileSync(join(root, 'sessions.db'), 'damaged');
  assert.equal((await serviceFor(root).restore(file, { replace: true })).sessions, 1, 'a damaged store is no reason not to');
});

test('replacing the default profile leaves the others where they are, and waits for whoever works in one of them', async () => {
  const root = await makeHome();
  const file = join(fresh('out'), 'all.tar.gz');
  await serviceFor(root).backup(file, {});
  const work = join(root, 'profiles', 'work');
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'SOUL.md'), 'Work.\n');
  writeFileSync(join(root, 'active_profile'), 'work\n');
  {
    await using store = await openHomeStore(resolveHome({ HERMES_HOME: work }));
    await store.list();
    await assert.rejects(serviceFor(root).restore(file, { replace: true }), /works in .*profiles\/work\. Stop it first/);
    assert.equal(readFileSync(join(work, 'SOUL.md'), 'utf8'), 'Work.\n');
  }
  const { movedTo = '', profilesKept } = await serviceFor(root).restore(file, { replace: true });
  assert.deepEqual(profilesKept, ['work']);
  assert.equal(readFileSync(join(work, 'SOUL.md'), 'utf8'), 'Work.\n');
  assert.equal(readFileSync(join(root, 'active_profile'), 'utf8'), 'work\n');
  assert.equal(existsSync(join(movedTo, 'profiles')), false);
});

test('a folder that is no profile is not moved away', async () => {
  const root = await makeHome();
  const file = join(fresh('out'), 'all.tar.gz');
  await serviceFor(root).backup(file, {});
  const project = fresh('project');
  writeFileSync(join(project, 'main.ts'), '');
  await assert.rejects(serviceFor(root).restore(file, { home: project, replace: true }), /no profile, so it is not replaced/);
  assert.deepEqual(readdirSync(project), ['main.ts']);
});

test('whoever keeps a file that anybody can read is told that it holds keys, those of webhooks too', async () => {
  const root = fresh('keys');
  const hasKeys = async (name: string): Promise<boolean> => (await serviceFor(root).backup(join(fresh('out'), name), {})).hasReadableKeys;
  writeFileSync(join(root, '.env'), '# nothing yet\n');
  assert.equal(await hasKeys('without.tar.gz'), false);
  writeFileSync(join(root, 'webhook_subscriptions.json'), '{"alerts":{"secret":"whsec_x"}}');
  assert.equal(await hasKeys('with.tar.gz'), true);
});

test('a backup that was killed is in nobody’s way, and what it left beside the file is removed by the next one', async () => {
  const root = await makeHome();
  const out = fresh('out');
  const leave = (name: string, holder: object): void => {
    mkdirSync(join(out, name, 'profile'), { recursive: true });
    writeFileSync(join(out, name, 'profile', '.env'), 'KEY=1');
    writeFileSync(join(out, name, 'holder'), JSON.stringify({ ...identifyOwnProcess(), token: 'left', ...holder }));
  };
  leave('.hermes-profile-dead', { started: 'before' });
  leave('.hermes-profile-working', {});
  leave('.hermes-profile-far', { host: 'another-machine' });
  writeFileSync(join(out, 'all.tar.gz.part'), 'half');
  await serviceFor(root).backup(join(out, 'all.tar.gz'), {});
  assert.deepEqual(readdirSync(out).toSorted(), ['.hermes-profile-far', '.hermes-profile-working', 'all.tar.gz', 'all.tar.gz.part']);
});

test('a link of a guest takes nothing of the owner into a backup, and one of the owner is followed', async () => {
  const root = await makeHome();
  const elsewhere = fresh('elsewhere');
  writeFileSync(join(elsewhere, 'secret'), 'of the owner');
  const guest = join(root, 'workspaces', 'api_server-guest');
  mkdirSync(join(guest, 'src'), { recursive: true });
  mkdirSync(join(root, 'plugin-data', 'one'), { recursive: true });
  mkdirSync(join(elsewhere, 'moved'));
  writeFileSync(join(guest, 'src', 'main.ts'), 'of the guest');
  symlinkSync(join(elsewhere, 'secret'), join(guest, 'notes'));
  symlinkSync('/', join(guest, 'src', 'disk'));
  symlinkSync('..', join(guest, 'src', 'up'));
  symlinkSync(elsewhere, join(root, 'plugin-data', 'one', 'out'));
  // The owner keeps one workspace on another disk, and has a second way to the first.
  symlinkSync(join(elsewhere, 'secret'), join(elsewhere, 'moved', 'notes'));
  writeFileSync(join(elsewhere, 'moved', 'own'), 'of the guest');
  symlinkSync(join(elsewhere, 'moved'), join(root, 'workspaces', 'moved'));
  symlinkSync(guest, join(root, 'guest'));
  symlinkSync(join(elsewhere, 'secret'), join(root, 'linked-file'));
  const file = join(fresh('out'), 'all.tar.gz');
  const { leftOut } = await serviceFor(root).backup(file, {});
  assert.equal(leftOut, 8);
  const home = join(fresh('other'), 'home');
  await serviceFor(home).restore(file, {});
  assert.deepEqual(listFiles(join(home, 'workspaces')), ['api_server-guest/src/main.ts', 'moved/own']);
  assert.deepEqual(listFiles(join(home, 'plugin-data')), []);
  assert.deepEqual(listFiles(join(home, 'guest')), ['src/main.ts']);
  assert.equal(readFileSync(join(home, 'linked-file'), 'utf8'), 'of the owner');
});

test('a link that leads back to a folder it lies in does not end a backup', async () => {
  const root = await makeHome();
  const out = fresh('out');
  symlinkSync(root, join(root, 'skills', 'all'));
  symlinkSync('..', join(root, 'memories', 'up'));
  symlinkSync(out, join(root, 'backups'));
  symlinkSync('nowhere', join(root, 'gone'));
  symlinkSync('self', join(root, 'skills', 'self'));
  symlinkSync('there', join(root, 'skills', 'here'));
  symlinkSync('here', join(root, 'skills', 'there'));
  const file = join(out, 'all.tar.gz');
  const { leftOut, unreadableLinks } = await serviceFor(root).backup(file, {});
  assert.deepEqual([leftOut, unreadableLinks?.toSorted()], [undefined, ['skills/here', 'skills/self', 'skills/there']]);
  const home = join(fresh('other'), 'home');
  await serviceFor(home).restore(file, {});
  assert.deepEqual(listFiles(join(home, 'skills')), ['notes/SKILL.md']);
  assert.deepEqual(listFiles(join(home, 'memories')), ['MEMORY.md']);
  assert.deepEqual(listFiles(join(home, 'backups')), []);
});

test('folders of a guest that are nested without end do not end a backup', async () => {
  const root = await makeHome();
  const guest = join(root, 'workspaces', 'api_server-guest');
  mkdirSync(join(guest, ...Array<string>(1_450).fill('a')), { recursive: true });
  writeFileSync(join(guest, 'own'), 'of the guest');
  const file = join(fresh('out'), 'all.tar.gz');
  const { leftOut } = await serviceFor(root).backup(file, {});
  assert.equal(leftOut, 1);
  const home = join(fresh('other'), 'home');
  await serviceFor(home).restore(file, {});
  assert.deepEqual(listFiles(join(home, 'workspaces')), ['api_server-guest/own']);
});

const isRoot = process.getuid?.() === 0;
test(
  'a file of a guest or behind a link of the owner that cannot be read does not end a backup',
  { skip: isRoot ? 'root reads all files' : false },
  async () => {
    const root = await makeHome();
    const guest = join(root, 'workspaces', 'api_server-guest');
    mkdirSync(guest, { recursive: true });
    writeFileSync(join(guest, 'closed'), 'x', { mode: 0 });
    mkdirSync(join(guest, 'shut'), { mode: 0 });
    const elsewhere = fresh('elsewhere');
    writeFileSync(join(elsewhere, 'closed'), 'x', { mode: 0 });
    mkdirSync(join(elsewhere, 'shut', 'inside'), { recursive: true });
    chmodSync(join(elsewhere, 'shut'), 0);
    for (const name of ['closed', 'shut', 'shut/inside']) symlinkSync(join(elsewhere, name), join(root, `to-${basename(name)}`));
    const { leftOut, unreadableLinks } = await serviceFor(root).backup(join(fresh('out'), 'all.tar.gz'), {});
    for (const path of [join(guest, 'shut'), join(elsewhere, 'shut')]) chmodSync(path, 0o700);
    assert.equal(leftOut, 2);
    assert.deepEqual(unreadableLinks?.toSorted(), ['to-closed', 'to-inside', 'to-shut']);
  },
);

const listFiles = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .toSorted();

const hasAge = spawnSync('age', ['--version']).status === 0;
test('the program age opens it', { skip: hasAge ? false : 'the program age is not installed' }, async () => {
  const root = await makeHome();
  const file = join(fresh('out'), 'all.tar.gz.age');
  await serviceFor(root).backup(file, { passphrase: 'correct horse' });
  // It reads passphrases from a terminal only.
  const line = `printf 'correct horse\\n' | script -qec "age -d -o ${join(folder, 'plain.tar.gz')} ${file}" /dev/null`;
  execFileSync('bash', ['-c', line], { stdio: 'ignore' });
  assert.match(execFileSync('tar', ['-tzf', join(folder, 'plain.tar.gz')], { encoding: 'utf8' }), /sessions\.db/);
});
