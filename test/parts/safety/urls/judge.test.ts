import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { NetworkAccess } from '../../../../src/contracts/reach.ts';
import { never, reachWith, settings } from './setup.ts';
import { ANSWERS, TABLE } from './table.ts';

const PUBLIC = ['93.184.216.34'];
const toPublic = async () => PUBLIC;
const reasonFor = async (reach: NetworkAccess, url: string): Promise<string> => {
  const verdict = await reach.check(url, never);
  return verdict.allow ? 'fine' : verdict.reason;
};

test(`${TABLE.length} spellings of URLs: private ones are refused with their reason, public ones are not`, async () => {
  const reach = reachWith({ resolve: toPublic });
  const wrong: string[] = [];
  for (const [url, verdict] of TABLE) {
    const reason = await reasonFor(reach, url);
    if (verdict === 'fine' ? reason !== 'fine' : !reason.includes(verdict)) wrong.push(`${url}: ${reason} instead of ${verdict}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(TABLE.length >= 100, `${TABLE.length} rows`);
});

test('a name is judged by every address it resolves to', async () => {
  const wrong: string[] = [];
  for (const [addresses, verdict] of ANSWERS) {
    const reason = await reasonFor(reachWith({ resolve: async () => addresses }), 'https://example.org/');
    if (verdict === 'fine' ? reason !== 'fine' : !reason.includes(verdict)) wrong.push(`${addresses.join()}: ${reason}`);
  }
  assert.deepEqual(wrong, []);
});

test('a name that cannot be looked up is refused', async () => {
  const reach = reachWith({ resolve: () => Promise.reject(new Error('SERVFAIL')) });
  assert.equal(await reasonFor(reach, 'https://example.org/'), 'Refused: example.org could not be looked up (SERVFAIL).');
});

test('the owner can open private addresses; metadata, disguises, credentials and ports stay refused', async () => {
  const reach = reachWith({ settings: { ...settings, 'security.allow_private_urls': true }, resolve: async () => ['10.0.0.9'] });
  for (const url of ['http://127.0.0.1/', 'http://[::1]:8080/', 'http://localhost/', 'http://nas.lan/', 'https://example.org/'])
    assert.equal(await reasonFor(reach, url), 'fine', url);
  for (const [url, word] of [
    ['http://169.254.169.254/', 'metadata'],
    ['http://metadata.google.internal/', 'metadata'],
    ['http://2130706433/', 'disguised'],
    ['http://me:pw@nas.lan/', 'user name'],
    ['http://nas.lan:22/', 'port 22'],
    ['ftp://nas.lan/', 'only http'],
  ] as const)
    assert.match(await reasonFor(reach, url), new RegExp(word), url);
  const rebound = reachWith({ settings: { ...settings, 'security.allow_private_urls': true }, resolve: async () => ['169.254.169.254'] });
  assert.match(await reasonFor(rebound, 'https://example.org/'), /metadata/);
});

test('an allow list names the only sites; a star lets in what is below', async () => {
  const allowing = (entries: readonly string[]) =>
    reachWith({ settings: { ...settings, 'security.url_allowlist': entries }, resolve: toPublic });
  const reach = allowing(['Example.org', '*.docs.example.net', 'https://b\u00fccher.example/any']);
  for (const url of ['https://example.org/x', 'https://example.org./', 'https://a.docs.example.net/', 'https://xn--bcher-kva.example/'])
    assert.equal(await reasonFor(reach, url), 'fine', url);
  for (const url of [
    'https://www.example.org/',
    'https://docs.example.net/',
    'https://evilexample.org/',
    'https://a.docs.example.net.evil.example/',
  ])
    assert.match(await reasonFor(reach, url), /not on the owner's list of allowed sites/, url);
  assert.match(await reasonFor(allowing(['http://[']), 'https://example.org/'), /not on the owner's list/, 'a broken entry allows nothing');
  assert.match(await reasonFor(allowing(['127.0.0.1']), 'http://127.0.0.1/'), /loopback/, 'it narrows, it opens nothing');
});

test('a block list means a site and all below it, from settings and from shared files as they are now', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-urls-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, 'blocked.txt');
  writeFileSync(file, '# shared\n0.0.0.0 ads.example tracker.example\nbad.example # why\n\n*.only-below.example\n');
  const notices: string[] = [];
  const lists = {
    ...settings,
    'security.website_blocklist.domains': ['https://Blocked.example/path'],
    'security.website_blocklist.shared_files': ['blocked.txt', 'missing.txt'],
  };
  const reach = reachWith({ settings: lists, home, resolve: toPublic, notice: (words) => notices.push(words) });
  const blocked = async (host: string) => (await reasonFor(reach, `https://${host}/`)).includes('blocked sites');
  for (const host of ['blocked.example', 'a.blocked.example', 'ads.example', 'x.tracker.example', 'bad.example', 'a.only-below.example'])
    assert.equal(await blocked(host), true, host);
  for (const host of ['notblocked.example', 'only-below.example', 'example.org', 'shared.example'])
    assert.equal(await blocked(host), false, host);
  assert.equal(notices.length, 1, 'one notice for the file that is not there');
  assert.match(notices[0] ?? '', /missing\.txt could not be read/);
  writeFileSync(file, 'later.example\nand-some-more.example\n');
  assert.deepEqual([await blocked('later.example'), await blocked('bad.example')], [true, false]);
  rmSync(file);
  assert.equal(await blocked('later.example'), true, 'what was read before holds while the file is gone');
  const off = reachWith({ settings: { ...lists, 'security.website_blocklist.enabled': false }, home, resolve: toPublic });
  assert.equal(await reasonFor(off, 'https://blocked.example/'), 'fine');
});

test("the owner's own back end is exempt by its origin, and nothing else is", async () => {
  const reach = reachWith({ owned: ['http://127.0.0.1:8888/searx/', 'http://searxng:8080'], resolve: async () => ['172.18.0.4'] });
  for (const url of ['http://127.0.0.1:8888/search?q=x', 'http://searxng:8080/search'])
    assert.equal(await reasonFor(reach, url), 'fine', url);
  for (const url of [
    'http://127.0.0.1:8889/',
    'https://127.0.0.1:8888/',
    'http://127.1:8888/',
    'http://searxng/',
    'http://localhost:8888/',
  ])
    assert.match(await reasonFor(reach, url), /^Refused/, url);
});
