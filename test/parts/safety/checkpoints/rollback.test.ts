import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveBelowRoot } from '../../../../src/parts/safety/checkpoints/place.ts';
import { isTouched } from '../../../../src/parts/safety/checkpoints/rollback.ts';
import { bench, BOUNDS, commandCall, put, stateOf, tempFolder, toolCall } from './setup.ts';

const words = (fates: readonly { readonly path: string; readonly fate: string }[], work: string): string[] =>
  fates.map(({ path, fate }) => `${fate} ${path.slice(work.length + 1)}`);

test('what somebody else changed since is a conflict and stays; with all it goes too, and can be had back', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'a', 'b.txt': 'b' });
  await here.command('rm x', () => put(here.work, { 'a.txt': 'agent', 'b.txt': 'agent' }));
  put(here.work, { 'a.txt': 'owner' });
  assert.deepEqual(words(await here.back(1), here.work), ['restored b.txt', 'conflict a.txt']);
  assert.equal(readFileSync(here.at('a.txt'), 'utf8'), 'owner');
  assert.deepEqual(words(await here.back(2, { all: true }), here.work), ['restored a.txt']);
  assert.equal(readFileSync(here.at('a.txt'), 'utf8'), 'a');
  await here.back(1);
  assert.equal(readFileSync(here.at('a.txt'), 'utf8'), 'owner');
});

test('an edit of the owner between two calls of the agent is a conflict for what lies before it, not after it', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'zero' });
  await here.tool(['a.txt'], () => put(here.work, { 'a.txt': 'one' }));
  put(here.work, { 'a.txt': 'owner' });
  await here.tool(['a.txt'], () => put(here.work, { 'a.txt': 'two' }));
  const [fate] = await here.back(2);
  assert.deepEqual([fate?.fate, fate?.why], ['conflict', 'somebody else changed it between two calls of the agent']);
  await here.back(1);
  assert.equal(readFileSync(here.at('a.txt'), 'utf8'), 'owner');
});

test('one file, or one folder, alone', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'a', 'sub/b.txt': 'b', 'sub/c.txt': 'c' });
  await here.command('rm -r a.txt sub', () => ['a.txt', 'sub'].forEach((name) => rmSync(here.at(name), { recursive: true })));
  assert.deepEqual(words(await here.back(1, { only: here.at('sub') }), here.work), [
    'restored sub',
    'restored sub/b.txt',
    'restored sub/c.txt',
  ]);
  assert.equal(existsSync(here.at('a.txt')), false);
});

test('links come back as links, and nothing is put back through one', async () => {
  const here = bench(tempFolder());
  put(here.top, { 'outside/keep.txt': 'theirs' });
  put(here.work, { 'sub/keep.txt': 'mine', 'a.txt': 'a' });
  symlinkSync('../outside', here.at('way'));
  const before = stateOf(here.work);
  await here.command('rm -r sub way', () => ['sub', 'way'].forEach((name) => rmSync(here.at(name), { recursive: true })));
  symlinkSync('../outside', here.at('sub'));
  const fates = await here.back(1, { all: true });
  assert.equal(readFileSync(join(here.top, 'outside', 'keep.txt'), 'utf8'), 'theirs');
  assert.ok(lstatSync(here.at('way')).isSymbolicLink());
  assert.deepEqual(stateOf(here.work), before, JSON.stringify(fates));
});

test('a folder that became a link out of the root keeps its files from being put back there', async () => {
  const here = bench(tempFolder());
  put(here.top, { 'outside/x': 'theirs' });
  put(here.work, { 'sub/a.txt': 'a' });
  await here.tool(['sub/a.txt'], () => put(here.work, { 'sub/a.txt': 'agent' }));
  renameSync(here.at('sub'), join(here.top, 'moved'));
  symlinkSync('../outside', here.at('sub'));
  const [fate] = await here.back(1, { all: true });
  assert.equal(fate?.fate, 'failed');
  assert.deepEqual(Object.keys(stateOf(join(here.top, 'outside'))), ['x']);
});

test('a path that leads out of its root is refused, however it is written', () => {
  const root = tempFolder();
  mkdirSync(join(root, 'real'));
  symlinkSync('/etc', join(root, 'real', 'link'));
  for (const path of ['', '.', '..', '../x', 'a/../../x', '/etc/passwd', 'a//b', './a', 'link/passwd'])
    assert.throws(() => resolveBelowRoot(join(root, 'real'), path), /does not lie below|not a folder/, path);
  symlinkSync('real', join(root, 'way'));
  assert.throws(() => resolveBelowRoot(join(root, 'way'), 'a'), /through a link/);
  assert.equal(resolveBelowRoot(join(root, 'real'), 'new/a'), join(root, 'real', 'new', 'a'));
});

