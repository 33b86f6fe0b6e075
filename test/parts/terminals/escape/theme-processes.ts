import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryUntil, run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { inC, python, type Attempt, type EscapeTheme } from './attempt.ts';

const WON = 'printf "canary-%s\\n" 7f3a91c2';

const otherProcesses: EscapeTheme = ({ victim, victimLine, project }) => ({
  'see the processes of the host': {
    tries: `[ "$(tr "\\0" " " < /proc/${victim()}/cmdline)" = "${victimLine} " ] && ${WON}; ps -eo comm | grep -qx sleep && ${WON}; [ "$(ls -d /proc/[0-9]* | wc -l)" -gt 20 ] && ${WON}`,
    bare: true,
  },
  'trace a process of the host': { tries: inC(`won() if c.ptrace(16,${victim()},0,0)==0 else print(os.strerror(ctypes.get_errno()))`) },
  'read the memory of a process of the host': {
    tries: inC(`
class V(ctypes.Structure): _fields_=[("b",ctypes.c_void_p),("n",ctypes.c_size_t)]
try:
  line=[l for l in open("/proc/${victim()}/maps") if "[stack]" in l][0].split()[0].split("-")
  start,end=(int(x,16) for x in line); n=min(end-start,65536); b=ctypes.create_string_buffer(n)
  got=c.process_vm_readv(${victim()},ctypes.byref(V(ctypes.addressof(b),n)),1,ctypes.byref(V(end-n,n)),1,0); print(got,b.raw[:got] if got>0 else "")
  open("/proc/${victim()}/mem","rb")
except OSError as e: print(e)`),
  },
  'trace the first process and the one that enters': inC(`for p in (1,2,os.getppid()):
  try: print(p,open("/proc/%d/status"%p).read().split("CapEff:")[1][:18])
  except OSError as e: print(e)
r=c.ptrace(16,1,0,0); won("the first process was traced and has rights") if r==0 and "0000000000000000" not in open("/proc/1/status").read().split("CapEff:")[1][:20] else print("no")`),
  'take a descriptor of another process': inC(`for pid in (1,2,${victim()}):
  fd=c.syscall(434,pid,0)
  if fd<0: print(os.strerror(ctypes.get_errno())); continue
  for n in range(32):
    got=c.syscall(438,fd,n,0)
    if got>=0:
      where=os.readlink("/proc/self/fd/%d"%got)
      won(where) if where.startswith("/") and not where.startswith(("/dev/null","/dev/pts")) else print(where)`),
  'catch a command while it still has rights': {
    tries: async (terminal) => {
      const hunter = await terminal.start(
        inC(`end=time.time()+2.5
seen=set()
while time.time()<end:
  for name in os.listdir("/proc"):
    if not name.isdigit() or name in seen: continue
    try:
      if c.ptrace(0x4206,int(name),0,0)==0:
        caps=open("/proc/%s/status"%name).read().split("CapEff:")[1].split()[0]
        if int(caps,16)!=0: won(name+" "+caps)
        c.ptrace(17,int(name),0,0)
        seen.add(name)
    except (OSError,IndexError): pass`),
        { maxOutput: 10_000 },
      );
      await sleep(200);
      for (let at = 0; at < 25; at++) await run(terminal, 'true', { timeoutMs: 5_000 });
      await sleep(200);
      const told = hunter.output();
      await hunter.kill();
      return told;
    },
  },
  'end a process of the host': { tries: `kill -9 ${victim()}; kill -9 -- -${victim()}; pkill -9 -fx "${victimLine}"`, bare: true },
  'end the agent itself': `kill -9 ${process.pid}; kill -9 $PPID; kill -9 1`,
  'end all it can see': {
    tries: async (terminal) => {
      await run(terminal, 'kill -9 -1', { timeoutMs: 5_000 });
      await retryUntil('there is a sandbox again', async () => (await run(terminal, 'echo on')).output === 'on\n');
      return '';
    },
  },
  'live on after the end': {
    tries: async (terminal) => {
      await run(
        terminal,
        `setsid nohup bash -c 'trap "" TERM HUP INT; while :; do date > ${project}/alive; sleep 0.05; done' >/dev/null 2>&1 & disown; sleep 0.2`,
      );
      await terminal[Symbol.asyncDispose]();
      rmSync(join(project, 'alive'), { force: true });
      await sleep(300);
      return existsSync(join(project, 'alive')) ? 'canary-7f3a91c2 it lives' : 'went on';
    },
  },
  'leave the group, the session and the tree before a time-out': {
    tries: async (terminal) => {
      await run(
        terminal,
        `env -i setsid bash -c '(setsid bash -c "while :; do date > ${project}/alive; sleep 0.05; done" &)' </dev/null >/dev/null 2>&1 & sleep 30`,
        { timeoutMs: 500 },
      );
      await terminal[Symbol.asyncDispose]();
      rmSync(join(project, 'alive'), { force: true });
      await sleep(300);
      return existsSync(join(project, 'alive')) ? 'canary-7f3a91c2 it lives' : 'went on';
    },
  },
});

