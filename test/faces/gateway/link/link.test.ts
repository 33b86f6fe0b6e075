import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventBatch, PlatformConnection } from '../../../../src/contracts/platform-adapter.ts';
import { LINK_TIMES } from '../../../../src/faces/gateway/link/contract.ts';
import { openScene, send, type LinkScene } from './link-scene.ts';
import { ScriptedService } from './scripted-service.ts';
import { createVirtualClock } from './virtual-clock.ts';

const connected = async ({ clock, link }: LinkScene): Promise<void> => {
  await clock.pass(0);
  await clock.until(() => link.state().type === 'connected');
};
const BROKEN = { kind: 'broken', why: 'It broke.' } as const;
const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe('a link receives', () => {
  test('what was said before, meanwhile and after a break arrives once and in order', async () => {
    await using scene = openScene({ prepare: (service) => service.say('one') });
    const { service, clock, texts } = scene;
    await connected(scene);
    service.say('two');
    await clock.pass(SECOND);
    service.drop(BROKEN);
    service.say('three');
    await clock.pass(10 * SECOND);
    service.say('four');
    await clock.pass(SECOND);
    assert.deepEqual(texts(), ['one', 'two', 'three', 'four']);
    assert.deepEqual(scene.states, ['connecting', 'connected', 'connecting', 'waiting', 'connecting', 'connected']);
    const { msSinceProgress, ...state } = scene.link.state();
    assert.deepEqual(state, { type: 'connected', generation: 2, reconnects: 1, starts: 1, identity: { id: '1', name: 'scripted' } });
    assert.equal(msSinceProgress, SECOND);
    assert.equal(service.mostSockets, 1);
  });

  test('the next batch is asked for only after the one before was stored', async () => {
    const commits: PromiseWithResolvers<void>[] = [];
    await using scene = openScene({
      receive: () => {
        const commit = Promise.withResolvers<void>();
        commits.push(commit);
        return commit.promise;
      },
    });
    await connected(scene);
    scene.service.say('one');
    scene.service.say('two');
    // The service waits for us, not we for it: nobody is deaf.
    await scene.clock.pass(HOUR);
    assert.equal(commits.length, 1);
    assert.equal(scene.service.connects.length, 1);
    // But nothing is received either, and the state says so.
    assert.equal(scene.link.state().type, 'connecting');
    commits[0]?.resolve();
    await scene.clock.pass(SECOND);
    assert.equal(commits.length, 2);
    assert.equal(scene.link.state().type, 'connected');
    commits[1]?.resolve();
  });

  test('what is being stored when a connection breaks is not asked for again', async () => {
    const [stored, commit]: [string[], PromiseWithResolvers<void>] = [[], Promise.withResolvers()];
    await using scene = openScene({
      cursors: async () => [{ scope: 'updates', value: String(stored.length) }],
      receive: async ([event]) => {
        await commit.promise;
        if (event?.type === 'message') stored.push(event.text);
      },
    });
    await connected(scene);
    scene.service.say('one');
    await scene.clock.pass(SECOND);
    scene.service.drop(BROKEN);
    await scene.clock.pass(3 * SECOND);
    commit.resolve();
    await scene.clock.pass(10 * SECOND);
    assert.deepEqual([stored, scene.service.connects.map(({ cursor }) => cursor)], [['one'], ['0', '1']]);
  });

  test('a connection that is over brings nothing any more and is not called connected, however slowly it closes', async () => {
    const [fetched, never] = [Promise.withResolvers<void>(), new Promise<never>(() => {})];
    async function* missed(): AsyncGenerator<EventBatch> {
      await fetched.promise;
      yield [{ type: 'cursor', cursor: { scope: 'updates', value: '1' } }];
    }
    const connection: PlatformConnection = {
      account: { id: '1', name: 'slow' },
      catchUp: missed,
      events: () => missed(),
      progress: () => Infinity,
      ended: Promise.resolve(BROKEN),
      [Symbol.asyncDispose]: () => never,
    };
    const handle = await new ScriptedService(createVirtualClock()).openAdapter();
    const received: EventBatch[] = [];
    await using scene = openScene({
      openAdapter: async () => ({ ...handle, adapter: { ...handle.adapter, connect: async () => ({ type: 'connected', connection }) } }),
      receive: async (batch) => void received.push(batch),
    });
    await scene.clock.pass(SECOND);
    fetched.resolve();
    await scene.clock.pass(SECOND);
    assert.deepEqual([received, scene.states], [[], ['connecting']]);
  });

  test('what could not be stored comes again', async () => {
    const stored: string[] = [];
    let failures = 1;
    await using scene = openScene({
      cursors: async () => [{ scope: 'updates', value: String(stored.length) }],
      receive: async ([event]) => {
        if (failures-- > 0) throw new Error('disk full');
        if (event?.type === 'message') stored.push(event.text);
      },
    });
    await connected(scene);
    scene.service.say('one');
    await scene.clock.pass(10 * SECOND);
    assert.deepEqual(stored, ['one']);
    assert.match(scene.log.join('\n'), /Receiving failed: disk full\. Connecting again in 1 s\./);
  });
});

