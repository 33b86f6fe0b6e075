import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Terminal } from '../../../src/contracts/terminal.ts';
import { sandboxTerminal } from '../../../src/parts/terminals/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../../src/parts/terminals/sandbox/survey.ts';
import { retryUntil, run } from '../../../src/testing/conformance/terminal-commands.ts';
import { noBubblewrap, noSandbox, openSandboxed } from './sandbox-stage.ts';

const SECRET = 'canary-5b1d';
const ORDINARY_USER = 65534;
/** This very file is run once more by somebody who is not root. */
const isSecondRun = process.env['HERMES_TEST_ORDINARY_USER'] === '1';

/** A home as people have it. */
const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-home-')));
const home = join(root, 'ann');
const project = join(home, 'work', 'shop');
const FILES: Readonly<Record<string, string>> = {
  '.ssh/id_ed25519': SECRET,
  '.aws/credentials': SECRET,
  '.bash_history': SECRET,
  '.some_tool_history': SECRET,
  'server.pem': SECRET,
  '.env': SECRET,
  '.config/gh/hosts.yml': SECRET,
  '.config/newtool/credentials.json': SECRET,
  '.config/my-tokens/all': SECRET,
  '.local/share/keyrings/login': SECRET,
  '.local/share/vendor-secrets.db': SECRET,
  '.hermes/.env': SECRET,
  '.hermes/state.db': SECRET,
  '.hermes/skills/hello/SKILL.md': 'a skill\n',
  '.mozilla/firefox/cookies.sqlite': SECRET,
  '.bashrc': 'echo hi\n',
  '.gitconfig': '[user]\n\tname = Ann\n\temail = ann@example.org\n',
  '.config/plain/settings.ini': 'plain\n',
  'notes/todo.txt': 'buy milk\n',
  'token-service/main.py': 'print(1)\n',
  '.npm/_cacache/index': 'downloaded by Ann\n',
  '.cargo/config.toml': '[net]\n',
  '.pyenv/bin/tool': '#!/bin/sh\necho from the home\n',
  'work/shop/README': 'a shop\n',
};

before(() => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  chmodSync(join(home, '.pyenv/bin/tool'), 0o755);
  mkdirSync(join(root, 'bob'));
  writeFileSync(join(root, 'bob', 'diary'), SECRET);
  process.env['HOME'] = home;
});
after(() => rmSync(root, { recursive: true, force: true }));

const open = (options: SandboxOptions = {}, cwd = project, env: Readonly<Record<string, string>> = {}): Promise<Terminal> =>
  sandboxTerminal({ wall: 'attended', profile: join(home, '.hermes'), ...options }).open({
    cwd,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ...env },
  });
const output = async (terminal: Terminal, command: string): Promise<string> => (await run(terminal, command)).output.trim();

