import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from '../../../../src/base/sha256.ts';
import { openBlobs } from '../../../../src/parts/safety/checkpoints/blobs.ts';
import type { CheckpointBefore } from '../../../../src/parts/safety/checkpoints/model.ts';
import { openCheckpoints } from '../../../../src/parts/safety/checkpoints/store.ts';
import { bench, dice, LIMITS, put, stateOf, tempFolder } from './setup.ts';

const DAY = 86_400_000;

test('bytes go in once, are packed where that pays, and come out as they were; nobody else can read them', async () => {
  const folder = tempFolder();
  const blobs = openBlobs(folder);
  const roll = dice(1);
  const noise = Buffer.from(Array.from({ length: 5_000 }, () => roll(256)));
  const samples = [Buffer.alloc(0), Buffer.from('short'), Buffer.from('again and again '.repeat(5_000)), noise];
  for (const bytes of samples) {
    const hash = sha256(bytes);
    const size = await blobs.put(hash, bytes);
    assert.ok(size > 0 && size <= bytes.length + 1);
    assert.equal(await blobs.put(hash, bytes), 0);
    assert.deepEqual(blobs.read(hash), bytes);
    const path = join(folder, hash.slice(0, 2), hash.slice(2));
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }
  assert.ok((blobs.sizes().get(sha256(samples[2] ?? '')) ?? Infinity) < 2_000);
});

const keeping = (id: string, at: number, more: Partial<CheckpointBefore> = {}): CheckpointBefore => ({
  id,
  at,
  sessionId: 's',
  turnId: id,
  tool: 'write_file',
  what: 'a',
  root: '/r',
  files: [],
  ...more,
});

test('a record whose contents may have been taken out meanwhile is refused', async () => {
  const folder = tempFolder();
  const store = openCheckpoints(folder, LIMITS);
  const before = store.generation();
  await store.blobs.put(sha256('x'), Buffer.from('x'));
  assert.deepEqual(await store.prune(), { checkpoints: 0, blobs: 1, bytes: 2 });
  assert.equal(await store.commit([keeping('c_1', Date.now())], before, 0), false);
  assert.deepEqual(store.records(), []);
  assert.equal(await store.commit([keeping('c_1', Date.now())], store.generation(), 0), true);
  assert.equal(store.records().length, 1);
});

test('records that are cut off or foreign are left out, the others stay', async () => {
  const folder = tempFolder();
  const store = openCheckpoints(folder, LIMITS);
  await store.commit([keeping('c_1', Date.now())], store.generation(), 0);
  await store.finish('c_1', { at: Date.now(), files: [] });
  writeFileSync(join(folder, 'records', 'c_2.json'), '{"id":"c_2","at":');
  writeFileSync(join(folder, 'records', 'c_3.json'), JSON.stringify(keeping('c_other', 1)));
  writeFileSync(join(folder, 'records', 'c_1.after.json'), '{"at":1,"fi');
  assert.deepEqual(
    store.records().map(({ id, left }) => [id, left]),
    [['c_1', undefined]],
  );
});

test('retention: by age, by turns of a folder and by size, oldest first; parts go with their head', async () => {
  const top = tempFolder();
  let now = 1_800_000_000_000;
  const here = bench(top, { now: () => now, limits: { maxTurns: 3, maxBytes: 1_000_000, keepMs: 7 * DAY } });
  for (let turn = 0; turn < 5; turn++, now += DAY) {
    await here.command('make', () => put(here.work, { 'a.txt': `a${turn}` }), `t${turn}`);
    await here.command('make', () => put(here.work, { 'b.txt': `b${turn}` }), `t${turn}`);
  }
  const turns = () => here.list().map(({ head }) => head.turnId);
  assert.deepEqual(turns(), ['t4', 't3', 't2'], 'what has had its time is not shown');
  assert.ok((await here.store.prune()).checkpoints > 0 || here.store.status().checkpoints === 3);
  assert.equal(here.store.status().checkpoints, 3);
  now += 5 * DAY;
  assert.deepEqual(turns(), ['t4', 't3']);
  await here.store.prune();
  await here.back(2);
  assert.deepEqual([stateOf(here.work)['a.txt']], [`file 644 ${sha256('a2')}`]);
  now += 30 * DAY;
  await here.store.prune();
  assert.deepEqual(here.store.status(), { checkpoints: 0, bytes: 0, prunedAt: now });
});

test('too much in all: the oldest go until the rest fits, and the newest stays whatever it takes', async () => {
  const here = bench(tempFolder(), { limits: { ...LIMITS, maxBytes: 20_000 } });
  const roll = dice(7);
  const noise = () => Array.from({ length: 6_000 }, () => String.fromCharCode(33 + roll(90))).join('');
  for (let turn = 0; turn < 6; turn++) await here.tool(['a.txt'], () => put(here.work, { 'a.txt': noise() }), `t${turn}`);
  await here.store.prune();
  assert.ok(here.store.status().bytes <= 20_000);
  const left = here.list().map(({ head }) => head.turnId);
  assert.deepEqual(left, ['t5', 't4', 't3', 't2'].slice(0, left.length));
  assert.ok(left.length >= 2);
  const tight = openCheckpoints(join(here.home, 'checkpoints'), { ...LIMITS, maxBytes: 1 });
  await tight.prune();
  assert.deepEqual(
    tight.records().map(({ turnId }) => turnId),
    ['t5'],
  );
  await here.back(1);
});

test('whatever is pruned by chance, nothing a record names is ever missing', async () => {
  const roll = dice(99);
  const top = tempFolder();
  for (let round = 0; round < 12; round++) {
    const limits = { maxTurns: 1 + roll(5), maxBytes: 500 + roll(5_000), keepMs: DAY };
    const here = bench(top, { limits });
    for (let step = 0; step < 4; step++) {
      const name = `f${roll(4)}.txt`;
      const text = `${roll(1_000)} `.repeat(1 + roll(300));
      if (roll(2) === 0) await here.tool([name], () => put(here.work, { [name]: text }), `r${round}s${step}`);
      else await here.command('rm x', () => put(here.work, { [name]: text }), `r${round}s${step}`);
    }
    await here.store.prune();
    for (const { files, left } of here.store.records())
      for (const { before } of [...files, ...(left?.files ?? [])]) if (before.is === 'file') assert.ok(here.store.blobs.read(before.hash));
    const [newest] = here.list();
    if (newest !== undefined)
      assert.deepEqual(
        (await here.back(1)).filter(({ fate }) => fate === 'failed'),
        [],
      );
  }
});

test('clear takes everything out and leaves a store that works', async () => {
  const here = bench(tempFolder());
  await here.tool(['a.txt'], () => put(here.work, { 'a.txt': '1' }));
  await here.tool(['a.txt'], () => put(here.work, { 'a.txt': '2' }));
  assert.equal((await here.store.clear()).checkpoints, 2);
  assert.deepEqual(readdirSync(join(here.home, 'checkpoints', 'records')), []);
  await here.tool(['a.txt'], () => put(here.work, { 'a.txt': '3' }));
  await here.back(1);
  assert.equal(stateOf(here.work)['a.txt'], `file 644 ${sha256('2')}`);
});
