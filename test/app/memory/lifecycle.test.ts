import assert from 'node:assert/strict';
import { test } from 'node:test';
import { previewSession } from '../../../src/app/host/preview.ts';
import { loadConfig } from '../../../src/app/config/config.ts';
import { createRegistries, snapshotRegistries } from '../../../src/app/tools/registries.ts';
import type { MemoryProvider, MemoryScene as Scene, SyncedTurn } from '../../../src/contracts/memory-provider.ts';
import { openScene, tell, until, wordsOf } from './scene.ts';

/** A provider that writes down what it is told. */
function recording(more: Partial<MemoryProvider> = {}) {
  const heard: string[] = [];
  const scenes: Scene[] = [];
  const turns: SyncedTurn[] = [];
  const provider: MemoryProvider = {
    name: 'notes',
    available: () => true,
    initialize: async (scene) => void (heard.push(`initialize ${scene.role}`), scenes.push(scene)),
    systemBlock: () => 'Notes knows things.',
    recall: async (query) => (heard.push(`recall ${query}`), [{ text: 'The code word is quince.' }]),
    queueRecall: (query) => void heard.push(`queue ${query}`),
    syncTurn: async (turn) => void (heard.push(`turn ${turn.userMessage} -> ${turn.assistantResponse}`), turns.push(turn)),
    sessionEnd: async ({ reason, turns: all }) => void heard.push(`end ${reason} ${all.length}`),
    sessionSwitch: async ({ reason }) => void heard.push(`switch ${reason}`),
    delegated: ({ goal, result }) => void heard.push(`delegated ${goal}: ${result}`),
    wrote: async ({ operation, target }) => void heard.push(`wrote ${operation.action} ${target}`),
    tools: () => [{ name: 'notes_search', description: 'Searches notes.', input: { type: 'object', properties: {} } }],
    call: async (name) => `called ${name}`,
    close: async () => void heard.push('close'),
    ...more,
  };
  return { provider, heard, scenes, turns };
}
const isTold = (heard: readonly string[], what: string) => () => heard.some((line) => line.startsWith(what));

test('a provider is opened once for a host, begins each session, is told of turns and ends, and is closed last', async () => {
  const { provider, heard, scenes, turns } = recording();
  await using scene = await openScene(provider);
  const one = await scene.open();
  await tell(one, 'what is the code word?');
  await until(isTold(heard, 'turn'));
  await until(isTold(heard, 'queue'));
  // Both are told from the end of the turn; which of them first is nobody's promise.
  heard.splice(2, 2, ...heard.slice(2, 4).toSorted());
  await one.end('reset');
  await until(isTold(heard, 'end'));
  await one[Symbol.asyncDispose]();
  const two = await scene.open();
  await two[Symbol.asyncDispose]();
  await scene.host[Symbol.asyncDispose]();
  assert.deepEqual(heard, [
    'initialize primary',
    'recall what is the code word?',
    'queue what is the code word?',
    'turn what is the code word? -> done',
    'end reset 1',
    'initialize primary',
    'switch reset',
    'close',
  ]);
  const [{ sessionId, ...rest } = assert.fail('no scene')] = scenes;
  assert.equal(sessionId, one.session.id);
  assert.deepEqual(rest, { platform: 'cli', isOwner: true, home: scene.home.root, profile: 'default', role: 'primary' });
  assert.deepEqual([turns[0]?.key, turns[0]?.foreign], [`${one.session.id}/${turns[0]?.turnId}`, []]);
});

test('the prompt has its words, the message what it recalls, the table its tool; the same bytes in every later request', async () => {
  const { provider } = recording();
  await using scene = await openScene(provider);
  await using session = await scene.open([{ calls: [{ id: 'c1', name: 'notes_search', input: {} }] }, { text: 'one' }, { text: 'two' }]);
  const events = await tell(session, 'what is the code word?');
  await tell(session, 'and again, what is it?');
  const [first, second, third] = scene.requests;
  assert.ok(first && second && third);
  assert.ok(first.system.includes('Notes knows things.'));
  assert.ok(first.tools.some(({ name }) => name === 'notes_search'));
  assert.match(JSON.stringify(first.messages), /The code word is quince/);
  assert.deepEqual(third.messages.slice(0, first.messages.length), first.messages);
  const result = events.find((event) => event.type === 'tool_finished');
  const [block] = result?.type === 'tool_finished' ? result.result.content : [];
  assert.ok(block?.type === 'text' && block.trust === 'foreign' && block.source === 'memory notes');
});

