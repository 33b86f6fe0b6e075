import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { inC, type Attempt, type EscapeTheme } from './attempt.ts';

/** A process of the host is another one once an attempt has ended it. */
const onVictim = (code: (pid: number) => string): Attempt => ({
  tries: async (terminal, { victim }) => (await run(terminal, inC(`${code(victim())}\ntime.sleep(0.2)`))).output,
  bare: true,
});

/** What only some levels of Landlock judge: the others need the filter of calls for it, or `hermes doctor` says that it is lost. */
export const levels: EscapeTheme = ({ home }) => ({
  'end a process of the host by its thread': onVictim(
    (pid) => `for n,args in ((200,(${pid},9)),(234,(${pid},${pid},9))):
  print(c.syscall(n,*args),os.strerror(ctypes.get_errno()))`,
  ),
  'end a process of the host by a file that is told of its events': onVictim(
    (pid) => `import fcntl
EX=struct.pack("ii",1,${pid})
def by_pipe(command,who):
  r,w=os.pipe()
  fcntl.fcntl(r,10,9); fcntl.fcntl(r,command,who); fcntl.fcntl(r,fcntl.F_SETFL,0o20000); os.write(w,b"x")
def by_socket(request):
  a,b=socket.socketpair()
  fcntl.fcntl(a,10,9); fcntl.ioctl(a,request,struct.pack("i",${pid})); fcntl.fcntl(a,fcntl.F_SETFL,0o20000); b.send(b"x")
for f in (lambda: by_pipe(8,${pid}),lambda: by_pipe(15,EX),lambda: by_socket(0x8901),lambda: by_socket(0x8902)):
  try: f()
  except OSError as e: print(e)`,
  ),
  'empty a file of the host by opening it': {
    tries: inC(`for how in range(4):
  print(how,c.syscall(257,-100,b"${home}/.profile",how|0o1000,0),c.syscall(2,b"${home}/.profile",how|0o1000,0),os.strerror(ctypes.get_errno()))
print(c.truncate(b"${home}/.profile",0),c.creat(b"${home}/.profile",0o600))`),
    bare: true,
  },
  'send a request to a device of the host': {
    tries: inC(`for path in ("/dev/ptmx","/dev/autofs","/dev/kvm","/dev/fuse","/dev/net/tun","/dev/uinput"):
  if os.path.islink(path): continue # Terminals of its own.
  for how in (0,3):
    try: f=os.open(path,how|os.O_NONBLOCK|os.O_NOCTTY)
    except OSError: continue
    answer=c.ioctl(f,0x5401,b"0"*64) and ctypes.get_errno()
    print(path,how,os.strerror(answer))
    if answer!=13: won(path)`),
    bare: true,
  },
});
