import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { MEMORY_PLUGIN_PRECEDENCE, PLUGIN_PRECEDENCE } from '../../src/contracts/plugin-manifest.ts';
import { hashContent, stampContent } from '../../src/plugins/content.ts';
import { DEPRECATIONS, listDeprecated } from '../../src/plugins/deprecations.ts';
import { findCandidates, rankCandidates, readCandidate } from '../../src/plugins/discover.ts';
import { findPluginPlaces } from '../../src/plugins/places.ts';
import { parseManifest } from '../../src/plugins/manifest/parse-manifest.ts';
import packageInfo from '../../package.json' with { type: 'json' };

const root = mkdtempSync(join(tmpdir(), 'hermes-discover-'));
after(() => rmSync(root, { recursive: true, force: true }));
function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const manifest = (name: string, more = ''): string => `name: ${name}\nversion: 1.0.0\ndescription: x\napi: 1\n${more}`;
const PLACES = { home: join(root, 'home'), project: join(root, 'project'), bundled: join(root, 'bundled') };

test('home wins over project, project over npm, npm over bundled; a bundled memory provider wins over all', async () => {
  assert.deepEqual(PLUGIN_PRECEDENCE, ['home', 'project', 'npm', 'bundled']);
  assert.deepEqual(MEMORY_PLUGIN_PRECEDENCE, ['bundled', 'home', 'project', 'npm']);
  for (const name of ['all', 'three', 'two', 'one']) write(`bundled/${name}/plugin.yaml`, manifest(name));
  for (const name of ['all', 'three', 'two']) write(`home/node_modules/hermes-plugin-${name}/plugin.yaml`, manifest(name));
  for (const name of ['all', 'three', 'two', 'other'])
    write(`home/node_modules/hermes-plugin-${name}/package.json`, JSON.stringify({ keywords: name === 'other' ? [] : ['hermes-plugin'] }));
  write(
    'home/package.json',
    JSON.stringify({ dependencies: Object.fromEntries(['all', 'three', 'two', 'other'].map((name) => [`hermes-plugin-${name}`, '1'])) }),
  );
  for (const name of ['all', 'three']) write(`project/.hermes/plugins/${name}/plugin.yaml`, manifest(name));
  write('home/plugins/all/plugin.yaml', manifest('all'));
  write('home/plugins/memory/notes/plugin.yaml', manifest('notes', 'entry: i.js\nmemory_provider: notes\n'));
  write('bundled/memory/notes/plugin.yaml', manifest('notes', 'entry: i.js\nmemory_provider: notes\n'));
  const { standing, shadowed } = rankCandidates(findCandidates(PLACES));
  assert.deepEqual(Object.fromEntries(standing.map(({ name, source }) => [name, source])), {
    all: 'home',
    three: 'project',
    two: 'npm',
    one: 'bundled',
    notes: 'bundled',
  });
  assert.equal(shadowed.length, 7);
  const untrusted = findCandidates({ home: PLACES.home, bundled: PLACES.bundled });
  assert.ok(!untrusted.some(({ source }) => source === 'project'), 'a project nobody trusts is not looked at');
});

test('the folder of plugins that is packed with Hermes is one of the places', () => {
  const { bundled } = findPluginPlaces({ home: join(root, 'home'), cwd: root, trusted: [] });
  assert.equal(bundled, join(import.meta.dirname, '../../plugins'));
  assert.ok(packageInfo.files.includes('plugins'));
});

test('a folder says why it cannot be used', async () => {
  const why = async (name: string, files: Readonly<Record<string, string>>, kind?: 'memory'): Promise<string> => {
    for (const [file, text] of Object.entries(files)) write(`odd/${name}/${file}`, text);
    const reading = await readCandidate({ name, path: join(root, 'odd', name), source: 'home', ...(kind !== undefined && { kind }) });
    return reading.ok ? '' : reading.why;
  };
  assert.match(await why('bare', { 'index.js': '' }), /no plugin\.yaml/);
  assert.match(await why('renamed', { 'plugin.yaml': manifest('other') }), /called renamed.*name: other/);
  assert.match(await why('gone', { 'plugin.yaml': manifest('gone', 'entry: i.js') }), /i\.js is not there/);
  assert.match(await why('forgets', { 'plugin.yaml': manifest('forgets') }, 'memory'), /names no memory_provider/);
  const typed = await readCandidate({
    name: 'ts',
    path: (write('odd/ts/plugin.yaml', manifest('ts', 'entry: i.ts')), write('odd/ts/i.ts', ''), join(root, 'odd', 'ts')),
    source: 'npm',
  });
  assert.match(typed.ok ? '' : typed.why, /must bring JavaScript/);
});

test('a byte, a name or a link makes another content; a time that is set back does not hide it', () => {
  const path = join(root, 'content');
  write('content/a.js', 'one');
  write('content/deep/b.js', 'two');
  const [hash, stamp] = [hashContent(path), stampContent(path)];
  assert.deepEqual([hashContent(path), stampContent(path)], [hash, stamp]);
  const old = new Date(1_000_000);
  utimesSync(join(path, 'a.js'), old, old);
  const before = stampContent(path);
  writeFileSync(join(path, 'a.js'), 'two');
  utimesSync(join(path, 'a.js'), old, old);
  assert.notEqual(stampContent(path), before, 'same size, same time, other bytes');
  assert.notEqual(hashContent(path), hash);
  writeFileSync(join(path, 'a.js'), 'one');
  assert.equal(hashContent(path), hash);
  symlinkSync('deep/b.js', join(path, 'inside'));
  assert.notEqual(hashContent(path), hash);
  symlinkSync('/etc/passwd', join(path, 'outside'));
  assert.throws(() => hashContent(path), /leads out/);
});

test('what goes is told for two minor versions, and is gone in the one it names', () => {
  const minorOf = (version: string): number => {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return major * 1_000 + minor;
  };
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'plugins.md'), 'utf8');
  for (const { what, since, goneIn } of DEPRECATIONS) {
    assert.ok(minorOf(goneIn) - minorOf(since) >= 2, `${what} goes too early`);
    assert.ok(minorOf(goneIn) > minorOf(packageInfo.version), `${what} was promised to be gone in ${goneIn}: remove it and its row`);
    assert.ok(page.includes(`| ${since} | ${goneIn} |`), `docs/plugins.md does not say that ${what} goes`);
  }
  const [row] = DEPRECATIONS;
  assert.ok(
    row !== undefined && listDeprecated({ manifest: parseManifest(manifest('x')).manifest, hasManifest: false })[0]?.includes(row.what),
  );
  assert.deepEqual(listDeprecated({ manifest: parseManifest(manifest('x')).manifest, hasManifest: true }), []);
});
