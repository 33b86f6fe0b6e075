import assert from 'node:assert/strict';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHost } from '../../../src/app/open-host.ts';
import type { Host } from '../../../src/contracts/host.ts';
import { results, talk, tell } from '../../app/host-scene.ts';
import { createPluginHome, entryOf, manifestOf, type PluginHome } from '../../app/plugin-home.ts';

const TOOLS = ['warm', 'late'].map((name) => `{ name: ${name}, description: Answers, input: { type: object } }`).join(', ');
const GOOD = `export const words = 'AGREED';\n`;
const EVIL = `export const words = 'FORGED';\n`;
const FILES = {
  'plugin.yaml': manifestOf('late', `tools: [${TOOLS}]\n`),
  'index.js': entryOf(
    'late',
    `host.tools.add({ name: 'warm', run: () => 'WARM' }); host.tools.add({ name: 'late', run: async () => (await import('./lib/late.js')).words });`,
  ),
  'package.json': '{"type":"module"}',
  'lib/late.js': GOOD,
};

async function call(host: Host, { home }: PluginHome, tool: string): Promise<string> {
  const script = [{ calls: [{ id: 'c1', name: tool, input: {} }] }, { text: 'done' }];
  await using session = await host.openSession(talk(script, { cwd: home.root }));
  return results(await tell(session, 'go')).join('\n');
}

async function enabledHome(): Promise<{ readonly place: PluginHome; readonly path: string }> {
  const place = createPluginHome();
  const path = place.write('late', FILES);
  await place.enable('late');
  return { place, path };
}

/** What somebody does to the folder of a plugin after the owner agreed to it. Nothing of it may run. */
const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  'a byte': (path) => writeFileSync(join(path, 'lib/late.js'), EVIL),
  'a byte, with the size and the time of the file as before': (path) => {
    const file = join(path, 'lib/late.js');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, EVIL);
    utimesSync(file, atime, mtime);
  },
  'a file that is loaded before the one that was there': (path) => writeFileSync(join(path, 'lib/package.json'), '{"imports":{}}'),
  'a folder put in place of another': (path) => {
    mkdirSync(join(path, 'other'));
    writeFileSync(join(path, 'other/late.js'), EVIL);
    renameSync(join(path, 'lib'), `${path}-lib`);
    renameSync(join(path, 'other'), join(path, 'lib'));
  },
  'a link out of the folder, to the same bytes': (path) => {
    writeFileSync(`${path}-outside.js`, readFileSync(join(path, 'lib/late.js')));
    rmSync(join(path, 'lib/late.js'));
    symlinkSync(`${path}-outside.js`, join(path, 'lib/late.js'));
  },
  'a hard link to a file that somebody else can change': (path) => {
    writeFileSync(`${path}-outside.js`, EVIL);
    rmSync(join(path, 'lib/late.js'));
    linkSync(`${path}-outside.js`, join(path, 'lib/late.js'));
  },
  'a manifest that declares more': (path) =>
    writeFileSync(join(path, 'plugin.yaml'), `${FILES['plugin.yaml']}capabilities: { exec: true }\n`),
};

for (const [what, change] of Object.entries(CHANGES))
  test(`after consent, nothing of a plugin runs with ${what}`, async () => {
    const { place, path } = await enabledHome();
    change(path);
    await using host = await openHost({ home: place.home, env: {} });
    assert.doesNotMatch(await call(host, place, 'late'), /FORGED|AGREED|WARM/);
  });

test('a running plugin loads what was agreed to, whatever its folder holds by then', async () => {
  const { place, path } = await enabledHome();
  await using host = await openHost({ home: place.home, env: {} });
  assert.match(await call(host, place, 'warm'), /WARM/);
  writeFileSync(join(path, 'lib/late.js'), EVIL);
  assert.doesNotMatch(await call(host, place, 'late'), /FORGED/);
});

/** Widgets make it run inside Hermes. */
const INSIDE = {
  'plugin.yaml': manifestOf('late', `widgets: true\ntools: [${TOOLS}]\n`),
  'index.js': `import { warm } from './lib/warm.js';\n${FILES['index.js'].replace("() => 'WARM'", '() => warm')}`,
  'package.json': '{"type":"module"}',
  'lib/late.js': GOOD,
  'lib/warm.js': `export const warm = 'WARM';\n`,
};

test('a running plugin inside Hermes loads what was agreed to, whatever its folder holds by then', async () => {
  const place = createPluginHome();
  const path = place.write('late', INSIDE);
  await place.enable('late');
  await using host = await openHost({ home: place.home, env: {} });
  assert.match(await call(host, place, 'warm'), /WARM/);
  writeFileSync(join(path, 'lib/late.js'), EVIL);
  assert.match(await call(host, place, 'late'), /AGREED/);
});

test('a plugin inside Hermes that is updated and enabled again runs with its new modules, in the same program', async () => {
  const place = createPluginHome();
  place.write('late', INSIDE);
  await place.enable('late');
  await using host = await openHost({ home: place.home, env: {} });
  assert.match(await call(host, place, 'warm'), /WARM/);
  const better = INSIDE['index.js'].replace('import { warm }', 'import { hot as warm }');
  place.write('late', {
    'lib/warm.js': `export const hot = 'HOT';\n`,
    'lib/late.js': `export const words = 'NEXT';\n`,
    'index.js': better,
  });
  await place.enable('late');
  assert.match(await call(host, place, 'warm'), /HOT/);
  assert.match(await call(host, place, 'late'), /NEXT/);
});

for (const [where, files] of Object.entries({ 'in its process': FILES, 'inside Hermes': INSIDE }))
  test(`a plugin in a folder that is linked to runs ${where}`, async () => {
    const place = createPluginHome();
    const path = place.write('late', files, 'work');
    mkdirSync(join(place.home.root, 'plugins'));
    symlinkSync(path, join(place.home.root, 'plugins', 'late'));
    await place.enable('late');
    await using host = await openHost({ home: place.home, env: {} });
    assert.match(await call(host, place, 'warm'), /WARM/);
  });
