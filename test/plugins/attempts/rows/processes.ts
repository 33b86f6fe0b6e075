import { answered, anyOf, died, leaked, type Attempt } from '../row.ts';

const FS = `const fs = await import('node:fs'); const quiet = (what) => { try { return what(); } catch { return ''; } };`;
const PAUSE = `await new Promise((done) => setTimeout(done, 150));`;

/** Other processes: the bystander, Hermes, the parent, siblings. */
export const PROCESS_ATTEMPTS: readonly Attempt[] = [
  {
    name: 'ends a process of the owner with a program',
    allowed: 'never',
    code: `(await import('node:child_process')).execFileSync('/bin/sh', ['-c', 'kill -9 {{bystanderPid}}']); ${PAUSE} return 'sent';`,
    cameOff: died('bystander'),
  },
  {
    name: 'ends every process that it can reach',
    allowed: 'never',
    code: `for (const pid of [process.ppid, 1, -1]) { try { process.kill(pid, 'SIGKILL'); } catch {} } ${PAUSE} return 'sent';`,
    noControl: 'it would end everything of the owner',
    cameOff: died('bystander'),
    process: 'own',
  },
  {
    name: 'can signal Hermes',
    allowed: 'never',
    code: `process.kill({{hermesPid}}, 0); return 'REACHED';`,
    cameOff: answered(/^REACHED/),
  },
  {
    name: 'turns on the debugger of a process of the owner',
    allowed: 'never',
    code: `process._debugProcess({{bystanderPid}}); ${PAUSE} return 'SENT';`,
    cameOff: anyOf(answered(/^SENT/), died('bystander')),
  },
  {
    name: 'changes the priority of a process of the owner',
    allowed: 'never',
    code: `const os = await import('node:os'); os.setPriority({{bystanderPid}}, 10); return 'SET ' + os.getPriority({{bystanderPid}});`,
    cameOff: answered(/^SET 10/),
  },
  {
    name: 'sees the processes of the owner',
    allowed: 'never',
    code: `${FS} return fs.readFileSync('/proc/{{bystanderPid}}/cmdline').length > 0 && {{bystanderPid}} !== process.pid ? 'SEEN' : '';`,
    cameOff: answered(/^SEEN/),
  },
  {
    name: 'reads the command line of a process of the owner with a program',
    allowed: 'never',
    code: `return (await import('node:child_process')).execFileSync('/bin/cat', ['/proc/{{bystanderPid}}/cmdline']).toString();`,
    openBehindFloor: 'Landlock does not hide processes; their memory and environment stay closed',
    cameOff: answered(/^sleep/),
  },
  {
    name: 'reads the environment of a process of the owner by its number',
    allowed: 'never',
    code: `${FS} return fs.readFileSync('/proc/{{bystanderPid}}/environ', 'utf8');`,
    cameOff: leaked('environment'),
  },
  {
    name: 'reads the environment of every process, and of its parent and Hermes',
    allowed: 'never',
    code: `${FS} return [...fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)), process.ppid, {{hermesPid}}]
      .map((pid) => quiet(() => fs.readFileSync('/proc/' + pid + '/environ', 'utf8'))).join('\\n');`,
    cameOff: leaked('environment'),
  },
  {
    name: 'reads the environment of every process with a program',
    allowed: 'never',
    code: `return (await import('node:child_process')).execFileSync('/bin/sh', ['-c', 'cat /proc/[0-9]*/environ 2>/dev/null; env; true']).toString();`,
    cameOff: leaked('environment'),
  },
  {
    name: 'reads its own environment, its report and its secrets for what it did not declare',
    allowed: 'never',
    code: `process.report.excludeEnv = false;
      return JSON.stringify([process.env, host.secrets.OWNER_TOKEN, process.report.getReport().environmentVariables, process.argv, process.execArgv]);`,
    cameOff: leaked('environment'),
  },
  {
    name: 'goes through the root and the working folder of other processes',
    allowed: 'never',
    code: `${FS} return fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).concat('{{hermesPid}}')
      .map((pid) => quiet(() => fs.readFileSync('/proc/' + pid + '/root{{ownerFile}}', 'utf8'))
        || quiet(() => fs.readFileSync('/proc/' + pid + '/cwd/' + '../'.repeat(20) + '{{ownerFile}}', 'utf8'))).join('\\n');`,
    cameOff: leaked('ownerFile'),
  },
  {
    name: 'reads through descriptors that other processes have open',
    allowed: 'never',
    code: `${FS} const found = [];
      for (const pid of fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name) && Number(name) !== process.pid).concat('{{hermesPid}}'))
        for (const fd of quiet(() => fs.readdirSync('/proc/' + pid + '/fd')) || [])
          if (quiet(() => fs.readlinkSync('/proc/' + pid + '/fd/' + fd)).startsWith('{{home}}')) found.push(pid + '/' + fd);
      return found.length > 0 ? 'OPEN ' + found.join(' ') : 'none';`,
    noControl: 'Hermes has its files open only while it runs plugins',
    cameOff: answered(/^OPEN/),
  },
  {
    name: 'reads the memory of a process of the owner',
    allowed: 'never',
    code: `${FS} const maps = fs.readFileSync('/proc/{{bystanderPid}}/maps', 'utf8');
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) .*\\[stack\\]$/m.exec(maps);
      const start = Number('0x' + from); const bytes = Buffer.alloc(Number('0x' + to) - start);
      fs.readSync(fs.openSync('/proc/{{bystanderPid}}/mem', 'r'), bytes, 0, bytes.length, start);
      return bytes.toString('latin1').replaceAll('\\0', ' ').slice(-8000);`,
    noControl: 'the kernel may forbid it to everybody',
    cameOff: leaked('environment'),
  },
  {
    name: 'leaves a program running when it is disabled',
    allowed: 'never',
    code: `const { spawn } = await import('node:child_process');
      spawn('setsid', ['-f', 'sh', '-c', 'sleep 60; : left-{{plugin}}'], { detached: true, stdio: 'ignore' }).unref(); ${PAUSE} process.exit(0);`,
    noControl: 'it would stay',
    cameOff: (evidence) => evidence.countProcesses('left-') > 0,
    process: 'own',
  },
  {
    name: 'uses a secret that it does not declare',
    allowed: 'declared',
    code: `return host.secrets.ATTEMPT_KEY + ' ' + process.env.ATTEMPT_KEY;`,
    cameOff: leaked('key'),
  },
];
