import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInGroup } from '../../src/base/process-group.ts';

const run = async (line: readonly string[], hold: (group: number) => Promise<boolean>): Promise<readonly unknown[]> => {
  let said = '';
  const env = { PATH: process.env['PATH'] ?? '' };
  const { code, why } = await runInGroup(line, {
    cwd: '/',
    env,
    input: 'its input',
    timeoutMs: 600_000,
    hold,
    onOutput: (text) => (said += text),
  });
  return [said, code === 0, why];
};

test('a program that is held begins as the process that was named, when whoever holds it says so', async () => {
  let group = 0;
  const ran = await run(['sh', '-c', 'echo $$; cat; echo " $1"', 'sh', 'an  argument'], async (pid) => {
    group = pid;
    return true;
  });
  assert.deepEqual(ran, [`${group}\nits input an  argument\n`, true, undefined]);
  assert.deepEqual(await run(['echo', 'begun'], async () => false), ['', false, undefined]);
});

test('a program that is held and is not there could not be started, and one that ends with 127 was', async () => {
  const [, , why] = await run(['no-such-program'], async () => true);
  assert.deepEqual(why, new Error('no-such-program is not installed, or not in a folder of PATH'));
  assert.deepEqual(await run(['sh', '-c', 'exit 127'], async () => true), ['', false, undefined]);
  assert.deepEqual(await run([process.execPath, '-e', 'console.log(1)'], async () => true), ['1\n', true, undefined]);
});
