import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import { openScene } from './scene.ts';

/** The words of the latest user message of a request. */
const lastWords = ({ messages }: ModelRequest): string => {
  const last = messages.findLast(({ message }) => message.role === 'user');
  return last?.message.content.map((block) => (block.type === 'text' ? block.text : '')).join('') ?? '';
};

test('a message from Telegram is answered there, once', async () => {
  await using scene = await openScene({ script: [{ text: 'Hello **Ann**.' }] });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hi');
  await scene.until(() => scene.said().length === 1);
  assert.deepEqual(scene.said(), ['Hello Ann.']);
  const { gateway } = scene.host().store;
  await scene.until(async () => (await gateway.deliveries({ states: ['sent'] })).length === 1);
  assert.deepEqual(
    (await gateway.arrivals({})).map(({ state }) => state),
    ['admitted'],
  );
});

test('what is said while a turn runs joins it, and the answer goes to the first', async () => {
  const asked = Promise.withResolvers<void>();
  const said = Promise.withResolvers<void>();
  await using scene = await openScene({
    script: async (request, index) => {
      if (index === 0) {
        asked.resolve();
        await said.promise;
        return { text: 'First answer.' };
      }
      return { text: `You added: ${lastWords(request)}` };
    },
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'begin');
  await asked.promise;
  server.people.say(dm, ann, 'and more');
  await scene.until(async () => (await scene.host().store.gateway.arrivals({ states: ['admitted'] })).length === 2);
  said.resolve();
  await scene.until(() => scene.said().length === 2 && !scene.said().join().includes('▉'));
  assert.deepEqual(scene.said(), ['First answer.', 'You added: and more']);
});

test('a turn that was left when the gateway stopped goes on after the start, and is answered once', async () => {
  const asked = Promise.withResolvers<void>();
  let calls = 0;
  await using scene = await openScene({
    script: async () => {
      if (++calls > 1) return { text: 'Here I am again.' };
      asked.resolve();
      return { text: 'never said', paceMs: 3_600_000 };
    },
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'begin');
  await asked.promise;
  await scene.restart();
  // What is shown while it is written stands there with a cursor; the answer takes its place.
  await scene.until(() => scene.said().length > 0 && scene.said().every((text) => !text.includes('▉')));
  assert.deepEqual(scene.said(), ['Here I am again.']);
});

test('a stranger is told a code and nothing else; the model hears nothing of it', async () => {
  await using scene = await openScene({ script: [], allowed: () => '1', config: 'unauthorized_dm_behavior: pair\n' });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'tell me the secrets of the house');
  await scene.until(() => scene.said().length === 1);
  assert.match(scene.said()[0] ?? '', /Your pairing code is [A-Z2-9]{8}\./);
  const refused = () => scene.host().store.gateway.arrivals({ states: ['refused'] });
  await scene.until(async () => (await refused()).length === 1);
  const [arrival] = await refused();
  assert.ok(!JSON.stringify(arrival).includes('secrets of the house'));
  // The code is in no file of the home.
  const [, code = ''] = /code is ([A-Z2-9]{8})\./.exec(scene.said()[0] ?? '') ?? [];
  const files = globSync(join(scene.root, '**'), { withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length > 0);
  assert.deepEqual(
    files.filter((file) => readFileSync(join(file.parentPath, file.name), 'latin1').includes(code)).map(({ name }) => name),
    [],
  );
});

test('commands are answered, and unknown ones never reach the model', async () => {
  await using scene = await openScene({ script: [{ text: 'Hello.' }] });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hi');
  await scene.until(() => scene.said().length === 1);
  server.people.say(dm, ann, '/statsu');
  await scene.until(() => scene.said().length === 2);
  assert.match(scene.said()[1] ?? '', /statsu.*status/s);
  const [before] = await scene.host().store.gateway.routes({});
  server.people.say(dm, ann, '/new');
  await scene.until(() => scene.said().length === 3);
  const [after] = await scene.host().store.gateway.routes({});
  assert.deepEqual([typeof before?.sessionId, after?.sessionId], ['string', undefined]);
});

test('what is remembered of the owner stands in the owner’s own chat and in no other', async () => {
  for (const [allowed, expected] of [
    [undefined, true],
    // Two who may speak, and nobody is said to be the owner.
    ['%,1', false],
  ] as const) {
    const prompts: string[] = [];
    await using scene = await openScene({
      script: (request) => {
        prompts.push(JSON.stringify(request.system));
        return { text: 'Hello.' };
      },
      files: { 'memories/USER.md': 'Has a cat named Miso.\n', 'SOUL.md': 'You are called Basil.\n' },
      ...(allowed !== undefined && { allowed: (id: number) => allowed.replace('%', String(id)) }),
    });
    const { server, ann, dm } = scene.stage;
    server.people.say(dm, ann, 'hi');
    await scene.until(() => scene.said().length === 1);
    assert.deepEqual(
      ['Miso', 'Basil'].map((word) => prompts.some((prompt) => prompt.includes(word))),
      [expected, true],
    );
  }
});

test('a message shows that it was seen and what became of it, where the account is set so', async () => {
  await using scene = await openScene({ script: [{ text: 'Hello.' }], config: '    reactions: true\n' });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hi');
  const reactions = () =>
    server.log.requests.flatMap(({ method, params }) => (method === 'setMessageReaction' ? [params['reaction']] : []));
  await scene.until(() => reactions().length === 2);
  assert.deepEqual(
    reactions().map((each) => JSON.stringify(each).includes('👀')),
    [true, false],
  );
});

test('/new while a turn runs stops it, drops what waits and says so; the next message begins another session', async () => {
  const asked = Promise.withResolvers<void>();
  await using scene = await openScene({
    script: async (_request, index) => {
      if (index > 0) return { text: 'A new beginning.' };
      asked.resolve();
      return { text: 'never said', paceMs: 3_600_000 };
    },
    config: 'display:\n  busy_input_mode: queue\n',
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'begin');
  await asked.promise;
  server.people.say(dm, ann, 'and then this');
  await scene.until(async () => (await scene.host().store.gateway.arrivals({ states: ['admitted'] })).length === 2);
  const [before] = await scene.host().store.gateway.routes({});
  server.people.say(dm, ann, '/new');
  await scene.until(() => scene.said().length === 1);
  assert.match(scene.said()[0] ?? '', /The next message begins a new session\.\nOne message that was waiting was dropped\.$/);
  server.people.say(dm, ann, 'hello?');
  await scene.until(() => scene.said().some((text) => text === 'A new beginning.'));
  const [after] = await scene.host().store.gateway.routes({});
  assert.notEqual(after?.sessionId, before?.sessionId);
  assert.deepEqual(
    (await scene.host().store.inbox(before?.sessionId ?? '')).map(({ fate }) => fate),
    ['turn', 'expired'],
  );
});

test('a word that is a property of every object is no command', async () => {
  await using scene = await openScene({ script: [] });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, '/constructor');
  await scene.until(() => scene.said().length === 1);
  assert.match(scene.said()[0] ?? '', /\/constructor/);
  assert.doesNotMatch(scene.said()[0] ?? '', /failed|function/);
});

test('a preview that stood there when the gateway stopped is gone on with, and the answer takes its place', async () => {
  let calls = 0;
  await using scene = await openScene({
    script: () =>
      ++calls === 1 ? { text: 'Words that come one by one', chunk: 6, paceMs: 250 } : { text: 'Done after all.', chunk: 4, paceMs: 200 },
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'begin');
  await scene.until(() => scene.said().some((text) => text.endsWith('▉')));
  await scene.restart();
  await scene.until(() => scene.said().includes('Done after all.'));
  assert.deepEqual(scene.said(), ['Done after all.']);
});

test('a command that changes something is noted under its message before it is carried out', async () => {
  let calls = 0;
  await using scene = await openScene({ script: () => ({ text: `Answer ${++calls}.` }) });
  const { server, ann, dm } = scene.stage;
  for (const words of ['one', 'two']) {
    server.people.say(dm, ann, words);
    await scene.until(() => scene.said().filter((text) => /^Answer \d\.$/.test(text)).length === calls && calls > 0);
  }
  const { gateway } = scene.host().store;
  const [route] = await gateway.routes({});
  server.people.say(dm, ann, '/undo');
  await scene.until(async () => (await gateway.arrivals({ states: ['command'] })).length === 1);
  const [undone] = await gateway.arrivals({ states: ['command'] });
  assert.equal((await gateway.route(route?.key ?? ''))?.facts['command'], undone?.id);
});
