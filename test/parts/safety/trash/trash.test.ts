import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../../../src/base/errors.ts';
import { withFileLock } from '../../../../src/base/file-lock.ts';
import { openTrash, type TrashLimits } from '../../../../src/parts/safety/trash/trash.ts';

const DAY = 86_400_000;
const LIMITS: TrashLimits = { keepMs: 7 * DAY, maxBytes: 1_000_000 };

function place(limits = LIMITS, now?: () => number) {
  const top = mkdtempSync(join(tmpdir(), 'hermes-trash-'));
  after(() => rmSync(top, { recursive: true, force: true }));
  const folder = join(top, 'trash');
  return { top, folder, trash: openTrash(folder, limits, now), at: (name: string) => join(top, name) };
}

test('a file, a link and a folder go in and come back as they were', async () => {
  const { trash, at, top } = place();
  writeFileSync(at('a.sh'), 'text');
  chmodSync(at('a.sh'), 0o750);
  symlinkSync('nowhere', at('link'));
  mkdirSync(at('folder/deep'), { recursive: true });
  writeFileSync(at('folder/deep/b'), 'b');
  for (const name of ['a.sh', 'link', 'folder']) await trash.put(at(name), 'patch');
  assert.deepEqual(readdirSync(top), ['trash']);
  const rows = trash.list();
  assert.deepEqual(
    rows.toSorted((one, other) => (one.path < other.path ? -1 : 1)).map(({ path, bytes, by }) => [path, bytes, by]),
    [
      [at('a.sh'), 4, 'patch'],
      [at('folder'), 1, 'patch'],
      [at('link'), 7, 'patch'],
    ],
  );
  for (const { id, path } of rows) assert.equal(await trash.restore(id), path);
  assert.deepEqual(
    [readFileSync(at('a.sh'), 'utf8'), statSync(at('a.sh')).mode & 0o777, readFileSync(at('folder/deep/b'), 'utf8')],
    ['text', 0o750, 'b'],
  );
  assert.deepEqual(trash.list(), []);
});

test('what lies there is private and laid out as others write it', async () => {
  const { trash, at, folder } = place();
  writeFileSync(at('a'), 'a');
  const { id } = await trash.put(at('a'), 'patch');
  const [day = ''] = readdirSync(folder).filter((name) => /^\d{8}$/.test(name));
  assert.deepEqual(readdirSync(join(folder, day, id)).toSorted(), ['content', 'meta.json']);
  assert.equal(statSync(join(folder, day)).mode & 0o777, 0o700);
  mkdirSync(join(folder, '20260101', '1767225600000000'), { recursive: true });
  const theirs = join(folder, '20260101', '1767225600000000');
  writeFileSync(join(theirs, 'content'), 'from rm');
  assert.equal(trash.list().length, 1, 'without its words it is not whole yet');
  writeFileSync(join(theirs, 'meta.json'), `{"path":${JSON.stringify(at('gone/b'))},"at":1767225600000,"bytes":7}\n`);
  assert.deepEqual(trash.list().at(-1), { id: '1767225600000000', path: at('gone/b'), at: 1_767_225_600_000, bytes: 7 });
  await trash.restore('17672');
  assert.equal(readFileSync(at('gone/b'), 'utf8'), 'from rm');
});

test('restoring overwrites nothing; another place can be named', async () => {
  const { trash, at } = place();
  writeFileSync(at('a'), 'old');
  const { id } = await trash.put(at('a'), 'patch');
  writeFileSync(at('a'), 'new');
  await assert.rejects(trash.restore(id), (error) => error instanceof UsageError && /is not overwritten/.test(error.message));
  assert.equal(readFileSync(at('a'), 'utf8'), 'new');
  assert.equal(await trash.restore(id, at('b')), at('b'));
  assert.equal(readFileSync(at('b'), 'utf8'), 'old');
  mkdirSync(at('folder'));
  const folder = await trash.put(at('folder'), 'patch');
  mkdirSync(at('folder'));
  await assert.rejects(trash.restore(folder.id), UsageError);
  await assert.rejects(trash.restore('d_unknown'), UsageError);
});

test('an empty id, or too little of one, brings nothing back, however little there is', async () => {
  const { trash, at } = place();
  writeFileSync(at('a'), 'a');
  const { id } = await trash.put(at('a'), 'patch');
  for (const [ref, words] of [
    ['', /the id is empty\. To list the ids: hermes trash list/],
    [id.slice(0, 4), /is too short/],
    ['zzzzz', /there is no item in the trash with the id zzzzz/],
  ] as const)
    await assert.rejects(trash.restore(ref), (error) => error instanceof UsageError && words.test(error.message));
  assert.equal(trash.list().length, 1);
  assert.equal(await trash.restore(id.slice(0, 8)), at('a'));
});

