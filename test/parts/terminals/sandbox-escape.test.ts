import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Terminal } from '../../../src/contracts/terminal.ts';
import { filterCommandEnvironment } from '../../../src/parts/terminals/process/environment.ts';
import { retryUntil, run } from '../../../src/testing/conformance/terminal-commands.ts';
import { noSandbox, openSandboxed } from './sandbox-stage.ts';

const SECRET = 'canary-7f3a91c2';
/** A neighbour of the workspace on the host, with a secret in it, and everything of the owner's that must stay out of sight. */
const host = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-host-')));
after(() => rmSync(host, { recursive: true, force: true }));
const profile = join(host, 'profile');
for (const folder of ['out', 'profile/skills', 'profile/cache', 'extra/.hermes']) mkdirSync(join(host, folder), { recursive: true });
for (const file of ['out/key', 'profile/.env', 'profile/state.db', 'profile/auth.json', 'extra/plain'])
  writeFileSync(join(host, file), `${SECRET}\n`);
writeFileSync(join(profile, 'skills', 'SKILL.md'), 'a skill\n');

/** Listens on the host's loopback and in its abstract namespace; nobody inside must ever be heard. */
let visits = 0;
const listen = (where: string | number) =>
  new Promise<number>((resolve) => {
    const server = createServer((socket) => ((visits += 1), socket.end(SECRET)));
    after(() => void server.close());
    const ready = () => {
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : 0);
    };
    if (typeof where === 'number') server.listen(where, '127.0.0.1', ready);
    else server.listen(where, ready);
  });
const port = await listen(0);
const abstract = `hermes-canary-${process.pid}`;
await listen(`\0${abstract}`);
const socketPath = join(host, 'out', 'engine.sock');
await listen(socketPath);
const victim = spawn('sleep', ['600'], { env: { CANARY: SECRET }, stdio: 'ignore' });
after(() => victim.kill());

const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : undefined;
const inPython = (code: string) => `${python ?? 'python3'} -I -c '${code}'`;

