import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sshTerminal } from '../../../src/parts/terminals/ssh/ssh.ts';
import { openSync, type SyncOptions } from '../../../src/parts/terminals/sync/sync.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';
import { hereEnv, noSshd, startHost } from './ssh-stage.ts';
import { bashLine } from './sync-stage.ts';

/** A profile here and a home there. */
function stage(t: TestContext, more: Partial<SyncOptions> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-sync-test-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [profile, home] = [join(folder, 'profile'), join(folder, 'home')];
  mkdirSync(home);
  const put = (path: string, text: string) => (mkdirSync(dirname(path), { recursive: true }), writeFileSync(path, text));
  const notices: string[] = [];
  const options: SyncOptions = {
    sources: [
      { from: join(profile, 'skills'), to: 'skills', back: true },
      { from: join(profile, 'google.json'), to: 'credentials/google.json', back: false },
    ],
    lock: join(profile, 'sync'),
    incoming: join(profile, 'incoming'),
    notice: (text) => notices.push(text),
    force: true,
    waits: [1, 1],
    ...more,
  };
  const line = bashLine(home);
  return { profile, home: join(home, '.hermes'), put, notices, line, options, sync: openSync(line, home, options) };
}
const read = (path: string) => readFileSync(path, 'utf8');

test('what is new or changed goes there, what is gone goes, and nothing is sent twice', async (t) => {
  const { profile, home, put, line, sync, notices } = stage(t);
  put(join(profile, 'skills/web/SKILL.md'), 'one');
  put(join(profile, "skills/odd 'name' $x.md"), 'odd');
  put(join(profile, 'google.json'), 'secret');
  put(join(home, 'skills/theirs.md'), 'not ours');
  await sync.push();
  assert.deepEqual(
    [read(join(home, 'skills/web/SKILL.md')), read(join(home, "skills/odd 'name' $x.md")), read(join(home, 'credentials/google.json'))],
    ['one', 'odd', 'secret'],
  );
  assert.equal(statSync(join(home, 'credentials')).mode & 0o077, 0);
  const before = line.said.length;
  await sync.push();
  assert.equal(line.said.length, before);
  put(join(profile, 'skills/web/SKILL.md'), 'other');
  rmSync(join(profile, "skills/odd 'name' $x.md"));
  await sync.push();
  assert.equal(read(join(home, 'skills/web/SKILL.md')), 'other');
  assert.deepEqual(readdirSync(join(home, 'skills')).toSorted(), ['theirs.md', 'web']);
  assert.deepEqual(readdirSync(home).toSorted(), ['credentials', 'skills']);
  assert.deepEqual(notices, []);
});

test('no more than every five seconds', async (t) => {
  let now = 10_000;
  const { profile, home, put, sync } = stage(t, { force: false, now: () => now });
  put(join(profile, 'skills/a'), '1');
  await sync.push();
  put(join(profile, 'skills/b'), '2');
  now += 4_999;
  await sync.push();
  assert.equal(existsSync(join(home, 'skills/b')), false);
  now += 1;
  await sync.push();
  assert.equal(read(join(home, 'skills/b')), '2');
});

test('a later session sends only what is not there already', async (t) => {
  const { profile, put, line, options, sync, home } = stage(t);
  put(join(profile, 'skills/a'), 'a'.repeat(100));
  await sync.push();
  utimesSync(join(profile, 'skills/a'), 1, 1);
  put(join(profile, 'skills/b'), 'b');
  const before = line.said.length;
  await openSync(line, dirname(home), options).push();
  assert.equal(read(join(home, 'skills/b')), 'b');
  assert.equal(line.said.slice(before).filter((said) => said.includes('tar -xzf')).length, 1);
});

test('a line that breaks changes nothing of what is known to be there, and is told', async (t) => {
  const { profile, home, put, line, sync, notices } = stage(t);
  put(join(profile, 'skills/a'), '1');
  await sync.push();
  put(join(profile, 'skills/a'), '22');
  line.broken = true;
  await sync.push();
  assert.match(notices.join(), /could not be brought to the next room: the line is cut.*tries again/);
  assert.equal(read(join(home, 'skills/a')), '1');
  line.broken = false;
  await sync.push();
  assert.equal(read(join(home, 'skills/a')), '22');
});

test('links are not followed out of the profile, on either side', async (t) => {
  const { profile, home, put, sync } = stage(t);
  put(join(profile, 'private'), 'private');
  put(join(profile, 'skills/a'), 'a');
  symlinkSync(join(profile, 'private'), join(profile, 'skills/link'));
  mkdirSync(join(profile, 'outside'));
  await sync.push();
  assert.deepEqual(readdirSync(join(home, 'skills')), ['a']);
  symlinkSync(join(profile, 'outside'), join(profile, 'skills/way'));
  put(join(home, 'skills/way/out'), 'out');
  symlinkSync('/etc/passwd', join(home, 'skills/passwd'));
  await sync.back();
  assert.deepEqual(readdirSync(join(profile, 'outside')), []);
  assert.deepEqual(readdirSync(join(profile, 'incoming/the-next-room/skills')), ['way']);
});