describe('a link is not deaf for long', () => {
  test('a connection by which nothing comes is replaced, however many sends succeed', async () => {
    await using scene = openScene();
    const { clock, service, link, received } = scene;
    await connected(scene);
    service.deafen();
    const deafAt = clock.steady();
    service.say('anybody there?');
    for (let i = 0; i < 200 && received.length === 0; i++) {
      assert.equal((await send(link, `message ${i}`)).type, 'sent');
      await clock.pass(SECOND);
    }
    assert.deepEqual(scene.texts(), ['anybody there?']);
    assert.ok((received[0]?.at ?? Infinity) - deafAt < 100 * SECOND);
    assert.match(scene.log.join('\n'), /Nothing was received for 90 s\./);
  });

  test('the state stops saying connected as soon as the time is up, before anybody looked', async () => {
    await using scene = openScene({ times: { ...LINK_TIMES, look: HOUR } });
    await connected(scene);
    scene.service.deafen();
    await scene.clock.pass(80 * SECOND);
    assert.equal(scene.link.state().type, 'connected');
    await scene.clock.pass(40 * SECOND);
    const { type, ...rest } = scene.link.state();
    assert.equal(type, 'connecting');
    assert.ok('why' in rest && rest.why === 'Nothing is being received.');
  });

  test('a connection that does not close is given up with its worker, and the next one works', async () => {
    await using scene = openScene({ prepare: (service) => void (service.hangsAtClose = true) });
    const { clock, service } = scene;
    await connected(scene);
    service.hangsAtClose = false;
    service.deafen();
    service.say('hello');
    await clock.pass(120 * SECOND);
    assert.deepEqual(scene.texts(), ['hello']);
    assert.deepEqual([service.starts, service.sockets.size, service.mostSockets], [2, 1, 1]);
  });

  test('a rebuilt connection by which nothing ever comes is torn down after 15 s', async () => {
    await using scene = openScene();
    const { clock, service } = scene;
    await connected(scene);
    service.fates.push('black_holed', 'black_holed', 'works');
    service.drop(BROKEN);
    await clock.pass(2 * SECOND);
    assert.equal(scene.link.state().type, 'connecting');
    service.say('hello');
    await clock.pass(58 * SECOND);
    assert.deepEqual(scene.texts(), ['hello']);
    // What was spent with a connection that hung is not waited again.
    assert.deepEqual(scene.waits(), [SECOND, SECOND, SECOND]);
  });

  test('catching up that never ends is given up, although frames arrive', async () => {
    await using scene = openScene({ prepare: (service) => void service.fates.push('stuck_catching_up') });
    scene.service.say('hello');
    await scene.clock.pass(500 * SECOND);
    assert.deepEqual([scene.link.state().type, scene.service.connects.length], ['connecting', 1]);
    await scene.clock.pass(120 * SECOND);
    assert.deepEqual(scene.texts(), ['hello']);
  });

  test('catching up while nothing at all arrives is given up like any other silence', async () => {
    await using scene = openScene({ prepare: (service) => void service.fates.push('stuck_catching_up') });
    await scene.clock.pass(SECOND);
    scene.service.deafen();
    scene.service.say('hello');
    await scene.clock.pass(120 * SECOND);
    assert.deepEqual(scene.texts(), ['hello']);
  });

  test('connecting that hangs is given up; an adapter that does not hear of it is replaced', async () => {
    await using scene = openScene({ prepare: (service) => void service.fates.push('hangs') });
    scene.service.say('hello');
    await scene.clock.pass(60 * SECOND);
    assert.deepEqual(scene.texts(), ['hello']);
    assert.equal(scene.service.starts, 2);
    assert.match(scene.log.join('\n'), /Connecting took longer than 30 s\./);
  });

  test('an adapter that answers nothing at all is replaced', async () => {
    await using scene = openScene({ prepare: (service) => void (service.hangsAtClose = true) });
    await connected(scene);
    scene.service.isSilent = true;
    scene.service.hangsAtClose = false;
    scene.service.drop(BROKEN);
    scene.service.say('hello');
    await scene.clock.pass(120 * SECOND);
    assert.deepEqual(scene.texts(), ['hello']);
    assert.equal(scene.service.starts, 2);
  });

  test('an adapter that does not start, or dies at once, is started again', async () => {
    let starts = 0;
    await using scene = openScene();
    await using other = openScene({
      openAdapter: async () => {
        if (++starts === 1) throw new Error('no such module');
        if (starts === 2) return new Promise(() => {});
        return scene.service.openAdapter();
      },
    });
    await other.clock.pass(40 * SECOND);
    assert.equal(starts, 3);
    assert.match(other.log.join('\n'), /did not start: no such module.*did not start in 30 s/s);
  });

  test('after eight hours of sleep it connects at once, and nothing waits for hours when the clock is set back', async () => {
    await using scene = openScene();
    const { clock, service } = scene;
    await connected(scene);
    service.deafen();
    service.say('good morning');
    clock.jump(8 * HOUR);
    await clock.pass(10 * SECOND);
    assert.deepEqual(scene.texts(), ['good morning']);
    clock.jump(-8 * HOUR);
    service.drop(BROKEN);
    service.say('good night');
    await clock.pass(10 * SECOND);
    assert.deepEqual(scene.texts(), ['good morning', 'good night']);
  });

  test('a wait that the computer slept through is over', async () => {
    const limited = { ...BROKEN, retryAfterMs: HOUR };
    await using scene = openScene({ prepare: (service) => void service.fates.push(limited) });
    await scene.clock.pass(SECOND);
    assert.equal(scene.link.state().type, 'waiting');
    scene.clock.jump(8 * HOUR);
    await scene.clock.pass(10 * SECOND);
    assert.equal(scene.link.state().type, 'connected');
  });
});

