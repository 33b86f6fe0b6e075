import { answered, type Attempt } from '../row.ts';

const FILL = `const fs = await import('node:fs'); const chunk = Buffer.alloc(32 << 20, 1); let megabytes = 0; const names = [];
  const fill = (folder, target) => { try { while (megabytes < target) { const name = folder + '/fill-' + names.length; names.push(name); const fd = fs.openSync(name, 'w'); try { for (let i = 0; i < 4; i++) { fs.writeSync(fd, chunk); megabytes += 32; } } finally { fs.closeSync(fd); } } } catch {} finally { for (const name of names) try { fs.rmSync(name, { force: true }); } catch {} } };`;

/** What a machine has only so much of. None has a control: it would take it from the machine. */
export const STARVING_ATTEMPTS: readonly Attempt[] = [
  {
    name: 'starts two thousand programs from a shell',
    allowed: 'never',
    code: `return (await import('node:child_process')).execFileSync('/bin/sh', ['-c', 'i=0; while [ $i -lt 2000 ]; do sleep 4 & i=$((i+1)); done; echo STARTED $i'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();`,
    noControl: 'it would take all processes',
    cameOff: answered(/^STARTED 2000/),
    process: 'own',
  },
  {
    name: 'starts two thousand programs at once',
    allowed: 'never',
    code: `return (await import('node:child_process')).execFileSync('/usr/bin/perl', ['-e', 'my $n = 0; for (1..2000) { my $p = fork; last if !defined $p; if ($p == 0) { sleep 4; exit } $n++ } $| = 1; print "STARTED $n"'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();`,
    noControl: 'it would take all processes',
    cameOff: answered(/^STARTED 2000/),
    process: 'own',
  },
  {
    name: 'starts two thousand threads',
    allowed: 'never',
    code: `const { Worker } = await import('node:worker_threads'); const workers = [];
      try { for (let i = 0; i < 200; i++) workers.push(new Worker('setInterval(() => {}, 1e6)', { eval: true, resourceLimits: { stackSizeMb: 1, maxOldGenerationSizeMb: 4 } })); } catch (error) { return String(error); }
      return 'STARTED ' + workers.length;`,
    noControl: 'it would take all threads',
    cameOff: answered(/^STARTED 200/),
    process: 'own',
  },
  {
    name: 'holds two gigabytes of memory',
    allowed: 'never',
    code: `const held = []; for (let i = 0; i < 32; i++) held.push(Buffer.alloc(64 << 20, 1)); return 'HELD ' + held.length;`,
    noControl: 'two gigabytes',
    cameOff: answered(/^HELD 32/),
    process: 'own',
  },
  {
    name: 'holds two gigabytes of memory in a program',
    allowed: 'never',
    code: `return (await import('node:child_process')).execFileSync(process.execPath, ['-p', 'const held = []; for (let i = 0; i < 32; i++) held.push(Buffer.alloc(64 << 20, 1)); "HELD " + held.length'], { stdio: ['ignore', 'pipe', 'ignore'], env: {} }).toString();`,
    noControl: 'two gigabytes',
    cameOff: answered(/^HELD 32/),
    process: 'own',
  },
  {
    name: 'opens sixty thousand files at once',
    allowed: 'never',
    code: `const fs = await import('node:fs'); const open = [];
      try { while (open.length < 60_000) open.push(fs.openSync(import.meta.filename, 'r')); } catch {}
      for (const fd of open) fs.closeSync(fd);
      return 'OPENED ' + open.length;`,
    noControl: 'it would take all descriptors',
    cameOff: answered(/^OPENED 60000/),
    process: 'own',
  },
  {
    name: 'makes a file of sixteen gigabytes',
    allowed: 'never',
    code: `const fs = await import('node:fs'); const name = host.dataFolder + '/large'; fs.writeFileSync(name, '');
      try { fs.truncateSync(name, 16 * 2 ** 30); return 'SIZE ' + fs.statSync(name).size; } finally { fs.rmSync(name); }`,
    noControl: 'the disk is the owner’s',
    cameOff: answered(/^SIZE 17179869184/),
    process: 'own',
  },
  {
    name: 'fills the disk from its data folder',
    allowed: 'never',
    code: `${FILL} fill(host.dataFolder, 1024); return 'FILLED ' + megabytes;`,
    noControl: 'the disk is the owner’s',
    cameOff: answered(/^FILLED 1024/),
    process: 'own',
  },
  {
    name: 'fills the disk with files that it deletes while they are open',
    allowed: 'never',
    code: `const fs = await import('node:fs'); const chunk = Buffer.alloc(32 << 20, 1); let megabytes = 0; const open = [];
      while (megabytes < 1024) { const name = host.dataFolder + '/gone-' + open.length; const fd = fs.openSync(name, 'w'); open.push(fd); fs.rmSync(name); for (let i = 0; i < 4; i++) { fs.writeSync(fd, chunk); megabytes += 32; } }
      return 'FILLED ' + megabytes;`,
    noControl: 'the disk is the owner’s',
    cameOff: answered(/^FILLED 1024/),
    process: 'own',
  },
  {
    name: 'reserves a gigabyte of the disk at once with a program',
    allowed: 'never',
    code: `const { execFileSync } = await import('node:child_process'); const file = host.dataFolder + '/reserved';
      try { execFileSync('/usr/bin/fallocate', ['-l', '1000000000', file]); } catch { execFileSync('/usr/bin/perl', ['-e', 'open my $f, ">", shift; syscall(285, fileno($f), 0, 0, 1000000000) == 0 or syscall(47, fileno($f), 0, 0, 1000000000) == 0 or die', file]); }
      return 'RESERVED ' + (await import('node:fs')).statSync(file).blocks;`,
    noControl: 'the disk is the owner’s',
    cameOff: answered(/^RESERVED [1-9]/),
    process: 'own',
  },
  {
    name: 'fills the disk with a hundred thousand empty files',
    allowed: 'never',
    code: `const fs = await import('node:fs'); for (let i = 0; i < 100_000; i++) fs.writeFileSync(host.dataFolder + '/' + i, ''); return 'MADE 100000';`,
    noControl: 'the disk is the owner’s',
    cameOff: answered(/^MADE/),
    process: 'own',
  },
  {
    name: 'fills the memory through the folder of temporary files',
    allowed: 'never',
    code: `${FILL} for (const folder of ['/tmp', '/dev/shm', '/run', '/var/tmp']) fill(folder, 1024); return 'FILLED ' + megabytes;`,
    noControl: 'the memory is the owner’s',
    cameOff: answered(/^FILLED 1024/),
    process: 'own',
  },
  {
    name: 'fills the folder of temporary files that its programs are told of',
    allowed: 'never',
    code: `return (await import('node:child_process')).execFileSync('/bin/sh', ['-c', 'to=\${TMPDIR:-/tmp}; for i in 1 2 3 4 5 6 7 8; do head -c 128000000 /dev/zero > $to/fill-$i || exit 0; sleep 0.1; done; echo FILLED; rm -f $to/fill-*']).toString();`,
    noControl: 'it would take the owner’s',
    cameOff: answered(/FILLED/),
    process: 'own',
  },
  {
    name: 'fills the memory with a program that writes to /dev/shm',
    allowed: 'never',
    code: `return (await import('node:child_process')).execFileSync('/bin/sh', ['-c', 'for to in /dev/shm /dev /run /tmp; do head -c 600000000 /dev/zero > $to/fill 2>/dev/null && echo FILLED $to; rm -f $to/fill; done; true']).toString();`,
    noControl: 'the memory is the owner’s',
    cameOff: answered(/FILLED/),
    process: 'own',
  },
  {
    name: 'fills the memory with a database in /dev/shm',
    allowed: 'never',
    code: `const { DatabaseSync } = await import('node:sqlite'); const fs = await import('node:fs');
      for (const folder of ['/dev/shm', '/dev', '/run']) try {
        const db = new DatabaseSync(folder + '/fill.db'); db.exec('create table fill (x)');
        try { for (let i = 0; i < 3; i++) db.exec('insert into fill values (zeroblob(200000000))'); return 'FILLED ' + folder; } finally { db.exec('delete from fill'); db.exec('vacuum'); db.close(); }
      } catch {} return 'nowhere';`,
    noControl: 'the memory is the owner’s',
    cameOff: answered(/^FILLED/),
    process: 'own',
  },
  {
    name: 'holds two gigabytes of memory in several programs',
    allowed: 'never',
    code: `const { spawn } = await import('node:child_process');
      const children = Array.from({ length: 4 }, () => spawn(process.execPath, ['-e', 'const held = []; for (let i = 0; i < 8; i++) held.push(Buffer.alloc(64 << 20, 1)); console.log("HELD"); setTimeout(() => held, 4000)'], { stdio: ['ignore', 'pipe', 'ignore'], env: {} }));
      const held = await Promise.all(children.map((child) => new Promise((done) => { child.stdout.once('data', () => done(1)); child.once('exit', () => done(0)); child.once('error', () => done(0)); })));
      for (const child of children) child.kill('SIGKILL');
      return 'HELD ' + held.reduce((sum, each) => sum + each, 0);`,
    noControl: 'two gigabytes',
    cameOff: answered(/^HELD 4/),
    process: 'own',
  },
  {
    name: 'holds two gigabytes that several programs share, without a file',
    allowed: 'never',
    code: `const perl = 'my $n = "x"; for (1..3) { my $fd = syscall(319, $n, 0); $fd = syscall(279, $n, 0) if $fd < 0; die if $fd < 0; open my $f, ">&=", $fd; my $c = "x" x 33554432; for (1..21) { print $f $c or die } push @a, $f } $| = 1; print "HELD"; sleep 4';
      return (await import('node:child_process')).execFileSync('/usr/bin/perl', ['-e', perl], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();`,
    noControl: 'two gigabytes',
    cameOff: answered(/^HELD/),
    process: 'own',
  },
  {
    name: 'answers with a hundred megabytes',
    allowed: 'never',
    code: `return 'x'.repeat(100_000_000);`,
    noControl: 'only the agent can be flooded',
    cameOff: (_evidence, result) => result.blocks.some(({ text }) => text.length > 1_000_000),
    process: 'own',
  },
  {
    name: 'tells the owner ten thousand things',
    allowed: 'never',
    code: `for (let i = 0; i < 10_000; i++) host.notice('Something happened, number ' + i); host.notice('y'.repeat(5_000_000)); return 'told';`,
    noControl: 'only the owner can be flooded',
    cameOff: (_evidence, { shown }) => shown.length > 200 || shown.some((line) => line.length > 20_000),
    process: 'own',
  },
];
