import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHost } from '../../src/app/open-host.ts';
import { openPluginFolders } from '../../src/app/plugins/plugin-folders.ts';
import { createSpawn } from '../../src/app/plugins/spawn-plugin.ts';
import { openEnabledPlugin } from '../../src/app/plugins/shell-plugins.ts';
import type { CommandValues } from '../../src/contracts/command.ts';
import { listShellCommands } from '../../src/plugins/shell-index.ts';
import { parseManifest } from '../../src/plugins/manifest/parse-manifest.ts';
import { openPluginProcess } from '../../src/plugins/process/plugin-process.ts';
import { openRemoteMemory } from '../../src/plugins/wrap/memory.ts';
import { scriptedProvider, type Script } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';
import { never, results, talk, tell } from '../app/host-scene.ts';
import { createPluginHome, type PluginHome } from '../app/plugin-home.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'plugins');

/** As a person does it: install the folder, then enable it. */
async function install(place: PluginHome, name: string): Promise<void> {
  await place.use(async (plugins) =>
    (await openPluginFolders({ HERMES_HOME: place.home.root }, plugins)).install(join(EXAMPLES, name), EXAMPLES),
  );
  const { state, warnings } = await place.enable(name);
  assert.deepEqual([state, warnings], ['enabled', []]);
}
const calls = (name: string, input: Readonly<Record<string, string | number>>): Script => [
  { calls: [{ id: 'c1', name, input }] },
  { text: 'done' },
];

test('every example can be installed and enabled as it is', async () => {
  const names = readdirSync(EXAMPLES);
  assert.ok(names.length >= 9);
  const place = createPluginHome();
  for (const name of names) await install(place, name);
  await place.use(async (plugins) => {
    const folders = await openPluginFolders({ HERMES_HOME: place.home.root }, plugins);
    assert.deepEqual(
      (await folders.check()).filter(({ isWarning }) => !isWarning),
      [],
    );
    assert.equal((await plugins.choose({ memory: 'notes' })).memory, 'notes');
  });
});

test('dice: its tool answers in a session', async () => {
  const place = createPluginHome('plugins:\n  entries:\n    dice:\n      settings:\n        sides: 1\n');
  await install(place, 'dice');
  await using host = await openHost({ home: place.home });
  const script = calls('roll_dice', { dice: 3 });
  const session = await host.openSession(talk(script, { provider: scriptedRoute(scriptedProvider(script)) }));
  assert.match(results(await tell(session, 'roll three')).join(), /source="plugin dice">\n1 \+ 1 \+ 1 = 3\n/);
});

test('guard: it blocks a call, keeps a log, and adds words beside the message', async () => {
  const place = createPluginHome();
  await install(place, 'guard');
  await using host = await openHost({ home: place.home });
  const script = calls('read_file', { path: '/srv/prod.example.com/key' });
  const provider = scriptedProvider(script);
  const session = await host.openSession(talk(script, { provider: scriptedRoute(provider) }));
  assert.match(results(await tell(session, 'read it')).join(), /prod\.example\.com is off limits\. Ask the owner\./);
  assert.match(JSON.stringify(provider.requests[0]?.messages), /Off limits here: prod\.example\.com\./);
  assert.equal(readFileSync(join(place.home.root, 'plugin-data', 'guard', 'calls.log'), 'utf8'), 'read_file blocked\n');
});

test('notes: a turn is kept once, and found again for the same person alone', async () => {
  const { home } = createPluginHome();
  const folder = join(EXAMPLES, 'notes');
  const { manifest } = parseManifest(readFileSync(join(folder, 'plugin.yaml'), 'utf8'));
  const data = join(home.root, 'plugin-data', 'notes');
  const routes = () => Promise.reject(new Error('no network'));
  const spawn = createSpawn({ folder, data, maxDataBytes: 1e9, manifest, home: home.root, env: {}, routes, notice: () => {} });
  await using process = openPluginProcess({ manifest, settings: {}, secrets: {}, spawn, notice: () => {} });
  const provider = await openRemoteMemory('notes', process);
  const scope = { sessionId: 's1', platform: 'telegram', userId: 'ada', isOwner: true };
  const turn = { ...scope, key: 'k1', turnId: 't1', at: 1, userMessage: 'My bicycle is green', assistantResponse: 'Nice', foreign: [] };
  for (let times = 0; times < 2; times++) await provider.syncTurn?.(turn, never);
  const recall = async (query: string, userId: string) =>
    (await provider.recall?.(query, { ...scope, userId, signal: never, maxChars: 1_000 }))?.map(({ text }) => text);
  assert.deepEqual(await recall('What color is my bicycle?', 'ada'), ['My bicycle is green']);
  assert.deepEqual(await recall('What color is my bicycle?', 'bob'), []);
  assert.deepEqual(await recall('Say something', 'ada'), []);
});

