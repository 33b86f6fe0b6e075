import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCheckpoints } from '../../../../src/parts/safety/checkpoints/store.ts';
import { createUndo } from '../../../../src/parts/safety/checkpoints/undo.ts';
import { bench, BOUNDS, commandCall, LIMITS, put, stateOf, tempFolder } from './setup.ts';

test('a tool that names its files has exactly those kept, with what it left', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'old', 'b.txt': 'other' });
  await here.tool(['a.txt', 'new/deep/c.txt'], () => put(here.work, { 'a.txt': 'new', 'new/deep/c.txt': 'made' }));
  const [record] = here.store.records();
  assert.deepEqual(
    record?.files.map(({ path, before }) => [path, before.is]),
    [
      ['a.txt', 'file'],
      ['new', 'absent'],
      ['new/deep', 'absent'],
      ['new/deep/c.txt', 'absent'],
    ],
  );
  assert.deepEqual(
    record?.left?.files.map(({ path, after }) => [path, after.is]),
    [
      ['a.txt', 'file'],
      ['new', 'folder'],
      ['new/deep', 'folder'],
      ['new/deep/c.txt', 'file'],
    ],
  );
  await here.back(1);
  assert.deepEqual(Object.keys(stateOf(here.work)), ['a.txt', 'b.txt']);
  assert.equal(readFileSync(here.at('a.txt'), 'utf8'), 'old');
});

test('commands: one checkpoint a turn, one more before each that destroys, none for reading or for nothing done', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': '0' });
  let count = 0;
  const write = () => put(here.work, { 'a.txt': String(++count) });
  await here.command('make', write, 't1');
  await here.command('make again', write, 't1');
  await here.command('rm x; make', write, 't1');
  await here.command('cat a.txt', write, 't1');
  await here.command('rm nothing', () => {}, 't1');
  await here.command('make', write, 't2');
  assert.deepEqual(
    here.list().map(({ head, members }) => [head.what, head.turnId, members.length]),
    [
      ['make', 't2', 1],
      ['rm x; make', 't1', 1],
      ['make', 't1', 2],
    ],
  );
});

test('a turn that is rolled back takes the joined calls along', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'first' });
  const before = stateOf(here.work);
  await here.command('make', () => put(here.work, { 'a.txt': 'second' }));
  await here.command('make', () => put(here.work, { 'b.txt': 'third' }));
  assert.equal(here.list().length, 1);
  await here.back(1);
  assert.deepEqual(stateOf(here.work), before);
});

test('a folder over the bounds is told once a session, and what the command names is kept', async () => {
  const here = bench(tempFolder(), { bounds: { ...BOUNDS, maxFiles: 3 } });
  put(here.work, { 'a.txt': '1', 'b.txt': '2', 'c.txt': '3', 'd.txt': '4' });
  const notice = await here.command('rm a.txt', () => rmSync(here.at('a.txt')));
  assert.match(notice ?? '', /more than 3 files/);
  assert.equal(await here.command('rm b.txt', () => rmSync(here.at('b.txt'))), undefined);
  await here.back(2);
  assert.deepEqual(Object.keys(stateOf(here.work)), ['a.txt', 'b.txt', 'c.txt', 'd.txt']);
});

test('the home folder and what is above it are not kept as a whole; files named outside the folder are', async () => {
  const here = bench(tempFolder());
  put(here.home, { 'mine.txt': 'mine' });
  const call = commandCall(here.home, 'rm mine.txt');
  assert.match((await here.undo.before(call, 't1')) ?? '', /No full checkpoint of /);
  rmSync(join(here.home, 'mine.txt'));
  await here.undo.after(call, 't1');
  assert.deepEqual(
    here.store.records().map(({ root, tree, files }) => [root, tree, files.map(({ path }) => path)]),
    [[here.home, undefined, ['mine.txt']]],
  );

  put(here.top, { 'elsewhere/out.txt': 'out', 'elsewhere/two.log': 'log' });
  put(here.work, { 'in.txt': 'in' });
  await here.command(`rm ${here.top}/elsewhere/*.log ../elsewhere/out.txt in.txt`, () => {
    for (const path of ['elsewhere/out.txt', 'elsewhere/two.log', 'work/in.txt']) rmSync(join(here.top, path));
  });
  await here.back(1);
  assert.deepEqual(Object.keys(stateOf(join(here.top, 'elsewhere'))), ['out.txt', 'two.log']);
  assert.equal(readFileSync(here.at('in.txt'), 'utf8'), 'in');
});