test('a record somebody tampered with cannot write outside of its root', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'a' });
  await here.tool(['a.txt'], () => put(here.work, { 'a.txt': 'agent' }));
  const [record] = here.store.records();
  assert.ok(record);
  const { left, ...keeping } = record;
  const before = keeping.files[0]?.before ?? { is: 'absent' };
  await here.store.commit([{ ...keeping, files: [{ path: '../evil.txt', before }] }], here.store.generation(), 0);
  await here.store.finish(keeping.id, { at: left?.at ?? 0, files: [{ path: '../evil.txt', before, after: { is: 'absent' } }] });
  const [fate] = await here.back(1, { all: true });
  assert.equal(fate?.fate, 'failed');
  assert.equal(existsSync(join(here.top, 'evil.txt')), false);
});

test('a call that was cut off: what it may have changed is found, and taken back when all is asked for', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'a', 'b.txt': 'b' });
  const before = stateOf(here.work);
  await here.undo.before(commandCall(here.work, 'rm a.txt'), 't1');
  rmSync(here.at('a.txt'));
  await here.undo.before(toolCall(here.work, ['b.txt']), 't1');
  put(here.work, { 'b.txt': 'half' });
  assert.deepEqual(words(await here.back(2), here.work), ['conflict a.txt', 'conflict b.txt']);
  await here.back(2, { all: true });
  assert.deepEqual(stateOf(here.work), before);
});

test('the whole working folder may be gone', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'a', 'sub/b.txt': 'b' });
  const before = stateOf(here.work);
  await here.command('rm -rf ../work', () => rmSync(here.work, { recursive: true }));
  await here.back(1);
  assert.deepEqual(stateOf(here.work), before);
});

test('a file that grew too large to be kept goes to the trash instead of being written over', async () => {
  const here = bench(tempFolder(), { bounds: { ...BOUNDS, maxFileBytes: 100 } });
  put(here.work, { 'a.txt': 'small' });
  await here.command('rm x', () => put(here.work, { 'a.txt': 'x'.repeat(200) }));
  await here.back(1);
  assert.equal(readFileSync(here.at('a.txt'), 'utf8'), 'small');
  const trashed = Object.entries(stateOf(join(here.home, 'trash'))).filter(([path]) => path.endsWith('content'));
  assert.equal(trashed.length, 1);
});

test('a blob that is damaged fails its file alone', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'a', 'b.txt': 'b' });
  await here.tool(['a.txt', 'b.txt'], () => put(here.work, { 'a.txt': '1', 'b.txt': '2' }));
  const kept = here.list()[0]?.head.files.find(({ path }) => path === 'a.txt')?.before;
  assert.ok(kept?.is === 'file');
  put(join(here.home, 'checkpoints', 'blobs', kept.hash.slice(0, 2)), { [kept.hash.slice(2)]: 'pdamaged' });
  const fates = await here.back(1);
  assert.deepEqual(words(fates, here.work), ['failed a.txt', 'restored b.txt']);
  assert.match(fates[0]?.why ?? '', /damaged/);
  assert.deepEqual(
    here.list()[0]?.head.left?.files.map(({ path }) => path),
    ['b.txt'],
    'the rollback says only what it did',
  );
});

test('a file that is as it was then was touched all the same; one no call ever changed was not', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'a.txt': 'a', 'other.txt': 'o' });
  await here.tool(['a.txt'], () => put(here.work, { 'a.txt': 'b' }));
  put(here.work, { 'a.txt': 'a' });
  const groups = here.list();
  const [since] = groups;
  assert.ok(since !== undefined);
  const touched = (name: string): Promise<boolean> => isTouched({ groups, since, sessionId: '', only: here.at(name) }, here.rollback);
  assert.deepEqual([await touched('a.txt'), await touched('.'), await touched('other.txt')], [true, true, false]);
});

test('a file of which only the mode changed is told with it', async () => {
  const here = bench(tempFolder());
  put(here.work, { 'run.sh': 'echo' });
  chmodSync(here.at('run.sh'), 0o755);
  await here.command('chmod 644 run.sh', () => chmodSync(here.at('run.sh'), 0o644));
  const [fate] = await here.back(1);
  assert.deepEqual([fate?.fate, fate?.why], ['restored', 'mode 0644 -> 0755']);
  assert.equal(lstatSync(here.at('run.sh')).mode & 0o777, 0o755);
});
