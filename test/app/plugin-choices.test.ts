import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { CommandContext } from '../../src/contracts/command.ts';
import { openServices } from '../../src/app/services/services.ts';
import { pluginsChoose, pluginsDisable } from '../../src/commands/plugins.ts';
import { createCommandRegistry } from '../../src/commands/registry.ts';
import { buildProgram } from '../../src/faces/cli/program.ts';
import { listShellCommands } from '../../src/plugins/shell-index.ts';
import { never } from './host-scene.ts';
import { createPluginHome, entryOf, manifestOf, type PluginHome } from './plugin-home.ts';

const CONTEXT = { place: 'shell', cwd: '/', now: 0, signal: never, commands: () => [], report: () => {} } as const;

async function choose(place: PluginHome, values: { memory?: string; engine?: string }, context: CommandContext = CONTEXT) {
  return place.use(async (plugins) => pluginsChoose.describe?.((await pluginsChoose.run?.(values, { plugins }, context)) as never) ?? '');
}
const disable = (place: PluginHome, name: string): Promise<string> =>
  place.use(async (plugins) => pluginsDisable.describe?.((await pluginsDisable.run?.({ name }, { plugins }, CONTEXT)) as never) ?? '');

async function openHomeWithChoices(): Promise<PluginHome> {
  const place = createPluginHome();
  place.write('shelf', {
    'plugin.yaml': manifestOf('shelf', 'memory_provider: shelf\n'),
    'index.js': entryOf('shelf', `host.memoryProviders.add({ name: 'shelf', available: () => true });`),
  });
  place.write('lens', {
    'plugin.yaml': manifestOf('lens', 'context_engine: lens\n'),
    'index.js': entryOf('lens', `host.engines.add({ name: 'lens', open: () => ({}) });`),
  });
  for (const name of ['shelf', 'lens']) await place.enable(name);
  return place;
}

test('hermes plugins asks for a memory and an engine, those of plugins among them; with an option it asks nothing', async () => {
  const place = await openHomeWithChoices();
  const asked: string[][] = [];
  const notes: (string | undefined)[] = [];
  const pick: NonNullable<CommandContext['choose']> = async ({ choices, suggested }) => {
    notes.push(...choices.map(({ note }) => note));
    asked.push([...choices.map(({ value }) => value).filter((name) => /^(?:none|shelf|lens|compressor)$/.test(name)), `> ${suggested}`]);
    return asked.length % 2 === 1 ? 'shelf' : 'lens';
  };
  const chosen =
    'Memory provider: shelf. Context engine: lens. Sessions that begin from now on use them.\nIf the memory provider has settings: hermes memory setup --provider shelf';
  assert.equal(await choose(place, {}, { ...CONTEXT, choose: pick }), chosen);
  assert.deepEqual(asked, [
    ['none', 'shelf', '> none'],
    ['compressor', 'lens', '> compressor'],
  ]);
  assert.ok(
    notes.every((note) => note !== undefined && note !== ''),
    'each of them says what it is',
  );
  assert.match(readFileSync(place.home.config, 'utf8'), /provider: shelf[^]*engine: lens|engine: lens[^]*provider: shelf/);
  assert.equal(await choose(place, {}), chosen, 'nobody to ask: it shows');
  assert.match(await choose(place, { memory: 'none', engine: 'compressor' }), /^Memory provider: none\. Context engine: compressor\./);
  assert.doesNotMatch(await choose(place, { memory: 'journal' }), /memory setup/, 'there is nothing to set up');
  await assert.rejects(choose(place, { engine: 'lense' }), /there is no context engine lense.*lens/);
});

