import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openHost } from '../../src/app/open-host.ts';
import { createRegistries } from '../../src/app/tools/registries.ts';
import { resolveHome, type Home } from '../../src/base/home.ts';
import { help } from '../../src/commands/help.ts';
import { defineCommand } from '../../src/contracts/services/define-command.ts';
import type { Host, SessionHandle, SessionOptions } from '../../src/contracts/host.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import type { ModelRequest } from '../../src/contracts/provider.ts';
import type { Registries, ToolSessionContext } from '../../src/contracts/registries.ts';
import type { TerminalBackendFactory } from '../../src/contracts/terminal.ts';
import type { AnyTool } from '../../src/contracts/tool.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { localTerminal } from '../../src/parts/terminals/local/local.ts';
import { terminalSettings } from '../../src/parts/terminals/settings.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { withoutMarks } from './host-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-registries-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const never = new AbortController().signal;
const freshHome = (): Home => resolveHome({ HERMES_HOME: mkdtempSync(join(folder, 'home-')) });

/** A tool that answers with a word of its session's making. */
const saying = (name: string, words: (session: ToolSessionContext) => string) => ({
  open: (session: ToolSessionContext): AnyTool => ({
    name,
    description: `Says something as ${name}.`,
    input: { type: 'object', properties: {}, additionalProperties: true },
    effects: () => ({ kind: 'read', resources: [] }),
    replay: 'safe',
    idempotent: true,
    offTerminal: true,
    trust: 'tool',
    timeoutMs: 5_000,
    maxResult: 10_000,
    run: async () => ({ content: [createTextBlock(words(session), 'tool')] }),
  }),
});
const backend =
  (place: string): TerminalBackendFactory =>
  () => ({ kind: place, open: (options) => localTerminal.open({ ...options, env: { ...options.env, PLACE: place } }) });

/** What one turn showed of a session: what the model was sent, and what its call gave. */
interface Turn {
  readonly system: string;
  readonly tools: readonly string[];
  /** The whole tool table, as it was sent. */
  readonly table: string;
  readonly result: string;
}

/** One kind of thing, and how a session shows what it has of it. */
interface Story {
  readonly kind: keyof Registries;
  /** In the settings file when the host is opened. */
  readonly config?: string;
  /** Put into the settings file afterwards: it names what is not there yet. */
  readonly laterConfig?: string;
  readonly options?: SessionOptions;
  /** The tool the model calls in every turn. */
  readonly calls?: string;
  readonly input?: Readonly<Record<string, string>>;
  shows(turn: Turn): string | boolean;
  add(registries: Registries): Disposable;
  /** What a session shows without it, with it, and once it was taken back; a pattern is why none can be opened. */
  readonly without: string | boolean | RegExp;
  readonly added: string | boolean;
  readonly gone?: string | boolean | RegExp;
}

const limit = saying('limit', ({ settings }) => `${String(settings['acme.limit'])} and ${String(settings['agent.max_turns'])}`);
const withLimit = (registries: Registries) => registries.tools.add('limit', { ...limit, toolsets: ['file'] });
const field = (least: number) => ({ kind: 'integer', default: least, min: 1, max: 9, describe: 'A limit.' }) as const;
const together = (...all: readonly Disposable[]): Disposable => {
  const stack = new DisposableStack();
  for (const each of all) stack.use(each);
  return stack;
};

const skillShelf = join(folder, 'shelf');
mkdirSync(join(skillShelf, 'misc', 'registry-skill'), { recursive: true });
writeFileSync(join(skillShelf, 'misc', 'registry-skill', 'SKILL.md'), '---\nname: registry-skill\ndescription: Added\n---\nDo it.\n');