test('children recall and nothing more: no tools of the provider, nothing told of them; their parent tells what they found', async () => {
  const { provider, heard, scenes } = recording();
  await using scene = await openScene(provider);
  await using session = await scene.open((request) => {
    const words = JSON.stringify(request.messages.at(-1));
    if (words.includes('count the ferries')) return { text: 'there are three' };
    return request.messages.length === 1
      ? { calls: [{ id: 'c1', name: 'delegate_task', input: { goal: 'count the ferries' } }] }
      : { text: 'done' };
  });
  await tell(session, 'please have somebody look');
  await until(isTold(heard, 'turn'));
  assert.deepEqual(
    scenes.map(({ role, parentSessionId }) => [role, parentSessionId]),
    [
      ['primary', undefined],
      ['subagent', session.session.id],
    ],
  );
  assert.deepEqual(
    scene.requests.map((request) => request.tools.some(({ name }) => name === 'notes_search')),
    [true, false, true],
  );
  assert.ok(heard.includes('delegated count the ferries: there are three'), heard.join('\n'));
  assert.equal(heard.filter((line) => line.startsWith('turn')).length, 1);
});

test('a chat of a guest asks nobody, unless the provider keeps people apart and the owner wants it', async () => {
  const guest = { platform: 'telegram', memory: false, person: { isOwner: false, userId: 'ada', chatId: 'main/1' } } as const;
  const cases = [
    { config: '', more: { servesGuests: true as const }, recalls: false },
    { config: '  guests: true\n', more: {}, recalls: false },
    { config: '  guests: true\n', more: { servesGuests: true as const }, recalls: true },
  ];
  for (const { config, more, recalls } of cases) {
    const { provider, heard, scenes } = recording(more);
    await using scene = await openScene(provider, { config });
    await using session = await scene.open(undefined, guest);
    await tell(session, 'what is the code word?');
    assert.equal(
      heard.some((line) => line.startsWith('recall')),
      recalls,
    );
    assert.equal(wordsOf(scene.requests[0] ?? assert.fail()).includes('quince'), recalls);
    assert.ok(!scene.requests[0]?.tools.some(({ name }) => name === 'notes_search'));
    if (recalls) assert.deepEqual([scenes[0]?.userId, scenes[0]?.chatId, scenes[0]?.isOwner], ['ada', 'main/1', false]);
    else assert.deepEqual(scenes, []);
  }
});

test('a tool with the name of one of ours is left out, and the owner is told', async () => {
  const { provider } = recording({
    tools: () => [
      { name: 'terminal', description: 'Runs things.', input: { type: 'object' } },
      { name: 'notes_search', description: 'Searches.', input: { type: 'object' } },
    ],
  });
  await using scene = await openScene(provider);
  await using session = await scene.open();
  await tell(session, 'go on with it');
  assert.equal(scene.requests[0]?.tools.filter(({ name }) => name === 'terminal').length, 1);
  assert.ok(!JSON.stringify(scene.requests[0]?.tools).includes('Runs things.'));
  assert.match(scene.notices.join('\n'), /tool terminal of the memory notes is left out: another tool has that name/);
});

test('without the toolset memory a session has no tools of the provider', async () => {
  const { provider } = recording();
  await using scene = await openScene(provider);
  await using session = await scene.open(undefined, { toolsets: ['web'] });
  await tell(session, 'go on with it');
  assert.ok(!scene.requests[0]?.tools.some(({ name }) => name === 'notes_search'));
});

test('what the memory tool writes reaches the mirror, also when the process that wrote it could not tell', async () => {
  const { provider, heard } = recording();
  const hanging = { ...provider, wrote: () => new Promise<never>(() => {}) };
  const scene = await openScene(hanging);
  const session = await scene.open([
    { calls: [{ id: 'c1', name: 'memory', input: { target: 'user', action: 'add', content: 'Likes tea.' } }] },
    { text: 'saved' },
  ]);
  await tell(session, 'please remember that I like tea');
  await using again = await scene.restart(provider);
  assert.ok(heard.every((line) => !line.startsWith('wrote')));
  await using _ = await again.open();
  await until(isTold(heard, 'wrote add user'));
});

test('what went wrong is remembered until it goes well', async () => {
  const { provider } = recording({ syncTurn: () => Promise.reject(new Error('no route')) });
  await using scene = await openScene(provider);
  await using session = await scene.open();
  await tell(session, 'go on with it');
  await until(() => scene.notices.some((words) => words.includes('could not be told')));
  const { sessions, lastTrouble } = await scene.host.store.memory.backlog('notes');
  assert.deepEqual([sessions, lastTrouble?.subject, lastTrouble?.why, lastTrouble?.attempts], [1, session.session.id, 'no route', 1]);
});

