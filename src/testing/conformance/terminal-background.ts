import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProcess } from '../../contracts/terminal.ts';
import { retryUntil, run, testsOf, type OpenTerminal, type TerminalFeatures } from './terminal-commands.ts';

/** What outlives a call, and what must not. */
export function testBackgroundCommands(open: OpenTerminal, features: TerminalFeatures): void {
  const test = testsOf(features);
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
    await retryUntil('the first output is there', async () => running.output() === `${folder}\n`);
    assert.deepEqual(running.status(), { state: 'running' });
    running.write('hello\n');
    assert.equal(await running.exited, 5);
    assert.deepEqual(running.status(), { state: 'exited', exitCode: 5 });
    assert.equal(running.output(), `${folder}\ngot hello\n`);
  });

  test('what a started command writes is heard as it comes, until nobody listens any more', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const running = await terminal.start("sleep 0.2; printf 'one \\303'; sleep 0.2; printf '\\244\\n'; sleep 0.4; echo two; exit 3", {
      maxOutput: 10_000,
    });
    const [whole, part]: [string[], string[]] = [[], []];
    running.onOutput((text) => whole.push(text));
    const stop = running.onOutput((text) => part.push(text));
    await retryUntil('the first line is heard', async () => part.join('') === 'one ä\n');
    stop();
    assert.equal(await running.exited, 3);
    assert.deepEqual([whole.join(''), part.join('')], ['one ä\ntwo\n', 'one ä\n']);
  });

  test('looking at output does not harm a character that is half there', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const running = await terminal.start("printf 'a\\303'; read go; printf '\\244\\n'", { maxOutput: 10_000 });
    await retryUntil('the first byte is there', async () => running.output() === 'a');
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
  closingTests(open, features);
}

/** What a closed terminal takes with it. */
function closingTests(open: OpenTerminal, features: TerminalFeatures): void {
  const { noPty, adopt } = features;
  const test = testsOf(features);
  test('closing the terminal ends what it started', async () => {
    const { terminal } = await open();
    const running = await terminal.start('sleep 60', { maxOutput: 1_000 });
    await terminal[Symbol.asyncDispose]();
    await running.exited;
    assert.equal(running.status().state, 'exited');
  });

  const outliving = testsOf(features, adopt === undefined ? 'nothing outlives this terminal' : undefined);
  outliving('what is to outlive its terminal goes on, and is found again by its trace', async () => {
    const { terminal, folder } = await open();
    const running = await terminal.start(`echo begun; while [ ! -e '${folder}/go' ]; do sleep 0.1; done; echo over; exit 6`, {
      maxOutput: 1_000,
      outlive: true,
    });
    const stubborn = await terminal.start("trap '' TERM; while :; do sleep 1; done", { maxOutput: 1_000, outlive: true });
    await terminal[Symbol.asyncDispose]();
    const takeUp = async ({ trace }: RunningProcess) =>
      trace === undefined ? undefined : adopt?.(structuredClone(trace), { maxOutput: 1_000 });
    const [found, other] = [await takeUp(running), await takeUp(stubborn)];
    assert.ok(found !== undefined && other !== undefined);
    await patiently('its first words are there', () => found.output() === 'begun\n');
    assert.deepEqual([found.status().state, other.status().state], ['running', 'running']);
    await other.kill();
    await patiently('a kill ends it', () => other.status().state === 'exited');
    const { terminal: later } = await open();
    await run(later, `: > '${folder}/go'`);
    await patiently('it ends', () => found.status().state === 'exited');
    assert.deepEqual([await found.exited, found.output()], [6, 'begun\nover\n']);
    await later[Symbol.asyncDispose]();
  });

  testsOf(features, noPty)('a started command may have a pseudo-terminal', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const running = await terminal.start('test -t 0 && echo terminal; read word; echo "got $word"', { maxOutput: 10_000, pty: true });
    await retryUntil('it asks', async () => running.output().includes('terminal'));
    running.write('hello\n');
    assert.equal(await running.exited, 0);
    assert.match(running.output(), /got hello/);
  });
}

/** A place far away is looked at once a second. */
async function patiently(what: string, isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 5 && !isSo(); tries++) await sleep(1_000);
  await retryUntil(what, async () => isSo());
}
