import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryUntil, run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { inC, python, type Attempt, type EscapeTheme } from './attempt.ts';
import { SECRET } from './world.ts';

const talk = (address: string): string =>
  python(`import socket\ns=socket.socket(socket.AF_UNIX)\ntry:\n  s.connect(${address}); print(s.recv(99))\nexcept OSError as e: print(e)`);

/** A process in the background tries again and again, from before the socket is there. */
const lieInWait =
  (path: string): Attempt['tries'] =>
  async (terminal) => {
    const waits = await terminal.start(
      python(
        `import socket,time\nprint("waiting",flush=True)\nfor i in range(2000):\n  try:\n    s=socket.socket(socket.AF_UNIX); s.connect("${path}"); print(s.recv(99),flush=True); break\n  except OSError: time.sleep(0.005)`,
      ),
      { maxOutput: 10_000 },
    );
    await retryUntil('it lies in wait', async () => waits.output().includes('waiting'));
    const server = createServer((each) => each.end(SECRET)).listen(path);
    await sleep(600);
    await waits.kill();
    server.close();
    rmSync(path, { force: true });
    return waits.output();
  };

/** To talk to programs of the owner's. */
export const sockets: EscapeTheme = ({ home, out, port, abstract, socket, mark }) => ({
  'a socket of the host by its path': { tries: talk(`"${out}/agent.sock"`), bare: true },
  'a socket in a folder of the home that is shown': { tries: talk(`"${socket}"`), bare: true },
  'that socket by a link, and by another name': { tries: `ln -s ${socket} s; ln ${socket} t; ${talk('"s"')}\n${talk('"t"')}`, bare: true },
  'a socket that appears while the session goes on': {
    tries: async (terminal) => {
      await run(terminal, 'true');
      const path = join(home, '.local/share/engine/late.sock');
      const server = createServer((each) => each.end(SECRET)).listen(path);
      await sleep(50);
      const { output } = await run(terminal, talk(`"${path}"`));
      server.close();
      return output;
    },
    bare: true,
  },
  'lie in wait for a socket in the background': { tries: lieInWait(join(home, '.local/share/engine/late.sock')), bare: true },
  'lie in wait for a socket where there was none': { tries: lieInWait(join(home, '.local/bin/late.sock')), bare: true },
  'a socket without a path': { tries: talk(`b"\\0${abstract}"`), bare: true },
  'send a message to it without a connection': {
    tries: talk(`b"\\0${abstract}"`).replace('AF_UNIX)', 'AF_UNIX,socket.SOCK_STREAM)'),
    bare: true,
  },
  'agents of keys':
    'ls -d /tmp/ssh-*/agent.* /run/user/*/gnupg/S.* /run/user/*/keyring/* ~/.gnupg/S.* ~/.ssh/agent* 2>/dev/null | grep . && printf "canary-%s\\n" 7f3a91c2; ssh-add -l 2>/dev/null; echo "$SSH_AUTH_SOCK"',
  'the servers of terminals': `ls -d /tmp/tmux-*/* /run/screen/* /run/user/*/zellij 2>/dev/null | grep . && printf "canary-%s\\n" 7f3a91c2; tmux -S ${out}/agent.sock new-session -d "touch ${mark}" 2>&1; TMUX_TMPDIR=/tmp tmux ls`,
  'the engine that rules containers':
    'ls /var/run/docker.sock /run/docker.sock /run/podman/podman.sock /run/user/*/podman/* /run/containerd/* /run/crio 2>/dev/null | grep . && printf "canary-%s\\n" 7f3a91c2; curl -s -m2 --unix-socket /run/hermes/sockets/docker.sock http://x/info',
  'the buses of the system and the session':
    'ls /run/dbus /run/user/*/bus /run/systemd/private /run/systemd/notify /run/systemd/journal 2>/dev/null | grep . && printf "canary-%s\\n" 7f3a91c2; busctl list 2>/dev/null | grep -q : && printf "canary-%s\\n" 7f3a91c2; systemd-run --user touch x 2>&1 | head -1',
  'displays and sound':
    'ls /tmp/.X11-unix/* /run/user/*/wayland-* /run/user/*/pulse /run/user/*/pipewire-* ~/.Xauthority 2>/dev/null | grep . && printf "canary-%s\\n" 7f3a91c2; echo "$DISPLAY$WAYLAND_DISPLAY" | grep . && printf "canary-%s\\n" 7f3a91c2',
  'the host’s loopback': { tries: `exec 9<>/dev/tcp/127.0.0.1/${port} && cat <&9`, bare: true },
  'the host’s loopback under its other names': `for h in localhost ::1 0.0.0.0 127.1 127.0.0.2 ::ffff:127.0.0.1 host.docker.internal gateway.docker.internal 10.0.2.2 169.254.1.1 $(hostname); do timeout 1 bash -c "exec 9<>/dev/tcp/$h/${port} && cat <&9"; done`,
  'any network':
    'timeout 3 bash -c "exec 9<>/dev/tcp/1.1.1.1/53" && printf "canary-%s\\n" 7f3a91c2; timeout 2 bash -c "echo x >/dev/udp/1.1.1.1/53" && printf "canary-%s\\n" 7f3a91c2',
  'names, by asking for them':
    'timeout 3 getent hosts example.org && printf "canary-%s\\n" 7f3a91c2; timeout 3 host -W1 example.org 2>/dev/null | grep -q address && printf "canary-%s\\n" 7f3a91c2; true',
  'a raw or a packet socket': inC(`for family,kind,proto in ((2,3,1),(17,3,768),(17,2,768),(10,3,58),(2,3,255)):
  try:
    s=socket.socket(family,kind,proto); won(family)
  except OSError as e: print(e)`),
  'settings of the network by netlink': inC(`import fcntl
s=socket.socket(16,3,0); s.bind((0,0))
body=struct.pack("BxHiII",0,1,1,1,1)
s.send(struct.pack("IHHII",16+len(body),16,5,1,0)+body)
answer=s.recv(4096); err=struct.unpack_from("i",answer,16)[0]
print(os.strerror(-err)); won("the loopback was changed") if err==0 else None
try:
  f=socket.socket(2,2,0); fcntl.ioctl(f,0x8914,struct.pack("16sh14x",b"lo",0)); won("the loopback was ended")
except OSError as e: print(e)`),
  'kernel events and audit by netlink': inC(`for proto in (9,15,19):
  try:
    s=socket.socket(16,3,proto); s.bind((0,0xffffffff if proto==15 else 1)); s.settimeout(0.3)
    if proto==9:
      s.send(struct.pack("IHHII",16,1000,5,1,0)); a=s.recv(999); won("audit") if struct.unpack_from("H",a,4)[0]!=2 else print("no audit")
  except OSError as e: print(e)`),
  'the machine below, by vsock': inC(`try:
  s=socket.socket(40,1,0); s.settimeout(1)
  for cid in (0,1,2):
    for p in (22,1024,9999,52):
      e=s.connect_ex((cid,p)); print(cid,p,os.strerror(e)); won() if e==0 else None
except OSError as e: print(e)`),
  'other families of sockets': inC(`for family in (8,9,11,21,23,29,30,31,32,37,38,39,41,42,43,44,45):
  try:
    s=socket.socket(family,socket.SOCK_DGRAM if family not in (38,) else socket.SOCK_SEQPACKET,0); print("family",family,"is there")
    if family==38: s.bind(("hash","sha256")); print("hash only")
  except (OSError,TypeError) as e: print(family,e)`),
  'descriptors of ours that were left open': inC(`for n in range(3,256):
  try:
    where=os.readlink("/proc/self/fd/%d"%n); won((n,where)) if "/proc/" not in where and "END_OF" not in where and "/tmp/sh-thd" not in where else None
  except OSError: pass`),
});
