import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer, type Reply } from '../../src/testing/wire-server/index.ts';
import { noBubblewrap, noSandbox } from '../parts/terminals/sandbox-stage.ts';
import { toServer } from './hermes.ts';
import { call, command, resultsIn, rowsOf, stage, type Stage } from './stage.ts';
import { lacks } from '../programs.ts';

const NEEDS_SANDBOX = { skip: noSandbox ?? false };
const SECRET = 'cAnArY-7f3b9d51e6';

/** A home with secrets of every kind, and a profile below it as most people have it. */
function place(more: object = {}): Stage & { readonly user: string } {
  const made = stage({ terminal: { backend: 'sandbox', ...more } });
  const user = join(made.home, '..', 'user');
  mkdirSync(join(user, '.ssh'), { recursive: true });
  writeFileSync(join(user, '.ssh', 'id_ed25519'), SECRET);
  writeFileSync(join(user, '.netrc'), SECRET);
  writeFileSync(join(user, 'notes.txt'), 'of the home\n');
  writeFileSync(join(made.home, '.env'), `NOBODYS_WORD=${SECRET}\n`);
  return { ...made, user, run: (args) => made.run(args, { env: { HOME: user } }) };
}
const DONE: Reply = { text: 'done' };

test('commands of a chat see the home but for its secrets, and reach nothing of this machine', NEEDS_SANDBOX, async () => {
  const outside = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
  await once(outside, 'listening');
  try {
    const address = outside.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { run, home, user, cwd, at, text } = place();
    writeFileSync(at('given.txt'), 'of the workspace\n');
    const show = (path: string) => `{ cat ${path} 2>&1 || echo CLOSED; }`;
    const lines = [
      [join(home, '.env'), join(home, 'config.yaml'), join(user, '.ssh', 'id_ed25519'), join(user, '.netrc')].map(show).join('; '),
      `ls -A ${home} 2>&1; cat ~/notes.txt; echo "home is $HOME"`,
      `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo REACHED || echo OFF`,
      'cat given.txt; echo written > made.txt; touch /usr/made 2>&1; echo private > /tmp/made; pwd',
      'env',
    ];
    await using server = await startWireServer({
      replies: [...lines.map((line) => command(line)), call('write_file', { path: 'w.txt', content: 'w\n' }), DONE],
    });
    const { code, err } = await run(['chat', '-q', 'go', '--yolo', ...toServer(server.url)]);
    assert.equal(code, 0, err);
    const [secrets = '', names = '', network = '', work = '', env = '', written = ''] = resultsIn(server.requests.at(-1));
    assert.equal(secrets.match(/CLOSED/g)?.length, 4, secrets);
    assert.doesNotMatch(server.requests.map((request) => request.text).join('\n'), new RegExp(SECRET));
    assert.doesNotMatch(names, /state\.db|config\.yaml/);
    assert.match(names, /of the home/);
    assert.match(names, new RegExp(`home is ${user}`));
    assert.match(network, /^OFF\n/);
    assert.match(work, /of the workspace[^]*(?:Read-only|Permission denied)[^]*/);
    assert.ok(work.split('\n').includes(cwd), work);
    assert.deepEqual([text('made.txt'), existsSync('/tmp/made'), text('w.txt')], ['written\n', false, 'w\n'], written);
    assert.doesNotMatch(env, /HERMES_(?!COMMAND_ID)|API_KEY/);
  } finally {
    outside.close();
  }
});

test('a file written outside of the workspace is told to be thrown away with the sandbox', NEEDS_SANDBOX, async () => {
  const { run, user, cwd } = place();
  const write = (path: string) => call('write_file', { path, content: 'r\n' });
  await using server = await startWireServer({ replies: [write('~/report.md'), write('/tmp/report.md'), write('report.md'), DONE] });
  const { code, err } = await run(['chat', '-q', 'go', ...toServer(server.url)]);
  assert.equal(code, 0, err);
  const [home = '', tmp = '', work = ''] = resultsIn(server.requests.at(-1));
  assert.match(home, /could not be written: (?:the file system is read-only|permission denied)/);
  assert.equal(existsSync(join(user, 'report.md')), false);
  // By the floor, /tmp is the owner's.
  const thrownAway = `Created /tmp/report.md: 2 bytes, 1 line.\nDeleted when the session ends: /tmp/report.md. Write files that the user should keep below ${cwd}.`;
  assert.equal(tmp, noBubblewrap === undefined ? thrownAway : '/tmp/report.md could not be written: permission denied.');
  assert.equal(work, 'Created report.md: 2 bytes, 1 line.');
});

test(
  'that there is no network is our own word: it stands last, never between marks around what the command said',
  { skip: noSandbox ?? lacks('curl') },
  async () => {
    const { run } = place();
    await using server = await startWireServer({ replies: [command('curl -sS https://site.example/; exit 6'), DONE] });
    await run(['chat', '-q', 'fetch', ...toServer(server.url)]);
    const [said = ''] = resultsIn(server.requests[1]);
    assert.match(said, /\n\[The sandbox stopped this: it could not connect to site\.example\.[^\n]*\]$/);
    assert.doesNotMatch(said, /<outside [^]*The sandbox[^]*<\/outside /);
  },
);

test('what rm takes away in the sandbox lies in the trash and comes back', NEEDS_SANDBOX, async () => {
  const { run, at, text, home } = place();
  mkdirSync(at('src'));
  writeFileSync(at('notes.txt'), 'my notes\n');
  writeFileSync(at('src/main.ts'), 'main\n');
  await using server = await startWireServer({ replies: [command('rm notes.txt && rm -rf src && ls -A'), DONE] });
  const { code, err } = await run(['chat', '-q', 'tidy', '--yolo', ...toServer(server.url)]);
  assert.equal(code, 0, err);
  assert.match(resultsIn(server.requests[1])[0] ?? '', /exit code 0, no output/);
  assert.deepEqual([existsSync(at('notes.txt')), existsSync(at('src'))], [false, false]);
  const rows = rowsOf<{ id: string; path: string }>(await run(['trash', 'list', '--json']));
  assert.deepEqual(rows.map(({ path }) => path).toSorted(), [at('notes.txt'), at('src')]);
  for (const { id } of rows) assert.equal((await run(['trash', 'restore', id])).code, 0);
  assert.deepEqual([text('notes.txt'), text('src/main.ts')], ['my notes\n', 'main\n']);
  assert.deepEqual(rowsOf(await run(['trash', 'list', '--json'])), [], home);
});

test(
  'what no wall brings back is asked about in the sandbox too, and its network can be opened',
  { skip: noSandbox ?? lacks('python3') },
  async () => {
    const outside = createServer((socket) => socket.end('hello\n')).listen(0, '127.0.0.1');
    await once(outside, 'listening');
    try {
      const address = outside.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const { run, at } = place({ sandbox_network: true });
      mkdirSync(at('build'));
      const hear = `python3 -c "import socket; print(socket.create_connection(('127.0.0.1', ${port})).recv(9))"`;
      await using server = await startWireServer({ replies: [command('git push --force origin main'), command(hear), DONE] });
      const { code, err } = await run(['chat', '-q', 'go', ...toServer(server.url)]);
      assert.equal(code, 0, err);
      const [asked = '', heard = ''] = resultsIn(server.requests.at(-1));
      assert.match(asked, /^Not run outside the sandbox: nobody is there to approve this/);
      assert.match(heard, /hello/);
    } finally {
      outside.close();
    }
  },
);
