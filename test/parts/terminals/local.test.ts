import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { quoteShellWord } from '../../../src/base/shell.ts';
import { isBelowCommand } from '../../../src/parts/terminals/below-command.ts';
import { filterCommandEnvironment } from '../../../src/parts/terminals/process/environment.ts';
import { localTerminal } from '../../../src/parts/terminals/local/local.ts';
import { removeProcessFiles } from '../../../src/parts/terminals/local/logged.ts';
import { adopt } from '../../../src/parts/terminals/registry.ts';
import { expectCommands, run } from '../../../src/testing/conformance/terminal-commands.ts';
import { testTerminalConformance } from '../../../src/testing/conformance/terminal.ts';

async function open(env: Readonly<Record<string, string>> = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-terminal-')));
  after(() => [folder, `${folder}.logs`].forEach((path) => rmSync(path, { recursive: true, force: true })));
  return { terminal: await localTerminal.open({ cwd: folder, env, logs: `${folder}.logs` }), folder };
}

const noPty = await import('@lydell/node-pty').then(
  () => undefined,
  () => '@lydell/node-pty is not installed for this machine',
);

testTerminalConformance('the local terminal', () => open(), {
  ...(noPty !== undefined && { noPty }),
  adopt: async (trace, options) => {
    after(() => removeProcessFiles(trace));
    return adopt({ trace }, options);
  },
});

testTerminalConformance(
  'the local terminal with a shell that waits',
  async () => {
    const { terminal, folder } = await open();
    return { terminal: expectCommands(terminal), folder };
  },
  { ...(noPty !== undefined && { noPty }) },
);

const LINUX = { skip: process.platform === 'linux' ? false : 'only Linux has this limit' };

test('a shell that takes itself for a remote login reads no start-up file', async () => {
  const { folder } = await open();
  const { terminal } = await open({ PATH: process.env['PATH'] ?? '', HOME: folder });
  await using _ = terminal;
  await run(terminal, 'echo "echo from start-up" > "$HOME/.bashrc"');
  const running = await terminal.start('echo ran', { maxOutput: 1_000 });
  await running.exited;
  assert.equal(running.output(), 'ran\n');
  assert.equal((await run(terminal, 'echo ran', { stdin: '' })).output, 'ran\n');
});

test('secrets do not reach commands unless the owner names them', async () => {
  const env = {
    PATH: process.env['PATH'],
    OPENAI_API_KEY: 'sk-1',
    GITHUB_TOKEN: 'gh',
    DB_PASSWORD: 'pw',
    MY_SECRET: 's',
    SSH_AUTH_SOCK: '/run/agent',
    LANG: 'C',
    NAMED_KEY: 'ok',
    GONE: undefined,
  };
  const { terminal } = await open(filterCommandEnvironment(env, ['NAMED_KEY']));
  await using _ = terminal;
  const { output } = await run(terminal, 'env');
  for (const name of ['OPENAI_API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'MY_SECRET', 'GONE']) assert.ok(!output.includes(`${name}=`), name);
  for (const name of ['PATH', 'SSH_AUTH_SOCK', 'LANG', 'NAMED_KEY']) assert.ok(output.includes(`${name}=`), name);
});

test('output that does not fit is kept whole in the file that was named, and only then', async () => {
  const { terminal, folder } = await open();
  await using _ = terminal;
  const keepAll = join(folder, 'spill', 'whole.txt');
  assert.equal((await run(terminal, 'seq 1 10', { keepAll })).omitted, 0);
  assert.equal(existsSync(keepAll), false);
  const { output } = await run(terminal, 'seq 1 60000', { keepAll });
  assert.ok(output.includes(`characters left out here; the whole output is in ${keepAll}, read it with read_file or search_files …]`));
  assert.equal(readFileSync(keepAll, 'utf8'), Array.from({ length: 60_000 }, (_each, index) => `${index + 1}\n`).join(''));
  assert.equal(statSync(keepAll).mode & 0o777, 0o600);
  const running = await terminal.start('seq 1 60000', { maxOutput: 1_000, keepAll: `${keepAll}2` });
  await running.exited;
  assert.ok(running.output().includes(`${keepAll}2`));
  assert.equal(statSync(`${keepAll}2`).size, statSync(keepAll).size);
});

test('the file for the whole output stops at 64 MB and says so', async () => {
  const { terminal, folder } = await open();
  await using _ = terminal;
  const keepAll = join(folder, 'whole.txt');
  const { output } = await run(terminal, 'head -c 70000000 /dev/zero | tr "\\0" x', { keepAll });
  assert.match(output, /the first 64 MB of the output are in /);
  assert.equal(statSync(keepAll).size, 64 * 1024 * 1024);
});

test('a folder that a command removed under itself is told without noise, and the next command runs above it', async () => {
  const { terminal, folder } = await open();
  await using _ = terminal;
  const first = await run(terminal, 'mkdir -p a/b && cd a/b && rm -r ../../a');
  assert.deepEqual([first.output, first.exitCode], ['', 0]);
  await run(terminal, 'mkdir -p c/d && cd c/d');
  rmSync(join(folder, 'c'), { recursive: true });
  const next = await run(terminal, 'pwd');
  assert.deepEqual([next.output, next.movedTo, next.cwd], [`${folder}\n`, folder, folder]);
  assert.equal((await run(terminal, 'pwd')).movedTo, undefined);
});

test('a command that is longer than the system takes is told what to do', async () => {
  const { terminal } = await open();
  await using _ = terminal;
  const { ended, output } = await run(terminal, `echo ${'x'.repeat(200_000)}`);
  assert.equal(ended, 'failed_to_start');
  assert.match(output, /longer than this system takes \(\d+ KB\); write what it holds to a file first/);
  assert.equal((await run(terminal, 'echo on')).output, 'on\n');
});

test('whatever a command starts, in whichever way it runs, is known for it by a limit it cannot raise', LINUX, async () => {
  const { terminal } = await open();
  await using _ = terminal;
  const told = join((await run(terminal, 'pwd')).output.trim(), 'pid');
  const last = `echo $$ >${told}.tmp; mv ${told}.tmp ${told}; exec sleep 60 >/dev/null 2>&1 </dev/null`;
  const clean = `env -i setsid sh -c ${quoteShellWord(`sh -c ${quoteShellWord(last)} &`)}`;
  const ways = {
    run: () => run(terminal, clean),
    'run with input': () => run(terminal, clean, { stdin: '' }),
    start: async () => void (await (await terminal.start(clean, { maxOutput: 100 })).exited),
    'on a terminal': async () => noPty === undefined && void (await (await terminal.start(clean, { maxOutput: 100, pty: true })).exited),
  };
  for (const [way, start] of Object.entries(ways)) {
    rmSync(told, { force: true });
    await start();
    if (way === 'on a terminal' && noPty !== undefined) continue;
    while (!existsSync(told)) await new Promise((done) => setTimeout(done, 10));
    const pid = Number(readFileSync(told, 'utf8'));
    assert.equal(isBelowCommand({}, pid), true, way);
    process.kill(pid, 'SIGKILL');
  }
  assert.equal(isBelowCommand({}, process.pid), false);
});