describe('a link waits between connections', () => {
  test('longer each time, and from the start again after a connection that held', async () => {
    const fates = Array.from({ length: 7 }, () => BROKEN);
    await using scene = openScene({ prepare: (service) => void service.fates.push(...fates) });
    await connected(scene);
    scene.service.drop(BROKEN);
    await connected(scene);
    await scene.clock.pass(80 * SECOND);
    scene.service.drop(BROKEN);
    await connected(scene);
    assert.deepEqual(
      scene.waits(),
      [1, 2, 5, 10, 30, 60, 60, 60, 1].map((seconds) => seconds * SECOND),
    );
  });

  test('a deaf connection has not held, however long it stood', async () => {
    await using scene = openScene({ prepare: (service) => void service.fates.push(BROKEN) });
    await connected(scene);
    scene.service.deafen();
    await scene.clock.until(() => scene.link.state().type === 'waiting');
    assert.deepEqual(scene.waits(), [SECOND, SECOND]);
    scene.service.fates.push(BROKEN);
    await connected(scene);
    assert.deepEqual(scene.waits(), [SECOND, SECOND, 5 * SECOND]);
  });

  test('as long as the service says, when that is longer', async () => {
    await using scene = openScene({ prepare: (service) => void service.fates.push({ ...BROKEN, retryAfterMs: 200 * SECOND }) });
    await connected(scene);
    assert.deepEqual(scene.waits(), [200 * SECOND]);
  });

  test('and not longer than it can wait that has to reach us', async () => {
    const fates = Array.from({ length: 6 }, () => ({ ...BROKEN, retryWithinMs: SECOND }));
    await using scene = openScene({ prepare: (service) => void service.fates.push(...fates) });
    await connected(scene);
    assert.deepEqual(
      scene.waits(),
      fates.map(() => SECOND),
    );
  });

  test('shorter by up to a fifth, so that not all come back at once', async () => {
    await using scene = openScene({ random: () => 0.999, prepare: (service) => void service.fates.push(BROKEN) });
    await connected(scene);
    assert.deepEqual(scene.waits().map(Math.round), [800]);
  });

  test('longer while another program uses the credential, and says so', async () => {
    const busy = { kind: 'busy', why: 'Another program polls with this token.' } as const;
    await using scene = openScene({ prepare: (service) => void service.fates.push(busy, busy, busy, busy) });
    await scene.clock.pass(SECOND);
    const state = scene.link.state();
    assert.deepEqual([state.type, 'why' in state && state.why], ['busy', busy.why]);
    await connected(scene);
    assert.deepEqual(
      scene.waits(),
      [30, 60, 120, 120].map((seconds) => seconds * SECOND),
    );
    // A poll of ours that is only just ending is gone in a moment, and the adapter knows it.
    scene.service.drop({ ...busy, retryAfterMs: SECOND });
    await connected(scene);
    assert.equal(scene.waits().at(-1), SECOND);
  });

  test('for ever when the settings are refused, and still sends', async () => {
    const refused = { kind: 'refused', why: 'The token is not valid.' } as const;
    await using scene = openScene({ prepare: (service) => void service.fates.push(refused) });
    await scene.clock.pass(24 * HOUR);
    assert.deepEqual(scene.link.state(), { type: 'refused', why: refused.why, generation: 1, reconnects: 0, starts: 1 });
    assert.equal(scene.service.connects.length, 1);
    assert.equal((await send(scene.link, 'hello')).type, 'sent');
    assert.match(scene.log.join('\n'), /stopped\. The token is not valid\. Correct the settings of this platform to try again\./);
  });
});

