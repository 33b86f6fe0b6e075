import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installPlugin, removePlugin, updatePlugin, type PluginInstallOptions } from '../../../src/plugins/install/install-plugin.ts';
import { filesOf, root, writeArchive, writeFolder, type TarEntry } from './sources.ts';

const begin = (): PluginInstallOptions => ({ plugins: join(mkdtempSync(join(root, 'home-')), 'plugins'), cwd: root, env: process.env });
const inArchive = (top: string): readonly TarEntry[] =>
  Object.entries(filesOf('1.0.0')).map(([path, text]) => ({ path: top + path, text }));
const left = (plugins: string): readonly string[] => (existsSync(plugins) ? readdirSync(plugins) : []);

test('a folder and archives with and without a top folder are installed, updated and removed', async () => {
  writeFolder('folder', { ...filesOf('1.0.0'), 'node_modules/x/index.js': 'left out', '.git/config': 'left out' });
  writeArchive('bare.tgz', inArchive(''));
  writeArchive('dotted.tar.gz', [{ path: './', type: '5' }, ...inArchive('./')]);
  writeArchive('packed.tgz', [{ path: 'pax_global_header', type: 'g', text: '13 comment=x\n' }, ...inArchive('package/')]);
  for (const source of ['folder', 'bare.tgz', 'dotted.tar.gz', 'packed.tgz']) {
    const options = begin();
    assert.deepEqual(await installPlugin(source, options), { name: 'small', version: '1.0.0', path: 'small', isNew: true });
    assert.deepEqual(
      readdirSync(join(options.plugins, 'small')).toSorted(),
      ['.hermes-install.json', 'index.js', 'lib', 'plugin.yaml'],
      source,
    );
    await assert.rejects(installPlugin(source, options), /there already.*hermes plugins update small/);
    assert.equal((await updatePlugin('small', 'small', undefined, options)).isNew, false, 'the same bytes');
    writeFolder('next', filesOf('2.0.0'));
    assert.deepEqual(await updatePlugin('small', 'small', './next', options), {
      name: 'small',
      version: '2.0.0',
      path: 'small',
      isNew: true,
    });
    assert.match(readFileSync(join(options.plugins, 'small', 'lib', 'one.js'), 'utf8'), /2\.0\.0/);
    assert.deepEqual(left(options.plugins), ['small'], 'nothing else is left');
    await removePlugin('small', options.plugins);
    assert.deepEqual(left(options.plugins), []);
  }
});

test('an archive that GNU tar packed is read, with names of more than 100 characters', async () => {
  const long = `${'deep/'.repeat(30)}file.js`;
  const folder = writeFolder('long', { ...filesOf('1.0.0'), [long]: 'long' });
  for (const format of ['gnu', 'pax', 'ustar']) {
    execFileSync('tar', ['-czf', join(root, `long-${format}.tgz`), `--format=${format}`, '-C', folder, '.']);
    const options = begin();
    await installPlugin(`long-${format}.tgz`, options);
    assert.equal(readFileSync(join(options.plugins, 'small', long), 'utf8'), 'long');
  }
});

const ATTACKS: Readonly<Record<string, { readonly entry: TarEntry; readonly says: RegExp }>> = {
  'a path upwards': { entry: { path: '../evil.js' }, says: /does not stay inside/ },
  'a path upwards in the middle': { entry: { path: 'lib/../../evil.js' }, says: /does not stay inside/ },
  'an absolute path': { entry: { path: '/tmp/evil.js' }, says: /does not stay inside/ },
  'a path of another system': { entry: { path: 'lib\\..\\evil.js' }, says: /does not stay inside/ },
  'a drive': { entry: { path: 'C:/evil.js' }, says: /does not stay inside/ },
  'an empty name': { entry: { path: 'lib//evil.js' }, says: /does not stay inside/ },
  'a soft link': { entry: { path: 'link', type: '2', link: '/etc' }, says: /is a link/ },
  'a hard link': { entry: { path: 'link', type: '1', link: 'index.js' }, says: /is a link/ },
  'a device': { entry: { path: 'device', type: '3' }, says: /no plain file/ },
  'a pipe': { entry: { path: 'pipe', type: '6' }, says: /no plain file/ },
  'a long name upwards': { entry: { path: 'x', type: 'x', text: '21 path=../evil/x.js\n' }, says: /does not stay inside/ },
  'another size': { entry: { path: 'x', type: 'x', text: '11 size=99\n' }, says: /uses size/ },
  'the same file twice': { entry: { path: 'INDEX.js' }, says: /twice/ },
};
for (const [what, { entry, says }] of Object.entries(ATTACKS))
  test(`an archive with ${what} is refused, and nothing is written`, async () => {
    const options = begin();
    const after = entry.type === 'x' ? [{ path: 'innocent.js' }] : [];
    writeArchive('attack.tgz', [...inArchive(''), entry, ...after]);
    await assert.rejects(installPlugin('attack.tgz', options), says);
    assert.deepEqual([left(options.plugins), existsSync(join(root, 'evil.js'))], [[], false]);
  });

