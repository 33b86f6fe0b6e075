import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { readPath, readStringAt } from '../../src/base/json.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { metadataAt, METADATA, send, startOAuthServer } from '../parts/mcp/oauth-server.ts';
import { ODD_SERVER } from '../parts/mcp/odd-server.ts';
import { NEEDS_REFERENCE, NEEDS_SDK } from '../parts/mcp/setup.ts';
import { processesWith } from '../processes.ts';
import { retryUntil } from '../../src/testing/conformance/terminal-commands.ts';
import { noPty } from './on-terminal.ts';
import { hermes, MAIN, tempHome, toServer, type Ran } from './hermes.ts';

const FILESYSTEM = resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const rows = ({ out }: Ran): Record<string, unknown>[] => JSON.parse(out);
const jsonOf = ({ out }: Ran): unknown => JSON.parse(out);
const row = ({ out }: Ran): Record<string, unknown> => JSON.parse(out);

test('add, list, test and remove: one story', NEEDS_REFERENCE, async () => {
  const home = tempHome();
  const file = join(home, 'config.yaml');
  writeFileSync(file, '# mine\nagent:\n  max_turns: 7 # few\n');
  const notes = join(home, 'notes');
  mkdirSync(notes);
  const run = (...args: string[]) => hermes(['mcp', ...args], { home });
  assert.match((await run('list')).out, /^No MCP servers\./);

  const added = await run('add', 'notes', '--command', process.execPath, '--', FILESYSTEM, notes);
  assert.deepEqual([added.code, added.err], [0, '']);
  assert.match(added.out, /hermes mcp test notes/);
  const settings = `# mine\nagent:\n  max_turns: 7 # few\nmcp_servers:\n  notes:\n    command: ${process.execPath}\n    args:\n      - ${FILESYSTEM}\n      - ${notes}\n`;
  assert.equal(readFileSync(file, 'utf8'), settings);
  assert.deepEqual(
    rows(await run('list', '--json')).map(({ name, transport, state, tools }) => ({ name, transport, state, tools })),
    [{ name: 'notes', transport: 'stdio', state: 'new', tools: null }],
  );

  const tested = await run('test', 'notes');
  assert.equal(tested.code, 0, tested.err);
  assert.match(
    tested.out,
    /✓ notes is secure-filesystem-server .*\n {2}protocol 20\d\d-\d\d-\d\d, ready in .*mcp__notes__read_text_file +reads/s,
  );
  const facts = row(await run('test', 'notes', '--json'));
  assert.deepEqual(
    [facts['ok'], facts['name'], typeof facts['connect_ms'], typeof facts['latency_ms']],
    [true, 'notes', 'number', 'number'],
  );
  assert.equal(rows(await run('list', '--json'))[0]?.['state'], 'ready');

  assert.match((await run('add', 'notes', '--command', 'x')).err, /a server named notes already exists/);
  const removed = await run('remove', 'notes');
  assert.equal(removed.code, 0);
  assert.equal(readFileSync(file, 'utf8'), '# mine\nagent:\n  max_turns: 7 # few\n');
  assert.equal(existsSync(join(home, 'cache', 'mcp', 'notes.json')), false);
  assert.deepEqual(processesWith(notes), []);
});