describe('a link resumes', () => {
  const resumable = { ...BROKEN, resume: 'session 1' };
  const resumes = ({ service }: LinkScene) => service.connects.map(({ resume }) => resume ?? 'fresh');

  test('three times in a row, then it logs in anew', async () => {
    await using scene = openScene();
    await connected(scene);
    for (let i = 0; i < 5; i++) {
      scene.service.drop(resumable);
      await connected(scene);
    }
    assert.deepEqual(resumes(scene), ['fresh', 'session 1', 'session 1', 'session 1', 'fresh', 'session 1']);
  });

  test('as often as it likes when connections hold', async () => {
    await using scene = openScene();
    for (let i = 0; i < 5; i++) {
      await connected(scene);
      await scene.clock.pass(80 * SECOND);
      scene.service.drop(resumable);
      await scene.clock.pass(SECOND);
    }
    assert.deepEqual(resumes(scene), ['fresh', ...Array.from({ length: 5 }, () => 'session 1')]);
  });

  test('also after attempts that hung, but not for ever', async () => {
    await using scene = openScene();
    await connected(scene);
    scene.service.fates.push('hangs', 'hangs', 'hangs');
    scene.service.drop(resumable);
    await scene.clock.until(() => scene.service.connects.length === 5);
    assert.deepEqual(resumes(scene), ['fresh', 'session 1', 'session 1', 'session 1', 'fresh']);
  });

  test('also a connection that was closed because it was deaf', async () => {
    await using scene = openScene();
    await connected(scene);
    scene.service.resumeAtClose = 'session 2';
    scene.service.deafen();
    await scene.clock.until(() => scene.service.connects.length === 2);
    assert.deepEqual(resumes(scene), ['fresh', 'session 2']);
  });

  test('not what the service does not offer', async () => {
    await using scene = openScene();
    await connected(scene);
    scene.service.fates.push(BROKEN);
    scene.service.drop(resumable);
    await scene.clock.until(() => scene.service.connects.length === 3);
    assert.deepEqual(resumes(scene), ['fresh', 'session 1', 'fresh']);
  });
});

