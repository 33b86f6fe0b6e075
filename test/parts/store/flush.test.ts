import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDb, type Db } from '../../../src/parts/store/sqlite/database/db.ts';

const [FULL, NORMAL] = [2, 1];
const level = (db: Db): number | undefined => db.get<{ synchronous: number }>('PRAGMA synchronous')?.synchronous;

async function open(durability: 'power' | 'process'): Promise<Db> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-flush-'));
  const path = join(folder, 'state.db');
  writeFileSync(path, '');
  const db = await openDb({ path, durability });
  after(() => (db.close(), rmSync(folder, { recursive: true, force: true })));
  return db;
}

test('a commit that the next one flushes leaves every other as durable as before, also when it fails', async () => {
  const db = await open('power');
  assert.equal(await db.write('write', () => level(db)), FULL);
  assert.equal(await db.write('write', () => level(db), 'with_next'), NORMAL);
  assert.equal(await db.write('write', () => level(db)), FULL);
  const failing = db.write('write', () => assert.fail('no'), 'with_next');
  await assert.rejects(failing, /no/);
  assert.equal(await db.write('write', () => level(db)), FULL);
});

test('where commits survive the process alone, they go on doing so', async () => {
  const db = await open('process');
  await db.write('write', () => undefined, 'with_next');
  assert.equal(await db.write('write', () => level(db)), NORMAL);
});
