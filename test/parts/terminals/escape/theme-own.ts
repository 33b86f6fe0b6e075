import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Terminal } from '../../../../src/contracts/terminal.ts';
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { python, type EscapeTheme } from './attempt.ts';
import { openWalled } from './open-walled.ts';
import type { World } from './world.ts';

const told = async (terminal: Terminal, command: string): Promise<string> => (await run(terminal, command, { timeoutMs: 15_000 })).output;
const profileOf = (terminal: Terminal) => terminal.wall?.profile ?? 'unattended';
const WON = 'printf "canary-%s\\n" 7f3a91c2';

/** A second terminal with another environment, or with something the agent was started with. */
async function inAnother(
  terminal: Terminal,
  world: World,
  env: Readonly<Record<string, string>>,
  work: (other: Terminal) => Promise<string>,
) {
  const other = await openWalled(world, profileOf(terminal), { env });
  try {
    return await work(other);
  } finally {
    await other[Symbol.asyncDispose]();
  }
}

const roomAndTrash: EscapeTheme = ({ mark, project, key, out, home }) => ({
  'what the next command is told to take up': {
    tries: async (terminal) => {
      await told(
        terminal,
        `echo 'touch ${mark}; cat ${key}' | tee /run/hermes/room/a > /run/hermes/room/b; git() { touch ${mark}; }; export -f git; alias ls='touch ${mark}'; PROMPT_COMMAND='touch ${mark}'`,
      );
      return told(terminal, 'git status; ls');
    },
  },
  'what a command outside is told to take up': {
    tries: async (terminal) => {
      await told(
        terminal,
        `true() { touch ${mark}; }; git() { touch ${mark}; }; cd() { touch ${mark}; }; export -f true git cd; alias echo='touch ${mark};'; export PATH=${project}/bin:$PATH BASH_ENV=${project}/env ENV=${project}/env LD_PRELOAD=${project}/x.so; mkdir bin; echo 'touch ${mark}' | tee env bin/git bin/env; chmod +x bin/git; trap 'touch ${mark}' DEBUG EXIT; set -x; PS4='$(touch ${mark})'`,
      );
      await told(terminal, `echo 'touch ${mark}' | tee /run/hermes/room/a > /run/hermes/room/b`);
      const outside = await terminal.wall?.runOutside('git --version; true', {
        signal: new AbortController().signal,
        timeoutMs: 10_000,
        maxOutput: 10_000,
      });
      return outside?.output ?? 'no wall';
    },
  },
  'the file of the next command as a link, a pipe or a folder': {
    tries: async (terminal) => {
      await told(terminal, `cd /run/hermes/room && rm -f a b; ln -s ${key} a; ln -s ${home}/.bashrc b`);
      const first = `${await told(terminal, 'X=1; true')}${await told(terminal, 'set | head -50')}`;
      const carried = JSON.stringify(terminal.carried?.() ?? []);
      await told(terminal, 'cd /run/hermes/room && rm -rf a b; mkdir a; mkfifo b');
      return `${first}${carried}${await told(terminal, 'true')}`;
    },
  },
  'what the agent reads of the room, without end': {
    tries: async (terminal) => {
      await told(terminal, 'cd /run/hermes/room && rm -f a b; ln -s /dev/zero a; ln -s /dev/zero b; ln -s /proc/self/environ c');
      const carried = terminal.carried?.() ?? [];
      return JSON.stringify(carried).slice(0, 2_000);
    },
  },
  'the end of a command, told by the command itself': {
    tries: async (terminal) => {
      const first = await run(
        terminal,
        `for n in 3 10 11 12; do printf '+/etc\\n' >&$n; printf '+${out}\\n' >&$n; done 2>/dev/null; printf '+${out}\\n' > /proc/$$/fd/10`,
      );
      const outside = await terminal.wall?.runOutside('cat key; pwd', {
        signal: new AbortController().signal,
        timeoutMs: 5_000,
        maxOutput: 1_000,
      });
      return `${first.output}${outside?.output ?? ''}`;
    },
  },
  'our programs inside': `for f in /run/hermes/bin/*; do (echo 'touch ${mark}' > "$f") 2>/dev/null && ${WON}; done; (: > /run/hermes/bin/new) 2>/dev/null && ${WON}; mv /run/hermes/bin /run/hermes/old 2>/dev/null && ${WON}; (: > /run/hermes/sockets/x) 2>/dev/null && ${WON}; mkdir /run/hermes/x 2>/dev/null && ${WON}; rm -rf /run/hermes/sockets/* /run/hermes/room 2>/dev/null; true`,
  'the program that stands before rm': {
    tries: `mkdir -p bin; printf '#!/bin/sh\\ntouch ${mark}\\n' > bin/cp; chmod +x bin/cp; ln -s ${key} lk; touch -- '-rf' $'a\\nb' 'x"; touch ${mark}; "'; PATH=$PWD/bin:$PATH rm -rf -- lk '-rf' $'a\\nb' 'x"; touch ${mark}; "'; cat /run/hermes/trash/*/*/content`,
  },
  'the trash as a way to the host': {
    tries: async (terminal) => {
      await told(
        terminal,
        `cd /run/hermes/trash && mkdir -p 20200101/x && ln -s ${key} 20200101/x/content && echo '{"path":"${home}/.bashrc","at":1,"bytes":1}' > 20200101/x/meta.json; ln -s ${home} 20200102; cat 20200101/x/content; ls ..`,
      );
      return '';
    },
  },
});