describe('a link sends', () => {
  test('without a connection and while one is made', async () => {
    await using scene = openScene({ prepare: (service) => void service.fates.push('hangs') });
    assert.deepEqual(await send(scene.link, 'early'), { type: 'sent', messageId: '1' });
    assert.deepEqual(scene.service.sent, ['early']);
  });

  test('what was handed to a worker that dies is unknown; what comes after is not sent, until it is back', async () => {
    await using scene = openScene();
    const { clock, link, service } = scene;
    await connected(scene);
    service.isSilent = true;
    const sending = send(link, 'lost');
    const looking = link.findSent({ chatId: 'c', key: 'k', content: { type: 'text', markdown: 'x' } }, 0, new AbortController().signal);
    await clock.pass(SECOND);
    service.crash('It threw from a timer.');
    const why = 'The adapter stopped: It threw from a timer.';
    assert.deepEqual(await sending, { type: 'unknown', why });
    assert.deepEqual(await looking, { type: 'unknown', why: 'This platform cannot be asked.' });
    await clock.pass(10);
    assert.deepEqual(await send(link, 'too early'), { type: 'not_sent', why });
    await connected(scene);
    assert.deepEqual(await send(link, 'now'), { type: 'sent', messageId: '1' });
  });

  test('a call whose signal aborts ends, whatever the adapter does', async () => {
    await using scene = openScene();
    await connected(scene);
    scene.service.isSilent = true;
    const stop = new AbortController();
    const sending = send(scene.link, 'slow', stop.signal);
    await scene.clock.pass(SECOND);
    stop.abort();
    await scene.clock.pass(6 * SECOND);
    assert.deepEqual(await sending, { type: 'unknown', why: 'It was stopped before an answer came.' });
    assert.deepEqual(await send(scene.link, 'stopped before', stop.signal), {
      type: 'not_sent',
      why: 'It was stopped before it began.',
    });
  });

  test('what a platform does not have is answered, not thrown', async () => {
    await using scene = openScene();
    await connected(scene);
    const never = new AbortController().signal;
    const at = { chatId: 'c', messageId: '1' };
    const refused = { type: 'refused', why: 'This platform cannot do that.' };
    assert.deepEqual(await scene.link.remove(at, never), refused);
    assert.deepEqual(await scene.link.edit({ ...at, content: { type: 'text', markdown: 'x' } }, never), refused);
    assert.deepEqual(await scene.link.listChats(never), []);
    assert.equal(await scene.link.react(at, 'seen', never), undefined);
  });
});

describe('a link closes', () => {
  test('and leaves no socket, whatever hangs', async () => {
    const scene = openScene({ prepare: (service) => void (service.hangsAtClose = true) });
    await connected(scene);
    scene.service.isSilent = true;
    await scene[Symbol.asyncDispose]();
    assert.equal(scene.service.sockets.size, 0);
    assert.equal(scene.link.state().type, 'stopped');
    assert.deepEqual(await send(scene.link, 'after'), { type: 'not_sent', why: 'The account is being closed.' });
    await scene.clock.pass(HOUR);
    assert.equal(scene.service.connects.length, 1);
  });

  test('while it connects, waits or starts its adapter', async () => {
    for (const fate of ['hangs', BROKEN, 'black_holed', 'stuck_catching_up'] as const) {
      const scene = openScene({ prepare: (service) => void service.fates.push(fate) });
      await scene.clock.pass(100);
      await scene[Symbol.asyncDispose]();
      assert.equal(scene.link.state().type, 'stopped');
      assert.equal(scene.service.sockets.size, 0);
    }
    const late = Promise.withResolvers<void>();
    const terminated: string[] = [];
    const scene = openScene();
    const starting = openScene({
      openAdapter: async () => {
        await late.promise;
        return { ...(await scene.service.openAdapter()), terminate: async () => void terminated.push('terminated') };
      },
    });
    await starting.clock.pass(100);
    await starting[Symbol.asyncDispose]();
    late.resolve();
    await starting.clock.pass(100);
    assert.deepEqual(terminated, ['terminated']);
    await scene[Symbol.asyncDispose]();
  });
});