test('gentle: commands of a session run in the terminal of the plugin, and files are seen there', async () => {
  const place = createPluginHome();
  await install(place, 'gentle');
  writeFileSync(place.home.config, 'terminal:\n  backend: gentle\n');
  await using host = await openHost({ home: place.home, env: { PATH: process.env['PATH'] ?? '' } });
  const script: Script = [
    { calls: [{ id: 'c1', name: 'terminal', input: { command: 'nice; cd /; export WORD=kept' } }] },
    { calls: [{ id: 'c2', name: 'terminal', input: { command: 'pwd; echo "$WORD"' } }] },
    { calls: [{ id: 'c3', name: 'write_file', input: { path: join(place.home.root, 'note.txt'), content: 'written there' } }] },
    { text: 'done' },
  ];
  const session = await host.openSession(talk(script, { provider: scriptedRoute(scriptedProvider(script)) }));
  const [first, second] = results(await tell(session, 'go'));
  assert.match(first ?? '', /^19\n?/);
  assert.match(second ?? '', /^\/\nkept/);
  assert.equal(readFileSync(join(place.home.root, 'note.txt'), 'utf8'), 'written there');
});

test('latest-turn: its engine makes place for one line, and the log keeps the rest', async () => {
  const place = createPluginHome('context:\n  engine: latest-turn\n');
  await install(place, 'latest-turn');
  await using host = await openHost({ home: place.home });
  const script: Script = [{ text: 'one' }, { text: 'two' }, { text: 'three' }];
  const provider = scriptedProvider(script);
  const session = await host.openSession(talk(script, { provider: scriptedRoute(provider) }));
  await tell(session, `quokka ${'x'.repeat(2_000)}`);
  await tell(session, 'wombat');
  const done = await host.commands.run('/compress', { place: 'terminal', session });
  await tell(session, 'numbat');
  const sent = JSON.stringify(provider.requests.at(-1)?.messages);
  assert.match(sent, /Entries \d+ to \d+ are no longer shown[^]*wombat[^]*numbat/, JSON.stringify(done));
  assert.doesNotMatch(sent, /quokka/);
  assert.ok((await host.store.search({ text: 'quokka' })).length > 0);
});

test('release-notes: a skill, a section of the prompt, and commands of a shell', async () => {
  const place = createPluginHome('plugins:\n  entries:\n    release-notes:\n      settings:\n        tense: past\n');
  await install(place, 'release-notes');
  await using opened = new AsyncDisposableStack();
  const env = { HERMES_HOME: place.home.root };
  const commands = listShellCommands(place.home.root, undefined, async (name) => opened.use(await openEnabledPlugin(name, env, () => {})));
  const run = async (name: string, values: CommandValues): Promise<unknown> => {
    const context = { place: 'shell', cwd: '/', now: 0, signal: never, commands: () => [], report: () => {} } as const;
    return commands.find((command) => command.name === name)?.run?.(values, {}, context);
  };
  assert.equal(await run('release-notes list', {}), 'Nothing is noted yet.');
  assert.equal(await run('release-notes add', { words: ['dice', 'have', 'sides'] }), 'Noted.');
  assert.equal(await run('release-notes list', {}), 'dice have sides');
  await using host = await openHost({ home: place.home });
  const provider = scriptedProvider([{ text: 'x' }]);
  const session = await host.openSession(talk([{ text: 'x' }], { provider: scriptedRoute(provider) }));
  await tell(session, 'hi');
  assert.match(provider.requests[0]?.system ?? '', /release-notes: Write the notes[^]*written in the past tense\./);
});
