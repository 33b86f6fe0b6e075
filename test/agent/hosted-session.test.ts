import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Agent } from '../../src/agent/agent.ts';
import { createHostedSession } from '../../src/agent/hosted-session.ts';
import { createBoundedPool } from '../../src/base/bounded-pool.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import type { Notice } from '../../src/contracts/host.ts';

const never = new AbortController().signal;

async function* untilStopped(_agent: Agent, signal: AbortSignal): AsyncGenerator<AgentEvent, unknown> {
  yield { type: 'text_delta', delta: 'hello' };
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return signal.reason;
}
// oxlint-disable-next-line require-yield -- it has nothing to tell
async function* turnedAway(): AsyncGenerator<AgentEvent, string> {
  return 'turned away';
}

function stage(pool = createBoundedPool(1)) {
  const told: Notice[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no call in this test reaches the agent itself
  const agent = {} as Agent;
  const slot = pool.slot(async () => ({ agent, [Symbol.asyncDispose]: async () => {} }));
  const hosted = createHostedSession({
    sessionId: 's1',
    slot,
    agentOf: async (opened) => opened.agent,
    tell: (notice) => void told.push(notice),
  });
  return { hosted, told };
}

test('what comes up in a turn is an event of that turn, what comes up between turns is told with its session', async () => {
  const { hosted, told } = stage();
  hosted.notice('before');
  const turn = hosted.events(never, {
    run: async function* (): AsyncGenerator<AgentEvent, string> {
      hosted.notice('within');
      yield { type: 'text_delta', delta: 'hello' };
      hosted.notice('at its end');
      return 'over';
    },
    turnedAway,
  });
  assert.deepEqual(await Array.fromAsync(turn), [
    { type: 'notice', text: 'within' },
    { type: 'text_delta', delta: 'hello' },
  ]);
  hosted.notice('after');
  assert.deepEqual(
    told,
    ['before', 'at its end', 'after'].map((text) => ({ text, sessionId: 's1' })),
  );
});

test('the end of the session stops its turn, and nothing begins after it', async () => {
  const { hosted } = stage();
  const turn = hosted.events<unknown>(never, { run: untilStopped, turnedAway });
  await turn.next();
  const [ended] = await Promise.all([turn.next(), hosted[Symbol.asyncDispose]()]);
  assert.deepEqual(ended, { done: true, value: 'terminated' });
  assert.throws(() => hosted.mustBeOpen(), /session s1 is closed here; open it again/);
  await assert.rejects(() => hosted.finish<unknown>(never, { run: untilStopped, turnedAway }), /session s1 is closed here; open it again/);
});

test('who finds no room says so and waits; who must not wait, is told to stop or leaves is turned away', { timeout: 5_000 }, async () => {
  const pool = createBoundedPool(1);
  const [{ hosted: busy }, { hosted }] = [stage(pool), stage(pool)];
  const turn = busy.events<unknown>(never, { run: untilStopped, turnedAway });
  await turn.next();
  assert.equal(await hosted.finish<unknown>(AbortSignal.abort(), { run: untilStopped, turnedAway, isPatient: false }), 'turned away');
  const stop = new AbortController();
  const waiting = hosted.events<unknown>(stop.signal, { run: untilStopped, turnedAway });
  assert.deepEqual(await waiting.next(), {
    done: false,
    value: {
      type: 'notice',
      text: 'Waiting: as many sessions as may be open at once (maxOpenSessions) are busy; this one goes on when a turn of another ends.',
    },
  });
  const ended = waiting.next();
  stop.abort();
  assert.deepEqual(await ended, { done: true, value: 'turned away' });
  const left = hosted.events<unknown>(never, { run: untilStopped, turnedAway });
  await left.next();
  await left.return(undefined);
  const closed = hosted.events<unknown>(never, { run: untilStopped, turnedAway });
  await closed.next();
  const [last] = await Promise.all([closed.next(), hosted[Symbol.asyncDispose]()]);
  assert.deepEqual(last, { done: true, value: 'turned away' });
  await Promise.all([turn.next(), busy[Symbol.asyncDispose]()]);
  assert.equal(pool.open, 0);
});
