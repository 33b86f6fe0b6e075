import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Terminal } from '../../../src/contracts/terminal.ts';
import { listProcesses } from '../../../src/parts/terminals/process/lineage.ts';
import { describeFloor, listLost } from '../../../src/app/services/checkup.ts';
import type { SandboxOptions } from '../../../src/parts/terminals/sandbox/survey.ts';
import { retryUntil, run } from '../../../src/testing/conformance/terminal-commands.ts';
import { floor, openSandboxed } from './sandbox-stage.ts';

const skip = 'why' in floor ? floor.why : false;
const outside = realpathSync(mkdtempSync(join(homedir(), '.hermes-outside-')));
after(() => rmSync(outside, { recursive: true, force: true }));
const open = (options: SandboxOptions = {}) => {
  if ('why' in floor) throw new Error(floor.why);
  return openSandboxed({ wall: 'attended', tools: floor, ...options });
};
const said = async (terminal: Terminal, command: string): Promise<string> => (await run(terminal, command)).output.trim();

describe('the floor', { skip }, () => {
  test('mode, owner and times of files are changed where files may be, and nowhere else', async () => {
    const { terminal, folder } = await open();
    await using _ = terminal;
    const theirs = join(outside, 'theirs');
    writeFileSync(theirs, 'x', { mode: 0o644 });
    const before = statSync(theirs);
    assert.equal(
      await said(
        terminal,
        `touch mine && chmod 750 mine && touch -d 2001-02-03T04:05:06Z mine && chown "$(id -u)" mine && stat -c '%a %Y' mine && cd / && chmod 700 ${folder}/mine && cd ${folder} && mkdir d && (cd d && chmod 711 ../mine) && stat -c %a mine && chmod 640 - <mine 2>&1 | wc -l`,
      ),
      '750 981173106\n711\n1',
    );
    symlinkSync(theirs, join(folder, 'way'));
    for (const command of [
      `chmod 777 ${theirs}`,
      `touch -d 2001-01-01 ${theirs}`,
      'chmod 777 way',
      'touch -d 2001-01-01 way',
      `chmod 4755 mine`,
    ])
      assert.match(await said(terminal, `${command} 2>&1 || echo refused`), /refused$/, command);
    const now = statSync(theirs);
    assert.deepEqual([now.mode, now.mtimeMs], [before.mode, before.mtimeMs]);
    assert.equal(statSync(join(folder, 'mine')).mode & 0o4000, 0);
  });

  test('a later command ends what an earlier one started, and no process of anybody else', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const neighbor = spawn('sleep', ['300'], { stdio: 'ignore', detached: true });
    after(() => void neighbor.kill());
    const [, pid] = /(\d+)/.exec(await said(terminal, 'sleep 300 >/dev/null 2>&1 & echo $!')) ?? [];
    assert.equal(await said(terminal, `kill -0 ${pid} && kill ${pid} && sleep 0.2; kill -0 ${pid} 2>/dev/null || echo gone`), 'gone');
    for (const target of [String(neighbor.pid), `-- -${neighbor.pid}`])
      assert.match(await said(terminal, `kill -9 ${target} 2>&1 || echo refused`), /refused/, target);
    // To everybody: that is the command itself.
    await run(terminal, 'kill -9 -1');
    assert.deepEqual([neighbor.signalCode, neighbor.exitCode], [null, null]);
  });

  test('commands talk to what the session listens on, and to nothing else of this machine', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    const server = createServer((socket) => socket.end('theirs')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    after(() => void server.close());
    const at = server.address();
    const port = typeof at === 'object' && at !== null ? at.port : 0;
    const dial = (to: number | string): string => `exec 9<>/dev/tcp/127.0.0.1/${to} && cat <&9`;
    assert.match(await said(terminal, dial(port)), /Connection refused/);
    assert.match(await said(terminal, 'exec 9<>/dev/tcp/192.0.2.1/80'), /Network is unreachable/);
    const node = process.execPath;
    const code = `require('net').createServer((s)=>s.end('ours '+s.localAddress)).listen(0, function(){ require('fs').writeFileSync('port', String(this.address().port)) })`;
    const started = await terminal.start(`${node} -e "${code}"`, { maxOutput: 1_000 });
    await retryUntil('a later command reaches the server', async () => (await said(terminal, dial('$(cat port)'))).includes('ours'));
    // Whoever binds every address gets the loopback alone.
    assert.match(await said(terminal, dial('$(cat port)')), /127\.0\.0\.1/);
    await started.kill();
  });

  test('what a command leaves behind ends with the session, wherever it went', async () => {
    const { terminal, folder } = await open();
    await run(terminal, `(setsid env -i sh -c 'echo $$ > ${folder}/left; exec sleep 300' </dev/null >/dev/null 2>&1 &); sleep 0.3`);
    const pid = Number(readFileSync(join(folder, 'left'), 'utf8'));
    assert.ok(listProcesses().some((each) => each.pid === pid));
    await terminal[Symbol.asyncDispose]();
    assert.ok(!listProcesses().some((each) => each.pid === pid));
  });

  test('and when Hermes itself is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-killed-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const child = spawn(process.execPath, [join(import.meta.dirname, 'floor-owner.ts'), folder], { stdio: 'ignore' });
    await retryUntil('the command runs', async () => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8') !== '');
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    child.kill('SIGKILL');
    await retryUntil('nothing of it is left', async () => !listProcesses().some((each) => each.pid === pid));
  });

  test('files written while a command runs in the background are there for the next one', async () => {
    const { terminal } = await open({ readPaths: [outside] });
    await using _ = terminal;
    const background = await terminal.start('sleep 300', { maxOutput: 100 });
    writeFileSync(join(outside, 'later'), 'new');
    chmodSync(join(outside, 'later'), 0o600);
    assert.equal(await said(terminal, `cat ${outside}/later`), 'new');
    await background.kill();
  });
});

describe('by the level of Landlock', { skip }, () => {
  if ('why' in floor) return;
  const tools = floor;
  for (let level = 1; level <= tools.level; level++)
    test(`${level}: what is lost is what doctor says, and nothing else`, async () => {
      const { terminal } = await open({ tools: { ...tools, level }, readPaths: ['/dev/ptmx'] });
      await using _ = terminal;
      const move = `${process.execPath} -e "require('fs').renameSync('a/f', 'b/f')" 2>&1`;
      const moved = await said(
        terminal,
        `mkdir a b; echo kept > a/f; ${move} | grep -o 'EXDEV' | head -1; mv a/f b/f 2>/dev/null; cat b/f`,
      );
      assert.match(moved, /^(?:EXDEV\n)?kept$/);
      const request = await said(terminal, 'stty -F /dev/ptmx size 2>&1');
      assert.match(request, /^0 0$|Permission denied/);
      const lost = [...(moved === 'kept' ? [] : [/moved between folders/]), ...(request === '0 0' ? [/requests to devices/] : [])];
      const words = listLost(level);
      assert.equal(words.length, lost.length, words.join('; '));
      for (const [at, each] of lost.entries()) assert.match(words[at] ?? '', each);
    });
});

test('doctor says what an older kernel leaves open', () => {
  const words = (level: number): string =>
    describeFloor({ tier: 'floor', launcher: '', machine: 'x64', level, instead: 'bubblewrap is not installed' });
  assert.match(words(6), /^made of Landlock \(level 6\) and seccomp, because bubblewrap is not installed; /);
  for (const level of [1, 2, 3, 4, 5, 6]) assert.ok(words(level).endsWith(['TMPDIR', ...listLost(level)].join('; ')), words(level));
});
