import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Terminal } from '../../contracts/terminal.ts';
import { testBackgroundCommands } from './terminal-background.ts';
import { testShellSnapshots } from './terminal-snapshot.ts';
import { retryUntil, run, testsOf, type OpenTerminal, type TerminalFeatures } from './terminal-commands.ts';

/** Every promise of `Terminal`, checked with real commands. A new back end proves itself by passing. */
export function testTerminalConformance(name: string, open: OpenTerminal, features: TerminalFeatures = {}): void {
  describe(`${name} keeps the promises of a terminal`, () => {
    commandTests(open, features);
    outputTests(open, features);
    endingTests(open, features);
    testBackgroundCommands(open, features);
    testShellSnapshots(open, features);
    ptyTests(open, features);
  });
}

function commandTests(open: OpenTerminal, features: TerminalFeatures): void {
  const test = testsOf(features);
  test('what a signal ended has the exit code a shell would tell', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const { exitCode, ended } = await run(terminal, 'kill -TERM $$');
    assert.deepEqual({ exitCode, ended }, { exitCode: 143, ended: 'exited' });
    const running = await terminal.start('kill -KILL $$', { maxOutput: 1_000 });
    assert.equal(await running.exited, 137);
  });

  test('a command gives its output and its exit code, and a failing one throws nothing', async () => {
    const { terminal, folder } = await open();
    await using _ = terminal;
    assert.deepEqual(await run(terminal, 'echo out; sleep 0.05; echo err >&2; exit 3'), {
      exitCode: 3,
      ended: 'exited',
      output: 'out\nerr\n',
      omitted: 0,
      cwd: folder,
    });
    assert.equal((await run(terminal, 'no-such-command-here')).exitCode, 127);
    assert.equal((await run(terminal, 'echo "unfinished')).ended, 'exited');
  });

  test('standard output and standard error are one stream, in the order they were written', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const command = 'for n in {1..60}; do echo out $n; echo err $n >&2; done; sh -c "echo below; echo beside >&2"';
    const lines = Array.from({ length: 60 }, (_each, index) => `out ${index + 1}\nerr ${index + 1}\n`).join('');
    assert.equal((await run(terminal, command)).output, `${lines}below\nbeside\n`);
    const running = await terminal.start(command, { maxOutput: 10_000 });
    await running.exited;
    assert.equal(running.output(), `${lines}below\nbeside\n`);
  });

  test('tracing shows the commands alone, nothing of what stands around them', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    assert.deepEqual(
      (await run(terminal, 'set -x; echo a')).output.split('\n').filter((line) => /__hermes|exit|eval/.test(line)),
      [],
    );
    assert.match((await run(terminal, 'echo b')).output, /^\++ echo b\nb\n$/, 'the option holds for the next command');
    assert.equal((await run(terminal, '{ set +x; } 2>/dev/null; true')).output.includes('__hermes'), false);
    assert.equal((await run(terminal, 'echo c')).output, 'c\n');
  });

  test('the working folder carries over, also from a failing command, but not from one placed elsewhere', async () => {
    const { terminal, folder } = await open();
    await using _ = terminal;
    await run(terminal, "mkdir -p 'a b/c' && cd 'a b'; false");
    assert.equal(terminal.cwd, `${folder}/a b`);
    assert.equal((await run(terminal, 'pwd')).output, `${folder}/a b\n`);
    await run(terminal, 'cd c && exit 1');
    assert.equal(terminal.cwd, `${folder}/a b/c`);
    assert.equal((await run(terminal, 'pwd; cd /', { cwd: folder })).output, `${folder}\n`);
    assert.equal(terminal.cwd, `${folder}/a b/c`);
  });

  test('input is handed over whole, and without any the command reads an end', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const long = 'line of input\n'.repeat(20_000);
    assert.equal((await run(terminal, 'wc -c', { stdin: long })).output.trim(), String(long.length));
    assert.equal((await run(terminal, 'true', { stdin: long })).exitCode, 0);
    assert.equal((await run(terminal, 'cat; echo done')).output, 'done\n');
  });

  test('a folder that is gone is told, not thrown', async () => {
    const { terminal, folder } = await open();
    await using _ = terminal;
    assert.equal((await run(terminal, 'true', { cwd: `${folder}/nowhere` })).ended, 'failed_to_start');
  });
}

function outputTests(open: OpenTerminal, features: TerminalFeatures): void {
  const test = testsOf(features);
  test('output is bounded, head and tail are kept, and what is missing is counted', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const { output, omitted, exitCode } = await run(terminal, 'echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last', {
      maxOutput: 10_000,
    });
    assert.equal(exitCode, 0);
    assert.match(output, /^first\nx+\n\[… \d+ characters left out …\]\nx+\nlast\n$/);
    assert.ok(output.length < 10_100);
    assert.equal(omitted, 3_000_012 - 10_000);
  });

  test('bytes that are not UTF-8 become replacement characters, and characters cut by a write stay whole', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    assert.equal((await run(terminal, "printf 'caf\\xe9 \\303'; sleep 0.1; printf '\\244\\n'")).output, 'caf\u{fffd} ä\n');
  });

  test('output is reported while the command runs', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const heard: string[] = [];
    // The second word is said once the first was heard, however busy the machine is; after some seconds in any case.
    const onOutput = (chunk: string): void => {
      if (heard.push(chunk) === 1) void terminal.files.write(`${terminal.cwd}/heard`, '');
    };
    await run(terminal, 'echo one; for n in $(seq 200); do [ -e heard ] && break; sleep 0.05; done; rm -f heard; echo two', { onOutput });
    assert.equal(heard.join(''), 'one\ntwo\n');
    assert.ok(heard.length >= 2);
  });
}