const rightsAndNamespaces: EscapeTheme = ({ key }) => ({
  'hold any right': `grep -E 'Cap(Eff|Prm|Inh|Amb)' /proc/self/status | grep -v 0000000000000000 && ${WON}; grep -q 'NoNewPrivs:.1' /proc/self/status || ${WON}`,
  'get rights by a set-user-id program': `cp /bin/bash b; chmod u+s b; ./b -p -c 'grep -E "Cap(Eff|Prm)" /proc/self/status' | grep -v 0000000000000000 && ${WON}; for p in su sudo pkexec doas newgrp; do timeout 2 $p -n id </dev/null 2>/dev/null | grep uid && ${WON}; done; find / -xdev -perm -4000 -type f 2>/dev/null | head -3 | while read -r p; do "$p" </dev/null >/dev/null 2>&1; done; true`,
  'get rights by file capabilities': `cp /bin/cat c; setcap cap_dac_read_search+ep c 2>/dev/null && ./c ${key}; getcap -r /usr/bin 2>/dev/null | head -1; true`,
  'become somebody else':
    inC(`for call,args in (("setuid",(0 if os.getuid() else 1,)),("setgid",(0 if os.getgid() else 1,)),("setresuid",(1,1,1)),("setgroups",(0,None))):
  r=getattr(c,call)(*args); won(call) if r==0 else print(call,os.strerror(ctypes.get_errno()))`),
  'become root of a user namespace of its own, and take the covers off': `unshare -Urm sh -c 'for m in $(cut -d" " -f5 /proc/self/mountinfo | sort -r); do umount -l "$m" 2>/dev/null; done; cat ${key}; find / -name id_ed25519 -path "*ssh*" -exec cat {} \\; 2>/dev/null; grep -q . /etc/shadow && ${WON}' 2>&1 | grep -a canary`,
  'make the system writable from a user namespace of its own': `unshare -Urm sh -c 'for m in / /usr /etc /opt /run /sys /proc; do mount -o remount,rw,bind "$m" 2>/dev/null; (: > "$m/hermes-was-here") 2>/dev/null && ${WON}; done'`,
  'mount over what the next command uses': `unshare -Urm sh -c 'mount --make-rshared / && mount -t tmpfs none /usr && touch /usr/x'; ls /usr/bin/env >/dev/null || ${WON}; unshare -Urm true && grep -q shared: /proc/self/mountinfo && ${WON}`,
  'enter the namespaces of the host': `nsenter -t 1 -m cat ${key}; nsenter --mount=/proc/1/ns/mnt cat ${key}; nsenter -t ${process.pid} -a cat ${key}; for n in user mnt pid net; do nsenter --$n=/proc/1/ns/$n true 2>/dev/null && [ $n != user ] && echo entered $n; done; true`,
  'ask for the namespaces around': inC(`import fcntl
for n,call in (("user",0xb701),("user",0xb702),("pid",0xb702)):
  try:
    got=fcntl.ioctl(os.open("/proc/self/ns/"+n,os.O_RDONLY),call); won("a namespace around: "+n)
  except OSError as e: print(n,e)`),
  'make many namespaces within each other': `unshare -Ur unshare -Ur unshare -Urm unshare -Urpf --mount-proc sh -c 'ps ax | wc -l; cat /proc/1/root${key} /proc/*/root${key}' 2>/dev/null | grep -a canary`,
});

