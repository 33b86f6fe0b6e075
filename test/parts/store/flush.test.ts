import assert from 'node:assert/strict';
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, mock, test } from 'node:test';
import { openDb, type Db } from '../../../src/parts/store/sqlite/database/db.ts';

const [FULL, NORMAL] = [2, 1];
const level = (db: Db): number | undefined => db.get<{ synchronous: number }>('PRAGMA synchronous')?.synchronous;

async function open(durability: 'power' | 'process', mode: 'WAL' | 'DELETE' = 'WAL'): Promise<Db> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-flush-'));
  const path = join(folder, 'state.db');
  writeFileSync(path, '');
  const db = await openDb({ path, durability });
  db.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE words (word TEXT)`);
  after(() => (db.close(), rmSync(folder, { recursive: true, force: true })));
  return db;
}
const write = (db: Db, word: string, flush?: 'with_next'): Promise<number> =>
  db.write('write', () => db.run('INSERT INTO words VALUES (?)', word), flush);

type Flushed = (error: Error | null) => void;
/** What the disk was asked for and has not done yet. */
function holdDisk(): Flushed[] {
  const asked: Flushed[] = [];
  mock.method(fs, 'fdatasync', (_file: number, done: Flushed) => void asked.push(done));
  syncBuiltinESMExports();
  return asked;
}
afterEach(() => {
  mock.restoreAll();
  syncBuiltinESMExports();
});
const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

test('a commit is there once the disk has it; those that come meanwhile share the next flush', async () => {
  const db = await open('power');
  await write(db, 'zero');
  const disk = holdDisk();
  const told: string[] = [];
  const tell = (word: string): Promise<unknown> => write(db, word).then(() => told.push(word));
  const all = [tell('one')];
  await settle();
  all.push(tell('two'), tell('three'));
  await settle();
  assert.deepEqual([told, disk.length], [[], 1]);
  disk[0]?.(null);
  await settle();
  assert.deepEqual([told, disk.length], [['one'], 2]);
  disk[1]?.(null);
  await Promise.all(all);
  assert.deepEqual([told, disk.length], [['one', 'two', 'three'], 2]);
});

test('a commit that goes with the next asks the disk for nothing', async () => {
  const db = await open('power');
  const disk = holdDisk();
  await write(db, 'later', 'with_next');
  assert.equal(disk.length, 0);
});

test('a disk that fails is told as such, and asked again for the next', async () => {
  const db = await open('power');
  const disk = holdDisk();
  const failing = write(db, 'one');
  await settle();
  disk[0]?.(new Error('EIO: i/o error'));
  await assert.rejects(failing, { name: 'StoreError', code: 'io', message: /did not reach the disk \(EIO: i\/o error\)/ });
  const next = write(db, 'two');
  await settle();
  disk[1]?.(null);
  await next;
  assert.equal(disk.length, 2);
});

test('without a write-ahead log SQLite flushes every commit itself', async () => {
  const db = await open('power', 'DELETE');
  const disk = holdDisk();
  assert.equal(await db.write('write', () => level(db)), FULL);
  await write(db, 'word');
  assert.equal(disk.length, 0);
});

test('where commits survive the process alone, the disk is not waited for', async () => {
  const db = await open('process');
  const disk = holdDisk();
  assert.equal(await db.write('write', () => level(db)), NORMAL);
  await write(db, 'word');
  assert.equal(disk.length, 0);
});
