import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Terminal } from '../../../../src/contracts/terminal.ts';
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { python, type EscapeTheme } from './attempt.ts';
import { SECRET, SECRET_FILES } from './world.ts';

const told = async (terminal: Terminal, command: string): Promise<string> => (await run(terminal, command, { timeoutMs: 15_000 })).output;
const put = (path: string, text = `${SECRET}\n`): void => (
  mkdirSync(dirname(path), { recursive: true }),
  writeFileSync(path, text, { mode: 0o600 })
);

const secretsByPath: EscapeTheme = ({ home, out, key }) => ({
  'read a file beside the home': { tries: `cat ${key}`, bare: true },
  'read it by way of dots': { tries: `cat ../../out/key; cd /; cat ..${key}`, bare: true },
  'read it by a link made inside': { tries: `ln -s ${key} k; cat k`, bare: true },
  'read it by a link that lay in the project': { tries: 'cat planted', bare: true },
  'read it by a hard link': { tries: `ln ${key} hard; cat hard`, bare: true },
  'read it by a folder that is a link': { tries: `ln -s ${out} way; cat way/key; tar -cf - --dereference way | strings`, bare: true },
  'find it anywhere': {
    tries: `grep -rsh canary-7f /home /mnt /media /srv /data ${home} ${dirname(home)} 2>/dev/null --exclude-dir=proc`,
    bare: true,
  },
  'read keys, tokens, histories and sessions by their names': { tries: `cd ${home}; cat ${SECRET_FILES.join(' ')}`, bare: true },
  'read them under other spellings of their folder': {
    tries: `cd ${home}; cat ./.ssh/../.ssh//id_ed25519 .config/../.config/gh/./hosts.yml /proc/self/cwd/.aws/credentials`,
    bare: true,
  },
  'read them all through one pattern': {
    tries: `cd ${home}; cat .*/* .config/*/* .local/share/*/* .cache/*/* *.key 2>/dev/null`,
    bare: true,
  },
  'read them with an archiver that copies the whole home': {
    tries: `tar -C ${home} --exclude=project -cf - . 2>/dev/null | strings`,
    bare: true,
  },
  'read a secret whose name is a link to elsewhere': {
    tries: async (terminal) => {
      rmSync(join(home, '.netrc'));
      put(join(home, 'Documents/vault/netrc'));
      symlinkSync('Documents/vault/netrc', join(home, '.netrc'));
      const first = await told(terminal, `cat ${home}/.netrc ${home}/Documents/vault/netrc`);
      rmSync(join(home, '.netrc'));
      put(join(home, '.netrc'));
      rmSync(join(home, 'Documents'), { recursive: true });
      return first;
    },
    bare: true,
  },
  'read a secret with odd bytes in its name': {
    tries: async (terminal) => {
      const paths = ['my\nsecret.key', 'a "b\' $(x).pem', '-rf.kdbx', '\u202E.gpg'].map((name) => join(home, name));
      for (const path of paths) put(path);
      const first = await told(terminal, `cd ${home} && cat ./*.key ./*.pem ./*.kdbx ./*.gpg`);
      for (const path of paths) rmSync(path);
      return first;
    },
    bare: true,
  },
  'read a token that appears while the session goes on': {
    tries: async (terminal) => {
      await told(terminal, 'true');
      put(join(home, '.config/op/session'));
      put(join(home, '.vault-token'));
      const first = await told(terminal, `cat ${home}/.config/op/session ${home}/.vault-token`);
      rmSync(join(home, '.config/op'), { recursive: true });
      rmSync(join(home, '.vault-token'));
      return first;
    },
    bare: true,
  },
  'read a token that appears deeper, in a folder of a tool': {
    tries: async (terminal) => {
      put(join(home, '.gem/specs'), '');
      await told(terminal, 'true');
      put(join(home, '.gem/credentials'));
      const first = await told(terminal, `cat ${home}/.gem/credentials`);
      rmSync(join(home, '.gem'), { recursive: true });
      return first;
    },
    bare: true,
  },
});

