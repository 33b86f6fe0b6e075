import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createOAuthProvider } from '../../../src/parts/mcp/oauth.ts';
import { bindTokenFile } from '../../../src/parts/mcp/token-file.ts';
import { call, openIn, optionsIn, serverOf, tempFolder, wordsOf, NEEDS_SDK } from './setup.ts';
import { startOAuthServer } from './oauth-server.ts';

/** A person whose browser follows the address it is shown. */
const browser =
  (seen: URL[] = []) =>
  (url: URL) => {
    seen.push(url);
    void fetch(url);
  };
const placeIn = (folder: string, showLogin?: (url: URL) => void) => ({
  ...optionsIn(folder, []).place,
  ...(showLogin !== undefined && { showLogin }),
});

test('a login with a browser: once, kept for its owner only, refreshed without asking', NEEDS_SDK, async () => {
  await using server = await startOAuthServer();
  const folder = tempFolder();
  const config = serverOf('locked', { url: server.url, auth: 'oauth' });
  await using nobody = await openIn(folder, [config]);
  assert.match(nobody.notices.join(), /requires a login[^]*hermes mcp test locked/);
  assert.deepEqual(server.registered, [], 'without a person nothing is registered');

  const seen: URL[] = [];
  await using first = await openIn(folder, [config], { place: placeIn(folder, browser(seen)) });
  assert.equal(wordsOf(await call(first, 'mcp__locked__go')), 'inside');
  assert.equal(seen.length, 1);
  const file = join(folder, 'mcp-tokens', 'locked.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readFileSync(file, 'utf8').includes('verifier'), false);

  server.revoke(true);
  await using later = await openIn(folder, [config]);
  assert.equal(wordsOf(await call(later, 'mcp__locked__go')), 'inside');
  assert.deepEqual(server.granted, ['code', 'refresh']);

  server.revoke(false);
  assert.match(wordsOf(await call(later, 'mcp__locked__go')), /hermes mcp test locked/);
  await using again = await openIn(folder, [config], { place: placeIn(folder, browser()) });
  assert.equal(wordsOf(await call(again, 'mcp__locked__go')), 'inside');
  assert.deepEqual(server.granted, ['code', 'refresh', 'code']);
});

test('tokens of one address are not shown to another under the same name', NEEDS_SDK, async () => {
  await using server = await startOAuthServer();
  await using other = await startOAuthServer();
  const folder = tempFolder();
  await using first = await openIn(folder, [serverOf('locked', { url: server.url, auth: 'oauth' })], { place: placeIn(folder, browser()) });
  assert.equal(first.tools.length, 1);
  await using moved = await openIn(folder, [serverOf('locked', { url: other.url, auth: 'oauth' })]);
  assert.match(moved.notices.join(), /requires a login/);
});

test('a login that comes back without our state is not taken', NEEDS_SDK, async () => {
  await using server = await startOAuthServer();
  const folder = tempFolder();
  const forged: number[] = [];
  const through = Promise.withResolvers<void>();
  const forge = async (url: URL) => {
    const back = url.searchParams.get('redirect_uri') ?? '';
    forged.push(
      (await fetch(`${back}?code=stolen&state=guess`)).status,
      (await fetch(`${back}?error=access_denied&state=${url.searchParams.get('state')}`)).status,
    );
    through.resolve();
  };
  await using mcp = await openIn(folder, [serverOf('locked', { url: server.url, auth: 'oauth' })], {
    place: placeIn(folder, (url) => void forge(url)),
  });
  assert.match(mcp.notices.join(), /the login was refused: access_denied/);
  await through.promise;
  assert.deepEqual([forged, server.granted], [[404, 400], []]);
});

test('tokens another process has refreshed meanwhile are not thrown away with the old ones', async () => {
  const path = join(tempFolder(), 'locked.json');
  const file = bindTokenFile(path, 'https://a');
  file.write('tokens', { access_token: 'old' });
  const provider = createOAuthProvider('locked', { redirectPort: 0 }, file, undefined);
  assert.deepEqual(provider.tokens(), { access_token: 'old' });
  bindTokenFile(path, 'https://a').write('tokens', { access_token: 'new' });
  await provider.invalidateCredentials?.('tokens');
  assert.deepEqual(provider.tokens(), { access_token: 'new' });
  await provider.invalidateCredentials?.('all');
  assert.equal(provider.tokens(), undefined);
});
