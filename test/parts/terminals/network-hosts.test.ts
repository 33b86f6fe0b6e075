import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { createServer, type AddressInfo } from 'node:net';
import { formatHostKey } from '../../../src/contracts/wall.ts';
import { readHelloName } from '../../../src/parts/terminals/network/client-hello.ts';
import { findHostStanding, toHostEntry, type HostRules } from '../../../src/parts/terminals/network/host-list.ts';
import { findKnownHost } from '../../../src/parts/terminals/network/known-hosts.ts';
import { parseListeners, toPorts } from '../../../src/parts/terminals/loopback/listening.ts';
import { readOwnerHosts } from '../../../src/parts/terminals/network/owner-hosts.ts';
import { createProxyVariables } from '../../../src/parts/terminals/network/variables.ts';

const RULES: HostRules = {
  registries: ['registry.npmjs.org', '*.archive.ubuntu.com'],
  ownRegistries: ['npm.corp.example', 'pip.corp.example:8443'],
  remotes: ['code.example', 'git.example:3000'],
  allowed: ['api.example', '*.wild.example', 'db.example:5432', '10.0.0.7'],
  denied: ['bad.wild.example', 'worse.example:8080'],
};
/** `+` the owner named it, `~` allowed, `-` denied, `?` unknown. */
const STANDINGS: readonly (readonly [host: string, port: number, method: string | undefined, standing: string])[] = [
  ['registry.npmjs.org', 443, 'CONNECT', '~'],
  ['registry.npmjs.org', 80, 'GET', '~'],
  ['registry.npmjs.org', 80, 'PUT', '?'],
  ['registry.npmjs.org', 80, 'delete', '?'],
  ['registry.npmjs.org', 8080, 'CONNECT', '?'],
  ['evil.registry.npmjs.org', 443, 'CONNECT', '?'],
  ['de.archive.ubuntu.com', 80, 'GET', '~'],
  ['npm.corp.example', 443, 'CONNECT', '+'],
  ['npm.corp.example', 80, 'POST', '?'],
  ['pip.corp.example', 8443, 'CONNECT', '+'],
  ['pip.corp.example', 443, 'CONNECT', '?'],
  ['code.example', 443, 'CONNECT', '+'],
  ['code.example', 80, 'POST', '+'],
  ['git.example', 3000, undefined, '+'],
  ['git.example', 443, undefined, '?'],
  ['api.example', 443, 'CONNECT', '+'],
  ['api.example', 22, 'CONNECT', '?'],
  ['x.api.example', 443, 'CONNECT', '?'],
  ['a.b.wild.example', 443, 'CONNECT', '~'],
  ['wild.example', 443, 'CONNECT', '?'],
  ['notwild.example', 443, 'CONNECT', '?'],
  ['bad.wild.example', 443, 'CONNECT', '-'],
  ['very.bad.wild.example', 8080, 'CONNECT', '-'],
  ['worse.example', 8080, 'CONNECT', '-'],
  ['worse.example', 443, 'CONNECT', '?'],
  ['db.example', 5432, 'CONNECT', '+'],
  ['10.0.0.7', 443, 'CONNECT', '+'],
];

test('how a host stands', () => {
  const told = STANDINGS.map(([host, port, method]) => {
    const standing = findHostStanding(RULES, { host, port, ...(method !== undefined && { method }) });
    return standing.type === 'allowed' ? (standing.named ? '+' : '~') : standing.type === 'denied' ? '-' : '?';
  });
  assert.deepEqual(
    STANDINGS.map(([host, port, method], index) => `${method ?? ''} ${host}:${port} ${told[index]}`),
    STANDINGS.map(([host, port, method, wanted]) => `${method ?? ''} ${host}:${port} ${wanted}`),
  );
});

test('hosts are read as people write them', () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Example.ORG', 'example.org'],
    ['https://example.org:8443/path?x', 'example.org:8443'],
    ['https://example.org:443/', 'example.org:443'],
    ['*.example.org', '*.example.org'],
    ['example.org.', 'example.org'],
    ['[::1]:80', '[::1]:80'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*', undefined],
    ['a.*.example', undefined],
    ['', undefined],
  ];
  assert.deepEqual(
    rows.map(([text]) => toHostEntry(text)),
    rows.map(([, entry]) => entry),
  );
  assert.deepEqual(
    [formatHostKey({ host: 'a', port: 443 }), formatHostKey({ host: 'a', port: 22 }), formatHostKey({ host: '::1', port: 22 })],
    ['a', 'a:22', '[::1]:22'],
  );
  assert.equal(findKnownHost(new URL('https://pypi.org/project/x'), { allowed: [], denied: [] }), 'allowed');
  assert.equal(findKnownHost(new URL('https://a.example'), { allowed: ['a.example'], denied: ['example'] }), 'denied');
  assert.equal(findKnownHost(new URL('https://a.example'), { allowed: [], denied: [] }), undefined);
});