test('hermes prompt shows the words and tools of a provider and begins no session with it', async () => {
  const { provider, heard } = recording();
  await using scene = await openScene(provider);
  const registries = createRegistries();
  registries.memoryProviders.add('notes', { description: 'a test', open: () => provider });
  const registered = snapshotRegistries(registries);
  const config = await loadConfig(scene.home.config, {}, () => {}, registered);
  const preview = await previewSession({
    home: scene.home,
    config,
    env: {},
    notice: () => {},
    registered,
    cwd: scene.home.root,
    contextFiles: true,
  });
  assert.ok(preview.request.system.includes('Notes knows things.'));
  assert.ok(preview.bytes <= 16_384);
  assert.deepEqual(heard, ['close']);
});

test('a provider that is not set up, or that nobody knows, costs its memory and is told about once', async () => {
  const { provider, heard } = recording({ available: () => false, unavailableReason: () => 'NOTES_KEY is not set.' });
  await using scene = await openScene(provider);
  for (const _ of [1, 2]) {
    await using session = await scene.open();
    await tell(session, 'go on with it');
  }
  assert.deepEqual(heard, ['close']);
  assert.equal(scene.notices.filter((words) => words.includes('NOTES_KEY is not set')).length, 1);
});

test('a provider that takes the place of another is opened when that one is closed, and hears of sessions that began before it', async () => {
  const state = { isGone: false };
  const [first, second] = [recording({ syncTurn: () => refuseOnceGone(state) }), recording()];
  await using scene = await openScene(first.provider);
  const old = await scene.open([{ text: 'one' }, { calls: [{ id: 'c1', name: 'notes_search', input: {} }] }, { text: 'two' }]);
  await tell(old, 'what is the code word?');
  await until(async () => (await scene.host.store.memory.backlog('notes')).sessions === 0);
  state.isGone = true;
  scene.takeBack();
  scene.add(second.provider);
  const fresh = await scene.open();
  assert.equal(first.heard.at(-1), 'close');
  const closedAt = first.heard.length;
  const events = await tell(old, 'and is it still that one?');
  await tell(fresh, 'who is new in here?');
  await until(() => second.heard.filter((line) => line.startsWith('turn')).length === 2);
  assert.deepEqual(second.heard.filter((line) => /^(turn|recall)/.test(line)).toSorted(), [
    'recall who is new in here?',
    'turn and is it still that one? -> two',
    'turn who is new in here? -> done',
  ]);
  assert.equal(first.heard.length, closedAt, 'one that is closed is told and asked nothing more');
  assert.match(JSON.stringify(events), /The memory notes was replaced or turned off\. Only a new session can use it\./);
  assert.ok(
    scene.notices.every((words) => !words.includes('could not be told')),
    scene.notices.join('\n'),
  );
});

test('a session that begins while its provider is replaced has the one that took its place', async () => {
  const { promise: ready, resolve: letBegin } = Promise.withResolvers<void>();
  const { promise: beginning, resolve: noteBeginning } = Promise.withResolvers<void>();
  const [first, second] = [recording({ initialize: () => (noteBeginning(), ready) }), recording()];
  await using scene = await openScene(first.provider);
  const opening = scene.open();
  await beginning;
  scene.takeBack();
  scene.add(second.provider);
  const fresh = await scene.open();
  assert.deepEqual(first.heard, ['close']);
  letBegin();
  const slow = await opening;
  await tell(slow, 'what is the code word?');
  await fresh[Symbol.asyncDispose]();
  assert.deepEqual(
    second.heard.filter((line) => /^(initialize|recall)/.test(line)),
    ['initialize primary', 'initialize primary', 'recall what is the code word?'],
  );
  assert.deepEqual(first.heard, ['close']);
  assert.doesNotMatch(scene.notices.join('\n'), /left out of this session/);
});
const refuseOnceGone = async ({ isGone }: { readonly isGone: boolean }): Promise<void> => {
  if (isGone) throw new Error('its process is gone');
};

test('a provider that is taken away is closed with the next session, and is there again when it is put back', async () => {
  const { provider, heard } = recording();
  await using scene = await openScene(provider);
  const asks = async (): Promise<number> => {
    await using session = await scene.open();
    await tell(session, 'what is the code word?');
    return heard.filter((line) => line.startsWith('recall')).length;
  };
  assert.equal(await asks(), 1);
  scene.takeBack();
  assert.equal(await asks(), 1);
  assert.ok(heard.includes('close'));
  assert.match(scene.notices.join('\n'), /there is no memory provider notes/);
  scene.add(provider);
  assert.equal(await asks(), 2);
});