test('secrets of a server go to .env, and are shown nowhere', async () => {
  const home = tempHome();
  const run = (...args: string[]) => hermes(['mcp', ...args], { home });
  await run(
    'add',
    'web',
    '--url',
    'https://mcp.example.org/mcp',
    '--header',
    'Authorization: Bearer tok-1234567890',
    '--header',
    'X-Team: blue',
  );
  const program = await run('add', 'git', '--command', 'gitmcp --fast', '--env', 'GIT_TOKEN=ghp-1234567890', '--env', 'MODE=ro');
  const config = readFileSync(join(home, 'config.yaml'), 'utf8');
  assert.equal(
    config,
    'mcp_servers:\n  web:\n    url: https://mcp.example.org/mcp\n    headers:\n      Authorization: Bearer ${MCP_WEB_AUTHORIZATION_SECRET}\n      X-Team: blue\n  git:\n    command: gitmcp\n    args:\n      - --fast\n    env:\n      GIT_TOKEN: ${MCP_GIT_GIT_TOKEN}\n      MODE: ro\n',
  );
  const env = join(home, '.env');
  assert.equal(readFileSync(env, 'utf8'), 'MCP_WEB_AUTHORIZATION_SECRET=tok-1234567890\nMCP_GIT_GIT_TOKEN=ghp-1234567890\n');
  assert.equal(statSync(env).mode & 0o777, 0o600);
  const listed = await run('list', '--json');
  for (const { out, err } of [program, listed]) assert.doesNotMatch(out + err, /1234567890/);
});

test('a server gets its declared secret, made real, and nothing else of ours', NEEDS_REFERENCE, async () => {
  const home = tempHome();
  const main = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  writeFileSync(join(home, '.env'), 'MY_TOKEN=tok-1234567890\nOTHER_API_KEY=sk-other-123456\n');
  const program = join(home, 'server.sh');
  writeFileSync(program, `env > ${join(home, 'seen')}\nexec ${process.execPath} ${main} stdio\n`);
  const entry = { command: '/bin/sh', args: [program], env: { TOKEN: '${MY_TOKEN}' } };
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ mcp_servers: { e: entry } }));
  assert.equal((await hermes(['mcp', 'test', 'e'], { home })).code, 0);
  const seen = readFileSync(join(home, 'seen'), 'utf8');
  assert.match(seen, /^TOKEN=tok-1234567890$/m);
  assert.doesNotMatch(seen, /OTHER|HERMES_HOME|sk-other/);
});

/** What goes wrong, what is said, and the exit code. */
const WRONG: readonly (readonly [args: readonly string[], code: number, words: RegExp])[] = [
  [['add', 'x'], 2, /either --command PROGRAM or --url ADDRESS/],
  [['add', 'x', '--command', 'a', '--url', 'https://b'], 2, /either --command PROGRAM or --url/],
  [['add', 'a.b', '--command', 'a'], 2, /is not a valid server name/],
  [['add', 'x', '--url', 'ftp://b'], 2, /not an http or https address/],
  [['add', 'x', '--command', 'a', '--env', 'nothing'], 2, /"nothing" is not NAME=VALUE/],
  [['add', 'x', '--url', 'https://b', '--env', 'A=b'], 2, /--env are for a program/],
  [['remove', 'od'], 2, /no MCP server od; did you mean odd\?/],
  [['test', 'nobody'], 2, /there is no MCP server nobody/],
  [['test', 'lost'], 1, /its command was not found/],
  [['test', 'odd'], 1, /it closed the connection before it was ready|lost|exit code/],
  [['frobnicate'], 2, /unknown command/],
];
test('what goes wrong is told with what to do, and changes nothing', NEEDS_SDK, async () => {
  const home = tempHome();
  const file = join(home, 'config.yaml');
  const settings = JSON.stringify({
    mcp_servers: { odd: { command: process.execPath, args: ['-e', 'process.exit(3)'] }, lost: { command: 'no-such-program-anywhere' } },
  });
  writeFileSync(file, settings);
  for (const [args, code, words] of WRONG) {
    // A folder of PATH that may not be entered would make a program that is not there look like one that may not be run.
    const ran = await hermes(['mcp', ...args], { home, env: { PATH: '/usr/bin:/bin' } });
    assert.match(ran.err, words, args.join(' '));
    assert.equal(ran.code, code, args.join(' '));
  }
  assert.equal(readFileSync(file, 'utf8'), settings);
});

