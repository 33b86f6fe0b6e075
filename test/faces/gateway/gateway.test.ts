import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { nameArrivalFact } from '../../../src/contracts/gateway-store.ts';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import { StoreError } from '../../../src/contracts/session-store.ts';
import { approvePairing, PAIRED_WORDS } from '../../../src/faces/gateway/access/pairing.ts';
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

test('a turn that outlasts the time a stop gives it is left where it is and finished after the start; one that does not is waited for', async () => {
  const asked = Promise.withResolvers<void>();
  let calls = 0;
  await using scene = await openScene({
    script: async () => {
      const call = ++calls;
      if (call === 1) return { text: 'In time.', paceMs: 20 };
      if (call === 2) asked.resolve();
      return call === 2 ? { text: 'never said', paceMs: 3_600_000 } : { text: 'After the start.' };
    },
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'a short one');
  await scene.until(() => scene.gateway().running === 1);
  await scene.gateway().drain(60_000);
  assert.equal(scene.gateway().running, 0);
  await scene.restart(() => server.people.say(dm, ann, 'a long one'));
  await asked.promise;
  await scene.gateway().drain(20);
  assert.equal(scene.gateway().running, 1);
  await scene.restart();
  await scene.until(() => scene.said().includes('After the start.') && scene.gateway().running === 0);
  assert.deepEqual(scene.said(), ['In time.', 'After the start.']);
  const { store } = scene.host();
  const [session] = await store.list({});
  const entries = await store.entries(session?.id ?? '');
  const counted = entries.flatMap((entry) =>
    entry.type === 'outcome' ? [entry.outcome] : entry.type === 'message' && entry.origin !== 'system' ? [entry.message.role] : [],
  );
  assert.deepEqual(counted, ['user', 'assistant', 'answered', 'user', 'assistant', 'answered']);
});

test('an owner who stands in no list of those who may speak is heard, and is the owner', async () => {
  await using scene = await openScene({
    script: async () => ({ text: 'Done.' }),
    allowed: () => '1',
    config: ({ ann }) => `    owners: ["${ann.id}"]\n`,
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, '/background count the stars');
  await scene.until(() => scene.said().some((text) => text.includes('Done.')));
  assert.match(scene.said()[0] ?? '', /^Started in the background/);
  const bob = server.people.addUser('Bob');
  const other = server.people.openPrivate(scene.stage.bot, bob);
  server.people.say(other, bob, '/background count them again');
  await scene.until(async () => (await scene.host().store.gateway.arrivals({ states: ['refused', 'expired'] })).length === 1);
  assert.equal((await scene.host().store.list({})).length, 1);
});

test('bots that talk while a turn runs are counted as well: the sixth in a row is not heard, and a person breaks the row', async () => {
  const release = Promise.withResolvers<void>();
  await using scene = await openScene({
    script: async () => {
      await release.promise;
      return { text: 'Yes.' };
    },
    config: '    allow_bots: all\n',
  });
  const { server, ann, bot } = scene.stage;
  const other = server.people.addUser('Beeper', { isBot: true, username: 'beeper_bot' });
  const group = server.people.openGroup('supergroup', 'Machines', [ann, bot, other]);
  const admitted = async (): Promise<readonly string[]> =>
    (await scene.host().store.gateway.arrivals({ states: ['admitted'] })).flatMap(({ event }) =>
      event.type === 'message' ? [event.text] : [],
    );
  server.people.say(group, ann, 'begin');
  await scene.until(async () => (await admitted()).length === 1 && scene.gateway().running === 1);
  for (let count = 1; count <= 7; count++) server.people.say(group, other, `beep ${count}`);
  server.people.say(group, ann, 'stop it');
  server.people.say(group, other, 'beep again');
  await scene.until(async () => (await admitted()).includes('beep again'));
  assert.deepEqual(await admitted(), ['begin', 'beep 1', 'beep 2', 'beep 3', 'beep 4', 'beep 5', 'stop it', 'beep again']);
  release.resolve();
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

test('a code that did not arrive is followed by another, and whoever got one waits for the next', async () => {
  await using scene = await openScene({ script: [], allowed: () => '1', config: 'unauthorized_dm_behavior: pair\n', isUnlimited: true });
  const { server, ann, dm } = scene.stage;
  const refused = async () => (await scene.host().store.gateway.arrivals({ states: ['refused'] })).length;
  // Carried out, perhaps: the gateway cannot know. Whoever got nothing asks again.
  server.inject({ fault: { type: 'cut' }, methods: ['sendMessage'], times: 1 });
  server.people.say(dm, ann, 'hello?');
  await scene.until(async () => (await refused()) === 1);
  assert.deepEqual(scene.said(), []);
  // Surely not: nobody has to ask again.
  server.inject({ fault: { type: 'rate_limit', retryAfter: 1 }, methods: ['sendMessage'], times: 1 });
  server.people.say(dm, ann, 'hello??');
  await scene.until(async () => (await refused()) === 2);
  assert.equal(scene.said().length, 1);
  server.people.say(dm, ann, 'and another one');
  await scene.until(async () => (await refused()) === 3);
  assert.equal(scene.said().length, 1);
  const [, code = ''] = /code is ([A-Z2-9]{8})\./.exec(scene.said()[0] ?? '') ?? [];
  const approved = await approvePairing(scene.host().store.gateway, { platform: 'telegram', account: 'main' }, code);
  assert.deepEqual([approved.type, (await scene.host().store.gateway.pairings()).length], ['approved', 0]);
  await scene.until(() => scene.said().length === 2);
  assert.equal(scene.said()[1], PAIRED_WORDS, 'whoever was let in hears it');
});

test('the code of a /pair that the service turned away is followed by another, and is in no row', async () => {
  await using scene = await openScene({ script: [], isUnlimited: true });
  const { server, ann, dm } = scene.stage;
  server.inject({ fault: { type: 'rate_limit', retryAfter: 1 }, methods: ['sendMessage'], times: 1 });
  server.people.say(dm, ann, '/pair');
  const { gateway } = scene.host().store;
  await scene.until(async () => (await gateway.arrivals({ states: ['command'] })).length === 1);
  assert.equal(scene.said().length, 1);
  assert.match(scene.said()[0] ?? '', /^Pairing code: [A-HJ-NP-Z2-9]{8}\./);
  assert.deepEqual(await gateway.deliveries({}), []);
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

test('/new, by any beginning of its name, stops a turn that runs, drops what waits and says so; the next message begins another session', async () => {
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
  server.people.say(dm, ann, '/ne');
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
      ++calls === 1 ? { text: 'Words that come one by one', chunk: 1, paceMs: 250 } : { text: 'Done after all.', chunk: 4, paceMs: 200 },
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
  server.people.say(dm, ann, '/undo');
  await scene.until(async () => (await gateway.arrivals({ states: ['command'] })).length === 1);
  const [undone] = await gateway.arrivals({ states: ['command'] });
  assert.equal(await scene.host().store.fact(nameArrivalFact(undone?.id ?? '', 'command')), 'undo');
});

test('a command that is the first thing in its chat is not carried out twice either', async () => {
  const [reached, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  gone.promise.catch(() => undefined);
  let runs = 0;
  await using scene = await openScene({
    script: [],
    overrides: { commands: { fire: { summary: 'Fires', run: async () => `Fired ${++runs}.` } } },
    breakStore: (store) => ({
      settle: async (taken, settlement) => {
        if (!JSON.stringify(settlement).includes('Fired')) return store.settle(taken, settlement);
        reached.resolve();
        return gone.promise;
      },
    }),
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, '/fire');
  await reached.promise;
  const restarted = scene.restart();
  gone.reject(new Error('the process is gone'));
  await restarted;
  await scene.until(() => scene.said().length === 1);
  assert.deepEqual([scene.said(), runs], [['/fire was interrupted. See whether it took effect, and send it again if not.'], 1]);
});

test('a command that was cut off before it was settled is not carried out again: whoever gave it is told to look', async () => {
  const [reached, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  gone.promise.catch(() => undefined);
  let calls = 0;
  await using scene = await openScene({
    isUnlimited: true,
    script: () => ({ text: `Answer ${++calls}.` }),
    // The first process ends with the command carried out and its message still open.
    breakStore: (store) => ({
      settle: async (taken, settlement) => {
        if (!JSON.stringify(settlement).includes('Took back')) return store.settle(taken, settlement);
        reached.resolve();
        return gone.promise;
      },
    }),
  });
  const { server, ann, dm } = scene.stage;
  for (const words of ['one', 'two', 'three']) {
    const before = calls;
    server.people.say(dm, ann, words);
    await scene.until(() => calls > before && scene.said().includes(`Answer ${calls}.`));
  }
  server.people.say(dm, ann, '/undo');
  await reached.promise;
  const left = async () => (await scene.host().store.entries((await scene.host().store.list({}))[0]?.id ?? '')).length;
  const before = await left();
  const restarted = scene.restart();
  gone.reject(new Error('the process is gone'));
  await restarted;
  await scene.until(() => scene.said().length === 4);
  assert.deepEqual(
    [scene.said().at(-1), await left()],
    ['/undo was interrupted. See whether it took effect, and send it again if not.', before],
  );
});

test('a command that cannot be listed costs the menu, and not the gateway', async () => {
  const broken = {
    get summary(): string {
      throw new Error('nobody knows what it does');
    },
    run: async () => '',
  };
  await using scene = await openScene({ script: [{ text: 'Hello.' }], overrides: { hasMenus: true, commands: { broken } } });
  await scene.until(() => scene.log.includes('telegram: commands are not in its menu: nobody knows what it does'));
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hi');
  await scene.until(() => scene.said().length === 1);
});

test('a message is answered although the disk was full each time it was handled, and nobody is told to send it again', async () => {
  const waits: number[] = [];
  let [refusals, isNoted] = [0, false];
  await using scene = await openScene({
    script: [{ text: 'Paid.' }],
    breakStore: (store) => ({
      admit: async (taken, admission) => {
        if (refusals++ < 5) throw new StoreError('full', 'The disk is full.');
        return store.admit(taken, admission);
      },
      // Not even the wait can be written down at first; what is waited for is not the test's time.
      defer: async (taken, deferral) => {
        const isFirst = !isNoted;
        isNoted = true;
        if (isFirst) throw new StoreError('full', 'The disk is full.');
        waits.push(deferral.delayMs);
        return store.defer(taken, { ...deferral, delayMs: 0 });
      },
    }),
    overrides: { clock: { now: Date.now, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) } },
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'pay the rent');
  await scene.until(() => scene.said().length === 1 && !scene.said().join().includes('▉'));
  assert.deepEqual([scene.said(), waits], [['Paid.'], [5_000, 5_000, 15_000, 60_000, 60_000]]);
  const [arrival] = await scene.host().store.gateway.arrivals({});
  assert.deepEqual([arrival?.state, arrival?.attempts], ['admitted', 0]);
});
