import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localTerminal } from '../../../src/parts/terminals/local/local.ts';

const never = new AbortController().signal;
const BOUNDS = { timeoutMs: 5_000, maxOutput: 2_000 } as const;

/** A stop may come while the shell writes down what the next command shall find: it once found no PATH then. */
test('commands stopped at every moment of their end leave the next one its variables', async () => {
  await Promise.all(Array.from({ length: 4 }, (_, lane) => stopOften(lane)));
});

async function stopOften(lane: number): Promise<void> {
  const terminal = await localTerminal.open({ cwd: '/', env: { PATH: '/usr/bin:/bin' } });
  await using _ = terminal;
  await terminal.run('export KEPT=1', { ...BOUNDS, signal: never });
  for (let round = 0; round < 60; round++) {
    const stop = new AbortController();
    const onOutput = () => void setTimeout(() => stop.abort(), ((round * 4 + lane) % 30) / 2);
    await terminal.run(`env -i PATH="$PATH" sh -c 'seq 1 2000'`, { ...BOUNDS, signal: stop.signal, cwd: '/', onOutput });
    const { output } = await terminal.run('echo "$PATH|$KEPT"', { ...BOUNDS, signal: never });
    assert.equal(output, '/usr/bin:/bin|1\n', `round ${round} of ${lane}`);
  }
}