const STORIES: Readonly<Record<string, Story>> = {
  'a section of the system prompt': {
    kind: 'slots',
    options: { toolsets: ['file'] },
    shows: ({ system }) => system.includes('A tip of mine.'),
    add: ({ slots }) => slots.add('tip', { name: 'tip', order: 95, lifetime: 'session', cap: 100, render: () => 'A tip of mine.' }),
    without: false,
    added: true,
  },
  'a folder of skills': {
    kind: 'skillFolders',
    options: { toolsets: ['skills'] },
    shows: ({ system }) => system.includes('registry-skill'),
    add: ({ skillFolders }) => skillFolders.add('mine', skillShelf),
    without: false,
    added: true,
  },
  'a tool that joins a toolset': {
    kind: 'tools',
    options: { toolsets: ['file'] },
    calls: 'weather',
    shows: ({ tools, result }) => `${tools.includes('weather') ? 'listed' : 'absent'}: ${result}`,
    add: ({ tools }) => tools.add('weather', { ...saying('weather', ({ platform }) => `sunny at ${platform}`), toolsets: ['file'] }),
    without: 'absent: ',
    added: 'listed: sunny at cli',
  },
  'a tool in the place of one of ours, which leans on it': {
    kind: 'tools',
    options: { toolsets: ['todo'] },
    calls: 'todo',
    shows: ({ result }) => result.startsWith('mine, not '),
    add: ({ tools }) =>
      tools.add(
        'todo',
        saying('todo', ({ builtin }) => `mine, not ${builtin('todo')?.description ?? 'nothing'}`),
      ),
    without: false,
    added: true,
  },
  'one of our tools removed': {
    kind: 'tools',
    options: { toolsets: ['file'] },
    shows: ({ tools }) => tools.includes('patch'),
    add: ({ tools }) => tools.remove('patch'),
    without: true,
    added: false,
  },
  'a toolset': {
    kind: 'toolsets',
    options: { toolsets: ['garden'] },
    shows: ({ tools }) => tools.filter((name) => name !== 'context_recall').join(),
    add: ({ toolsets }) => toolsets.add('garden', { name: 'garden', description: 'Gardening', tools: ['todo'], includes: ['search'] }),
    without: /There is no toolset garden/i,
    added: 'todo',
  },
  'a toolset in the place of one of ours': {
    kind: 'toolsets',
    options: { toolsets: ['todo'] },
    shows: ({ tools }) => tools.includes('read_file'),
    add: ({ toolsets }) => toolsets.add('todo', { name: 'todo', description: 'More', tools: ['todo', 'read_file'], includes: [] }),
    without: false,
    added: true,
  },
  'a setting, by its default': {
    kind: 'settings',
    options: { toolsets: ['file'] },
    calls: 'limit',
    shows: ({ result }) => result,
    add: (registries) => together(withLimit(registries), registries.settings.addAll({ 'acme.limit': field(3), 'acme.other': field(2) })),
    without: '',
    added: '3 and 90',
  },
  'a setting, as the file has it': {
    kind: 'settings',
    laterConfig: 'acme:\n  limit: 7\n',
    options: { toolsets: ['file'] },
    calls: 'limit',
    shows: ({ result }) => result,
    add: (registries) => together(withLimit(registries), registries.settings.add('acme.limit', field(3))),
    without: '',
    added: '7 and 90',
  },
  'a setting in the place of one of ours': {
    kind: 'settings',
    options: { toolsets: ['file'] },
    calls: 'limit',
    shows: ({ result }) => result,
    add: (registries) => together(withLimit(registries), registries.settings.add('agent.max_turns', field(4))),
    without: '',
    added: 'undefined and 4',
  },
  'a terminal': {
    kind: 'terminals',
    laterConfig: 'terminal:\n  backend: acme\n',
    calls: 'terminal',
    input: { command: 'echo "at ${PLACE:-home}"' },
    shows: ({ result }) => /at \w+/.exec(result)?.[0] ?? result,
    add: ({ terminals }) => terminals.add('acme', backend('acme')),
    without: 'at home',
    added: 'at acme',
    gone: /terminal\.backend must be one of auto, local, .*, not "?acme/,
  },
  'a terminal in the place of one of ours': {
    kind: 'terminals',
    config: 'terminal:\n  backend: local\n',
    calls: 'terminal',
    input: { command: 'echo "at ${PLACE:-home}"' },
    shows: ({ result }) => /at \w+/.exec(result)?.[0] ?? result,
    add: ({ terminals }) => terminals.add('local', backend('mine')),
    without: 'at home',
    added: 'at mine',
  },
  'a context engine': {
    kind: 'engines',
    config: 'context:\n  engine: acme\n',
    options: { toolsets: ['todo'] },
    shows: ({ tools }) => tools.filter((name) => name === 'acme_grep' || name === 'context_recall').join(),
    add: (registries) => registries.engines.add('acme', () => ({ ...windowEngine, name: 'acme', tools: () => [engineTool] })),
    without: 'context_recall',
    added: 'acme_grep',
  },
  'a context engine in the place of one of ours': {
    kind: 'engines',
    config: 'context:\n  engine: window\n',
    options: { toolsets: ['todo'] },
    shows: ({ tools }) => tools.filter((name) => name === 'acme_grep' || name === 'context_recall').join(),
    add: (registries) => registries.engines.add('window', () => ({ ...windowEngine, tools: () => [engineTool] })),
    without: '',
    added: 'acme_grep',
  },
  'a hook': {
    kind: 'hooks',
    options: { toolsets: ['todo'] },
    calls: 'todo',
    shows: ({ result }) => withoutMarks(result) === 'in other words',
    add: ({ hooks }) =>
      hooks.add('test', { hook: 'transform_tool_result', owner: 'the test', timeoutMs: 1_000, run: () => 'in other words' }),
    without: false,
    added: true,
  },
  'a memory provider': {
    kind: 'memoryProviders',
    config: 'memory:\n  provider: acme\n',
    shows: ({ system }) => system.includes('Acme remembers.'),
    add: (registries) =>
      registries.memoryProviders.add('acme', {
        description: 'a test',
        open: () => ({ name: 'acme', available: () => true, systemBlock: () => 'Acme remembers.' }),
      }),
    without: false,
    added: true,
  },
  'a memory provider in the place of one of ours': {
    kind: 'memoryProviders',
    config: 'memory:\n  provider: session_log\n',
    shows: ({ system }) => system.includes('Acme remembers.'),
    add: (registries) =>
      registries.memoryProviders.add('session_log', {
        description: 'a test',
        open: () => ({ name: 'acme', available: () => true, systemBlock: () => 'Acme remembers.' }),
      }),
    without: false,
    added: true,
  },
  'a platform': {
    kind: 'platforms',
    options: { platform: 'garden' },
    shows: ({ system, tools }) =>
      `${/You are answering in a garden/.exec(system)?.[0] ?? 'nothing'} with ${tools.includes('terminal') ? 'all' : 'few'} tools`,
    add: ({ platforms }) => platforms.add('garden', { platform: 'You are answering in a garden.', attended: true, toolsets: ['todo'] }),
    without: 'nothing with all tools',
    added: 'You are answering in a garden with few tools',
  },
  'a platform in the place of one of ours': {
    kind: 'platforms',
    shows: ({ system }) => system.includes('You are answering in a garden.'),
    add: ({ platforms }) => platforms.add('cli', { platform: 'You are answering in a garden.' }),
    without: false,
    added: true,
  },
};
const engineTool = saying('acme_grep', () => 'found').open({} as never);

