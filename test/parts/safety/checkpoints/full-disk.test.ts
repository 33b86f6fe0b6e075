import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { bench, dice, put, stateOf, tempFolder } from './setup.ts';

/** A disk of one megabyte, until the end of the test; `mounted` is false without the right to mount one. */
function smallDisk(t: TestContext, folder: string) {
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { encoding: 'utf8' });
  if (status !== 0) t.skip(`no small disk can be mounted here: ${(stderr ?? '').trim() || 'mount is missing'}`);
  return { mounted: status === 0, [Symbol.dispose]: () => void spawnSync('umount', ['-l', folder]) };
}
const noise = (bytes: number, seed: number): string => {
  const roll = dice(seed);
  return Array.from({ length: bytes }, () => String.fromCharCode(33 + roll(90))).join('');
};

test('a full disk costs the checkpoint and a notice; what was kept before stays whole', async (t) => {
  const top = tempFolder();
  mkdirSync(join(top, 'home'));
  const disk = join(top, 'disk');
  using small = smallDisk(t, disk);
  if (!small.mounted) return;
  symlinkSync(disk, join(top, 'home', 'checkpoints'));
  const here = bench(top);
  put(here.work, { 'small.txt': 'small' });
  const before = stateOf(here.work);
  await here.tool(['small.txt'], () => put(here.work, { 'small.txt': 'changed' }), 't1');
  put(here.work, { 'big.txt': noise(900_000, 1), 'bigger.txt': noise(990_000, 2) });
  const notice = await here.command('rm big.txt', () => rmSync(here.at('big.txt')), 't2');
  assert.match(notice ?? '', /could not be kept.*ENOSPC/s);
  assert.deepEqual(
    here.list().map(({ head }) => head.turnId),
    ['t1'],
  );
  rmSync(here.at('bigger.txt'));
  await here.store.prune();
  await here.back(1);
  assert.deepEqual(stateOf(here.work), before);
  assert.deepEqual(
    readdirSync(disk, { recursive: true }).filter((name) => String(name).endsWith('.tmp')),
    [],
  );
});

test('a folder to be restored to that is full fails those files alone, and nothing is half written', async (t) => {
  const top = tempFolder();
  using small = smallDisk(t, join(top, 'work'));
  if (!small.mounted) return;
  const here = bench(top);
  put(here.work, { 'a.txt': noise(300_000, 3), 'b.txt': 'b' });
  const before = stateOf(here.work);
  await here.command('rm a.txt', () => rmSync(here.at('a.txt')), 't1');
  await here.tool(['b.txt'], () => put(here.work, { 'b.txt': 'changed' }), 't2');
  put(here.work, { 'filler.bin': noise(850_000, 4) });
  const fates = await here.back(2);
  assert.deepEqual(
    fates.map(({ path, fate }) => [path, fate]),
    [
      [here.at('a.txt'), 'failed'],
      [here.at('b.txt'), 'restored'],
    ],
  );
  rmSync(here.at('filler.bin'));
  assert.deepEqual(stateOf(here.work), { 'b.txt': before['b.txt'] });
  await here.back(3);
  assert.deepEqual(stateOf(here.work), before);
});
