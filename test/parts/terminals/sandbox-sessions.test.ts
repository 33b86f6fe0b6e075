import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Terminal } from '../../../src/contracts/terminal.ts';
import { sandboxTerminal } from '../../../src/parts/terminals/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../../src/parts/terminals/sandbox/survey.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';
import { tiers } from './sandbox-stage.ts';

/** What sessions leave to each other and to the machine, behind every wall that works here. */
const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-sessions-')));
const home = join(root, 'home');
const folder = (name: string): string => {
  mkdirSync(join(home, name), { recursive: true });
  return join(home, name);
};
before(() => {
  folder('.npm');
  writeFileSync(join(folder('.config/git'), 'config'), '[user]\n\tname = Ann Owner\n\temail = ann@owner.example\n');
  process.env['HOME'] = home;
});
after(() => rmSync(root, { recursive: true, force: true }));

const output = async (terminal: Terminal, command: string): Promise<string> => (await run(terminal, command)).output.trim();
const OWNERS_PROCESS = `9${process.pid}`;
const CACHE = '"${XDG_CACHE_HOME:-$HOME/.cache}"';

for (const tools of tiers) {
  const open = (cwd: string, options: SandboxOptions = {}): Promise<Terminal> =>
    sandboxTerminal({ tools, ...options }).open({
      cwd,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', USER: userInfo().username, GIT_AUTHOR_EMAIL: 'ann@owner.example' },
    });
  describe(`by ${tools.tier}`, () => {
    test('caches of a project are kept while another project is worked on, and neither sees those of the other', async () => {
      const profile = join(root, `caches-${tools.tier}`);
      const inProject = (name: string) => open(folder(name), { profile, wall: 'attended' });
      const plant = (name: string): string => `mkdir -p ${CACHE} && echo ${name} >> ${CACHE}/init.gradle && cat ${CACHE}/init.gradle`;
      await using one = await inProject('one');
      assert.equal(await output(one, plant('one')), 'one');
      for (const all of ['other', 'other\nother']) {
        await using other = await inProject('other');
        assert.equal(await output(other, plant('other')), all);
      }
      assert.equal(await output(one, `cat ${CACHE}/init.gradle`), 'one');
    });

    test('sessions in folders that commands cannot write to have caches of their own, too', async () => {
      const profile = join(root, `read-only-${tools.tier}`);
      for (const cwd of ['/usr/share', '/usr/lib']) {
        await using terminal = await open(cwd, { profile, wall: 'attended' });
        assert.equal(await output(terminal, `mkdir -p ${CACHE} && echo ${cwd} >> ${CACHE}/x && cat ${CACHE}/x`), cwd);
      }
    });

    for (const wall of ['attended', 'unattended'] as const)
      test(`${wall}, no other folder takes the place of a working directory that is gone`, async () => {
        const gone = folder(`gone-${tools.tier}-${wall}`);
        rmSync(gone, { recursive: true });
        const instead = join(root, `instead-${tools.tier}`);
        await assert.rejects(
          open(gone, { wall, instead, profile: join(root, 'gone') }),
          /the working directory .* is gone\. Make it again/,
        );
      });

    for (const wall of ['attended', 'unattended'] as const)
      test(`${wall}, temporary files have a bound: what goes beyond it ends with everything else, and the files go`, async () => {
        const work = folder('work');
        const own = () => readdirSync(realpathSync(tmpdir())).filter((name) => name.startsWith(`hermes-sandbox-${process.pid}-`));
        const others = own();
        const terminal = await open(work, { wall, tempMb: 20 });
        {
          await using _ = terminal;
          assert.equal((await run(terminal, 'head -c 8000000 /dev/zero > $TMPDIR/small; KEPT=still; echo done')).stopped, undefined);
          const beside = await terminal.start('sleep 300', { maxOutput: 1_000 });
          const result = await run(terminal, 'head -c 30000000 /dev/zero > $TMPDIR/big; sleep 300');
          assert.match(result.stopped ?? '', /^ended with everything else .* more than 20 MB .* terminal\.sandbox_temp_mb$/);
          await beside.exited;
          assert.match(beside.status().stopped ?? '', /^ended with everything else/);
          assert.equal(await output(terminal, 'find $TMPDIR -name big -o -name small; echo "$KEPT"'), 'still');
          const late = await terminal.start('exec 9> $TMPDIR/gone; rm $TMPDIR/gone; head -c 30000000 /dev/zero >&9; sleep 300', {
            maxOutput: 1_000,
          });
          await late.exited;
          assert.match(late.status().stopped ?? '', /20 MB/, 'a file that is deleted and still open counts');
          if (tools.tier === 'bubblewrap')
            assert.match((await run(terminal, 'head -c 30000000 /dev/zero > /dev/shm/big; sleep 300')).stopped ?? '', /20 MB/);
          assert.equal((await run(terminal, 'head -c 30000000 /dev/zero > big; rm big; sleep 1; echo done')).output.trim(), 'done');
          if (wall === 'unattended') {
            assert.match((await run(terminal, 'head -c 30000000 /dev/zero > ~/big; sleep 300')).stopped ?? '', /20 MB/);
            assert.equal(await output(terminal, 'ls ~/big 2>/dev/null; git config user.name'), 'Ann Owner');
          }
        }
        assert.deepEqual(own(), others, 'nothing is left of a session');
      });

    test('nothing else in memory can be written to', { skip: tools.tier !== 'bubblewrap' && 'nothing is mounted' }, async () => {
      for (const wall of ['attended', 'unattended'] as const) {
        await using terminal = await open(folder('work'), { wall });
        // The folders of a session lie in memory where the temporary folder of this machine does.
        const others = `awk -v own="$(stat -c %d .)" '/ - tmpfs / && $6 ~ /^rw/ { split($3, at, ":"); if (at[1] * 256 + at[2] != own) print $5 }'`;
        assert.equal(await output(terminal, `${others} /proc/self/mountinfo`), '/dev/shm');
      }
    });

    test('guests learn nothing of users, services, processes and names of the machine, and their programs work', async () => {
      const terminal = await open(folder(`guests-${tools.tier}`), { forGuests: true, readPaths: [dirname(dirname(process.execPath))] });
      await using _ = terminal;
      const owners = spawn('sleep', [OWNERS_PROCESS]);
      after(() => owners.kill('SIGKILL'));
      const isMounted = tools.tier === 'bubblewrap';
      const { username } = userInfo();
      const secrets = [
        'passwd',
        'passwd-',
        'group',
        'hostname',
        'machine-id',
        'ssh/sshd_config',
        'ssh/ssh_config',
        'crontab',
        'cron.d',
        'fstab',
        'shadow',
      ];
      for (const name of secrets.filter((each) => existsSync(join('/etc', each)))) {
        const told = await output(terminal, `cat /etc/${name} /etc/${name}/* 2>/dev/null`);
        const users = new Set(['root', username, 'nobody', 'nogroup']);
        assert.deepEqual(
          told.split('\n').filter((line) => line !== '' && !users.has(line.split(':')[0] ?? '')),
          [],
          name,
        );
        if (!isMounted) assert.equal(told, '', name);
      }
      assert.equal(await output(terminal, 'ls /var/spool /var/mail /home /root 2>/dev/null | grep -v : | grep .'), '');
      const visible = await output(terminal, 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "');
      assert.equal(visible.includes(OWNERS_PROCESS), false);
      if (isMounted) {
        assert.equal(await output(terminal, 'whoami'), username);
        assert.notEqual(await output(terminal, 'uname -n'), hostname());
        assert.doesNotMatch(await output(terminal, 'cat /etc/hosts'), new RegExp(hostname()));
      }
      const commit = 'git init -q . && echo x > x && git add x && git commit -qm first && git log --format="%an %ae"';
      assert.equal(await output(terminal, commit), 'Hermes hermes@localhost');
      assert.equal(await output(terminal, `git config user.email; env | grep -c owner.example`), 'hermes@localhost\n0');
      assert.equal(await output(terminal, 'cat <(echo streams); date +%Y >/dev/null && echo on'), 'streams\non');
      const node = `require("fs").readFileSync("x"); require("net").createServer().listen(0, "localhost", function () { console.log("listens"); this.close(); })`;
      assert.equal(await output(terminal, `${process.execPath} -e '${node}'`), 'listens');
    });

    test('unattended work of the owner sees the users of the machine', async () => {
      await using terminal = await open(folder('own-work'));
      assert.equal(await output(terminal, 'cat /etc/passwd'), readFileSync('/etc/passwd', 'utf8').trim());
      assert.equal(await output(terminal, 'git config user.email'), 'ann@owner.example');
    });
  });
}
if (tiers.length === 0) test('sessions behind a wall', { skip: 'no wall works here' }, () => {});