const programsThatEnter: EscapeTheme = ({ mark, project, key, out }) => ({
  'a library for the programs that bring commands in': {
    tries: async (terminal, world) => {
      const source = join(out, 'x.c');
      writeFileSync(
        source,
        `#include <unistd.h>\n#include <fcntl.h>\n__attribute__((constructor)) void x(void){int f=open("${mark}",O_CREAT|O_WRONLY,0600);if(f>=0)close(f);}\n`,
      );
      for (const name of ['libcap-ng.so.0', 'libselinux.so.1', 'x.so'])
        execFileSync('gcc', ['-shared', '-fPIC', '-o', join(out, name), source]);
      mkdirSync(join(project, 'lib'));
      for (const name of ['libcap-ng.so.0', 'libselinux.so.1', 'x.so'])
        writeFileSync(join(project, 'lib', name), readFileSync(join(out, name)));
      const env = { LD_LIBRARY_PATH: join(project, 'lib'), LD_PRELOAD: join(project, 'lib/x.so'), LD_AUDIT: join(project, 'lib/x.so') };
      return inAnother(terminal, world, env, (other) => told(other, 'true'));
    },
    needs: '/usr/bin/gcc',
  },
  'a variable that shells read before anything else': {
    tries: async (terminal, world) => {
      writeFileSync(join(project, 'env'), `touch ${mark}\n`);
      return inAnother(terminal, world, { BASH_ENV: join(project, 'env'), ENV: join(project, 'env') }, (other) => told(other, 'true'));
    },
  },
  'a program of the project that the agent would start by its name': {
    tries: async (terminal, world) => {
      mkdirSync(join(project, '.venv/bin'), { recursive: true });
      spawnSync('git', ['remote', 'add', 'origin', 'git@good.example:one/two.git'], { cwd: project });
      const env = { PATH: `${join(project, '.venv/bin')}:${world.env['PATH'] ?? ''}` };
      return inAnother(terminal, world, env, async (other) => {
        await told(
          other,
          `for p in ssh git nsenter sh bash env setpriv ps; do printf '#!/bin/sh\\n/usr/bin/touch ${mark}\\nexit 1\\n' > .venv/bin/$p; chmod +x .venv/bin/$p; done`,
        );
        return told(other, 'PATH=/usr/bin:/bin; git fetch origin; git push origin main');
      });
    },
  },
  'a descriptor the agent was started with': {
    tries: async (terminal, world) => {
      const child = spawnSync(
        '/bin/bash',
        [
          '-c',
          `exec 250<${out} 251>>${out}/log; exec "$0" "$@"`,
          process.execPath,
          join(import.meta.dirname, 'run-inherited.ts'),
          profileOf(terminal),
          terminal.wall?.tier ?? '',
        ],
        {
          env: { ...process.env, HOME: world.home },
          encoding: 'utf8',
          timeout: 20_000,
        },
      );
      return `${child.stdout}${child.stderr}`;
    },
  },
  'descriptors of the process that holds the sandbox': python(`import os
for p in ("1","2",str(os.getppid())):
  for n in range(0,300):
    try:
      where=os.readlink("/proc/%s/fd/%d"%(p,n))
      if where.startswith("/") and not where.startswith("/dev/"): print(p,n,where); print(open("/proc/%s/fd/%d/key"%(p,n)).read())
    except OSError: pass`),
  'the folder of the session on the host': {
    tries: async (terminal) => {
      const above = process.env['TMPDIR'] ?? '/tmp';
      const own = () => readdirSync(above).filter((name) => name.startsWith(`hermes-sandbox-${process.pid}-`));
      await told(terminal, `ln -s ${out} /tmp/way; ln -s ${key} ~/k 2>/dev/null; mkdir -p /tmp/a/b; chmod 000 /tmp/a; chmod 777 /tmp`);
      const before = own();
      await terminal[Symbol.asyncDispose]();
      return before.length - own().length !== 1
        ? 'canary-7f3a91c2 the folder is still there'
        : existsSync(key)
          ? 'went on'
          : 'canary-7f3a91c2 the key is gone';
    },
  },
});

