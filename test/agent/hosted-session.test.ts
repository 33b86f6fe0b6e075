import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Agent } from '../../src/agent/agent.ts';
import { hostSession } from '../../src/agent/hosted-session.ts';
import { boundedPool } from '../../src/base/bounded-pool.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import type { Notice } from '../../src/contracts/host.ts';

const never = new AbortController().signal;

function stage() {
  const told: Notice[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no call in this test reaches the agent itself
  const agent = {} as Agent;
  const slot = boundedPool(1).slot(async () => ({ agent, [Symbol.asyncDispose]: async () => {} }));
  const hosted = hostSession({ sessionId: 's1', slot, guard: (given) => given, tell: (notice) => void told.push(notice) });
  return { hosted, told };
}

test('what comes up in a turn is an event of that turn, what comes up between turns is told with its session', async () => {
  const { hosted, told } = stage();
  hosted.notice('before');
  const turn = hosted.events(never, async function* (): AsyncGenerator<AgentEvent, string> {
    hosted.notice('within');
    yield { type: 'text_delta', delta: 'hello' };
    hosted.notice('at its end');
    return 'over';
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
  const turn = hosted.events(never, async function* (_agent, signal): AsyncGenerator<AgentEvent, unknown> {
    yield { type: 'text_delta', delta: 'hello' };
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return signal.reason;
  });
  await turn.next();
  const [ended] = await Promise.all([turn.next(), hosted[Symbol.asyncDispose]()]);
  assert.deepEqual(ended, { done: true, value: 'terminated' });
  await assert.rejects(() => hosted.ask(async () => 'more'), /session s1 is closed here; open it again/);
});