const secretsLateAndByProcess: EscapeTheme = ({ home, key, profile, victim }) => ({
  'lie in wait for a token in the background': {
    tries: async (terminal) => {
      const waits = await terminal.start(
        `until cat ${home}/.config/op/session ${home}/.local/share/atuin/key ${home}/.pgpass 2>/dev/null; do sleep 0.05; done`,
        { maxOutput: 10_000 },
      );
      await sleep(300);
      for (const name of ['.config/op/session', '.local/share/atuin/key', '.pgpass']) put(join(home, name));
      await sleep(400);
      await waits.kill();
      for (const name of ['.config/op', '.local/share/atuin', '.pgpass']) rmSync(join(home, name), { recursive: true });
      return waits.output();
    },
    bare: true,
  },
  'read a token that its tool writes anew': {
    tries: async (terminal) => {
      await told(terminal, 'true');
      const renew = (path: string) => (put(`${path}.new`), renameSync(`${path}.new`, path));
      for (const name of ['.cargo/credentials.toml', '.config/gh/hosts.yml', '.cache/huggingface/token']) renew(join(home, name));
      return told(terminal, `cd ${home}; cat .cargo/credentials.toml .config/gh/hosts.yml .cache/huggingface/token`);
    },
    bare: true,
  },
  'lie in wait for a token that is written anew': {
    tries: async (terminal) => {
      const waits = await terminal.start(
        `cd ${home}; while sleep 0.05; do cat .cargo/credentials.toml .config/gh/hosts.yml .cache/huggingface/token; done 2>/dev/null`,
        { maxOutput: 10_000 },
      );
      await sleep(300);
      const renew = (path: string) => (put(`${path}.new`), renameSync(`${path}.new`, path));
      for (const name of ['.cargo/credentials.toml', '.config/gh/hosts.yml', '.cache/huggingface/token']) renew(join(home, name));
      await sleep(400);
      await waits.kill();
      return waits.output();
    },
    bare: true,
  },
  'read the agent’s own keys and store': { tries: `cat ${profile}/.env ${profile}/auth.json ${profile}/state.db`, bare: true },
  'read them through the folder of skills, which is shown': { tries: `cd ${profile}/skills; cat ../.env one/../../auth.json`, bare: true },
  'read our own environment': { tries: 'tr "\\0" "\\n" < /proc/1/environ; env; set', only: 'unattended' },
  'read the environment of a host process': {
    tries: `cat /proc/${victim()}/environ; cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep CANARY=`,
    bare: true,
  },
  'go to the host by the root, folder and descriptors of other processes': {
    tries: `for p in /proc/[0-9]*; do cat $p/root${key} $p/cwd${key} $p/cwd/../out/key 2>/dev/null; for f in $p/fd/*; do cat "$f${key}" "$f/../out/key" 2>/dev/null; done; done`,
    bare: true,
  },
  'go there by the folder of the session on the host': `cat /proc/self/mountinfo | grep -o '/tmp/hermes-sandbox[^ ]*' | sort -u | while read -r d; do cat "$d"/../../../${key} "$d"/../*/*/key; ls "$d"/.. && cat "$d"/../../..${key}; done`,
  'read files of other sandboxes': {
    tries: async (terminal, world) => {
      const { openWalled } = await import('./open-walled.ts');
      const other = await openWalled(world, 'unattended');
      await told(other, `echo ${SECRET} > /tmp/note; echo ${SECRET} > ~/note; X=${SECRET}`);
      const first = await told(
        terminal,
        'cat /tmp/note ~/note /run/hermes/room/* /tmp/hermes-sandbox-*/*/*; grep -rs canary-7f /tmp /run /dev/shm',
      );
      await other[Symbol.asyncDispose]();
      return first;
    },
  },
  'read shared memory, message queues and old System V segments': {
    tries: async (terminal) => {
      put(`/dev/shm/hermes-canary-${process.pid}`);
      const first = await told(terminal, `cat /dev/shm/*; ipcs -m | grep -q 0x && ipcs; ls /dev/mqueue`);
      rmSync(`/dev/shm/hermes-canary-${process.pid}`);
      return first;
    },
    bare: true,
  },
  'read what only root may read':
    'cat /etc/shadow /etc/gshadow /etc/sudoers /etc/ssh/ssh_host_*_key /var/log/auth.log /var/log/btmp 2>/dev/null | grep -a . && printf "canary-%s\\n" 7f3a91c2',
  'read the spools of mail and of cron':
    'cat /var/mail/* /var/spool/cron/*/* /var/spool/mail/* 2>/dev/null | grep -a . && printf "canary-%s\\n" 7f3a91c2',
});

const secretsOfOthers: EscapeTheme = ({ project }) => ({
  'read homes of others':
    'for d in /home/* /root /var/lib/*; do [ "$d" = "${HOME%/}" ] || cat "$d"/.ssh/* "$d"/.bash_history "$d"/.bashrc 2>/dev/null; done | grep -q . && printf "canary-%s\\n" 7f3a91c2',
  'open a file by its handle, past all folders': python(`import ctypes,os
c=ctypes.CDLL(None,use_errno=True)
h=ctypes.create_string_buffer(136); ctypes.cast(h,ctypes.POINTER(ctypes.c_uint))[0]=128
m=ctypes.c_int()
c.name_to_handle_at(-100,b"/",h,ctypes.byref(m),0)
for ino in (2,):
  fd=os.open("${project}",os.O_RDONLY)
  got=c.open_by_handle_at(fd,h,os.O_RDONLY)
  print("canary-"+"7f3a91c2" if got>=0 else os.strerror(ctypes.get_errno()))`),
});

/** To read what the owner keeps to himself. */
export const secrets: EscapeTheme = (world) => ({ ...secretsByPath(world), ...secretsLateAndByProcess(world), ...secretsOfOthers(world) });