/** A session with a model that calls the story's tool in every turn, and what its turns show. */
async function openStory(host: Host, { options = {}, calls, input = {} }: Story) {
  const fromUser = ({ messages }: ModelRequest) => messages.at(-1)?.message.role === 'user';
  const provider = scriptedProvider((request, index) =>
    calls !== undefined && fromUser(request) ? { calls: [{ id: `c${index}`, name: calls, input }] } : { text: 'done' },
  );
  const session = await host.openSession({
    platform: 'cli',
    provider: scriptedRoute(provider),
    mcp: false,
    cwd: folder,
    allowAll: 'test',
    ...options,
  });
  return { session, turn: () => turnOf(session, provider.requests) };
}

async function turnOf(session: SessionHandle, requests: readonly ModelRequest[]): Promise<Turn> {
  const events = await Array.fromAsync(session.send(await session.message('go'), never));
  const results = events.flatMap((event) => (event.type === 'tool_finished' ? [event.result] : []));
  const words = results.flatMap(({ content }) => content.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
  const { system, tools } = requests.at(-1) ?? assert.fail('nothing was asked');
  return { system, tools: tools.map(({ name }) => name), table: JSON.stringify(tools), result: words.join('\n') };
}

async function mustShow(host: Host, story: Story, expected: string | boolean | RegExp): Promise<() => Promise<Turn>> {
  if (expected instanceof RegExp) {
    await assert.rejects(openStory(host, story), (error: Error) => expected.test(error.message) || assert.fail(error.message));
    return async () => assert.fail('there is no session');
  }
  const { turn } = await openStory(host, story);
  assert.equal(story.shows(await turn()), expected);
  return turn;
}

for (const [name, story] of Object.entries(STORIES))
  test(`${name}: there for new sessions, gone when it is taken back, and an open session keeps what it has`, async () => {
    const home = freshHome();
    const { config, laterConfig, without, added, gone = without } = story;
    if (config !== undefined) writeFileSync(home.config, config);
    await using host = await openHost({ home });
    if (laterConfig !== undefined) writeFileSync(home.config, laterConfig);
    const before = await mustShow(host, story, without);
    const first = without instanceof RegExp ? undefined : await before();
    const addition = story.add(host.registries);
    const during = await mustShow(host, story, added);
    const second = await during();
    if (first !== undefined) assert.deepEqual(await before(), first, 'the session of before');
    addition[Symbol.dispose]();
    await mustShow(host, story, gone);
    assert.deepEqual(await during(), second, 'the session that has it');
    if (first !== undefined) assert.deepEqual(await before(), first, 'the session of before, afterwards');
  });

test('every kind has its story', () => {
  const told = new Set<string>(Object.values(STORIES).map(({ kind }) => kind));
  assert.deepEqual(
    Object.keys(createRegistries()).filter((kind) => !told.has(kind)),
    ['providers', 'commands'],
    'which have tests of their own below',
  );
});

test('a provider is chosen by its name; what takes the place of one of ours is asked in its stead', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'hello' }) });
  const profile = {
    aliases: ['ac'],
    protocol: 'openai-chat',
    baseUrl: `${server.url}/v1`,
    keyEnvs: ['ACME_API_KEY'],
    defaultModel: 'small',
  } as const;
  await using host = await openHost({
    home: freshHome(),
    env: { ACME_API_KEY: 'acme-key-0123456789', DEEPSEEK_API_KEY: 'deep-key-0123456789' },
  });
  const open = (provider: string, more: SessionOptions = {}) =>
    host.openSession({ model: { provider }, mcp: false, cwd: folder, toolsets: ['none'], ...more });
  const usual = (await open('deepseek')).runtime;
  await assert.rejects(open('acme'), /There is no provider acme/);

  const acme = host.registries.providers.add('acme', { ...profile, id: 'acme' });
  const mine = host.registries.providers.add('deepseek', { ...profile, id: 'deepseek', aliases: [] });
  const session = await open('ac');
  assert.deepEqual([session.runtime.provider, session.runtime.model], ['acme', 'small']);
  const events = await Array.fromAsync(session.send(await session.message('hi'), never));
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'settled' ? [event.outcome.exitReason] : [])),
    ['answered'],
  );
  assert.equal((await open('deepseek')).runtime.baseUrl, `${server.url}/v1`);

  acme[Symbol.dispose]();
  mine[Symbol.dispose]();
  await assert.rejects(open('acme'), /There is no provider acme/);
  assert.deepEqual((await open('deepseek')).runtime, usual);
  assert.equal((await session.setModel({ provider: 'acme', model: 'large' })).model, 'large', 'the open session still knows it');
});