test('a broken entry is told by list and keeps no other from working', NEEDS_SDK, async () => {
  const home = tempHome();
  writeFileSync(
    join(home, 'config.yaml'),
    JSON.stringify({
      mcp_servers: { bad: { comand: 'x' }, good: { command: process.execPath, args: [ODD_SERVER, 'plain'], enabled: false } },
    }),
  );
  const listed = await hermes(['mcp', 'list', '--json'], { home });
  assert.equal(listed.code, 1);
  assert.deepEqual(
    rows(listed).map(({ name, state }) => [name, state]),
    [
      ['good', 'disabled'],
      ['bad', 'broken'],
    ],
  );
  assert.equal(row(await hermes(['mcp', 'test', 'good', '--json'], { home }))['ok'], true);
});

test(
  'a chat uses the tool of a server; the second session has the same table and starts the server only for a call',
  NEEDS_SDK,
  async () => {
    await using model = await startWireServer({ answer: () => ({ text: 'told' }) });
    const home = tempHome();
    const mark = `walk-${process.pid}`;
    const entry = { command: process.execPath, args: [ODD_SERVER, 'plain', mark], tools: { include: ['echo', 'pid'] } };
    writeFileSync(join(home, 'config.yaml'), JSON.stringify({ mcp_servers: { odd: entry }, tools: { tool_search: { enabled: 'off' } } }));
    model.script({ calls: [{ name: 'mcp__odd__echo', arguments: { text: 'from outside' } }] });
    const first = await hermes(['chat', '-q', 'say it', ...toServer(model.url)], { home });
    assert.deepEqual([first.code, first.out], [0, 'told\n'], first.err);
    assert.match(JSON.stringify(readPath(model.requests[1]?.body, 'messages')), /from outside/);
    const session = jsonOf(await hermes(['sessions', 'list', '--json'], { home }));
    const shown = await hermes(['sessions', 'show', readStringAt(session, 0, 'id') ?? '', '--json'], { home });
    assert.match(shown.out, /"trust": "foreign",\s*"source": "mcp server odd"/);

    const before = model.requests.length;
    const seen: number[] = [];
    await using quiet = await startWireServer({ answer: () => (seen.push(processesWith(mark).length), { text: 'nothing to do' }) });
    assert.equal((await hermes(['chat', '-q', 'hi', ...toServer(quiet.url)], { home })).code, 0);
    assert.deepEqual([seen, model.requests.length], [[0], before]);
    assert.equal(JSON.stringify(readPath(quiet.requests[0]?.body, 'tools')), JSON.stringify(readPath(model.requests[0]?.body, 'tools')));
    assert.deepEqual(processesWith(mark), []);
  },
);

/** What the owner says of a server's tools, and what becomes of calls once foreign words are in view and nobody is there to ask. */
const OUTWARD: readonly (readonly [what: string, tools: Record<string, readonly string[]>, ran: readonly boolean[]])[] = [
  ['a tool that says nothing of itself is refused, one that reads is not', {}, [true, false]],
  ['a tool the owner answers for runs', { trusted: ['mark'] }, [true, true]],
  ['a tool that claims to read is refused when the owner says so', { trusted: ['mark'], sinks: ['echo'] }, [false, true]],
];
for (const [what, tools, [again, marked]] of OUTWARD)
  test(`after words from outside: ${what}`, NEEDS_SDK, async () => {
    await using model = await startWireServer({ answer: () => ({ text: 'told' }) });
    const home = tempHome();
    const entry = { command: process.execPath, args: [ODD_SERVER, 'plain'], tools: { include: ['echo', 'mark'], ...tools } };
    writeFileSync(join(home, 'config.yaml'), JSON.stringify({ mcp_servers: { odd: entry }, tools: { tool_search: { enabled: 'off' } } }));
    const [before, after] = [join(home, 'before'), join(home, 'after')];
    model.script(
      { calls: [{ name: 'mcp__odd__mark', arguments: { file: before } }] },
      { calls: [{ name: 'mcp__odd__echo', arguments: { text: 'heard again' } }] },
      { calls: [{ name: 'mcp__odd__mark', arguments: { file: after } }] },
    );
    const ran = await hermes(['chat', '-q', 'mark it', ...toServer(model.url)], { home });
    assert.deepEqual([ran.code, ran.out], [0, 'told\n'], ran.err);
    assert.deepEqual([existsSync(before), existsSync(after)], [true, marked]);
    const heard = JSON.stringify(readPath(model.requests.at(-1)?.body, 'messages'));
    assert.equal(/Not run: writing to the MCP server odd \(echo\)/.test(heard), !again, heard);
    assert.equal(
      /Not run: writing to the MCP server odd \(mark\) needs the owner's consent[^"]*in view \(mcp server odd\)/.test(heard),
      !marked,
      heard,
    );
  });