test('what the owner configured counts, what the project brings along does not', () => {
  const root = mkdtempSync(join(tmpdir(), 'hermes-owner-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  put(
    'home/.npmrc',
    'registry=https://npm.corp.example/api/\n@team:registry=https://team.example/\n//npm.corp.example/:_authToken=secret\n',
  );
  put('home/.config/pip/pip.conf', '[global]\nindex-url = https://me:pass@pip.corp.example:8443/simple\n');
  put('home/.cargo/config.toml', '[registries.corp]\nindex = "sparse+https://cargo.corp.example/index/"\n');
  put('home/.gitconfig', '[core]\n\tsshCommand = ssh -i ~/.ssh/work\n');
  put('work/.npmrc', 'registry=https://evil.example/\n');
  put('work/.git/config', '[remote "origin"]\n\turl = https://code.example/a/b.git\n');
  put('work/.git/modules/sub/config', '[remote "origin"]\n\turl = https://sub.example/c.git\n');
  put('work/nested/deeper/file', '');
  put('tree/.git', 'gitdir: ../work/.git/worktrees/tree\n');
  put('work/.git/worktrees/tree/commondir', '../..\n');
  const env = { GOPROXY: 'https://go.corp.example,direct', PIP_INDEX_URL: 'https://other.example/simple' };
  const options = { home: join(root, 'home'), env };
  const found = readOwnerHosts({ workspace: join(root, 'work', 'nested', 'deeper'), ...options });
  assert.deepEqual(found, {
    objects: join(root, 'work/.git/objects'),
    excludes: [join(root, 'home/.config/git/ignore')],
    registries: ['npm.corp.example', 'team.example', 'pip.corp.example:8443', 'cargo.corp.example', 'other.example', 'go.corp.example'],
    remotes: [
      { type: 'web', host: 'code.example', port: 443 },
      { type: 'web', host: 'sub.example', port: 443 },
    ],
    unproven: [],
    hasGoProxy: true,
    sshCommand: 'ssh -i ~/.ssh/work',
  });
  assert.deepEqual(
    readOwnerHosts({ workspace: join(root, 'tree'), ...options }).remotes,
    found.remotes,
    'a worktree has the remotes of its repository',
  );
});

test('what listens is read from the tables of the kernel', () => {
  const tcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1
   1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2
   2: 0200000A:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 3
   3: 0100007F:0BB8 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 4`;
  const tcp6 = `   0: 00000000000000000000000001000000:1435 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 5
   1: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 6`;
  assert.deepEqual(toPorts(parseListeners(tcp, tcp6)), [
    { port: 3000, host: '127.0.0.1' },
    { port: 8080, host: '127.0.0.1' },
    { port: 5173, host: '::1' },
  ]);
});

test('the name in a hello is found, whole or in pieces, and nothing is read into other bytes', async () => {
  const hello = await clientHello('Good.Example');
  assert.deepEqual(readHelloName(hello), { type: 'tls', name: 'good.example' });
  for (const length of [0, 1, 4, 9, 60, hello.length - 1])
    assert.deepEqual(readHelloName(hello.subarray(0, length)), { type: 'partial' }, String(length));
  const body = hello.subarray(5);
  const split = Buffer.concat([record(body.subarray(0, 40)), record(body.subarray(40))]);
  assert.deepEqual(readHelloName(split), { type: 'tls', name: 'good.example' });
  assert.deepEqual(readHelloName(await clientHello(undefined)), { type: 'tls', name: undefined });
  for (const other of [Buffer.from('GET / HTTP/1.1'), Buffer.from([0x16, 9, 9, 0, 5, 1, 2, 3, 4, 5]), record(Buffer.from([2, 0, 0, 1, 0]))])
    assert.deepEqual(readHelloName(other), { type: 'other' });
  const broken = Buffer.from(hello);
  broken.fill(0xff, 43, 80);
  assert.equal(readHelloName(broken).type === 'tls' && (readHelloName(broken) as { name?: string }).name === 'good.example', false);
});

test('programs are told of the proxy in their own ways, and what lies inside is reached directly', () => {
  const variables = createProxyVariables({ MAVEN_OPTS: '-Xmx1g' });
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'])
    assert.equal(variables[name], 'http://127.0.0.1:14128');
  assert.equal(variables['NO_PROXY'], 'localhost,127.0.0.1,127.0.0.0/8,::1,::ffff:127.0.0.1,0.0.0.0');
  assert.equal(variables['NODE_USE_ENV_PROXY'], '1');
  assert.match(variables['MAVEN_OPTS'] ?? '', /^-Xmx1g -Dhttp\.proxyHost=127\.0\.0\.1 .*-Dhttps\.proxyPort=14128/);
});

const record = (body: Buffer): Buffer => Buffer.concat([Buffer.from([0x16, 3, 1, body.length >> 8, body.length & 0xff]), body]);

/** The first bytes a client sends. */
async function clientHello(servername: string | undefined): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const server = createServer((socket) => socket.once('data', (bytes) => (resolve(Buffer.from(bytes)), socket.destroy())));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => server.close());
  connectTls({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, ...(servername !== undefined && { servername }) }).on(
    'error',
    () => {},
  );
  return promise;
}