test('a command resolves and stands in help while it is there; one of ours comes back', async () => {
  await using host = await openHost({ home: freshHome() });
  const water = defineCommand({
    name: 'water',
    category: 'help',
    summary: 'waters the garden',
    where: ['terminal', 'chat'],
    whileBusy: 'run',
    examples: ['/water'],
    run: async () => 'wet',
  });
  const typed = async (line: string) => {
    const outcome = await host.commands.run(line, { place: 'terminal', exact: true });
    return outcome.type === 'done' ? outcome.command.summary : outcome.type;
  };
  const listed = async () => (await host.commands.list('terminal')).some(({ line }) => line === '/water');
  const ours = await typed('/help');
  assert.deepEqual([await typed('/water'), await listed()], ['text', false]);
  const added = together(
    host.registries.commands.add('water', water),
    host.registries.commands.add('help', { ...help, summary: 'another help' }),
  );
  assert.deepEqual([await typed('/water'), await listed(), await typed('/help')], ['waters the garden', true, 'another help']);
  added[Symbol.dispose]();
  assert.deepEqual([await typed('/water'), await listed(), await typed('/help')], ['text', false, ours]);
});

test('settings may name what is registered before they are read; values out of range are told as with any', async () => {
  const home = freshHome();
  writeFileSync(home.config, 'acme:\n  limit: 7\nterminal:\n  backend: acme\n');
  await assert.rejects(openHost({ home }), /terminal\.backend must be one of .*not "acme"/);
  const register = ({ settings, terminals }: Registries) => {
    settings.add('acme.limit', field(3));
    terminals.add('acme', backend('acme'));
  };
  {
    await using host = await openHost({ home, register });
    const story = STORIES['a terminal'] ?? assert.fail();
    await mustShow(host, story, 'at acme');
  }
  writeFileSync(home.config, 'acme:\n  limit: 70\n');
  await assert.rejects(openHost({ home, register }), /acme\.limit must be a whole number, 1 to 9, not 70/);
});