const SUID = 'chmod u+s bit 2>&1; chmod 4755 bit; chmod 06755 bit; install -m 4755 /bin/true bit2';
const setUserIdBits: EscapeTheme = ({ project }) => {
  const byBit = (tries: string): Attempt => ({ tries, bare: true, shows: () => findSetUserId(project) });
  return {
    'set the user’s id on a file, for whoever runs it later': byBit(`cp /bin/true bit; ${SUID}`),
    'set it by a library, and on a file that is open': byBit(
      python(
        'import os\nopen("bit","w").close()\nfor f in (lambda: os.chmod("bit",0o4755),lambda: os.fchmod(os.open("bit",os.O_RDWR),0o104755)):\n  try: f()\n  except OSError as e: print(e)',
      ),
    ),
    'set it by a newer call': byBit(
      inC(
        'open("bit","w").close()\nfor call,mode in ((268,0o4755),(452,0o4755),(452,0xffff0000|0o6777)): print(c.syscall(call,-100,b"bit",mode,0),os.strerror(ctypes.get_errno()))',
      ),
    ),
    'make a file that has it': byBit(
      inC(`os.umask(0)
for name,args in (("open",(2,b"a",0o102,0o4755)),("openat",(257,-100,b"b",0o102,0o4755)),("creat",(85,b"c",0o4755)),("mknod",(133,b"d",0o104755,0)),("mknodat",(259,-100,b"e",0o104755,0))):
  print(name,c.syscall(*args))
t=c.syscall(257,-100,b".",0o20200002,0o4755); print(c.linkat(-100,b"/proc/self/fd/%d"%t,-100,b"f",0x400))
how=struct.pack("QQQ",0o102,0o4755,0); print(c.syscall(437,-100,b"g",how,24))`),
    ),
    'unpack one, and copy one': byBit(
      `${python('import io,tarfile\nt=tarfile.open("t.tar","w"); i=tarfile.TarInfo("bit"); i.mode=0o4755; i.size=1; t.addfile(i,io.BytesIO(b"x")); t.close()')}\ntar -xpf t.tar; cp -p /bin/su su1; cp -a $(command -v mount) m; rsync -a /bin/su su2 2>/dev/null; cpio --version >/dev/null 2>&1 && echo bit | cpio -pdm sub 2>/dev/null`,
    ),
    'set it by calls of another machine': inC(`import mmap
open("bit","w").close()
m=mmap.mmap(-1,4096,mmap.MAP_PRIVATE|mmap.MAP_ANONYMOUS|0x40,7); addr=ctypes.addressof(ctypes.c_char.from_buffer(m))
m.seek(2048); m.write(b"bit\\0"); m.seek(0)
m.write(b"\\x53\\xb8\\x0f\\0\\0\\0\\xbb"+struct.pack("I",(addr+2048)&0xffffffff)+b"\\xb9"+struct.pack("I",0o4755)+b"\\xcd\\x80\\x5b\\xc3")
print(ctypes.CFUNCTYPE(ctypes.c_int)(addr)(),c.syscall(0x40000000+90,b"bit",0o4755))
won("the bit is set") if os.stat("bit").st_mode & 0o4000 else None`),
    'bring one up from a layer below': {
      tries: inC(`for d in ("u","w","m"): os.mkdir(d)
ids=(os.getuid(),os.getgid())
print(c.unshare(0x10020000),os.strerror(ctypes.get_errno()))
try:
  open("/proc/self/setgroups","w").write("deny")
  for n,i in zip(("uid","gid"),ids): open("/proc/self/%s_map"%n,"w").write("0 %d 1"%i)
except OSError as e: print(e)
print(c.mount(b"overlay",b"m",b"overlay",0,b"lowerdir=/usr/bin,upperdir=u,workdir=w,userxattr"),os.strerror(ctypes.get_errno()))
for p in ("su","mount","passwd"):
  try: os.utime("m/"+p)
  except OSError as e: print(e)`),
      shows: () => findSetUserId(project),
    },
  };
};
function findSetUserId(folder: string): string | undefined {
  const found = spawnSync('find', [folder, '-type', 'f', '-perm', '-4000'], { encoding: 'utf8' }).stdout.trim();
  return found === '' ? undefined : `set-user-id files were left: ${found}`;
}

/** To see, trace, end or outlive processes, and to hold rights. */
export const processes: EscapeTheme = (world) => ({ ...otherProcesses(world), ...rightsAndNamespaces(world), ...setUserIdBits(world) });