/** What is tried, and how it would show that it came off: by the canary in its output, unless something else is said. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'read a file next to the workspace': `cat ${host}/out/key`,
  'read it by way of dots': `cat ../$(basename ${host})/out/key; cat ../../../..${host}/out/key`,
  'read it by a link made inside': `ln -s ${host}/out/key k; cat k`,
  'read it by a link that lay in the workspace': 'cat planted',
  'read it by a hard link': `ln ${host}/out/key hard && cat hard`,
  'find it anywhere': `grep -rsl ${SECRET.slice(0, 8)} /home /root /mnt /media /srv /work /data ${tmpdir()} 2>/dev/null --include=key --include=.env | xargs -r cat`,
  'read the profile’s .env': `cat ${profile}/.env ${profile}/auth.json ${profile}/state.db`,
  'read what is hidden in a folder that is shown': `cat ${host}/extra/.hermes/.env; ls -la ${host}/extra/.hermes | grep env && echo ${SECRET}`,
  'read the environment of a host process': `cat /proc/${victim.pid}/environ; cat /proc/*/environ | tr "\\0" "\\n" | grep CANARY`,
  'read our own environment as that of the first process': 'tr "\\0" "\\n" < /proc/1/environ | grep -i "canary\\|key\\|token"',
  'go to the host by the root of the first process': `cat /proc/1/root${host}/out/key; cat /proc/1/cwd${host}/out/key`,
  'go to the host by an open descriptor': `for f in /proc/*/fd/*; do cat "$f${host}/out/key" 2>/dev/null; done`,
  'read the shadow file': `cat /etc/shadow | grep -q . && echo ${SECRET}`,
  'read the kernel’s memory and log': `head -c1 /dev/mem /dev/kmem /proc/kcore >/dev/null 2>&1 && echo ${SECRET}; dmesg 2>/dev/null | grep -q . && echo ${SECRET}`,
  'reach the host’s loopback': `exec 9<>/dev/tcp/127.0.0.1/${port} && cat <&9`,
  'reach a socket of the host by its path': inPython(
    `import socket; s=socket.socket(socket.AF_UNIX); s.connect("${socketPath}"); print(s.recv(99))`,
  ),
  'reach an abstract socket of the host': inPython(
    `import socket; s=socket.socket(socket.AF_UNIX); s.connect("\\0${abstract}"); print(s.recv(99))`,
  ),
  'reach any network': `exec 9<>/dev/tcp/1.1.1.1/53 && echo ${SECRET}`,
  'reach the engine that rules containers': `ls /var/run/docker.sock /run/docker.sock /run/podman/podman.sock 2>/dev/null && echo ${SECRET}`,
  'ask the bus of the session': `ls /run/user /run/dbus 2>/dev/null | grep -q . && echo ${SECRET}`,
  'see the processes of the host': `ls -d /proc/${victim.pid} && [ "$(tr "\\0" " " < /proc/${victim.pid}/cmdline)" = "sleep 600 " ] && echo ${SECRET}`,
  'trace a host process': inPython(
    `import ctypes; l=ctypes.CDLL(None); print("${SECRET}" if l.ptrace(16,${victim.pid},0,0)==0 else "refused")`,
  ),
  'mount a file system': `mount -t tmpfs none /mnt 2>/dev/null && echo ${SECRET}; mkdir -p m; mount --bind / m 2>/dev/null && echo ${SECRET}`,
  'take the cover off what is hidden': `umount /etc/shadow ${profile} 2>/dev/null && echo ${SECRET}; umount -l /tmp 2>/dev/null && echo ${SECRET}`,
  'make the system writable from a user namespace of its own': `unshare -Urm sh -c 'mount -o remount,rw,bind /usr && touch /usr/hermes-was-here && echo ${SECRET}' 2>/dev/null`,
  'take the covers off from a user namespace of its own': `unshare -Urm sh -c 'umount -l /etc/shadow && grep -q . /etc/shadow && echo ${SECRET}; umount -l /run/hermes/room && echo ${SECRET}' 2>/dev/null`,
  'enter the namespaces of the host': `nsenter -t 1 -m cat ${host}/out/key; nsenter --mount=/proc/1/ns/mnt cat ${host}/out/key; nsenter -t ${process.pid} -a cat ${host}/out/key`,
  'make a device node': `mknod disk b 254 0 2>/dev/null && echo ${SECRET}; mknod c c 1 3 2>/dev/null && echo x > c && echo ${SECRET}`,
  'open a disk': `for d in /dev/vd* /dev/sd* /dev/nvme* /dev/loop* /dev/dm-*; do head -c1 "$d" >/dev/null 2>&1 && echo ${SECRET}; done`,
  'write to the system': `for f in /etc/hermes-x /usr/bin/hermes-x /lib/hermes-x /hermes-x /opt/hermes-x; do : > "$f" && echo ${SECRET}; done 2>/dev/null`,
  'write to the kernel': `for f in $(find /proc -xdev -maxdepth 4 -type f -not -path "/proc/[0-9s]*" -writable 2>/dev/null | head -200) /proc/sys/kernel/core_pattern /proc/sys/kernel/printk /proc/sys/kernel/modprobe /proc/sys/vm/overcommit_memory; do v=$(cat "$f" 2>/dev/null) && (printf "%s" "$v" > "$f") 2>/dev/null && echo "${SECRET} $f"; done; ls /sys/kernel 2>/dev/null && echo ${SECRET}`,
  'write to a control group': `mkdir /sys/fs/cgroup/hermes 2>/dev/null && echo ${SECRET}; echo 0 > /sys/fs/cgroup/cgroup.procs && echo ${SECRET}; mkdir cg && mount -t cgroup2 none cg && echo ${SECRET}`,
  'become somebody else by a set-user-id program': `cp /bin/bash b && chmod u+s b && ./b -p -c 'grep Cap /proc/self/status' | grep -v 0000000000000000 | grep -v CapBnd; su -c id 2>/dev/null | grep uid && echo ${SECRET}; sudo -n id 2>/dev/null && echo ${SECRET}`,
  'hold any right': `grep -E 'Cap(Eff|Prm|Inh|Amb)' /proc/self/status | grep -v 0000000000000000 && echo ${SECRET}; grep -q 'NoNewPrivs:.1' /proc/self/status || echo ${SECRET}`,
  'leave its root': inPython(
    `import os\ntry:\n os.mkdir("j"); os.chroot("j"); [os.chdir("..") for _ in range(99)]; os.chroot("."); print(open("${host}/out/key").read())\nexcept OSError as e: print(e)`,
  ),
  'type into the terminal of the host': inPython(
    `import fcntl,termios\nfor p in ("/dev/tty","/dev/console","/dev/pts/0","/dev/tty1"):\n  try:\n    fcntl.ioctl(open(p,"w"),termios.TIOCSTI,b"x"); print("${SECRET}")\n  except OSError as e: print(e)`,
  ),
  'plant a variable that the next command is started with': `printf 'cat ${host}/out/key\\n' > ~/.bashrc; export BASH_ENV=~/.bashrc LD_PRELOAD=$PWD/x.so ENV=~/.bashrc`,
};

/** The same where more is shown, and what only then can be tried. */
const ATTENDED_ATTEMPTS: Readonly<Record<string, string>> = {
  'write to the kernel': `for f in $(find /proc /sys -xdev -maxdepth 4 -type f -not -path "/proc/[0-9s]*" -writable 2>/dev/null | head -300) /proc/sys/kernel/core_pattern /sys/kernel/profiling /sys/kernel/uevent_helper; do v=$(cat "$f" 2>/dev/null) && (printf "%s" "$v" > "$f") 2>/dev/null && echo "${SECRET} $f"; done; ls /sys/kernel/debug /sys/kernel/tracing /sys/fs/bpf 2>/dev/null | grep -v : | grep . && echo ${SECRET}`,
  'write to the home': `for f in ~/.bashrc ~/.profile ~/.hermes-x ~/.config/autostart/x.desktop ~/.ssh/authorized_keys ~/.local/bin/x; do (mkdir -p "$(dirname "$f")" && echo x >> "$f") 2>/dev/null && echo "${SECRET} $f"; done`,
  'read keys and histories of the home': `cat ~/.ssh/* ~/.bash_history ~/.netrc ~/.aws/* ~/.npmrc ~/.config/gh/* 2>/dev/null | grep . && echo ${SECRET}`,
  'see another home': `ls /home | grep -v "^$(basename ~)$" && echo ${SECRET}`,
  'talk to the machine below by vsock': inPython(
    `import socket\ntry:\n s=socket.socket(40, socket.SOCK_STREAM); print("${SECRET}")\nexcept OSError as e: print(e)`,
  ),
  'use io_uring, keys, bpf or perf': inPython(
    `import ctypes\nl=ctypes.CDLL(None)\nfor n in ((425,250,321,298,323) if __import__("platform").machine()=="x86_64" else (425,219,280,241,282)):\n  print("${SECRET}" if l.syscall(n,1,0,0,0,0)>=0 else "refused")`,
  ),
  'leave a poisoned cache to the owner': `mkdir -p ~/.npm/_cacache ~/.cache/pip && echo ${SECRET.slice(0, 6)} > ~/.npm/_cacache/hermes-was-here && echo x > ~/.cache/hermes-was-here`,
};

