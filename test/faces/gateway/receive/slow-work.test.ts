import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Arrival, TakenRow } from '../../../../src/contracts/gateway-store.ts';
import type { ModelRequest } from '../../../../src/contracts/provider.ts';
import { findPassing, findSlowKind } from '../../../../src/faces/gateway/receive/slow-work.ts';
import { createSlowRows } from '../../../../src/faces/gateway/runner/slow-rows.ts';
import { startWorkLoop } from '../../../../src/faces/gateway/runner/work-loop.ts';
import { createArrival } from '../../../../src/testing/conformance/gateway-store-samples.ts';
import { stageGatewayStore } from '../../../parts/store/stage.ts';
import { openScene } from '../scene.ts';

/** What the person said last, and the label of the question beside the conversation with it. */
const wordsOf = ({ messages }: ModelRequest): string => JSON.stringify(messages.at(-1));

test('a question beside the conversation keeps nobody waiting: /status, /stop and a message after it are answered first', async () => {
  const [working, asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using scene = await openScene({
    isUnlimited: true,
    config: 'streaming:\n  enabled: false\n',
    script: async (request) => {
      const words = wordsOf(request);
      if (words.includes('which file')) {
        asked.resolve();
        await answer.promise;
        return { text: 'It was notes.txt.' };
      }
      if (words.includes('and more')) return { text: 'More.' };
      if (!words.includes('long work')) return { text: 'Hello.' };
      working.resolve();
      return { text: 'never said', paceMs: 3_600_000 };
    },
  });
  const { server, ann, dm } = scene.stage;
  const say = (text: string) => server.people.say(dm, ann, text);
  const wasSaid = (text: string) => scene.until(() => scene.said().some((said) => said.includes(text)));
  say('hello');
  await wasSaid('Hello.');
  say('long work');
  await working.promise;
  say('/btw which file was it?');
  await asked.promise;
  say('/status');
  await scene.until(() => scene.said().length === 2);
  say('/stop');
  await wasSaid('The running turn was stopped.');
  say('and more');
  await wasSaid('More.');
  assert.equal(
    scene.said().some((text) => text.includes('notes.txt')),
    false,
  );
  answer.resolve();
  await wasSaid('It was notes.txt.');
  await scene.until(async () => (await scene.host().store.gateway.backlog('arrival')).rows === 0);
});

test('a file that does not come keeps /stop from nobody, and the messages of the chat keep their order', async () => {
  const working = Promise.withResolvers<void>();
  await using scene = await openScene({
    isUnlimited: true,
    config: 'streaming:\n  enabled: false\n',
    script: async (request) => {
      if (!wordsOf(request).includes('long work')) return { text: 'Heard.' };
      working.resolve();
      return { text: 'never said', paceMs: 3_600_000 };
    },
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'long work');
  await working.promise;
  using silence = server.inject({ fault: { type: 'black_hole' }, methods: ['download'] });
  server.people.say(dm, ann, { document: { bytes: Buffer.from('a list'), name: 'list.txt' } });
  await scene.until(() => silence.met > 0);
  server.people.say(dm, ann, 'words behind it');
  server.people.say(dm, ann, '/stop');
  await scene.until(() => scene.said().some((text) => text.includes('The running turn was stopped.')));
  const states = (await scene.host().store.gateway.arrivals({})).map(({ state }) => state);
  assert.deepEqual(states, ['admitted', 'new', 'new', 'command']);
});

test('however many arrivals take long, others are handled', async () => {
  await using staged = await stageGatewayStore();
  const { gateway } = staged;
  const release = Promise.withResolvers<void>();
  const handled: string[] = [];
  const quick = Promise.withResolvers<void>();
  const slow = createSlowRows({ store: gateway, findPassing: async () => undefined, hint: () => loop.hint() });
  const handle = async ({ taken, row }: TakenRow<'arrival'>, signal: AbortSignal): Promise<void> => {
    if (row.eventKey.endsWith('slow')) await slow.run('reading', taken, () => release.promise, signal);
    await gateway.settle(taken, { state: 'command' });
    handled.push(row.eventKey);
    if (row.eventKey.endsWith('quick')) quick.resolve();
  };
  await gateway.receive(
    [...Array.from({ length: 40 }, (_, chat) => createArrival(String(chat), 'slow')), createArrival('50', 'quick')],
    [],
  );
  const options = { kind: 'arrival', store: gateway, owner: 'test', accounts: () => [{ platform: 'telegram', account: 'main' }] } as const;
  await using loop = startWorkLoop({ ...options, leaseMs: 60_000, maxAtOnce: 2, slow, handle, clock: systemClock, log: () => {} });
  await quick.promise;
  assert.deepEqual([handled, slow.size], [['50:quick'], 40]);
  release.resolve();
  await loop.drain();
  assert.deepEqual([handled.length, slow.size, loop.active], [41, 0, 0]);
});

test('a row that is taken again while it is still worked on is slow as often as it is taken', async () => {
  await using staged = await stageGatewayStore();
  const slow = createSlowRows({ store: staged.gateway, findPassing: async () => undefined, hint: () => {} });
  const { signal } = new AbortController();
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const runs = ends.map(({ promise }, token) => slow.run('reading', { kind: 'arrival', id: 'a1', token }, () => promise, signal));
  const sizes = [slow.size];
  for (const [index, { resolve }] of ends.entries()) {
    resolve();
    await runs[index];
    sizes.push(slow.size);
  }
  assert.deepEqual(sizes, [2, 1, 0]);
});

test('what goes past: presses and urgent commands past anything, the next message past a question beside the conversation', async () => {
  const arrivals = new Map<string, Arrival>();
  const arrive = (name: string, event: object): void => {
    const sample = createArrival('1', name);
    arrivals.set(name, { ...sample, id: name, at: 0, state: 'new', attempts: 0, event: { ...sample.event, ...event } });
  };
  for (const text of ['/stop', '/sto', '/approve always', '/deny', '/status', '/new', '/steer left', 'words', 'more words'])
    arrive(text, { text });
  arrive('press', { type: 'press', value: 'x' });
  arrive('edited', { text: '/stop', isEdit: true });
  arrive('unaddressed', { text: '/stop', isAddressed: false });
  arrive('album', { text: '/stop', group: 'g1' });
  arrive('caption', { text: '/stop', media: [{ kind: 'image', file: 'f1' }] });
  const commands = { findBare: async (line: string) => (line === '/sto' ? 'stop' : undefined) };
  const passes = async (kind: 'reading' | 'aside', ...names: string[]) =>
    (
      await findPassing(
        kind,
        names.flatMap((name) => arrivals.get(name) ?? []),
        { commands: commands as never },
      )
    )?.id;
  const urgent = ['/stop', '/sto', '/approve always', '/deny', '/status', 'press'];
  assert.deepEqual(await Promise.all(urgent.map((name) => passes('reading', 'words', '/new', name, '/stop'))), urgent);
  assert.deepEqual(
    await Promise.all(['/steer left', 'edited', 'unaddressed', 'album', 'caption', 'words'].map((name) => passes('reading', name))),
    [undefined, undefined, undefined, undefined, undefined, undefined],
  );
  assert.deepEqual(
    [await passes('aside', 'words', 'more words'), await passes('aside', '/new', 'words'), await passes('aside', 'words', '/stop')],
    ['words', undefined, '/stop'],
  );
});

test('a word that every object of the program has is no slow command', async () => {
  const host = { commands: { findBare: async () => undefined } as never };
  const words = [...Object.getOwnPropertyNames(Object.prototype), 'btw', 'reload-mcp'];
  const kinds = await Promise.all(words.map((word) => findSlowKind(`/${word}`, host)));
  assert.deepEqual(
    kinds.filter((kind) => kind !== undefined),
    ['aside', 'command'],
  );
});

test('whatever fails of an arrival that takes long, it counts as one no more', async () => {
  await using staged = await stageGatewayStore();
  const slow = createSlowRows({
    store: staged.gateway,
    findPassing: async () => undefined,
    hint: () => {
      throw new Error('nobody hears');
    },
  });
  const { signal } = new AbortController();
  await assert.rejects(() => slow.run('reading', { kind: 'arrival', id: 'a1', token: 1 }, async () => {}, signal), /nobody hears/);
  assert.equal(slow.size, 0);
});