test('a server that sends a login to another address of this machine is told on, and nobody is asked there', NEEDS_SDK, async () => {
  await using other = await startOAuthServer();
  await using server = await startOAuthServer({
    twist: {
      [METADATA]: ({ response, origin }) => send(response, 200, { ...metadataAt(origin), token_endpoint: `${other.origin}/token` }),
    },
  });
  const home = tempHome();
  const tokens = { access_token: 'old-1234567890', refresh_token: 'fresh-1234567890', token_type: 'Bearer', issuer: `${server.origin}/` };
  mkdirSync(join(home, 'mcp-tokens'));
  const client = { client_id: 'client-0', redirect_uris: ['http://127.0.0.1/callback'], issuer: `${server.origin}/` };
  writeFileSync(join(home, 'mcp-tokens', 'lure.json'), JSON.stringify({ url: server.url, tokens, client }));
  const told = async (more: object) => {
    writeFileSync(join(home, 'config.yaml'), JSON.stringify({ mcp_servers: { lure: { url: server.url, auth: 'oauth' } }, ...more }));
    return (await hermes(['mcp', 'test', 'lure'], { home })).err;
  };
  assert.match(await told({}), new RegExp(`named ${other.origin}/token for its login, which was refused: 127.0.0.1 is this machine`));
  assert.deepEqual(other.asked, []);
  assert.doesNotMatch(await told({ security: { allow_private_urls: true } }), /was refused:/);
  assert.deepEqual(other.asked, ['/token'], 'the owner may open private addresses');
});

test(
  'the address of a login is shown as it is, also when it is repeated, and the browser is opened',
  { skip: noPty || NEEDS_SDK.skip },
  async (t) => {
    await using server = await startOAuthServer();
    const home = tempHome();
    const [bin, opened] = [join(home, 'bin'), join(home, 'opened')];
    mkdirSync(bin);
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" >'${opened}.part' && mv '${opened}.part' '${opened}'\n`, {
      mode: 0o755,
    });
    writeFileSync(join(home, 'config.yaml'), JSON.stringify({ mcp_servers: { locked: { url: server.url, auth: 'oauth' } } }));
    const env = { PATH: `${bin}:${process.env['PATH']}`, DISPLAY: ':0' };
    const { spawn } = await import('@lydell/node-pty');
    const visit = async (): Promise<{ readonly shown: string; readonly address: string }> => {
      const terminal = spawn(process.execPath, [MAIN, 'mcp', 'test', 'locked'], {
        cwd: home,
        env: { ...env, HOME: home, HERMES_HOME: home },
        cols: 400,
      });
      const ended = Promise.withResolvers<void>();
      let shown = '';
      terminal.onData((data) => (shown += data));
      terminal.onExit(() => ended.resolve());
      t.after(() => terminal.kill());
      await retryUntil('the browser is opened', async () => existsSync(opened));
      const address = readFileSync(opened, 'utf8');
      rmSync(opened);
      await (await fetch(address)).text();
      await ended.promise;
      return { shown, address };
    };
    for (const time of ['first', 'second']) {
      const { shown, address } = await visit();
      assert.match(new URL(address).searchParams.get('client_id') ?? '', /^[0-9a-f]{32}$/);
      assert.ok(shown.includes(address), `the ${time} time: ${shown}`);
      assert.match(stripVTControlCharacters(shown), /✓ locked is locked/);
      server.revoke(false);
    }
  },
);
