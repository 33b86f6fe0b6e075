import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openPluginFolders } from '../../src/app/plugins/plugin-folders.ts';
import { pluginsInstall, pluginsUpdate } from '../../src/commands/plugin-folders.ts';
import type { PluginFolderService } from '../../src/contracts/services/plugin-folders.ts';
import { packTar } from '../plugins/install/sources.ts';
import { folder } from './host-scene.ts';
import { createPluginHome, entryOf, manifestOf, type PluginHome } from './plugin-home.ts';

const use = <Result>(place: PluginHome, work: (folders: PluginFolderService) => Promise<Result>, env: object = {}): Promise<Result> =>
  place.use(async (plugins) => work(await openPluginFolders({ ...process.env, HERMES_HOME: place.home.root, ...env }, plugins)));

test('a new plugin passes its own test, is installed, enabled, updated and removed; an update runs only after consent', async () => {
  const place = createPluginHome();
  const cwd = mkdtempSync(join(folder, 'author-'));
  const { path, files } = await use(place, (folders) => folders.create('hello-there', cwd));
  assert.deepEqual(files.toSorted(), ['README.md', 'index.test.ts', 'index.ts', 'package.json', 'plugin.yaml']);
  await assert.rejects(
    use(place, (folders) => folders.create('hello-there', cwd)),
    /already exists and was left as it is/,
  );
  await assert.rejects(
    use(place, (folders) => folders.create('../up', cwd)),
    /cannot be the name/,
  );
  const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
  const ran = spawnSync(process.execPath, ['--test'], { cwd: path, env, encoding: 'utf8' });
  assert.match(ran.stdout, /pass 1\b[\s\S]*fail 0\b/, ran.stdout + ran.stderr);

  const { engines, scripts } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
    readonly engines: object;
    readonly scripts: { readonly pretest: string };
  };
  assert.deepEqual(engines, { node: '>=24' });
  const pretest = (version: string) => {
    const preload = join(cwd, `${version}.cjs`);
    writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`);
    const options = { env: { ...env, PATH: `${dirname(process.execPath)}:${env['PATH']}`, NODE_OPTIONS: `--require ${preload}` } };
    return spawnSync(scripts.pretest, { ...options, shell: true, encoding: 'utf8' });
  };
  assert.equal(pretest('24.0.0').status, 0);
  const old = pretest('20.20.2');
  assert.deepEqual([old.status, /These tests need Node\.js 24 or later/.test(old.stderr)], [1, true], old.stderr);

  const placed = await use(place, (folders) => folders.install('./hello-there', cwd));
  assert.deepEqual([placed.plugin.state, placed.plugin.source, placed.isNew], ['disabled', 'home', true], 'installing enables nothing');
  assert.match(
    pluginsInstall.describe?.(placed) ?? '',
    /is installed in .*hello-there\.\n- It adds the tool hello_there_greet, which only reads\.[\s\S]*does not run yet\. .*hermes plugins enable hello-there$/,
  );
  assert.deepEqual(await use(place, (folders) => folders.check('hello-there')), []);
  const enabled = await place.enable('hello-there');
  assert.deepEqual([enabled.state, enabled.warnings], ['enabled', []]);

  const same = await use(place, (folders) => folders.update('hello-there', cwd));
  assert.deepEqual([same.isNew, same.plugin.state], [false, 'enabled'], 'the same bytes ask nobody');
  writeFileSync(join(path, 'README.md'), 'Other words.');
  const edited = await use(place, (folders) => folders.update('hello-there', cwd));
  assert.match(pluginsUpdate.describe?.(edited) ?? '', /^hello-there was updated: other files, still version 0\.1\.0\.\n/);
  await place.enable('hello-there');
  const manifest = readFileSync(join(path, 'plugin.yaml'), 'utf8').replace('0.1.0', '0.2.0');
  writeFileSync(join(path, 'plugin.yaml'), `${manifest}\ncapabilities: { network: [api.example.com] }\n`);
  const updated = await use(place, (folders) => folders.update('hello-there', cwd));
  assert.deepEqual([updated.previous, updated.plugin.version, updated.plugin.state], ['0.1.0', '0.2.0', 'grown']);
  assert.match(
    pluginsUpdate.describe?.(updated) ?? '',
    /from 0\.1\.0 to 0\.2\.0\.\nIt wants more than you agreed to:\n- It talks to api\.example\.com\.\nIt does not run until you agree again\./,
  );

  const data = join(place.home.root, 'plugin-data', 'hello-there');
  assert.deepEqual(await use(place, (folders) => folders.remove('hello-there')), { name: 'hello-there', data });
  assert.ok(existsSync(data) && !existsSync(join(place.home.root, 'plugins', 'hello-there')));
  await use(place, (folders) => folders.install('./hello-there', cwd));
  assert.equal((await place.use((plugins) => plugins.info('hello-there'))).state, 'disabled', 'consent went with it');
});

test('doctor says what is wrong, each with what to do', async () => {
  const place = createPluginHome(
    'memory:\n  provider: kept\nplugins:\n  data_mb: 1\n  entries:\n    settled:\n      settings:\n        size: many\n',
  );
  place.write('broken', { 'plugin.yaml': 'name: broken\n' });
  const secret = place.write('secret', {
    'plugin.yaml': manifestOf('secret', 'capabilities: { secrets: [SECRET_API_KEY] }\nodd: 1\n'),
    'index.js': entryOf('secret', ''),
    'package.json': JSON.stringify({ type: 'module', dependencies: { dep: '1.0.0' } }),
  });
  place.write('settled', {
    'plugin.yaml': manifestOf('settled', 'settings: { size: { kind: number, default: 1, describe: How many } }\n'),
    'index.js': entryOf('settled', ''),
  });
  place.write('keeper', { 'plugin.yaml': manifestOf('keeper', 'memory_provider: kept\n'), 'index.js': entryOf('keeper', '') });
  await place.enable('secret');
  writeFileSync(join(secret, 'index.js'), '// other');
  mkdirSync(join(place.home.root, 'plugin-data', 'settled'), { recursive: true });
  writeFileSync(join(place.home.root, 'plugin-data', 'settled', 'much'), Buffer.alloc(1_100_000, 1));
  const problems = await use(place, (folders) => folders.check());
  const rows = problems.map(({ plugin, problem, fix, isWarning }) => `${plugin}${isWarning ? ' (warning)' : ''}: ${problem} | ${fix}`);
  const expects: readonly RegExp[] = [
    /^broken: cannot be used: .*api: 1.* \| Correct .*plugins\/broken, or type: hermes plugins update broken$/,
    /^secret: does not run: its content \(hash\) changed since you enabled it\. \| .*hermes plugins enable secret$/,
    /^secret \(warning\): SECRET_API_KEY is not set \| If it is needed, add the line SECRET_API_KEY=VALUE to .*\.env$/,
    /^secret: it depends on dep, but has no package-lock\.json \| In .*secret, type: npm /,
    /^secret \(warning\): plugin\.yaml has odd/,
    /^settled: a setting is wrong: .*config\.yaml:8: .* See: hermes plugins info settled \|/,
    /^keeper: memory\.provider names kept, which comes with this plugin, and the plugin is not enabled \| Type: hermes plugins enable keeper, or: hermes memory off$/,
    /^settled: does not run: its data folder .*plugin-data\/settled holds more than 1 MB \| Delete .*, or raise plugins\.data_mb\.$/,
  ];
  for (const expected of expects)
    assert.ok(
      rows.some((row) => expected.test(row)),
      `${String(expected)}\n${rows.join('\n')}`,
    );
  const set = await use(place, (folders) => folders.check('secret'), { SECRET_API_KEY: 'x' });
  assert.ok(!set.some(({ problem }) => problem.includes('is not set')));
});

test('a package comes by npm with its locked dependencies, no script runs, and one without the keyword is refused', async () => {
  const marker = join(folder, 'script-ran');
  const scripts = { preinstall: `touch ${marker}`, postinstall: `touch ${marker}`, prepare: `touch ${marker}`, prepack: `touch ${marker}` };
  const pack = (files: Readonly<Record<string, string>>): Buffer =>
    gzipSync(packTar(Object.entries(files).map(([path, text]) => ({ path: `package/${path}`, text }))));
  const integrityOf = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const packages = new Map<string, { readonly facts: Readonly<Record<string, unknown>>; readonly bytes: Buffer }>();
  const server = createServer((request, response) => {
    const [, name = '', file] = (request.url ?? '').split('/');
    const found = packages.get(name);
    const base = `http://${request.headers.host ?? ''}`;
    if (found === undefined) return void response.writeHead(404).end('{}');
    if (file !== undefined) return void response.end(found.bytes);
    const version = { ...found.facts, dist: { tarball: `${base}/${name}/x.tgz`, integrity: integrityOf(found.bytes) } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const add = (name: string, facts: Readonly<Record<string, unknown>>, files: Readonly<Record<string, string>>): void => {
    const whole = { name, version: '1.0.0', type: 'module', scripts, ...facts };
    packages.set(name, { facts: whole, bytes: pack({ ...files, 'package.json': JSON.stringify(whole) }) });
  };
  const plugin = { 'plugin.yaml': manifestOf('packed', ''), 'index.js': `import 'dep';\n${entryOf('packed', '')}` };
  add('dep', { main: 'index.js' }, { 'index.js': 'export default 1;' });
  const dependencies = { dep: '1.0.0' };
  const lock = (integrity: string): string =>
    JSON.stringify({
      name: 'hermes-plugin-packed',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'hermes-plugin-packed', version: '1.0.0', dependencies },
        'node_modules/dep': { version: '1.0.0', resolved: `${base}/dep/x.tgz`, integrity },
      },
    });
  const facts = { keywords: ['hermes-plugin'], dependencies };
  add('hermes-plugin-packed', facts, {
    ...plugin,
    'npm-shrinkwrap.json': lock(integrityOf(packages.get('dep')?.bytes ?? Buffer.alloc(0))),
  });
  add('hermes-plugin-forged', facts, { ...plugin, 'npm-shrinkwrap.json': lock(integrityOf(Buffer.from('other'))) });
  add(
    'hermes-plugin-typed',
    { keywords: ['hermes-plugin'] },
    { 'plugin.yaml': manifestOf('packed', '').replace('index.js', 'index.ts'), 'index.ts': '' },
  );
  add('innocent', {}, plugin);
  const place = createPluginHome();
  const cache = mkdtempSync(join(folder, 'npm-cache-'));
  mkdirSync(join(cache, 'home'));
  const env = {
    npm_config_registry: `${base}/`,
    npm_config_cache: cache,
    npm_config_update_notifier: 'false',
    npm_config_fetch_retries: '0',
    HOME: join(cache, 'home'),
  };
  const install = (source: string) => use(place, (folders) => folders.install(source, folder), env);
  try {
    await assert.rejects(install('innocent'), /keyword hermes-plugin/);
    await assert.rejects(install('hermes-plugin-typed'), /is TypeScript/);
    await assert.rejects(install('hermes-plugin-forged'), /npm ci failed[\s\S]*(?:EINTEGRITY|integrity)/);
    await assert.rejects(install('hermes-plugin-nowhere'), /npm pack failed/);
    assert.deepEqual(readdirSync(join(place.home.root, 'plugins')), [], 'nothing half is left');
    const { plugin: info } = await install('hermes-plugin-packed@1.0.0');
    assert.deepEqual([info.name, info.state], ['packed', 'disabled']);
    assert.ok(existsSync(join(info.path, 'node_modules', 'dep', 'index.js')));
    assert.ok(!existsSync(marker), 'no script ran');
    assert.deepEqual(
      (await use(place, (folders) => folders.check('packed'))).filter(({ isWarning }) => !isWarning),
      [],
    );
    assert.equal((await place.enable('packed')).state, 'enabled', 'it finds its dependency');
    const again = await use(place, (folders) => folders.update('packed', folder), env);
    assert.equal(again.plugin.state, 'enabled');
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
