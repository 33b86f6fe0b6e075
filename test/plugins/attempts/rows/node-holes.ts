import { answered, changed, heard, leaked, made, type Attempt } from '../row.ts';

/** What the permission flags of Node.js leave open by themselves, and what lies around the process. */
export const NODE_HOLES: readonly Attempt[] = [
  {
    name: 'opens a database of the owner',
    allowed: 'never',
    code: `const { DatabaseSync } = await import('node:sqlite'); return new DatabaseSync('{{ownerDb}}').prepare('select word from words').get().word;`,
    cameOff: leaked('ownerDb'),
  },
  {
    name: 'makes a file of the owner as a database',
    allowed: 'never',
    code: `const { DatabaseSync } = await import('node:sqlite'); new DatabaseSync('{{newFile}}').exec('create table t (x)');`,
    cameOff: made('{{newFile}}'),
  },
  {
    name: 'reads the environment of a process of the owner, in another way',
    allowed: 'never',
    code: `return (await import('node:fs')).readFileSync('/proc/{{bystanderPid}}/environ', 'latin1');`,
    cameOff: leaked('environment'),
  },
  {
    name: 'reads the environment of every process it sees',
    allowed: 'never',
    code: `const fs = await import('node:fs'); let all = JSON.stringify(process.env);
      for (const pid of fs.readdirSync('/proc')) try { all += fs.readFileSync('/proc/' + pid + '/environ', 'latin1'); } catch {}
      return all;`,
    cameOff: leaked('environment'),
  },
  {
    name: 'reads the data of another plugin, in another way',
    allowed: 'never',
    code: `return (await import('node:fs')).readFileSync('{{otherData}}', 'utf8');`,
    cameOff: leaked('otherData'),
  },
  {
    name: 'reads the keys of the profile',
    allowed: 'never',
    code: `return (await import('node:fs')).readFileSync('{{envFile}}', 'utf8');`,
    cameOff: leaked('envFile'),
  },
  {
    name: 'changes the code of another plugin, in another way',
    allowed: 'never',
    code: `(await import('node:fs')).writeFileSync('{{otherCode}}', 'changed');`,
    cameOff: changed('{{otherCode}}'),
  },
  {
    name: 'adds to its own code',
    allowed: 'never',
    code: `(await import('node:fs')).writeFileSync(import.meta.dirname + '/more.js', 'more');`,
    cameOff: made('{{ownFolder}}/more.js'),
  },
  {
    name: 'gets a secret that it declares',
    allowed: 'declared',
    code: `return host.secrets.ATTEMPT_KEY;`,
    cameOff: leaked('key'),
  },
  {
    name: 'talks to a port of this machine',
    allowed: 'never',
    code: `const socket = (await import('node:net')).connect({{tcpPort}}, '127.0.0.1'); socket.end('hello');
      await new Promise((done, fail) => socket.on('close', done).on('error', fail)); return 'sent';`,
    cameOff: heard('tcp', 'hello'),
  },
  {
    name: 'talks to a socket of the owner',
    allowed: 'never',
    code: `const socket = (await import('node:net')).connect('{{unixSocket}}'); socket.end('hello');
      await new Promise((done, fail) => socket.on('close', done).on('error', fail)); return 'sent';`,
    cameOff: heard('unix', 'hello'),
  },
  {
    name: 'talks to a socket with an abstract name',
    allowed: 'never',
    code: `const socket = (await import('node:net')).connect('\\0{{abstractSocket}}'); socket.end('hello');
      await new Promise((done, fail) => socket.on('close', done).on('error', fail)); return 'sent';`,
    cameOff: heard('abstract', 'hello'),
  },
  {
    name: 'talks to a host that it does not declare',
    allowed: 'never',
    code: `return (await fetch('http://{{undeclaredHost}}/x')).text();`,
    cameOff: heard('undeclared'),
  },
  {
    name: 'names an undeclared host behind the declared one',
    allowed: 'never',
    code: `const http = await import('node:http');
      const answer = await new Promise((done, fail) => http.get({ host: '{{declaredHost}}', path: '/', headers: { host: '{{undeclaredHost}}' } }, done).on('error', fail));
      return answer.statusCode;`,
    noControl: 'without a proxy there is no such host',
    cameOff: heard('undeclared'),
  },
  {
    name: 'starts a program that reads a file of the owner',
    allowed: 'never',
    code: `return (await import('node:child_process')).execFileSync('/bin/cat', ['{{ownerFile}}']).toString();`,
    cameOff: leaked('ownerFile'),
  },
  {
    name: 'starts two thousand programs at once, in another way',
    allowed: 'never',
    process: 'own',
    noControl: 'it would starve the judge',
    code: `const { spawn } = await import('node:child_process'); let begun = 0;
      for (let each = 0; each < 2000; each++) { try { const child = spawn('/bin/sleep', ['3']); child.on('error', () => {}); if (child.pid) begun++; } catch {} }
      return begun >= 1000 ? 'began many' : 'began ' + begun;`,
    cameOff: answered(/^began many/),
  },
  {
    name: 'takes two gigabytes',
    allowed: 'never',
    process: 'own',
    noControl: 'it would starve the judge',
    code: `const all = []; for (let each = 0; each < 40; each++) all.push(Buffer.alloc(5e7, 1)); return 'took ' + all.length;`,
    cameOff: answered(/^took 40/),
  },
  {
    name: 'opens a thousand files',
    allowed: 'never',
    process: 'own',
    noControl: 'the machine may allow it',
    code: `const fs = await import('node:fs'); const all = []; for (let each = 0; each < 1000; each++) all.push(fs.openSync(host.dataFolder + '/x', 'w')); return 'opened ' + all.length;`,
    cameOff: answered(/^opened 1000/),
  },
  {
    name: 'signals the process that started it',
    allowed: 'never',
    process: 'own',
    noControl: 'it would end the judge',
    code: `for (const pid of [process.ppid, {{hermesPid}}]) try { process.kill(pid, 'SIGTERM'); } catch (error) { return String(error); } return 'signalled';`,
    // Had it come off, nobody would be here to say so.
    cameOff: ({ isAlive }) => !isAlive('bystander'),
  },
];
