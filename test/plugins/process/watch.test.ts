import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { hasOwnNumbers } from '../../../src/plugins/process/bound-processes.ts';
import { describeFullData, findFullData, MAX_DATA_FILES, measureData } from '../../../src/plugins/process/measure-data.ts';
import { findPrograms, findWalledPrograms, measureProcesses } from '../../../src/base/process-sizes.ts';
import { watchUse, type UseLook } from '../../../src/base/watch-use.ts';
import { describeExcess } from '../../../src/plugins/process/describe-excess.ts';

const root = mkdtempSync(join(tmpdir(), 'hermes-watch-'));
after(() => rmSync(root, { recursive: true, force: true }));
const folderOf = (name: string): string => {
  mkdirSync(join(root, name));
  return join(root, name);
};

test('a data folder counts what the disk holds for it: names twice once, holes and what links lead to not at all', async () => {
  const data = folderOf('data');
  writeFileSync(join(data, 'one'), Buffer.alloc(400_000, 1));
  const { bytes } = await measureData(data, 1e9);
  assert.ok(bytes >= 400_000 && bytes < 500_000, String(bytes));
  linkSync(join(data, 'one'), join(data, 'again'));
  writeFileSync(join(data, 'hole'), '');
  truncateSync(join(data, 'hole'), 1e9);
  symlinkSync(process.execPath, join(data, 'link'));
  symlinkSync('/', join(data, 'everything'));
  const all = await measureData(data, 1e9);
  assert.equal(all.files, 5);
  assert.ok(all.bytes < 500_000, String(all.bytes));
  mkdirSync(join(data, 'below/more'), { recursive: true });
  writeFileSync(join(data, 'below/more/two'), Buffer.alloc(400_000, 1));
  assert.ok((await measureData(data, 1e9)).bytes >= 800_000);
  assert.deepEqual(await measureData(join(root, 'nowhere'), 1e9), { bytes: 0, files: 0 });
});

test('a data folder that is too full says so, and what to do', async () => {
  const data = folderOf('full');
  for (let each = 0; each < 20; each++) writeFileSync(join(data, String(each)), Buffer.alloc(100_000, 1));
  const size = await measureData(data, 1e6);
  assert.ok(size.files < 20, 'it is not counted to its end');
  assert.deepEqual(describeFullData(data, size, 1e6), {
    problem: `its data folder ${data} holds more than 1 MB`,
    fix: 'Delete what it does not need there, or raise plugins.data_mb',
  });
  assert.equal(await findFullData(data, 1e7), undefined);
  assert.match(describeFullData(data, { bytes: 0, files: MAX_DATA_FILES + 1 }, 1e7)?.problem ?? '', /holds more than 20000 files$/);
});