test('what is too large, cut off, no plugin or a link is refused', async () => {
  const options = begin();
  const refuses = (source: string, says: RegExp) => assert.rejects(installPlugin(source, options), says);
  writeArchive('many.tgz', [...inArchive(''), ...Array.from({ length: 4_001 }, (_, at) => ({ path: `f${at}` }))]);
  await refuses('many.tgz', /more than 4000 files/);
  writeArchive('bomb.tgz', [...inArchive(''), { path: 'zeros', text: '\0'.repeat(80_000_000) }]);
  await refuses('bomb.tgz', /cannot be unpacked/);
  writeFileSync(join(root, 'cut.tgz'), readFileSync(writeArchive('whole.tgz', inArchive(''))).subarray(0, 200));
  await refuses('cut.tgz', /cannot be unpacked/);
  writeFolder('none', { 'index.js': '' });
  await refuses('none', /no plugin\.yaml/);
  writeFolder('typo', { 'plugin.yaml': 'name: typo\n' });
  await refuses('typo', /typo cannot be installed: .*api: 1/);
  symlinkSync('/etc/hostname', join(writeFolder('linked', filesOf('1.0.0')), 'link'));
  await refuses('linked', /link is a link/);
  for (const odd of ['git+https://example.com/x.git', 'https://example.com/x.tgz', '--registry=x', 'nothing.tgz', '../nowhere'])
    await refuses(odd, /not a folder, a \.tgz/);
  assert.deepEqual(left(options.plugins), []);
});

test('a failed update leaves the old version as it was', async () => {
  const options = begin();
  writeFolder('good', filesOf('1.0.0'));
  await installPlugin('good', options);
  const before = readFileSync(join(options.plugins, 'small', 'index.js'), 'utf8');
  writeFolder('other', { 'plugin.yaml': 'name: other\nversion: 1.0.0\ndescription: x\napi: 1\n' });
  await assert.rejects(updatePlugin('small', 'small', 'other', options), /holds the plugin other, not small/);
  writeFolder('lost', { 'plugin.yaml': filesOf('2.0.0')['plugin.yaml'] ?? '' });
  await assert.rejects(updatePlugin('small', 'small', 'lost', options), /index\.js is not there/);
  assert.equal(readFileSync(join(options.plugins, 'small', 'index.js'), 'utf8'), before);
  assert.deepEqual(left(options.plugins), ['small']);
  mkdirSync(join(options.plugins, 'own'));
  await assert.rejects(updatePlugin('own', 'own', undefined, options), /not known where/);
});

test('dependencies need a lock that leads to packages with a hash, and no .npmrc', async () => {
  const options = begin();
  const facts = JSON.stringify({ name: 'small', version: '1.0.0', dependencies: { dep: '1.0.0' } });
  const refuses = async (more: Readonly<Record<string, string>>, says: RegExp): Promise<void> => {
    const name = mkdtempSync(join(root, 'deps-')).slice(root.length + 1);
    writeFolder(name, { ...filesOf('1.0.0'), 'package.json': facts, ...more });
    await assert.rejects(installPlugin(name, options), says);
  };
  const lock = (entry: object): string => JSON.stringify({ lockfileVersion: 3, packages: { '': {}, 'node_modules/dep': entry } });
  await refuses({}, /no package-lock\.json.*npm install --package-lock-only --ignore-scripts/);
  await refuses({ 'package-lock.json': '{"lockfileVersion":1}' }, /of an old kind/);
  await refuses(
    { 'package-lock.json': lock({ resolved: 'git+ssh://example.com/x.git#1' }) },
    /node_modules\/dep, which is not a package of a registry/,
  );
  await refuses({ 'package-lock.json': lock({ resolved: '../..', link: true }) }, /not a package of a registry/);
  await refuses({ 'package-lock.json': lock({ resolved: 'https://example.com/x.tgz' }) }, /not a package of a registry with a hash/);
  await refuses({ 'package-lock.json': lock({}), '.npmrc': 'git=./evil.sh' }, /\.npmrc/);
  assert.deepEqual(left(options.plugins), []);
});
