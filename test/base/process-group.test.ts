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