describe('the attended sandbox', { skip: noBubblewrap ?? false }, () => {
  test('the home can be read but for its secrets, by name and by look, and by nobody be written', async () => {
    await using terminal = await open();
    assert.equal(await output(terminal, `grep -rsl ${SECRET} ~ /home ${root} | grep . || echo none`), 'none');
    assert.equal(
      await output(terminal, 'cat ~/notes/todo.txt ~/.config/plain/settings.ini ~/.hermes/skills/hello/SKILL.md ~/token-service/main.py'),
      'buy milk\nplain\na skill\nprint(1)',
    );
    assert.equal(await output(terminal, `ls ${root}`), 'ann');
    for (const place of ['~/new', '~/.bashrc', '~/notes/todo.txt', '~/.config/plain/x', '/usr/x', '~/.hermes/skills/x'])
      assert.match(await output(terminal, `echo x >> ${place}`), /Read-only file system/, place);
    assert.equal(await output(terminal, 'echo made > made; cat made; echo t > /tmp/t; cat /tmp/t'), 'made\nt');
    assert.equal(readFileSync(join(project, 'made'), 'utf8'), 'made\n');
    assert.deepEqual([terminal.wall?.profile, terminal.wall?.writable], ['attended', [project]]);
    const hidden = ['.ssh/id_ed25519', '.hermes/.env', '.config/gh/hosts.yml', 'server.pem', 'notes/todo.txt', '.npm/_cacache/index'];
    assert.deepEqual(
      hidden.map((name) => terminal.wall?.hides(join(home, name))),
      [true, true, true, true, false, false],
    );
  });

  test('everyday things work: identity, toolchains of the home, terminals, a server the next command asks', async (context) => {
    await using terminal = await open({}, project, { PYENV_ROOT: join(home, '.pyenv'), PATH: `${home}/.pyenv/bin:/usr/bin:/bin` });
    assert.equal(await output(terminal, 'git init -q . && git config user.email && tool'), 'ann@example.org\nfrom the home');
    assert.equal(await output(terminal, 'git add README && git commit -qm first && git log --format=%an'), 'Ann');
    assert.match(await output(terminal, 'script -qc tty /dev/null'), /^\/dev\/pts\/\d+$/);
    if (!existsSync('/usr/bin/python3')) return context.skip('there is no python3 in /usr/bin');
    assert.match(await output(terminal, `python3 -c 'import pty; pty.spawn(["tty"])'`), /^\/dev\/pts\/\d+$/);
    const server = await terminal.start('python3 -m http.server 8098 --bind 127.0.0.1', { maxOutput: 10_000 });
    const ask = 'exec 9<>/dev/tcp/127.0.0.1/8098 && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&9 && head -1 <&9';
    await retryUntil('the server answers a later command', async () => (await output(terminal, ask)).includes('200 OK'));
    assert.equal(server.status().state, 'running', 'it keeps its sandbox');
    await server.kill();
    return undefined;
  });

  test('caches are the agent’s own, laid over the owner’s and kept for the next session', async () => {
    const commands = 'cat ~/.npm/_cacache/index; echo changed > ~/.npm/_cacache/index; echo new > ~/.npm/new; mkdir -p ~/.cache/pip';
    {
      await using terminal = await open();
      assert.equal(await output(terminal, commands), 'downloaded by Ann');
      assert.equal(await output(terminal, 'cat ~/.npm/_cacache/index ~/.npm/new'), 'changed\nnew');
    }
    assert.deepEqual(
      [readFileSync(join(home, '.npm/_cacache/index'), 'utf8'), readdirSync(join(home, '.npm'))],
      ['downloaded by Ann\n', ['_cacache']],
    );
    assert.equal(existsSync(join(home, '.cache')), false, 'nothing was made in the home');
    await using next = await open({}, project, { PIP_CACHE_DIR: join(root, 'bob') });
    assert.equal(await output(next, 'cat ~/.npm/new'), 'new');
    assert.equal(await output(next, `echo mine > ${root}/bob/wheel; cat ${root}/bob/wheel`), 'mine', 'a variable of the owner is followed');
    assert.deepEqual(readdirSync(join(root, 'bob')), ['diary']);
  });

  test('what a command leaves in a cache is there for its own project and for no other', async () => {
    const [other, gone] = ['work/other', 'work/gone'].map((name) => join(home, name));
    for (const path of [other ?? '', gone ?? '']) mkdirSync(path, { recursive: true });
    const profile = join(root, 'profile-of-caches');
    const shared = join(profile, 'cache/tools/npm/files');
    mkdirSync(shared, { recursive: true });
    writeFileSync(join(shared, 'planted'), 'by an earlier version');
    const plant = 'mkdir -p ~/.cache/gradle; echo evil | tee ~/.cache/gradle/init.gradle ~/.npm/planted';
    for (const cwd of [gone ?? '', project]) {
      await using terminal = await open({ profile }, cwd);
      await output(terminal, plant);
    }
    {
      await using terminal = await open({ profile }, other);
      assert.equal(
        await output(terminal, 'ls ~/.cache ~/.npm/planted 2>/dev/null; cat ~/.npm/_cacache/index'),
        `${home}/.cache:\ndownloaded by Ann`,
      );
    }
    await using back = await open({ profile });
    assert.equal(await output(back, 'cat ~/.cache/gradle/init.gradle ~/.npm/planted'), 'evil\nevil');
    await retryUntil('what all projects shared is gone', async () => !existsSync(join(profile, 'cache/tools/npm')));
    assert.deepEqual(readdirSync(join(profile, 'cache/tools/projects')).length, 3);
  });

  test('two sessions at once do not spoil each other’s caches', async () => {
    await using one = await open();
    await using other = await open();
    assert.equal(await output(one, 'echo one > ~/.npm/one; cat ~/.npm/one'), 'one');
    assert.equal(await output(other, 'echo other > ~/.npm/other; cat ~/.npm/other ~/.npm/_cacache/index | head -1'), 'other');
    assert.equal(await output(one, 'cat ~/.npm/one; ls ~/.npm/other 2>/dev/null || echo apart'), 'one\napart');
  });

  test('a secret that appears later is not seen, and what else appears is seen once nothing runs', async () => {
    const told: string[] = [];
    await using terminal = await open({ notice: (words) => void told.push(words) });
    assert.equal(await output(terminal, 'cat ~/.netrc ~/later.txt 2>/dev/null; echo on'), 'on');
    const busy = await terminal.start('sleep 100', { maxOutput: 100 });
    await retryUntil('it runs', async () => (await output(terminal, 'ps -e -o args | grep -c "^sleep 100"')) === '1');
    writeFileSync(join(home, '.netrc'), SECRET);
    writeFileSync(join(home, 'later.txt'), 'later\n');
    assert.equal(await output(terminal, 'cat ~/.netrc ~/later.txt 2>/dev/null; echo on'), 'on');
    assert.equal(told.length, 1);
    await busy.kill();
    await retryUntil('nothing runs inside', async () => (await output(terminal, 'cat ~/later.txt 2>/dev/null')) === 'later');
    assert.equal(await output(terminal, 'cat ~/.netrc 2>/dev/null; echo on'), 'on');
    for (const name of ['.netrc', 'later.txt']) rmSync(join(home, name));
  });

  test('only what is new in the home is told while a command runs, once, with the command’s name; a socket elsewhere is none', async () => {
    const notices: string[] = [];
    await using terminal = await open({ notice: (words) => void notices.push(words) });
    const dev = await terminal.start('sleep 60', { maxOutput: 1_000 });
    await retryUntil('it runs', async () => (await output(terminal, 'ps -e -o args | grep -c "^sleep 60"')) === '1');
    const elsewhere = createServer().unref().listen(join(root, 'other.sock'));
    await new Promise((resolve) => elsewhere.once('listening', resolve));
    writeFileSync(join(home, 'passing.tmp'), '');
    rmSync(join(home, 'passing.tmp'));
    assert.deepEqual([(await run(terminal, 'true')).stale, notices], [undefined, []]);
    writeFileSync(join(home, 'fresh.txt'), '');
    for (const _ of [1, 2]) assert.deepEqual((await run(terminal, 'cat ~/fresh.txt')).stale, { until: 'sleep 60' });
    assert.deepEqual(notices, ['New files in your home are not visible in the sandbox until `sleep 60` ends.']);
    await dev.kill();
    elsewhere.close();
    await retryUntil('nothing runs inside', async () => (await run(terminal, 'cat ~/fresh.txt')).exitCode === 0);
    assert.equal((await run(terminal, 'true')).stale, undefined);
    rmSync(join(home, 'fresh.txt'));
  });

  test('sockets of the host are not there, wherever they lie', async (context) => {
    if (!existsSync('/usr/bin/python3')) return context.skip('there is no python3 in /usr/bin');
    const path = join(home, 'notes', 'engine.sock');
    const server = createServer((socket) => socket.end(SECRET)).listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    await using terminal = await open();
    const code = `import socket; s=socket.socket(socket.AF_UNIX); s.connect("${path}"); print(s.recv(99))`;
    assert.doesNotMatch(await output(terminal, `python3 -c '${code}'`), new RegExp(SECRET));
    server.close();
    return undefined;
  });

  test('it opens wherever it is started: in the home, the system and the agent’s own folder, read-only there', async () => {
    for (const cwd of [home, '/', '/usr', join(home, '.config'), join(home, '.hermes', 'skills')]) {
      await using terminal = await open({}, cwd);
      assert.deepEqual([terminal.cwd, terminal.wall?.writable], [cwd, []]);
      assert.match(await output(terminal, 'pwd; echo x > hermes-was-here'), /Read-only file system|Permission denied/, cwd);
    }
  });

  test('a folder that was granted can be written to, and a file that was granted read', async () => {
    await using terminal = await open();
    assert.match(await output(terminal, 'echo x > ~/notes/new; cat ~/server.pem'), /Read-only file system/);
    await terminal.wall?.grant({ type: 'write', path: join(home, 'notes') });
    await terminal.wall?.grant({ type: 'read', path: join(home, 'server.pem') });
    assert.equal(await output(terminal, 'echo x > ~/notes/new; cat ~/notes/new ~/server.pem'), `x\n${SECRET}`);
  });

  test('outside it runs where the shell inside stands, and nothing a command left inside goes with it', async () => {
    await using terminal = await open();
    await run(terminal, 'mkdir -p deep && cd deep && export COLOR="deep blue" && cat() { echo mine; }');
    const limits = { signal: new AbortController().signal, timeoutMs: 10_000, maxOutput: 1_000 };
    const result = await terminal.wall?.runOutside(`pwd; echo "\${COLOR-none}"; cat ${home}/server.pem`, limits);
    assert.equal(result?.output, `${project}/deep\nnone\n${SECRET}`);
    assert.equal(await output(terminal, 'pwd'), `${project}/deep`);
  });

  test('file tools keep to the wall until the owner agrees to a file', async () => {
    await using terminal = await open();
    const { files, wall } = terminal;
    const text = async (path: string) => Buffer.concat(await Array.fromAsync(files.read(path, new AbortController().signal))).toString();
    assert.equal(await text(join(home, 'notes/todo.txt')), 'buy milk\n');
    await run(terminal, 'echo private > /tmp/note; ln -s ~/.ssh/id_ed25519 key; ln -s /tmp/note note');
    assert.deepEqual([await text('/tmp/note'), await text(join(project, 'note'))], ['private\n', 'private\n']);
    for (const path of [join(home, '.ssh/id_ed25519'), join(project, 'key'), join(home, 'server.pem')])
      await assert.rejects(text(path), /lies outside the sandbox/, path);
    await assert.rejects(files.write(join(home, '.bashrc'), 'x'), /lies outside/);
    assert.deepEqual(
      [wall?.files.keepsFrom(join(home, '.bashrc'), 'write'), wall?.files.keepsFrom(join(home, '.bashrc'), 'read')],
      [true, false],
    );
    wall?.files.allow(join(home, 'server.pem'), 'read');
    wall?.files.allow(join(home, 'agreed'), 'write');
    assert.equal(await text(join(home, 'server.pem')), SECRET);
    await files.write(join(home, 'agreed'), 'yes\n');
    assert.equal(readFileSync(join(home, 'agreed'), 'utf8'), 'yes\n');
    rmSync(join(home, 'agreed'));
  });

  test('a file outside that the owner allowed is one file for tools and commands', async () => {
    await using terminal = await open();
    const { files, wall } = terminal;
    const path = join(home, 'agreed.txt');
    await run(terminal, 'true');
    assert.equal(wall?.files.isAllowed(path), false);
    wall?.files.allow(path, 'write');
    assert.equal(wall?.files.isAllowed(path), true);
    for (const text of ['new\n', 'newer\n']) {
      await files.write(path, text);
      assert.equal(readFileSync(path, 'utf8'), text);
      assert.equal(await wall?.files.show(path), true);
      assert.equal(await output(terminal, `cat ${path}`), text.trim());
    }
    await files.remove(path);
    assert.equal(existsSync(path), false);
    // The private /tmp is the same for both in any case.
    wall?.files.allow('/tmp/private.txt', 'write');
    assert.equal(wall?.files.isAllowed('/tmp/private.txt'), false);
    await files.write('/tmp/private.txt', 'mine\n');
    assert.equal(await output(terminal, 'cat /tmp/private.txt'), 'mine');
    assert.equal(existsSync('/tmp/private.txt'), false);
  });

  test('a link that is swapped between looking and opening leads nowhere', async () => {
    await using terminal = await open();
    mkdirSync(join(project, 'swap'), { recursive: true });
    writeFileSync(join(project, 'swap', 'id_ed25519'), 'mine');
    const reading = terminal.files.read(join(project, 'swap', 'id_ed25519'), new AbortController().signal);
    const first = reading[Symbol.asyncIterator]().next();
    rmSync(join(project, 'swap'), { recursive: true });
    symlinkSync(join(home, '.ssh'), join(project, 'swap'));
    const seen = await first.then(({ value }) => String(value), String);
    assert.ok(!seen.includes(SECRET), seen);
  });
});

