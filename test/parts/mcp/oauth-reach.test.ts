import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '../../../src/base/json-types.ts';
import { bindTokenFile, resolveTokenPath } from '../../../src/parts/mcp/token-file.ts';
import { metadataAt, METADATA, PROTECTED, send, startOAuthServer, type Routes } from './oauth-server.ts';
import { call, openIn, optionsIn, reachIn, serverOf, tempFolder, wordsOf, NEEDS_SDK } from './setup.ts';

/** Somebody on this machine who must not be spoken to: counts who comes. */
const visits: string[] = [];
const bystander = createServer((request, response) => {
  visits.push(request.url ?? '');
  send(response, 200, {});
});
await new Promise<void>((done) => bystander.listen(0, '127.0.0.1', done));
after(() => (bystander.closeAllConnections(), bystander.close()));
const INSIDE = `http://127.0.0.1:${(bystander.address() as AddressInfo).port}`;
const CLOUD = 'http://169.254.169.254';

const named =
  (more: JsonObject): Routes[string] =>
  ({ response, origin }) =>
    send(response, 200, { ...metadataAt(origin), ...more });
const resource =
  (server: string): Routes[string] =>
  ({ response, origin }) =>
    send(response, 200, { resource: `${origin}/mcp`, authorization_servers: [server] });
const redirect =
  (status: number, to: string): Routes[string] =>
  ({ response }) =>
    void response.writeHead(status, { location: to }).end();

/** What a server answers, and what its owner is told. */
const LURES: readonly (readonly [what: string, twist: Routes, words: RegExp])[] = [
  [
    'its login lies in the cloud',
    { [PROTECTED]: resource(CLOUD) },
    /named http:\/\/169\.254\.169\.254\/\.well-known\/\S+ for its login[^]*metadata service/,
  ],
  [
    'its login lies on this machine',
    { [PROTECTED]: resource(INSIDE) },
    /named http:\/\/127\.0\.0\.1:\d+\/\S+ for its login[^]*\(loopback\)/,
  ],
  ['its login is a disguised address', { [PROTECTED]: resource('http://0x7f.1/') }, /127\.0\.0\.1[^]*for its login, which was refused: /],
  [
    'clients are registered in a private network',
    { [METADATA]: named({ registration_endpoint: 'http://10.1.2.3/register' }) },
    /named http:\/\/10\.1\.2\.3\/register[^]*a private network/,
  ],
  [
    'tokens are fetched from this machine',
    { [METADATA]: named({ token_endpoint: `${INSIDE}/token` }) },
    /named http:\/\/127\.0\.0\.1:\d+\/token[^]*\(loopback\)/,
  ],
  [
    'the person is sent into a private network',
    { [METADATA]: named({ authorization_endpoint: 'http://192.168.1.1/admin' }) },
    /named http:\/\/192\.168\.1\.1\/admin[^]*a private network/,
  ],
  [
    'registering redirects to this machine',
    { '/register': redirect(307, `${INSIDE}/register`) },
    /\/register redirects to http:\/\/127\.0\.0\.1:\d+\/register, which was not followed/,
  ],
];
for (const [what, twist, words] of LURES)
  test(`a login goes nowhere when ${what}`, NEEDS_SDK, async () => {
    visits.length = 0;
    await using server = await startOAuthServer({ twist });
    const folder = tempFolder();
    const shown: URL[] = [];
    const showLogin = (url: URL) => {
      shown.push(url);
      void fetch(url);
    };
    await using mcp = await openIn(folder, [serverOf('lure', { url: server.url, auth: 'oauth' })], {
      place: { ...optionsIn(folder, []).place, showLogin },
    });
    assert.match(mcp.notices.join(), words);
    assert.deepEqual([visits, server.granted, mcp.tools], [[], [], []]);
    assert.deepEqual(
      shown.filter(({ origin }) => origin !== server.origin),
      [],
    );
  });

test('a server that turns on its owner after a login leads nowhere either', NEEDS_SDK, async () => {
  visits.length = 0;
  let turned = false;
  const twist: Routes = {
    [METADATA]: (visit) => named(turned ? { token_endpoint: `${INSIDE}/token` } : {})(visit),
  };
  await using server = await startOAuthServer({ twist });
  const folder = tempFolder();
  const config = serverOf('lure', { url: server.url, auth: 'oauth' });
  await using first = await openIn(folder, [config], {
    place: { ...optionsIn(folder, []).place, showLogin: (url) => void fetch(url) },
  });
  assert.equal(wordsOf(await call(first, 'mcp__lure__go')), 'inside');
  turned = true;
  server.revoke(true);
  bindTokenFile(resolveTokenPath(join(folder, 'mcp-tokens'), 'lure'), server.url).forget(['discovery']);
  await using later = await openIn(folder, [config]);
  assert.match(wordsOf(await call(later, 'mcp__lure__go')), /Not run:[^]*named http:\/\/127\.0\.0\.1:\d+\/token[^]*\(loopback\)/);
  assert.deepEqual([visits, server.granted], [[], ['code']]);
});

/** Two origins, as servers and their logins usually have; loopback counts as public here. */
async function apart(twist: Routes) {
  const folder = tempFolder();
  const login = await startOAuthServer({ twist });
  const server = await startOAuthServer({ bank: login.bank, twist: { [PROTECTED]: resource(login.origin) } });
  const place = { ...optionsIn(folder, []).place, reach: reachIn(folder, ['127.0.0.1']), showLogin: (url: URL) => void fetch(url) };
  const mcp = await openIn(folder, [serverOf('apart', { url: server.url, auth: 'oauth' })], { place });
  return {
    login,
    mcp,
    [Symbol.asyncDispose]: async () => {
      for (const each of [mcp, server, login]) await each[Symbol.asyncDispose]();
    },
  };
}

test('a login at another public place works through the guard', NEEDS_SDK, async () => {
  await using scene = await apart({});
  assert.deepEqual(scene.mcp.notices, []);
  assert.equal(wordsOf(await call(scene.mcp, 'mcp__apart__go')), 'inside');
  assert.deepEqual([scene.login.registered.length, scene.login.granted], [1, ['code']]);
});

/** Where another place may lead on to. */
const LEADS: readonly (readonly [what: string, twist: Routes, words: RegExp])[] = [
  [
    'the cloud',
    { [METADATA]: redirect(302, `${CLOUD}/latest/meta-data`) },
    /169\.254\.169\.254 is the metadata service of a cloud[^]*redirected there/,
  ],
  ['a private network', { [METADATA]: redirect(301, 'http://10.0.0.7/') }, /10\.0\.0\.7 is a private network[^]*redirected there/],
  ['yet another public place', { [METADATA]: redirect(302, `${INSIDE}/metadata`) }, /it leads on to http:\/\/127\.0\.0\.1:\d+\/metadata/],
  ['somebody else with what was posted', { '/token': redirect(307, `${INSIDE}/token`) }, /redirected what was sent to it to 127\.0\.0\.1/],
];
for (const [what, twist, words] of LEADS)
  test(`a login that redirects to ${what} is not followed`, NEEDS_SDK, async () => {
    await using scene = await apart(twist);
    assert.match(scene.mcp.notices.join(), words);
    assert.deepEqual([scene.mcp.tools, scene.login.granted], [[], []]);
  });
