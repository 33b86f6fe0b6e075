import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filterCheckpoints } from '../../../../src/parts/safety/checkpoints/history.ts';
import type { KeptState } from '../../../../src/parts/safety/checkpoints/model.ts';
import { rollBack } from '../../../../src/parts/safety/checkpoints/rollback.ts';
import { readTree } from '../../../../src/parts/safety/checkpoints/tree.ts';
import { program } from '../../../program.ts';
import { bench, put, stateOf, tempFolder, type Bench } from './setup.ts';

const PROGRAM = program(join(import.meta.dirname, 'killed.ts'));

function prepared(): { readonly top: string; readonly state: Record<string, string> } {
  const top = tempFolder();
  const { work } = bench(top);
  put(work, { 'a.txt': 'first', 'b.txt': 'second', 'sub/c.txt': 'third '.repeat(2_000) });
  put(work, { 'run.sh': '#!/bin/sh' }, 0o755);
  symlinkSync('a.txt', join(work, 'link'));
  return { top, state: stateOf(work) };
}

function run(top: string, step: number): Promise<{ readonly out: string; readonly signal: NodeJS.Signals | null; readonly err: string }> {
  const child = spawn(process.execPath, [PROGRAM, top, String(step)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((done) => child.once('close', (_, signal) => done({ out, signal, err })));
}

/** Whatever a record names is there, with the bytes its name promises. */
function assertWhole({ store }: Bench): void {
  for (const { tree, files } of store.records()) {
    const states: KeptState[] = [
      ...files.map(({ before }) => before),
      ...(tree === undefined ? [] : readTree(store.blobs.read(tree)).values()),
    ];
    for (const state of states) if (state.is === 'file') assert.ok(store.blobs.read(state.hash));
  }
}

/** With everything that was kept undone, the folder is as it was before the first call. */
async function assertComesBack(here: Bench, state: Record<string, string>): Promise<void> {
  const groups = filterCheckpoints(here.store.records(), { folder: here.work });
  const since = groups.at(-1);
  if (since !== undefined) await rollBack({ groups, since, sessionId: 's1', all: true }, here.rollback);
  assert.deepEqual(stateOf(here.work), state);
}

test('a kill at any step loses no checkpoint that was promised, harms none, and leaves a store that works', async (t) => {
  const whole = prepared();
  const { out, err } = await run(whole.top, 0);
  const steps = Number(/steps (\d+)/.exec(out)?.[1]);
  assert.ok(steps >= 60, `the program is through all of its steps: ${out}${err}`);
  const stride = Math.max(1, Math.floor(steps / 60));
  let points = 0;
  for (let step = 1; step <= steps; step += stride) {
    const { top, state } = prepared();
    const ran = await run(top, step);
    // Writes side by side may come in another order: the last steps are not always reached.
    if (ran.signal === null) continue;
    points += 1;
    const here = bench(top);
    const where = `killed at step ${step} of ${steps}, after: ${ran.out}`;
    const ids = new Set(here.store.records().map(({ id }) => id));
    for (const [, id = ''] of ran.out.matchAll(/kept (\S+)/g)) assert.ok(ids.has(id), where);
    assertWhole(here);
    await assertComesBack(here, state);
    assert.equal(await here.tool(['a.txt'], () => put(here.work, { 'a.txt': 'after the kill' })), undefined, where);
    assert.equal(here.list()[0]?.head.what, 'a.txt', where);
    await here.store.prune();
    assertWhole(here);
    await here.back(1);
    assert.deepEqual(stateOf(here.work), state, where);
  }
  t.diagnostic(`${points} points of ${steps} steps`);
  assert.ok(points >= 30, `${points} kills`);
});