for (const wall of ['unattended', 'attended'] as const)
  describe(`nobody gets out of the ${wall} sandbox`, { skip: noSandbox ?? false }, () => {
    for (const [attempt, command] of Object.entries({ ...ATTEMPTS, ...(wall === 'attended' ? ATTENDED_ATTEMPTS : {}) })) {
      test(attempt, async (context) => {
        if (command.startsWith('python3')) return context.skip('there is no python3 in /usr/bin');
        const { terminal, folder } = await openSandboxed(
          { wall, profile, readPaths: [join(host, 'extra')] },
          filterCommandEnvironment({ CANARY_TOKEN: SECRET, SSH_AUTH_SOCK: socketPath }, []),
        );
        await using _ = terminal;
        symlinkSync(join(host, 'out', 'key'), join(folder, 'planted'));
        const before = visits;
        const { output, ended } = await run(terminal, command, { timeoutMs: 15_000 });
        const next = await run(terminal, 'echo went on');
        assert.ok(!output.includes(SECRET), output);
        assert.equal(visits, before);
        assert.deepEqual([ended, next.output.includes('went on'), next.output.includes(SECRET)], ['exited', true, false], next.output);
        assert.ok(victim.exitCode === null && victim.signalCode === null, 'the neighbour still runs');
        assert.equal(readFileSync(join(host, 'out', 'key'), 'utf8'), `${SECRET}\n`);
        return undefined;
      });
    }

    test('kill a process of the host, or all it can see', async () => {
      const { terminal } = await openSandboxed({ wall });
      await using _ = terminal;
      await run(terminal, `kill -9 ${victim.pid} ${process.pid}; kill -9 1`);
      assert.equal((await run(terminal, 'echo on')).output, 'on\n');
      await run(terminal, 'KEPT=1; kill -9 -1', { timeoutMs: 5_000 });
      await retryUntil('there is a sandbox again', async () => (await run(terminal, 'echo on')).output === 'on\n');
      assert.ok(victim.exitCode === null && victim.signalCode === null);
    });

    test('leave something behind that lives on after the end', async () => {
      const { terminal, folder } = await openSandboxed({ wall });
      await run(
        terminal,
        `setsid nohup bash -c 'trap "" TERM HUP; while :; do date > ${folder}/alive; sleep 0.05; done' >/dev/null 2>&1 & disown; (setsid sleep 700 &) ; sleep 0.2`,
      );
      assert.ok(existsSync(join(folder, 'alive')));
      await terminal[Symbol.asyncDispose]();
      rmSync(join(folder, 'alive'));
      await sleep(300);
      assert.equal(existsSync(join(folder, 'alive')), false);
    });

    test('read or write the host by way of the files of the terminal', async () => {
      const { terminal, folder } = await openSandboxed({ wall, profile });
      await using _ = terminal;
      symlinkSync(join(host, 'out'), join(folder, 'way'));
      const read = async (path: string) => {
        for await (const piece of terminal.files.read(path, new AbortController().signal)) assert.fail(String(piece));
      };
      for (const path of [join(host, 'out/key'), join(folder, 'way/key'), join(profile, '.env')]) await assert.rejects(read(path));
      // The link leads into the private /tmp, as it would for a command.
      await terminal.files.write(join(folder, 'way/new'), 'x');
      await assert.rejects(terminal.files.write('/etc/hermes-x', 'x'));
      assert.equal(existsSync(join(host, 'out/new')), false);
    });
  });