test('what takes the place of a setting of ours must be of its kind', async () => {
  await using host = await openHost({ home: freshHome() });
  host.registries.settings.add('agent.max_turns', { kind: 'string', default: 'many', describe: 'x' });
  await assert.rejects(openStory(host, STORIES['a toolset'] ?? assert.fail()), /agent\.max_turns is of the kind integer/);
});

test('children have the tools their parent was opened with', async () => {
  await using host = await openHost({ home: freshHome() });
  const weather = host.registries.tools.add('weather', { ...saying('weather', () => 'sunny'), toolsets: ['file'] });
  const provider = scriptedProvider(({ messages }) => {
    const last = messages.at(-1)?.message;
    const asked = last?.role === 'user' ? JSON.stringify(last.content) : '';
    if (asked.includes('look outside')) return { calls: [{ id: 'w', name: 'weather', input: {} }] };
    if (asked.includes('go')) return { calls: [{ id: 'd', name: 'delegate_task', input: { goal: 'look outside' } }] };
    return { text: JSON.stringify(last?.content) };
  });
  const options = { platform: 'cli', provider: scriptedRoute(provider), mcp: false, cwd: folder, allowAll: 'test' } as const;
  await using session = await host.openSession({ ...options, toolsets: ['file', 'delegation'] });
  weather[Symbol.dispose]();
  const { result } = await turnOf(session, provider.requests);
  assert.match(result, /sunny/);
});

test('a session that had to make room keeps what it was opened with', async () => {
  await using host = await openHost({ home: freshHome(), maxOpenSessions: 1 });
  const story = STORIES['a tool that joins a toolset'] ?? assert.fail();
  const addition = story.add(host.registries);
  const turn = await mustShow(host, story, story.added);
  addition[Symbol.dispose]();
  await mustShow(host, story, story.without);
  assert.equal(story.shows(await turn()), story.added);
});

test('hosts have lists of their own', async () => {
  await using one = await openHost({ home: freshHome() });
  await using other = await openHost({ home: freshHome() });
  one.registries.toolsets.add('garden', { name: 'garden', description: '', tools: [], includes: [] });
  assert.equal(other.registries.toolsets.get('garden'), undefined);
});

test('every back end that can be chosen is there', () => {
  const { terminals } = createRegistries();
  assert.deepEqual(['auto', ...terminals.names()].toSorted(), [...terminalSettings['terminal.backend'].choices].toSorted());
});

test('a tool that cannot be opened costs itself: others are not opened at all, the owner is told, and the model hears why it is not there', async () => {
  await using host = await openHost();
  let opened = 0;
  using _broken = host.registries.tools.add('weather', {
    toolsets: ['web'],
    open: () => {
      opened++;
      throw new Error('no forecast today');
    },
  });
  const notices = host.notices(never)[Symbol.asyncIterator]();
  const script = [{ calls: [{ id: 'w', name: 'weather', input: {} }] }, { text: 'so' }];
  const open = (toolsets: readonly string[]) =>
    host.openSession({ provider: scriptedRoute(scriptedProvider(script)), mcp: false, cwd: folder, toolsets });
  await using _other = await open(['terminal']);
  assert.equal(opened, 0);
  await using session = await open(['web']);
  assert.deepEqual((await notices.next()).value, {
    text: 'The tool weather could not be opened, so this session does not have it: no forecast today',
    sessionId: session.session.id,
  });
  const events = await Array.fromAsync(session.send(await session.message('look'), never));
  assert.match(JSON.stringify(events), /weather[^"]*it could not be opened: no forecast today/);
});
