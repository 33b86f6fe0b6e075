import assert from 'node:assert/strict';
import { selectServerEnvironment } from '../../../src/parts/mcp/connect.ts';
import { withoutShapes } from '../../../src/parts/safety/secrets/shapes.ts';
import { test } from 'node:test';
import { collectEntrySecrets } from '../../../src/parts/mcp/entry-secrets.ts';
import { isChosen } from '../../../src/parts/mcp/select.ts';
import { readServers } from '../../../src/parts/mcp/servers.ts';

const DEFAULTS = {
  enabled: true,
  timeoutMs: 120_000,
  connectTimeoutMs: 60_000,
  parallel: false,
  include: [],
  exclude: [],
  trusted: [],
  sinks: [],
  trustHints: false,
};

test('entries of both kinds, with the names the reference has', () => {
  const { servers, problems, warnings } = readServers({
    files: { command: 'npx', args: ['-y', 'pkg', 8080], env: { PORT: 1, DEBUG: true } },
    web: {
      url: 'https://example.org/mcp',
      headers: { Authorization: 'Bearer x' },
      auth: 'oauth',
      oauth: { client_id: 'me', redirect_port: 8765 },
      timeout: 5,
      connect_timeout: 0.5,
      enabled: false,
      supports_parallel_tool_calls: true,
      trust_hints: true,
      tools: { include: ['read_*'], exclude: 'write', trusted: ['read_*'], sinks: 'read_mail' },
      sampling: { enabled: true },
    },
  });
  assert.deepEqual({ problems, warnings }, { problems: [], warnings: [] });
  assert.deepEqual(servers, [
    { ...DEFAULTS, name: 'files', kind: 'stdio', command: 'npx', args: ['-y', 'pkg', '8080'], env: { PORT: '1', DEBUG: 'true' } },
    {
      name: 'web',
      kind: 'http',
      url: 'https://example.org/mcp',
      headers: { Authorization: 'Bearer x' },
      oauth: { clientId: 'me', redirectPort: 8765 },
      timeoutMs: 5_000,
      connectTimeoutMs: 500,
      enabled: false,
      parallel: true,
      include: ['read_*'],
      exclude: ['write'],
      trusted: ['read_*'],
      sinks: ['read_mail'],
      trustHints: true,
    },
  ]);
});

/** An address as it is written, and what is asked with which header. */
const NAMED: readonly (readonly [entry: object, url: string, sent: string | undefined])[] = [
  [{ url: 'https://me:s3cr3t%40pass@h.test/mcp?a=1' }, 'https://h.test/mcp?a=1', 'me:s3cr3t@pass'],
  [{ url: 'https://tok@h.test/mcp' }, 'https://h.test/mcp', 'tok:'],
  [{ url: 'https://me:50%@h.test/mcp' }, 'https://h.test/mcp', 'me:50%'],
  [{ url: 'https://h.test/@x' }, 'https://h.test/@x', undefined],
];
test('a name and password in an address are sent as a header, and stand in no address', () => {
  for (const [entry, url, sent] of NAMED) {
    const [server] = readServers({ web: entry }).servers;
    assert.ok(server?.kind === 'http');
    const Authorization = `Basic ${Buffer.from(sent ?? '').toString('base64')}`;
    assert.deepEqual([server.url, server.headers], [url, sent === undefined ? {} : { Authorization }]);
    const known = collectEntrySecrets(server, withoutShapes).map(([, value]) => value);
    assert.deepEqual(known.slice(1), sent === undefined ? [] : [sent.replace(/^me:|:$/, '')], 'both forms of it are kept from the model');
  }
  const headers = { authorization: 'Bearer mine' };
  const [server] = readServers({ web: { url: 'https://me:pw@h.test/', headers } }).servers;
  assert.deepEqual(server?.kind === 'http' && server.headers, headers, "the owner's own header wins");
});

/** A broken entry, and words its owner can work with. */
const BROKEN: readonly (readonly [entry: unknown, words: RegExp])[] = [
  ['npx', /must be a table/],
  [{}, /needs a command .* or a url/],
  [{ command: 'a', url: 'https://b' }, /both a command and a url/],
  [{ command: ' ' }, /needs text for command/],
  [{ url: 'file:///etc/passwd' }, /not an http or https address: file/],
  [{ url: 'not an address' }, /not an http or https address/],
  [{ url: 'https://me:pw@a', auth: 'oauth' }, /password in its url and auth: oauth; remove one/],
  [{ url: 'https://a', auth: 'basic' }, /has auth "basic"; use oauth/],
  [{ command: 'a', timeout: 'long' }, /timeout that is not a number of seconds: "long"/],
  [{ command: 'a', timeout: 0 }, /not a number of seconds: 0/],
  [{ command: 'a', args: [{}] }, /args that are not a list of words/],
  [{ command: 'a', env: ['X'] }, /env that is not a table/],
  [{ command: 'a', env: { X: [] } }, /env\.X that is not text/],
  [{ command: 'a', enabled: 'yes' }, /enabled that is neither true nor false/],
  [{ command: 'a', tools: ['x'] }, /not a table of include/],
];
test('a broken entry costs itself and is told', () => {
  for (const [entry, words] of BROKEN) {
    const { servers, problems } = readServers({ bad: entry, good: { command: 'x' } });
    assert.deepEqual([servers.map(({ name }) => name), problems.map(({ name }) => name)], [['good'], ['bad']]);
    assert.match(problems[0]?.words ?? '', words);
  }
  assert.match(readServers({ a: { command: 'x', comand: 'y' } }).warnings[0]?.words ?? '', /no setting comand; did you mean command\?/);
  for (const table of [undefined, null, [], 'x', 7]) assert.deepEqual(readServers(table).servers, []);
});

test('which tools the owner lets in', () => {
  const rows: readonly (readonly [tool: string, include: readonly string[], exclude: readonly string[], chosen: boolean])[] = [
    ['read', [], [], true],
    ['read', ['read'], ['read'], true],
    ['write', ['read*'], [], false],
    ['read_file', ['read*'], [], true],
    ['delete_all', [], ['delete_*', 'x'], false],
    ['undelete', [], ['delete*'], true],
    ['a1', [], ['a?'], false],
    ['aab', [], ['*a*b'], false],
    ['a'.repeat(5_000), [], [`${'a*'.repeat(50)}b`], true],
  ];
  for (const [tool, include, exclude, chosen] of rows) assert.equal(isChosen(tool, { include, exclude }), chosen, tool.slice(0, 20));
});

test('a server knows a few names of our environment and what its entry declares', () => {
  const env = {
    PATH: '/bin',
    HOME: '/h',
    LC_ALL: 'C',
    XDG_RUNTIME_DIR: '/run',
    OPENAI_API_KEY: 'sk',
    AWS_PROFILE: 'x',
    NODE_OPTIONS: '-r x',
    TERM: undefined,
  };
  assert.deepEqual(selectServerEnvironment(env, { TOKEN: 't', HOME: '/other' }), {
    PATH: '/bin',
    HOME: '/other',
    LC_ALL: 'C',
    XDG_RUNTIME_DIR: '/run',
    TOKEN: 't',
  });
});
