import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashContent } from '../../../src/plugins/content.ts';
import { installPlugin, removePlugin, updatePlugin, type PluginInstallOptions } from '../../../src/plugins/install/install-plugin.ts';
import { repairFolders } from '../../../src/plugins/install/staging.ts';
import { filesOf, root, writeFolder } from './sources.ts';

const CHILD = join(import.meta.dirname, 'killed-child.ts');
const sources = { old: writeFolder('old', filesOf('1.0.0')), new: writeFolder('new', filesOf('2.0.0')) };

/** What the first child compiled the others need not: most of their time would go there. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'compiled') };

function run(work: string, plugins: string, at: number): { readonly killed: boolean; readonly count: number } {
  const { signal, stdout, stderr } = spawnSync(process.execPath, [CHILD, work, plugins, sources.new, String(at)], {
    encoding: 'utf8',
    env,
  });
  assert.ok(signal === 'SIGKILL' || /^\d+\n$/.test(stdout), stderr);
  return { killed: signal === 'SIGKILL', count: Number(stdout) };
}
async function versionHash(source: string): Promise<string> {
  const plugins = join(mkdtempSync(join(root, 'made-')), 'plugins');
  await installPlugin(source, { plugins, cwd: root, env: {} });
  return hashContent(join(plugins, 'small'));
}
const look = (plugins: string): string => (existsSync(join(plugins, 'small')) ? hashContent(join(plugins, 'small')) : 'none');

/** A home as it is before the work, again for every kill. */
async function prepare(work: string): Promise<(name: string) => string> {
  const model = join(mkdtempSync(join(root, 'model-')), 'plugins');
  mkdirSync(model);
  if (work !== 'install') await installPlugin(sources.old, { plugins: model, cwd: root, env: {} });
  return (name) => {
    const plugins = join(root, name, 'plugins');
    cpSync(model, plugins, { recursive: true });
    return plugins;
  };
}

const AGAIN: Readonly<Record<string, (options: PluginInstallOptions) => Promise<unknown>>> = {
  install: (options) => installPlugin(sources.new, options),
  update: (options) => updatePlugin('small', 'small', sources.new, options),
  remove: ({ plugins }) => removePlugin('small', plugins),
};

for (const work of Object.keys(AGAIN))
  test(`${work}: killed at every file operation, the next start finds one whole version and nothing else`, async () => {
    const fresh = await prepare(work);
    const hashes = { none: 'none', old: await versionHash(sources.old), new: await versionHash(sources.new) };
    const [before, after] =
      work === 'install' ? [hashes.none, hashes.new] : work === 'update' ? [hashes.old, hashes.new] : [hashes.old, hashes.none];
    const whole = fresh(`${work}-whole`);
    const { count } = run(work, whole, 0);
    assert.equal(look(whole), after);
    const found: string[] = [];
    for (let at = 1; at <= count; at++) {
      const plugins = fresh(`${work}-${at}`);
      assert.equal(run(work, plugins, at).killed, true, `operation ${at} of ${count}`);
      await repairFolders(plugins);
      found.push(look(plugins));
      assert.ok([before, after].includes(look(plugins)), `${work} killed at ${at} of ${count}: half a version`);
      assert.deepEqual(
        readdirSync(plugins).filter((name) => name.startsWith('.staging-')),
        [],
        `at ${at}`,
      );
      // It can be done again.
      if (look(plugins) === before) await AGAIN[work]?.({ plugins, cwd: root, env: {} });
      assert.equal(look(plugins), after, `again after ${at}`);
      rmSync(join(plugins, '..'), { recursive: true });
    }
    assert.deepEqual([...new Set(found)], [before, after], 'first all as before, then all as after');
  });

test('putting an old version back can be killed too', async () => {
  const fresh = await prepare('update');
  const old = await versionHash(sources.old);
  const begin = (name: string): string => {
    const plugins = fresh(name);
    mkdirSync(join(plugins, '.staging-1', 'old'), { recursive: true });
    mkdirSync(join(plugins, '.staging-1', 'new'));
    cpSync(sources.new, join(plugins, '.staging-1', 'new', 'small'), { recursive: true });
    renameSync(join(plugins, 'small'), join(plugins, '.staging-1', 'old', 'small'));
    return plugins;
  };
  const { count } = run('repair', begin('repair-whole'), 0);
  for (let at = 1; at <= count; at++) {
    const plugins = begin(`repair-${at}`);
    assert.equal(run('repair', plugins, at).killed, true);
    await repairFolders(plugins);
    assert.equal(look(plugins), old, `killed at ${at} of ${count}`);
    assert.deepEqual(
      readdirSync(plugins).filter((name) => name.startsWith('.staging-')),
      [],
    );
  }
});
