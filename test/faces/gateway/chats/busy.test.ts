import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followUp } from '../../../../src/faces/gateway/commands/follow-up.ts';
import { openScene, type GatewayScene, type GatewaySceneOptions } from '../scene.ts';

/** A chat whose first turn goes on until it is stopped, also after a restart when the model was to hang twice; the next ones are answered at once. */
async function openBusy(mode: string, hanging = 1, more: Partial<GatewaySceneOptions> = {}): Promise<GatewayScene> {
  const asked = Promise.withResolvers<void>();
  const scene = await openScene({
    isUnlimited: true,
    script: async ({ messages }, index) => {
      if (index >= hanging) return { text: `Answer to ${JSON.stringify(messages.at(-1)).includes('and then this') ? 'this' : 'that'}.` };
      asked.resolve();
      return { text: 'never said', paceMs: 3_600_000 };
    },
    config: `streaming:\n  enabled: false\ndisplay:\n  busy_input_mode: ${mode}\n`,
    ...more,
  });
  scene.stage.server.people.say(scene.stage.dm, scene.stage.ann, 'begin');
  await asked.promise;
  return scene;
}

test('while a turn runs, commands that may act at once, and all others are refused with what to do', async () => {
  await using scene = await openBusy('steer');
  const { server, ann, dm } = scene.stage;
  const answers: string[] = [];
  for (const line of ['/status', '/undo', '/queue and then this', '/stop']) {
    const before = scene.said().length;
    server.people.say(dm, ann, line);
    await scene.until(() => scene.said().length > before);
    answers.push(scene.said()[before] ?? '');
  }
  const [status = '', ...others] = answers;
  assert.match(status, /^Session /);
  assert.deepEqual(others, [
    '/undo cannot be used while a turn is running; stop the turn or wait for its end.',
    'It is answered when the running turn is over.',
    'The running turn was stopped. One message still waits and is answered next; /stop all drops what waits.',
  ]);
  await scene.until(() => scene.said().includes('Answer to this.'));
  const [session] = await scene.host().store.list({});
  const posted = await scene.host().store.inbox(session?.id ?? '');
  assert.deepEqual(
    posted.map(({ sentAt }) => typeof sentAt),
    ['number', 'number'],
    'how late it is read is told of a queued message, too',
  );
});

for (const [mode, fates] of [
  ['interrupt', ['turn', 'interrupted']],
  ['queue', ['turn', 'turn']],
] as const)
  test(`what is said while a turn runs: ${mode}`, async () => {
    await using scene = await openBusy(mode);
    const { server, ann, dm } = scene.stage;
    server.people.say(dm, ann, 'and then this');
    const { store } = scene.host();
    await scene.until(async () => (await store.gateway.arrivals({ states: ['admitted'] })).length === 2);
    if (mode === 'queue') server.people.say(dm, ann, '/stop');
    await scene.until(() => scene.said().includes('Answer to this.'));
    const [session] = await store.list({});
    assert.deepEqual(
      (await store.inbox(session?.id ?? '')).map(({ fate }) => fate),
      fates,
    );
  });

test('what waited when the gateway began is answered after a /stop', async () => {
  await using scene = await openBusy('queue', 2);
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'and then this');
  await scene.until(async () => (await scene.host().store.gateway.arrivals({ states: ['admitted'] })).length === 2);
  await scene.restart();
  await scene.until(() => scene.gateway().running === 1);
  server.people.say(dm, ann, '/stop');
  await scene.until(() => scene.said().includes('Answer to this.'));
  assert.deepEqual(scene.said().toSorted(), [
    'Answer to this.',
    'The running turn was stopped. One message still waits and is answered next; /stop all drops what waits.',
  ]);
});

test('a /stop that is carried out again after a death stops the turn it was meant for and no other', async () => {
  await using scene = await openBusy('queue');
  const { store } = scene.host();
  const [before] = await store.gateway.routes({});
  const [session] = await store.list({});
  assert.ok(before?.sessionId !== undefined && session !== undefined);
  const address = { routeKey: before.key, target: before.target, senderId: '7', role: 'owner' } as const;
  const stopped: string[] = [];
  const stop = async (key: string): Promise<void> => {
    const route = await store.gateway.route(before.key);
    const fail = () => assert.fail('a stop is a stop');
    const conversations = { open: fail, close: fail, wake: fail, isBusy: fail, stop: (id: string) => void stopped.push(id) };
    await followUp({ type: 'stop' }, { address, session, route, key }, { conversations, store, emit: fail });
  };
  await stop('arrival:1');
  await stop('arrival:1');
  assert.deepEqual(stopped, [session.id, session.id], 'the turn it was meant for still runs');
  await store.gateway.remember(before.key, { stopped: { key: 'arrival:1', turnId: 'the turn before' } });
  await stop('arrival:1');
  assert.equal(stopped.length, 2);
  await stop('arrival:2');
  assert.equal(stopped.length, 3, 'another /stop is meant for the turn that runs now');
});

test('a /new that is refused stops no turn and drops no message', async () => {
  let mayLeave = false;
  // Of two who may speak neither is the owner.
  const more = { allowed: (id: number) => `${id},1`, overrides: { isForGuests: () => mayLeave } };
  await using scene = await openBusy('queue', 1, more);
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'and then this');
  const { store } = scene.host();
  await scene.until(async () => (await store.gateway.arrivals({ states: ['admitted'] })).length === 2);
  server.people.say(dm, ann, '/new');
  await scene.until(() => scene.said().length === 1);
  assert.match(scene.said()[0] ?? '', /^\/new is for the owner of this agent\./);
  const [session] = await store.list({});
  assert.deepEqual([scene.gateway().running, (await store.inbox(session?.id ?? '')).map(({ fate }) => fate)], [1, ['turn', undefined]]);
  mayLeave = true;
  server.people.say(dm, ann, '/new');
  await scene.until(() => scene.said().length === 2);
  assert.match(scene.said()[1] ?? '', /begins a new session\.\nOne message that was waiting was dropped\.$/);
  await scene.until(() => scene.gateway().running === 0);
});