test('caches, histories and environments are left out, files that are too large are named as such', async () => {
  const here = bench(tempFolder(), { bounds: { ...BOUNDS, maxFileBytes: 100 } });
  put(here.work, {
    'a.txt': 'a',
    'big.bin': 'x'.repeat(101),
    '.git/HEAD': 'ref',
    'node_modules/m/index.js': '1',
    'env/pyvenv.cfg': 'home = /usr',
    'env/lib.py': '1',
    'target/CACHEDIR.TAG': 'Signature',
    'target/out': '1',
  });
  await here.command('rm -rf *', () => ['a.txt', 'big.bin'].forEach((name) => rmSync(here.at(name))));
  assert.deepEqual(
    here.list()[0]?.head.left?.files.map(({ path, before }) => [path, before.is]),
    [
      ['a.txt', 'file'],
      ['big.bin', 'too_large'],
    ],
  );
  const fates = await here.back(1);
  assert.deepEqual(
    fates.map(({ path, fate }) => [path, fate]),
    [
      [here.at('a.txt'), 'restored'],
      [here.at('big.bin'), 'not_kept'],
    ],
  );
});

test('a write through a link has the file behind it kept, also where that is still to be made', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'real.txt': 'old' });
  symlinkSync('real.txt', here.at('link.txt'));
  symlinkSync('later.txt', here.at('dangling.txt'));
  const before = stateOf(here.work);
  await here.tool(['link.txt', 'dangling.txt'], () => put(here.work, { 'real.txt': 'new', 'later.txt': 'made' }));
  await here.back(1);
  assert.deepEqual(stateOf(here.work), before);
});

test('a change within the same tick, of the same length, with its times set back, is still seen', async () => {
  const here = bench(tempFolder());
  for (let round = 0; round < 12; round++) {
    const write = (text: string): void => {
      put(here.work, { 'a.txt': text });
      utimesSync(here.at('a.txt'), 1_700_000_000, 1_700_000_000);
    };
    write(`before ${round % 10}`);
    await here.command('rm x', () => write(`after_ ${round % 10}`), `t${round}`);
    assert.equal(here.list()[0]?.head.turnId, `t${round}`);
    await here.back(1);
    assert.equal(readFileSync(here.at('a.txt'), 'utf8'), `before ${round % 10}`);
  }
});

test('a call in the very moment of a rollback comes after it', async () => {
  const here = bench(tempFolder(), { now: () => 1_700_000_000_000, limits: { ...LIMITS, keepMs: Infinity } });
  put(here.work, { 'a.txt': 'first' });
  for (const turn of ['t1', 't2', 't3']) {
    await here.command('rm x', () => put(here.work, { 'a.txt': turn }), turn);
    await here.back(1);
    assert.equal(readFileSync(here.at('a.txt'), 'utf8'), 'first');
  }
});

test('where commands run elsewhere nothing is kept; in a sandbox on this machine it is', async () => {
  for (const [kind, kept] of [
    ['docker', 0],
    ['ssh', 0],
    ['sandbox', 1],
  ] as const) {
    const here = bench(tempFolder(), { kind });
    await here.tool(['a.txt'], () => put(here.work, { 'a.txt': 'x' }));
    assert.deepEqual([kind, here.store.records().length], [kind, kept]);
  }
});

test('what is written down about a command goes through the mask', async () => {
  const here = bench(tempFolder(), { mask: (text) => text.replaceAll('hunter2', '[secret]') });
  await here.command('login hunter2', () => put(here.work, { token: '1' }));
  assert.equal(here.list()[0]?.head.what, 'login [secret]');
});