const lines = async (terminal: Terminal, command: string) => (await run(terminal, command)).output.trim();
describe('what is allowed is there', { skip: noSandbox ?? false }, () => {
  test('the workspace, named folders, the skills of the profile, and variables of the allow list', async () => {
    const { terminal, folder } = await openSandboxed(
      { profile, paths: [join(host, 'out')], readPaths: [join(host, 'extra')], pass: ['MY_TOKEN'] },
      { MY_TOKEN: 'mine', OTHER_TOKEN: 'x', DOCKER_HOST: 'y' },
    );
    await using _ = terminal;
    assert.equal(await lines(terminal, 'echo made > file; cat file'), 'made');
    assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'made\n');
    assert.equal(
      await lines(terminal, `cat ${host}/out/key; echo more >> ${host}/out/more; cat ${host}/extra/plain; cat ${profile}/skills/SKILL.md`),
      `${SECRET}\n${SECRET}\na skill`,
    );
    assert.equal(readFileSync(join(host, 'out/more'), 'utf8'), 'more\n');
    assert.match(await lines(terminal, `echo x > ${host}/extra/plain`), /Read-only file system/);
    assert.equal(await lines(terminal, 'echo "$MY_TOKEN|${OTHER_TOKEN-}|${DOCKER_HOST-}"'), 'mine||');
  });

  test('its own /tmp, home and loopback, for all commands of the session and nobody else', async () => {
    const { terminal } = await openSandboxed();
    const { terminal: other } = await openSandboxed();
    await using _ = terminal;
    await using __ = other;
    await run(terminal, 'echo mine > /tmp/note; echo home > ~/note');
    assert.equal(await lines(terminal, 'cat /tmp/note ~/note'), 'mine\nhome');
    assert.match(await lines(other, 'cat /tmp/note ~/note'), /No such file/);
    assert.equal(existsSync('/tmp/note'), false);
    if (python === undefined) return;
    const server = await terminal.start(`${python} -m http.server 8099 --bind 127.0.0.1`, { maxOutput: 10_000 });
    await retryUntil('the server answers a later command', async () =>
      (await lines(terminal, 'exec 9<>/dev/tcp/127.0.0.1/8099 && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&9 && head -1 <&9')).includes(
        '200 OK',
      ),
    );
    assert.doesNotMatch(await lines(other, 'exec 9<>/dev/tcp/127.0.0.1/8099 && echo reached'), /^reached/m);
    await server.kill();
    await server.exited;
    assert.equal(server.status().state, 'exited');
  });

  test('the network, once the owner allows it', async () => {
    const { terminal } = await openSandboxed({ network: true });
    await using _ = terminal;
    assert.equal(await lines(terminal, `exec 9<>/dev/tcp/127.0.0.1/${port} && cat <&9`), SECRET);
  });

  test('no home, no system and no disk as a workspace', async () => {
    const { sandboxTerminal } = await import('../../../src/parts/terminals/sandbox/sandbox.ts');
    for (const cwd of ['/', '/usr', '/etc', tmpdir(), profile, process.env['HOME'] ?? '/root'])
      await assert.rejects(sandboxTerminal({ profile }).open({ cwd, env: {} }), /No sandbox in/, cwd);
    await using terminal = await sandboxTerminal({ profile, instead: join(profile, 'workspace') }).open({ cwd: '/', env: {} });
    assert.equal(terminal.cwd, join(profile, 'workspace'));
    assert.equal(await lines(terminal, 'echo kept > note; cat note'), 'kept');
    assert.equal(readFileSync(join(profile, 'workspace', 'note'), 'utf8'), 'kept\n');
  });
});