test('what was changed or made there waits for the owner, and nothing here changes', async (t) => {
  const { profile, home, put, sync, notices, line, options } = stage(t);
  for (const name of ['same', 'changed', 'both', 'lost']) put(join(profile, 'skills', name), name);
  put(join(profile, 'google.json'), 'secret');
  await sync.push();
  put(join(home, 'skills/changed'), 'changed there');
  put(join(home, 'skills/new/SKILL.md'), 'made there');
  put(join(home, 'credentials/google.json'), 'forged');
  put(join(home, 'cache/x'), 'neither asked for');
  rmSync(join(home, 'skills/lost'));
  put(join(home, 'skills/both'), 'both there');
  put(join(profile, 'skills/both'), 'both here');
  await sync.back();
  const now = Object.fromEntries(readdirSync(join(profile, 'skills')).map((name) => [name, read(join(profile, 'skills', name))]));
  assert.deepEqual(now, { same: 'same', changed: 'changed', both: 'both here', lost: 'lost' });
  assert.equal(read(join(profile, 'google.json')), 'secret');
  const incoming = join(profile, 'incoming/the-next-room');
  assert.deepEqual(
    ['both', 'changed', 'new/SKILL.md'].map((name) => read(join(incoming, 'skills', name))),
    ['both there', 'changed there', 'made there'],
  );
  assert.deepEqual(readdirSync(incoming), ['skills']);
  assert.deepEqual([statSync(incoming).mode & 0o077, statSync(join(incoming, 'skills/changed')).mode & 0o777], [0, 0o600]);
  assert.equal(notices.length, 1);
  assert.match(
    notices[0] ?? '',
    /^Changed on the next room, brought here and not used: skills\/both, skills\/changed, skills\/new\/SKILL\.md\. .*cp -r /,
  );
  // Told once, not with every session.
  await openSync(line, dirname(home), options).back();
  await sync.back();
  assert.equal(notices.length, 1);
  execFileSync('sh', ['-c', /run this yourself: (.*)$/.exec(notices[0] ?? '')?.[1] ?? 'false']);
  assert.equal(read(join(profile, 'skills/new/SKILL.md')), 'made there');
});

test('taking back is tried three times, then told; too much is told at once', async (t) => {
  const { profile, home, put, line, sync, notices } = stage(t);
  put(join(profile, 'skills/a'), '1');
  await sync.push();
  put(join(home, 'skills/a'), '2');
  line.broken = true;
  const before = line.said.length;
  await sync.back();
  assert.equal(line.said.length - before, 3);
  assert.match(notices.join(), /after 3 tries: the line is cut.*still there/);

  const large = stage(t, { maxBytes: 1_000 });
  large.put(join(large.profile, 'skills/a'), '1');
  await large.sync.push();
  large.put(join(large.home, 'skills/big'), 'x'.repeat(1_001));
  await large.sync.back();
  assert.match(large.notices.join(), /1001 bytes, more than the 1000/);
  assert.equal(existsSync(join(large.profile, 'skills/big')), false);
});

test('over ssh: before a command and at the end of a session', { skip: noSshd ?? false }, async (t) => {
  const host = await startHost();
  t.after(() => host.close());
  const { profile, put, options, notices } = stage(t);
  put(join(profile, 'skills/a/SKILL.md'), 'x'.repeat(300_000));
  put(join(profile, 'skills/b'), Buffer.from([0, 255, 10, 13]).toString('latin1'));
  const terminal = await sshTerminal({ settings: host.settings, sync: options }).open({ cwd: '~', env: hereEnv() });
  assert.equal((await run(terminal, 'cat ~/.hermes/skills/a/SKILL.md | wc -c')).output.trim(), '300000');
  await run(terminal, 'head -c 1000000 /dev/urandom > ~/.hermes/skills/made; sha256sum < ~/.hermes/skills/made > ~/.hermes/skills/sum');
  await terminal[Symbol.asyncDispose]();
  const { createHash } = await import('node:crypto');
  const [place = ''] = readdirSync(join(profile, 'incoming'));
  const incoming = join(profile, 'incoming', place);
  assert.equal(
    createHash('sha256')
      .update(readFileSync(join(incoming, 'skills/made')))
      .digest('hex'),
    read(join(incoming, 'skills/sum')).slice(0, 64),
  );
  assert.match(notices.join(), /brought here and not used: skills\/made, skills\/sum/);
  assert.equal(existsSync(join(profile, 'skills/made')), false);
});