test(
  'all of this for an ordinary user as well',
  { skip: noBubblewrap ?? (process.getuid?.() !== 0 ? 'this is one' : isSecondRun ? 'this is it' : false) },
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'hermes-ordinary-'));
    chownSync(place, ORDINARY_USER, ORDINARY_USER);
    const ids = [`--reuid=${ORDINARY_USER}`, `--regid=${ORDINARY_USER}`, '--clear-groups', '--inh-caps=-all'];
    const child = spawn('/usr/bin/setpriv', [...ids, process.execPath, '--test', fileURLToPath(import.meta.url)], {
      env: { PATH: '/usr/bin:/bin', HOME: place, TMPDIR: place, HERMES_TEST_ORDINARY_USER: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    rmSync(place, { recursive: true, force: true });
    assert.equal(code, 0, said);
    assert.match(execFileSync('/bin/echo', [said]).toString(), /pass 1\d/);
  },
);

test('a sandbox that cannot be opened leaves no folder, no claim and no trash behind', { skip: noSandbox ?? false }, async () => {
  const profile = mkdtempSync(join(tmpdir(), 'hermes-profile-'));
  after(() => rmSync(profile, { recursive: true, force: true }));
  const kept = () => readdirSync(realpathSync(tmpdir())).filter((name) => name.startsWith(`hermes-sandbox-${process.pid}-`));
  const start = kept();
  const claims = () =>
    readdirSync(join(profile, 'cache/tools/projects'), { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/claim-'));
  let closed = 0;
  const opening = openSandboxed({
    wall: 'attended',
    profile,
    trash: () => Promise.resolve({ folder: profile, close: () => (closed += 1) }),
    openNetwork: () => {
      assert.equal(claims().length, 1);
      assert.equal(kept().length, start.length + 1);
      return Promise.reject(new Error('no network today'));
    },
  });
  await assert.rejects(opening, /no network today/);
  assert.deepEqual(kept(), start);
  assert.deepEqual(claims(), []);
  assert.equal(closed, 1);
});