test('a store that cannot be written costs a notice, never the call', async () => {
  const top = tempFolder();
  put(top, { 'work/a.txt': 'a', blocked: 'a file where the store should be' });
  const store = openCheckpoints(join(top, 'blocked', 'checkpoints'), LIMITS);
  const undo = createUndo({
    store,
    kind: 'local',
    bounds: BOUNDS,
    context: { home: join(top, 'h'), profile: join(top, 'h'), own: [] },
  });
  const call = commandCall(join(top, 'work'), 'rm a.txt');
  assert.match((await undo.before(call, 't1')) ?? '', /could not be kept before this call/);
  await undo.after(call, 't1');
  assert.equal(await undo.before(commandCall(join(top, 'work'), 'rm a.txt'), 't1'), undefined, 'told once');
});

test('an unreadable file is no trouble for the others', { skip: process.getuid?.() === 0 && 'root may read everything' }, async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'a', 'closed.txt': 'c' });
  chmodSync(here.at('closed.txt'), 0o000);
  assert.equal(await here.command('rm a.txt', () => rmSync(here.at('a.txt'))), undefined);
  await here.back(1);
  assert.equal(readFileSync(here.at('a.txt'), 'utf8'), 'a');
});

test('the next program reads no file that has not changed', async () => {
  const top = tempFolder();
  const first = bench(top);
  put(first.work, { 'a.txt': 'a', 'b.txt': 'b' });
  await new Promise((done) => setTimeout(done, 80));
  await first.command('rm x', () => put(first.work, { 'c.txt': 'c' }));
  const rows = bench(top).store.rows(first.work);
  assert.deepEqual(
    [...(rows?.files ?? [])].map(([path, { stamp, stored }]) => [path, stamp !== '', stored]),
    [
      ['a.txt', true, true],
      ['b.txt', true, true],
      ['c.txt', false, false],
    ],
  );
  mkdirSync(join(first.work, 'd'));
  writeFileSync(first.at('a.txt'), 'changed by the owner');
  await bench(top).command('rm a.txt', () => rmSync(first.at('a.txt')), 't2');
  await first.back(1);
  assert.equal(readFileSync(first.at('a.txt'), 'utf8'), 'changed by the owner');
});

test('what goes on behind a call can be taken back: a command in the background, a line for a shell', async () => {
  for (const call of [
    { tool: 'terminal', input: { command: 'make watch', background: true } },
    { tool: 'process', input: { action: 'submit', session_id: 'proc_1', data: 'rm a.txt' } },
  ]) {
    const here = bench(tempFolder());
    put(here.work, { 'a.txt': 'old' });
    const touching = { ...commandCall(here.work, ''), ...call };
    await here.undo.before(touching, 't1');
    await here.undo.after(touching, 't1');
    put(here.work, { 'a.txt': 'later' });
    assert.equal(here.list().length, 1);
    assert.deepEqual(
      (await here.back(1)).map(({ fate }) => fate),
      ['conflict'],
    );
    await here.back(1, { all: true });
    assert.equal(readFileSync(here.at('a.txt'), 'utf8'), 'old');
  }
});

test('a tool of a server may change anything where the work is; a folder is found below the home as well', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'old' });
  const served = { ...commandCall(here.work, ''), tool: 'mcp__files__write', input: { path: 'a.txt' } };
  await here.undo.before(served, 't1');
  put(here.work, { 'a.txt': 'new' });
  await here.undo.after(served, 't1');
  await here.back(1);
  assert.equal(readFileSync(here.at('a.txt'), 'utf8'), 'old');
  put(here.home, { 'project/b.txt': 'old' });
  const placed = { ...commandCall(here.work, ''), input: { command: 'make', workdir: '~/project' } };
  await here.undo.before(placed, 't2');
  put(here.home, { 'project/b.txt': 'new' });
  await here.undo.after(placed, 't2');
  assert.equal(here.store.records().at(-1)?.root, join(here.home, 'project'));
});
