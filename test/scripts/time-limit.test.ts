import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { isAlive } from '../../src/base/process-identity.ts';
import { tempHome } from '../walks/hermes.ts';

const moduleOf = (path: string): string => JSON.stringify(pathToFileURL(resolve(path)).href);

/** It holds the output of the file beyond the end of its process, as a daemon does. */
const HANGS = `import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
test('a short one', () => {});
test('one that never ends', async () => {
  spawnSync('sh', ['-c', 'sleep 1000 & echo $! >daemon'], { stdio: 'inherit' });
  await new Promise(() => setInterval(() => {}, 1_000));
});`;

const RUNNER = `import { run } from 'node:test';
import { newTally } from ${moduleOf('scripts/suite/tally.ts')};
import { limitFiles } from ${moduleOf('scripts/suite/time-limit.ts')};
const tally = newTally();
const files = ['test/hangs.test.ts', 'test/after.test.ts'];
for await (const _ of tally.count(limitFiles(run({ files, concurrency: 1 }), (killed) => tally.addKilled(killed), () => 3)));
console.log(tally.closing());
console.log(tally.isGreen());`;

test('a file that does not end is killed with the daemon it left, named and counted, and the next one runs', async () => {
  const cwd = tempHome();
  mkdirSync(join(cwd, 'test'));
  writeFileSync(join(cwd, 'test/hangs.test.ts'), HANGS);
  const after = `import { test } from 'node:test';\ntest('goes on', () => {});\ntest('needs a pear', { skip: 'no pear here' }, () => {});`;
  writeFileSync(join(cwd, 'test/after.test.ts'), after);
  writeFileSync(join(cwd, 'run.ts'), RUNNER);
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const { stdout } = await promisify(execFile)(process.execPath, ['run.ts'], { cwd, env });
  assert.match(stdout, /\nskipped:\n {6}1 {4}no pear here\n/);
  assert.match(stdout, /\nkilled, because they did not end:\n {2}test\/hangs\.test\.ts, in: one that never ends\n/);
  assert.match(stdout, /\n2 passed, 1 failed, 1 skipped\nfalse\n$/);
  assert.equal(isAlive({ pid: Number(readFileSync(join(cwd, 'daemon'), 'utf8')), started: '' }), false);
});
