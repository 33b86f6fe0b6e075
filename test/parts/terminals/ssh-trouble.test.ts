import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parseJson } from '../../../src/base/json.ts';
import { LineError } from '../../../src/parts/terminals/line/line.ts';
import { openSshLine } from '../../../src/parts/terminals/ssh/line.ts';
import { adoptOverSsh, sshTerminal } from '../../../src/parts/terminals/ssh/ssh.ts';
import { retryUntil, run } from '../../../src/testing/conformance/terminal-commands.ts';
import { processesWith } from '../../processes.ts';
import { hereEnv, noSshd, startHost } from './ssh-stage.ts';

const refuses =
  (...signs: readonly RegExp[]) =>
  (error: unknown) => {
    assert.ok(error instanceof LineError, String(error));
    for (const sign of signs) assert.match(error.message, sign);
    return true;
  };

if (noSshd !== undefined) test('trouble with ssh', { skip: noSshd }, () => {});
else
  await describe('trouble with ssh is told, and what can be mended is mended', async () => {
    const host = await startHost();
    after(() => host.close());
    const { settings } = host;
    const opened = (change: Partial<typeof settings> = {}) =>
      sshTerminal({ settings: { ...settings, ...change } }).open({ cwd: '~', env: hereEnv() });

    test('a connection that breaks under a command leaves its outcome open; the next one connects again and ends what was left', async () => {
      await using terminal = await opened();
      const mark = `3${Date.now()}.5`;
      const broken = run(terminal, `KEPT=1; echo begun; sleep ${mark}`, { onOutput: (text) => text.includes('begun') && host.cut() });
      const { ended, exitCode, output } = await broken;
      assert.deepEqual([ended, exitCode], ['exited', null]);
      assert.match(output, /^begun\n\n\[The line to \S+ broke while this ran.*unknown.*connects again/s);
      assert.equal((await run(terminal, 'echo again; pwd')).output, `again\n${join(host.folder, 'home')}\n`);
      await retryUntil(
        'nothing of it is left',
        async () => (await run(terminal, `ps -eo args | grep '[s]leep ${mark}' || true`)).output === '',
      );
    });

    test('what a session left behind is there after the connection broke', async () => {
      await using terminal = await opened();
      await run(terminal, 'export A=1; mkdir -p sub && cd sub');
      host.cut();
      const { output } = await run(terminal, 'echo $A; pwd');
      assert.equal(output, `1\n${join(host.folder, 'home', 'sub')}\n`);
    });

    test('a host that is down is a command that could not be started, and works when it is up again', async () => {
      await using terminal = await opened();
      host.cut();
      await host.stop();
      const { ended, exitCode, output } = await run(terminal, 'true');
      assert.deepEqual([ended, exitCode], ['failed_to_start', null]);
      assert.match(output, /ssh could not reach .*Connection refused.*terminal\.ssh_port/);
      await host.start();
      assert.equal((await run(terminal, 'echo up')).output, 'up\n');
    });

    test('what runs in the background lives on without the connection, and its output is whole', async () => {
      await using terminal = await opened();
      const running = await terminal.start('for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done; exit 7', { maxOutput: 10_000 });
      await retryUntil('it has begun', async () => running.output().includes('1'));
      host.cut();
      assert.equal(await running.exited, 7);
      assert.equal(running.output(), '1\n2\n3\n4\n5\n6\n');
    });

    test('a later process of ours takes it up from its trace, hears all of it and can speak to it', async () => {
      const first = await opened();
      const outlive = { maxOutput: 10_000, outlive: true };
      const { trace } = await first.start('echo one; read word; echo "got $word"; exit 4', outlive);
      await first[Symbol.asyncDispose]();
      assert.ok(trace !== undefined);
      assert.deepEqual(parseJson(JSON.stringify(trace)), trace);
      const taken = await adoptOverSsh(trace, { settings }, hereEnv(), { maxOutput: 10_000 });
      taken?.write('hello\n');
      assert.equal(await taken?.exited, 4);
      assert.equal(taken?.output(), 'one\ngot hello\n');
      await retryUntil('its files are gone', async () => !existsSync(dirname(trace.log)));
      assert.equal(
        await adoptOverSsh({ ...trace, identity: { ...trace.identity, boot: 'another' } }, { settings }, hereEnv(), { maxOutput: 100 }),
        undefined,
      );
    });

    test('a key the host does not know', async () => {
      await assert.rejects(opened({ key: host.newKey('stranger') }), refuses(/Permission denied/, /authorized_keys/, /terminal\.ssh_key/));
    });

    test('a key others can read', async () => {
      const key = join(host.folder, 'open');
      copyFileSync(settings.key ?? '', key);
      chmodSync(key, 0o644);
      await assert.rejects(opened({ key }), refuses(/chmod 600/));
    });

    test('a host nobody knows, and a port nobody listens on', async () => {
      await assert.rejects(opened({ host: 'no-such-host.invalid' }), refuses(/no-such-host\.invalid/, /terminal\.ssh_host/));
      await assert.rejects(opened({ port: 1 }), refuses(/Connection refused/, /terminal\.ssh_port/));
    });

    test('a host key that has changed is not accepted, and the way out is named', async () => {
      const known = join(host.folder, 'known-other');
      const { user, port } = settings;
      writeFileSync(known, `[127.0.0.1]:${port} ${execFileSync('cat', [`${host.newKey('impostor')}.pub`], { encoding: 'utf8' })}`);
      await assert.rejects(
        opened({ ...(user !== undefined && { user }), options: [`UserKnownHostsFile=${known}`] }),
        refuses(/another key/, /ssh-keygen -R '\[127\.0\.0\.1\]:\d+'/),
      );
    });

    test('a name that ssh would take for an option is no name', async () => {
      await assert.rejects(opened({ host: '-oProxyCommand=true' }), /not the name of a host/);
      await assert.rejects(opened({ host: '' }), /terminal\.ssh_host/);
    });

    test('a host without bash is told so', async (t) => {
      const bare = mkdtempSync(join(tmpdir(), 'hermes-bare-'));
      symlinkSync('/usr/bin/env', join(bare, 'env'));
      const plain = await startHost([`ForceCommand PATH=${bare} /bin/sh -c "$SSH_ORIGINAL_COMMAND"`]);
      t.after(async () => {
        await plain.close();
        rmSync(bare, { recursive: true, force: true });
      });
      await assert.rejects(
        sshTerminal({ settings: plain.settings }).open({ cwd: '~', env: hereEnv() }),
        refuses(/There is no bash on /, /install bash/),
      );
    });

    test('a machine without ssh is told so', async () => {
      await assert.rejects(sshTerminal({ settings }).open({ cwd: '~', env: { PATH: '/nowhere' } }), refuses(/openssh-client/));
    });

    test('the socket is for us alone, and the connection is closed with the session', async () => {
      const line = openSshLine(settings, hereEnv());
      await line.exec(Buffer.from('true\0'), { output: () => {}, told: () => {} }).over;
      assert.match(line.socket, /hermes-ssh[^/]*\/[0-9a-f]{16}\.sock$/);
      assert.equal(statSync(dirname(line.socket)).mode & 0o777, 0o700);
      assert.ok(existsSync(line.socket));
      await line.close();
      assert.equal(existsSync(line.socket), false);
      // The socket goes first; the process that held it ends right after.
      await retryUntil('nobody holds the connection', async () => processesWith(`ssh: ${line.socket}`).length === 0);
    });

    test('commands get the variables that were named, nothing else of ours, and nothing of it is written down', async () => {
      const env = { ...hereEnv(), SECRET_ONE: 'value-one', SECRET_TWO: 'value-two' };
      await using terminal = await sshTerminal({ settings, pass: ['SECRET_ONE'] }).open({ cwd: '~', env });
      assert.equal((await run(terminal, 'echo "$SECRET_ONE ${SECRET_TWO-none}"')).output, 'value-one none\n');
      assert.equal((await run(terminal, 'echo "$SECRET_ONE"')).output, 'value-one\n');
      assert.equal(
        (await run(terminal, 'cat /dev/shm/hermes-shell-*/[ab] "${TMPDIR:-/tmp}"/hermes-shell-*/[ab] 2>/dev/null | grep -c value-on[e]'))
          .output,
        '0\n',
      );
    });
  });