test('a file that cannot be taken away stays, and the trash is as it was', async () => {
  const { trash, at } = place();
  await assert.rejects(trash.put(at('missing'), 'patch'), /ENOENT/);
  assert.deepEqual(trash.list(), []);
});

test('retention: the oldest first, by age and size; what is fresh, half written or held stays', async () => {
  let now = 1_800_000_000_000;
  const { trash, at, folder } = place({ keepMs: 7 * DAY, maxBytes: 1_000 }, () => now);
  const add = async (name: string, bytes: number) => {
    writeFileSync(at(name), 'x'.repeat(bytes));
    await trash.put(at(name), 'patch');
  };
  const names = () => trash.list().map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  for (const name of ['a', 'b', 'c']) {
    await add(name, 400);
    now += 15 * 60_000;
  }
  assert.equal(await withFileLock(join(folder, 'trash'), () => trash.prune()), 0, 'not while somebody holds it');
  assert.deepEqual(names(), ['c', 'b', 'a']);
  assert.equal(await trash.prune(), 1);
  assert.deepEqual(names(), ['c', 'b']);
  await add('huge', 5_000);
  assert.equal(await trash.prune(), 2);
  assert.deepEqual(names(), ['huge'], 'what has just come stays');
  const half = join(folder, '20270101', 'half');
  mkdirSync(half, { recursive: true });
  utimesSync(half, now / 1_000, now / 1_000);
  now += 8 * DAY;
  assert.equal(await trash.prune(), 1);
  assert.deepEqual([names(), existsSync(half)], [[], false]);
});

test('putting something in clears away what is too old, now and then', async () => {
  let now = 1_800_000_000_000;
  const { trash, at } = place(LIMITS, () => now);
  writeFileSync(at('old'), 'old');
  await trash.put(at('old'), 'patch');
  now += 8 * DAY;
  writeFileSync(at('new'), 'new');
  await trash.put(at('new'), 'patch');
  assert.deepEqual(
    trash.list().map(({ path }) => path),
    [at('new')],
  );
  assert.deepEqual(await trash.empty(), { things: 1, bytes: 3 });
});

test('across disks it is copied whole and then taken away', async (t) => {
  const { trash, top } = place();
  const disk = join(top, 'disk');
  mkdirSync(disk);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { encoding: 'utf8' });
  if (mounted.status !== 0) return t.skip(`no other disk can be mounted here: ${(mounted.stderr ?? '').trim() || 'mount is missing'}`);
  using _ = { [Symbol.dispose]: () => void spawnSync('umount', ['-l', disk]) };
  mkdirSync(join(disk, 'folder'));
  writeFileSync(join(disk, 'folder', 'a'), 'a');
  symlinkSync('a', join(disk, 'folder', 'link'));
  const { id } = await trash.put(join(disk, 'folder'), 'patch');
  assert.deepEqual(readdirSync(disk), []);
  await trash.restore(id);
  assert.deepEqual(readdirSync(join(disk, 'folder')).toSorted(), ['a', 'link']);
});

test('links and pipes planted in the trash lead nowhere: only what lies in it is listed, tidied up or read', async () => {
  const { trash, at, folder } = place();
  mkdirSync(at('owner/letters'), { recursive: true });
  writeFileSync(at('owner/letters/one'), 'dear\n');
  utimesSync(at('owner/letters'), 1_000_000_000, 1_000_000_000);
  writeFileSync(at('gone'), 'x');
  const { id } = await trash.put(at('gone'), 'patch');
  const today = join(folder, readdirSync(folder).find((name) => /^\d{8}$/.test(name)) ?? '');
  symlinkSync(at('owner'), join(folder, '20200101'));
  symlinkSync(at('owner'), join(today, 'elsewhere'));
  mkdirSync(join(today, 'pipe'));
  writeFileSync(join(today, 'pipe', 'content'), 'x');
  assert.equal(spawnSync('mkfifo', [join(today, 'pipe', 'meta.json')]).status, 0);
  assert.deepEqual(
    trash.list().map((row) => row.id),
    [id],
  );
  await trash.prune();
  await trash.empty();
  assert.equal(readFileSync(at('owner/letters/one'), 'utf8'), 'dear\n');
});
