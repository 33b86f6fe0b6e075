import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTree } from '../../../../src/parts/safety/checkpoints/tree.ts';
import { program } from '../../../program.ts';
import { bench, tempFolder } from './setup.ts';

const WORKER = program(join(import.meta.dirname, 'worker.ts'));

const work = (top: string, name: string, rounds: number): Promise<string> =>
  new Promise((done) => {
    const child = spawn(process.execPath, [WORKER, top, name, String(rounds)], { stdio: ['ignore', 'ignore', 'pipe'] });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.once('close', (code) => done(`${code} ${err}`.trim()));
  });

test('processes that keep, prune and keep again at once harm nothing of each other', async () => {
  const top = tempFolder();
  assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((name) => work(top, name, 15))), ['0', '0', '0']);
  const here = bench(top);
  const records = here.store.records();
  assert.ok(records.length > 0);
  for (const { tree, files } of records) {
    const states = [...files.map(({ before }) => before), ...(tree === undefined ? [] : readTree(here.store.blobs.read(tree)).values())];
    for (const state of states) if (state.is === 'file') assert.ok(here.store.blobs.read(state.hash));
  }
  const newest = readFileSync(here.at('a.txt'), 'utf8');
  const number = here.list().findIndex(({ head }) => head.turnId.startsWith('a')) + 1;
  assert.ok(number > 0);
  const fates = await here.back(number, { only: here.at('a.txt') });
  assert.deepEqual(
    fates.map(({ fate }) => fate),
    ['restored'],
  );
  assert.notEqual(readFileSync(here.at('a.txt'), 'utf8'), newest);
});