/** Names nobody else gives a process, so that survivors can be found. */
const uniqueSeconds = (): string => `${3000 + Math.floor(Math.random() * 1_000_000)}.25`;
/** The command lines of all processes, also where procps is not installed. */
const EVERY_PROCESS = `ps -eo args || for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <"$file"; echo; done`;
const survivors = async (terminal: Terminal, mark: string): Promise<string> =>
  (await run(terminal, `(${EVERY_PROCESS}) 2>/dev/null | grep '[s]leep ${mark}' || true`)).output;

function endingTests(open: OpenTerminal, features: TerminalFeatures): void {
  const test = testsOf(features);
  const { begunWithinMs: timeoutMs = 300 } = features;
  test('a time-out ends the whole group, grandchildren included', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const mark = uniqueSeconds();
    const startedAt = performance.now();
    const { ended, exitCode, output } = await run(terminal, `echo begun; trap '' TERM; (sleep ${mark} & sleep ${mark}) & sleep ${mark}`, {
      timeoutMs,
    });
    assert.deepEqual([ended, exitCode, output], ['timeout', null, 'begun\n']);
    assert.ok(performance.now() - startedAt < timeoutMs + 1_700);
    await retryUntil('nothing of the command is left', async () => (await survivors(terminal, mark)) === '');
  });

  test('a time-out also ends what left the group, and the result knows that all of it is gone', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const [mark, other] = [uniqueSeconds(), uniqueSeconds()];
    const beside = await terminal.start(`sleep ${other}; true`, { maxOutput: 1_000 });
    await retryUntil('the other one has begun', async () => (await survivors(terminal, other)) !== '');
    // With a parent that is there, with one that has gone, and in a group of its own made by the shell.
    const command = `setsid sleep ${mark} & (setsid sleep ${mark} &); set -m; (trap '' TERM; sleep ${mark}; sleep ${mark}) & trap '' TERM; sleep ${mark}; wait`;
    const { ended, allGone } = await run(terminal, command, { timeoutMs: Math.max(timeoutMs, 500) });
    assert.deepEqual([ended, allGone], ['timeout', true]);
    assert.equal(await survivors(terminal, mark), '');
    assert.notEqual(await survivors(terminal, other), '', 'what another call started in the background goes on');
    await beside.kill();
    assert.equal((await run(terminal, 'true')).allGone, undefined);
  });

  test('an abort is through within 250 ms, and one that came before ends the command at once', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const mark = uniqueSeconds();
    let fastest = Number.POSITIVE_INFINITY;
    // The best of three counts: the bound is the terminal's, the load of the machine is not.
    for (let round = 0; round < 3 && fastest > 250; round++) fastest = Math.min(fastest, await abortTook(terminal, mark));
    assert.ok(fastest <= 250, `${fastest.toFixed(0)} ms`);
    assert.equal((await run(terminal, `sleep ${mark}`, { signal: AbortSignal.abort() })).ended, 'aborted');
    await retryUntil('nothing of the command is left', async () => (await survivors(terminal, mark)) === '');
  });
}

/** Milliseconds from the abort of a command to its result. */
async function abortTook(terminal: Terminal, mark: string): Promise<number> {
  const stop = new AbortController();
  const running = run(terminal, `sleep ${mark} & sleep ${mark}`, { signal: stop.signal });
  await sleep(100);
  const abortedAt = performance.now();
  stop.abort();
  const { ended, exitCode } = await running;
  const ms = performance.now() - abortedAt;
  assert.deepEqual([ended, exitCode], ['aborted', null]);
  return ms;
}

function ptyTests(open: OpenTerminal, features: TerminalFeatures): void {
  const test = testsOf(features, features.noPty);
  test('with a pseudo-terminal the command sees one', async () => {
    const { terminal, folder } = await open();
    await using _ = terminal;
    const { output, exitCode, ended } = await run(terminal, 'test -t 0 && test -t 1 && echo terminal; pwd; exit 4', { pty: true });
    assert.deepEqual([output.replaceAll('\r', ''), exitCode, ended], [`terminal\n${folder}\n`, 4, 'exited']);
  });

  test('a pseudo-terminal ends with its time', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const { ended, exitCode } = await run(terminal, `sleep ${uniqueSeconds()}`, { pty: true, timeoutMs: 200 });
    assert.deepEqual([ended, exitCode], ['timeout', null]);
  });
}
