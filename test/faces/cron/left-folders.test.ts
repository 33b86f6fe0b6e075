import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { clearLeftFolders } from '../../../src/faces/cron/left-folders.ts';
import { runDue } from '../../../src/faces/cron/ticker.ts';
import { never, openCronScene } from './scene.ts';

test('folders of jobs that nobody knows any more go, unless a job wrote into the one it worked in', async () => {
  await using scene = await openCronScene({ script: [{ text: 'Done.' }, { text: 'Done.' }] });
  const { root, jobs } = scene;
  const once = { schedule: { kind: 'once', at: 1 }, deliver: ['local'] } as const;
  const [over, removed] = [(await scene.add(once)).id, (await scene.add(once)).id];
  await runDue(scene.deps, never);
  await jobs.remove(removed);
  const going = (await scene.add({}, Date.now() + 3_600_000)).id;
  const [unknown, writer] = ['0123456789ab', 'ba9876543210'];
  for (const id of [going, unknown, writer]) mkdirSync(join(root, 'workspaces', `cron-${id}`), { recursive: true });
  for (const id of [unknown, 'own notes']) mkdirSync(join(root, 'cron', 'output', id), { recursive: true });
  writeFileSync(join(root, 'cron', 'output', unknown, 'result.md'), 'x');
  writeFileSync(join(root, 'workspaces', `cron-${writer}`, 'report.md'), 'x');
  assert.ok(existsSync(join(root, 'workspaces', `cron-${over}`)));
  await clearLeftFolders(scene.deps);
  assert.deepEqual(scene.log, []);
  assert.deepEqual(
    [readdirSync(join(root, 'workspaces')).toSorted(), readdirSync(join(root, 'cron', 'output')).toSorted()],
    // The ledger knows the one that was removed.
    [[`cron-${going}`, `cron-${writer}`].toSorted(), [over, removed, 'own notes'].toSorted()],
  );
});