const cachesAndPorts: EscapeTheme = ({ out, profile }) => ({
  'that folder, when others look into it': {
    tries: async (terminal) => {
      await told(terminal, 'chmod 777 /tmp /run/hermes/room ~ 2>/dev/null; cp /bin/bash /tmp/suid; chmod 4755 /tmp/suid');
      const found = spawnSync(
        'find',
        [process.env['TMPDIR'] ?? '/tmp', '-maxdepth', '1', '-name', `hermes-sandbox-${process.pid}-*`, '-perm', '/077'],
        { encoding: 'utf8' },
      );
      return found.stdout === '' ? '' : `canary-7f3a91c2 others may look into ${found.stdout}`;
    },
  },
  'the agent’s caches of tools, for the next session': {
    only: 'attended',
    tries: async (terminal, world) => {
      await told(
        terminal,
        `mkdir -p ~/.npm ~/.cache; ln -s ${out} ~/.npm/way; ln -s ${out} ~/.cache/way; rm -rf ~/.cache/x; ln -s ${out} ~/.cache/pip`,
      );
      await terminal[Symbol.asyncDispose]();
      const shown = await openWalled(world, 'attended');
      const output = await told(shown, 'cat ~/.npm/way/key ~/.cache/way/key ~/.cache/pip/key');
      await shown[Symbol.asyncDispose]();
      return `${output} went on`;
    },
  },
  'a folder of those caches as a link to the host': {
    only: 'attended',
    tries: async (terminal, world) => {
      await told(
        terminal,
        `rm -rf ~/.local/state 2>/dev/null; cd ~/.cache && for d in ..?* .[!.]* *; do rm -rf "$d"; done; mknod x c 0 0 2>/dev/null; setfattr -n user.overlay.redirect -v /../../../out . 2>/dev/null; mkdir r; setfattr -n user.overlay.redirect -v ${out} r 2>/dev/null; setfattr -n user.overlay.opaque -v y . 2>/dev/null; cat r/key`,
      );
      await terminal[Symbol.asyncDispose]();
      const shown = await openWalled(world, 'attended');
      const output = await told(shown, 'cat ~/.cache/r/key; ls -la ~/.cache ~/.cache/r; ls ~/.cache/../..');
      await shown[Symbol.asyncDispose]();
      return `${output} went on`;
    },
  },
  'the agent itself, by its own command line': `hermes approvals allow 'rm -rf /' 2>&1 | head -1; HERMES_HOME=${profile} ${process.execPath} -e 'require("fs").writeFileSync("${profile}/config.yaml","x")' 2>&1 | tail -1; true`,
  'a server of the background on ports of the host': {
    only: 'attended',
    tries: async (terminal) => {
      const server = await terminal.start(
        python(`import socket,time
held=[]
for p in [22,25,53,80,443,631,2375,5432,6379,9229,11434]+list(range(20000,20040)):
  try:
    s=socket.socket(); s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1); s.bind(("0.0.0.0",p)); s.listen(); held.append(s)
  except OSError as e: pass
print(len(held),flush=True); time.sleep(20)`),
        { maxOutput: 1_000 },
      );
      await sleep(1_500);
      const here = terminal.wall?.reachable?.() ?? [];
      const listening = readFileSync('/proc/self/net/tcp', 'latin1')
        .split('\n')
        .flatMap((line) => /^\s*\d+: ([0-9A-F]{8}):([0-9A-F]{4}) \S+ 0A /.exec(line)?.slice(1) ?? []);
      await server.kill();
      const wrong = here.filter((each) => each.here < 1024 || [2375, 5432, 6379, 9229, 11434].includes(each.here));
      const everywhere = listening.filter(
        (_, at) =>
          at % 2 === 0 && listening[at] === '00000000' && here.some((each) => Number.parseInt(listening[at + 1] ?? '0', 16) === each.here),
      );
      return wrong.length + everywhere.length > 0 || here.length > 16
        ? `canary-7f3a91c2 ${JSON.stringify({ wrong, everywhere, here })}`
        : JSON.stringify(here);
    },
  },
});

/** To turn the agent's own means against it: what it starts, reads and keeps for the next command. */
export const ownMeans: EscapeTheme = (world) => ({ ...roomAndTrash(world), ...programsThatEnter(world), ...cachesAndPorts(world) });
