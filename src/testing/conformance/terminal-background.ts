import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, run, type OpenTerminal, type TerminalFeatures } from './terminal-commands.ts';

/** What outlives a call, and what must not. */
export function backgroundTests(open: OpenTerminal, { noPty }: TerminalFeatures): void {
  test('something left in the background does not hold the call, even with the pipe in its hand', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const startedAt = performance.now();
    const { output, exitCode } = await run(terminal, 'sleep 5 & echo $!');
    assert.equal(exitCode, 0);
    assert.ok(performance.now() - startedAt < 2_000);
    await run(terminal, `kill ${output.trim()} 2>/dev/null`);
  });

  test('a started command goes on by itself and tells output, state and exit code', async () => {
    const { terminal, folder } = await open();
    await using _ = terminal;
    const running = await terminal.start('pwd; read word; echo "got $word"; exit 5', { maxOutput: 10_000 });
    await eventually('the first output is there', async () => running.output() === `${folder}\n`);
    assert.deepEqual(running.status(), { state: 'running' });
    running.write('hello\n');
    assert.equal(await running.exited, 5);
    assert.deepEqual(running.status(), { state: 'exited', exitCode: 5 });
    assert.equal(running.output(), `${folder}\ngot hello\n`);
  });

  test('looking at output does not harm a character that is half there', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const running = await terminal.start("printf 'a\\303'; read go; printf '\\244\\n'", { maxOutput: 10_000 });
    await eventually('the first byte is there', async () => running.output() === 'a');
    running.write('\n');
    await running.exited;
    assert.equal(running.output(), 'aä\n');
  });

  test('closing its input ends a reader, and a kill ends anything', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const reader = await terminal.start('cat; echo over', { maxOutput: 10_000 });
    reader.write('x\n');
    reader.end();
    assert.equal(await reader.exited, 0);
    assert.equal(reader.output(), 'x\nover\n');
    const stubborn = await terminal.start("trap '' TERM; while :; do sleep 1; done", { maxOutput: 10_000 });
    await stubborn.kill();
    assert.notEqual(await stubborn.exited, 0);
    assert.equal(stubborn.status().state, 'exited');
  });

  test('closing the terminal ends what it started', async () => {
    const { terminal } = await open();
    const running = await terminal.start('sleep 60', { maxOutput: 1_000 });
    await terminal[Symbol.asyncDispose]();
    await running.exited;
    assert.equal(running.status().state, 'exited');
  });

  test('a started command may have a pseudo-terminal', { skip: noPty ?? false }, async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const running = await terminal.start('test -t 0 && echo terminal; read word; echo "got $word"', { maxOutput: 10_000, pty: true });
    await eventually('it asks', async () => running.output().includes('terminal'));
    running.write('hello\n');
    assert.equal(await running.exited, 0);
    assert.match(running.output(), /got hello/);
  });
}