test('who disables what is chosen hears that it is missing, and so does who looks', async () => {
  const place = await openHomeWithChoices();
  await choose(place, { memory: 'shelf', engine: 'lens' });
  const engine =
    'The context engine lens cannot be used, so the built-in one takes its place: no enabled plugin brings it. To choose another: hermes plugins';
  const memory = 'The memory provider shelf cannot be used: no enabled plugin brings it. To choose another: hermes plugins';
  assert.equal(await disable(place, 'lens'), `lens no longer runs.\n${engine}`);
  assert.equal(await disable(place, 'shelf'), `shelf no longer runs.\n${memory}\n${engine}`);
  assert.deepEqual((await choose(place, {})).split('\n').slice(1), [memory, engine]);
  assert.equal(await disable(place, 'shelf'), `shelf is not enabled. Nothing was changed.\n${memory}\n${engine}`);
  await assert.rejects(disable(place, 'shlef'), /there is no plugin shlef.*shelf/);
  const suggested: (string | undefined)[] = [];
  const first: NonNullable<CommandContext['choose']> = async (question) => {
    suggested.push(question.suggested);
    return question.suggested ?? '';
  };
  assert.match(await choose(place, {}, { ...CONTEXT, choose: first }), /^Memory provider: none\. Context engine: compressor\.[^\n]*$/);
  assert.deepEqual(suggested, ['none', 'compressor']);
});

test('commands of plugins say themselves what does not run; others are preceded by a notice', async () => {
  const place = createPluginHome();
  const path = place.write('jot', { 'plugin.yaml': manifestOf('jot', ''), 'index.js': entryOf('jot', '') });
  await place.enable('jot');
  writeFileSync(join(path, 'index.js'), '// other');
  const hear = async (open: (openers: ReturnType<typeof openServices>['openers']) => Promise<unknown>): Promise<readonly string[]> => {
    const told: string[] = [];
    await using services = openServices({ processEnv: { HERMES_HOME: place.home.root }, notice: (words) => void told.push(words) });
    await open(services.openers);
    return told;
  };
  assert.deepEqual(await hear(async (openers) => (await openers.plugins()).list()), []);
  const [first = '', ...more] = await hear(async (openers) => openers.memoryProvider());
  assert.match(first, /^The plugin jot does not run: its files changed/);
  assert.deepEqual(more, []);
});

test('commands of a plugin may nest: groups have a page of help, and each is found by its words', async () => {
  const place = createPluginHome();
  const cli = `cli: [{ name: remote add, summary: Adds }, { name: remote list all, summary: Lists }, { name: status, summary: Shows }]\n`;
  const names = ['remote add', 'remote list all', 'status'];
  place.write('jot', {
    'plugin.yaml': manifestOf('jot', cli),
    'index.js': entryOf('jot', `for (const name of ${JSON.stringify(names)}) host.cli.add({ name, run: () => '' });`),
  });
  await place.enable('jot');
  const registry = createCommandRegistry(
    listShellCommands(join(place.home.root), undefined, () => Promise.reject(new Error('not for help'))),
  );
  const found = ['jot remote add', 'jot remote list all', 'jot status'].map((line) => registry.resolve(line.split(' '), 'shell'));
  assert.deepEqual(
    found.map((each) => (each.type === 'found' ? [each.command.name, each.taken] : each.type)),
    [
      ['jot remote add', 3],
      ['jot remote list all', 4],
      ['jot status', 2],
    ],
  );
  const remote = buildProgram(registry, '0', async () => {})
    .commands.find((command) => command.name() === 'jot')
    ?.commands.find((command) => command.name() === 'remote');
  assert.deepEqual(
    remote?.commands.map((command) => command.name()),
    ['add', 'list'],
  );
});

test('the example in the help of a command names what it needs', async () => {
  const place = createPluginHome();
  const cli = `cli: [{ name: add, summary: Adds, arguments: { words: { kind: text, required: true, description: What } } }, { name: list, summary: Lists }]\n`;
  place.write('jot', {
    'plugin.yaml': manifestOf('jot', cli),
    'index.js': entryOf('jot', `for (const name of ['add', 'list']) host.cli.add({ name, run: () => '' });`),
  });
  await place.enable('jot');
  const commands = listShellCommands(join(place.home.root), undefined, () => Promise.reject(new Error('not for help')));
  assert.deepEqual(
    commands.map(({ examples }) => examples),
    [['hermes jot add WORDS'], ['hermes jot list']],
  );
});