test('a folder that nobody may look into may hold anything', { skip: process.getuid?.() === 0 && 'root may look anywhere' }, async () => {
  const data = folderOf('shut');
  mkdirSync(join(data, 'in'));
  chmodSync(join(data, 'in'), 0o300);
  assert.match((await findFullData(data, 1e7))?.problem ?? '', /cannot be looked through \(EACCES/);
  chmodSync(join(data, 'in'), 0o700);
});

/** A folder as the kernel shows a program. */
function writeProgram(name: string, files: Readonly<Record<string, string>>): string {
  const path = folderOf(name);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  mkdirSync(join(path, 'fd'), { recursive: true });
  return path;
}

test('programs are counted together, swapped memory and memory that they share too; what they run is not', () => {
  const status = 'Name:\tnode\nVmSwap:\t 300000 kB\nRssAnon:\t 100000 kB\nRssFile:\t 900000 kB\nRssShmem:\t 200000 kB\nThreads:\t7\n';
  const one = writeProgram('p1', { status, io: 'rchar: 5\nwchar: 70\nwrite_bytes: 4096\n' });
  const two = writeProgram('p2', { status, io: 'wchar: 9000\nwrite_bytes: 0\n' });
  writeFileSync(join(one, 'fd/0'), '');
  const gone = join(root, 'ended');
  assert.deepEqual(measureProcesses([one, two, gone]), {
    tasks: 14,
    memoryMb: 1200,
    openFiles: 1,
    deletedBytes: 0,
    writtenBytes: 13_096,
    isHiding: false,
  });
});

test('without a wall, a program is found with what it started', { skip: process.platform !== 'linux' && 'there is no /proc' }, async () => {
  const child = spawn('/bin/sh', ['-c', 'sleep 60 & echo ready; wait'], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  await once(child.stdout, 'data');
  const programs = findPrograms(child.pid);
  assert.equal(programs.length, 2);
  const { tasks, openFiles, isHiding } = measureProcesses(programs);
  assert.deepEqual([tasks, openFiles > 4, isHiding], [2, true, false]);
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await once(child, 'close');
  assert.deepEqual([findPrograms(child.pid), findPrograms(undefined), findWalledPrograms(undefined)], [[], [], []]);
  assert.deepEqual(findWalledPrograms(process.pid), [], 'the table of everybody is not that of a wall');
});

const MEASURE = `import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { findPrograms, measureProcesses } from ${JSON.stringify(pathToFileURL(resolve('src/base/process-sizes.ts')).href)};
// The shell becomes a program that collects no children.
const child = spawn('/bin/sh', ['-c', '(echo ready) & exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
await once(child.stdout, 'data');
const programs = findPrograms(child.pid);
while (!readFileSync(programs[1] + '/status', 'utf8').includes('(zombie)'));
console.log(programs.length, measureProcesses(programs).isHiding);
child.kill();`;

test(
  'a program that has ended and is not collected yet hides nothing',
  { skip: process.platform !== 'linux' && 'there is no /proc' },
  () => {
    // For root it is open to look at.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', MEASURE], { encoding: 'utf8', ...user }), '2 false\n');
  },
);

test('programs that a thread started are found', { skip: process.platform !== 'linux' && 'there is no /proc' }, async () => {
  const inThread = `require('child_process').spawn('/bin/sleep', ['60']).once('spawn', () => console.log('ready'))`;
  const code = `new (require('worker_threads').Worker)(${JSON.stringify(inThread)}, { eval: true })`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  await once(child.stdout, 'data');
  assert.equal(findPrograms(child.pid).length, 2);
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await once(child, 'close');
});

test('the number of processes is bounded only by kernels that keep one for each table of them', () => {
  const kernels = ['6.14.0-15-generic', '6.18.44', '7.0', '10.1.2', '6.13.9', '6.2.0', '5.15.153.1-microsoft-standard', '4.4.0', ''];
  assert.deepEqual(kernels.filter(hasOwnNumbers), kernels.slice(0, 4));
});

test('each bound has its words', () => {
  const fine = { tasks: 256, memoryMb: 1_000, openFiles: 2_000, deletedBytes: 0, writtenBytes: 1e12, isHiding: false };
  const most = 'is the most for all of its programs together';
  assert.equal(describeExcess(fine), undefined);
  assert.equal(describeExcess({ ...fine, tasks: 257 }), `it ran 257 programs and threads; 256 ${most}`);
  assert.equal(describeExcess({ ...fine, memoryMb: 1_001 }), `it held 1001 MB of memory; 1000 MB ${most}`);
  assert.equal(describeExcess({ ...fine, openFiles: 2_001 }), `it had 2001 files open; 2000 ${most}`);
  assert.equal(describeExcess({ ...fine, isHiding: true }), 'a program of it hides what it has open');
});

test('a watch looks until something is beyond its bounds, tells it once, and looks no more', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const looks: (UseLook | Error)[] = [{ activity: 'a' }, { activity: 'a' }, { activity: 'a', excess: 'too much' }];
  let looked = 0;
  const told: string[] = [];
  const look = async (): Promise<UseLook> => {
    const next = looks[looked++];
    if (next === undefined || next instanceof Error) throw next ?? new Error('none is left');
    return next;
  };
  const pass = async (ms: number): Promise<number> => {
    context.mock.timers.tick(ms);
    for (let each = 0; each < 10; each++) await Promise.resolve();
    return looked;
  };
  const watch = watchUse({ look }, (excess) => told.push(excess));
  assert.equal(await pass(50), 1);
  assert.equal(await pass(50), 2, 'it did something');
  assert.equal(await pass(50), 2, 'it rests');
  watch.expectWork();
  assert.equal(await pass(50), 3, 'it was asked something');
  assert.equal(await pass(60_000), 3);
  assert.deepEqual(told, ['too much']);
  looks.push(new Error('gone'));
  const blind: string[] = [];
  watchUse({ look }, (excess) => blind.push(excess));
  await pass(50);
  assert.deepEqual(blind, ['nobody can see what it holds']);
  const stopped = watchUse({ look }, (excess) => blind.push(excess));
  stopped.stop();
  await pass(60_000);
  assert.equal(blind.length, 1);
});
