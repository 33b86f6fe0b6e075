import assert from 'node:assert/strict';
import type { ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk';
import { test } from 'node:test';
import type { AgentEvent, ExitReason, Outcome } from '../../../../src/contracts/event.ts';
import { createTextBlock, NO_USAGE } from '../../../../src/contracts/message.ts';
import { toStopReason } from '../../../../src/faces/serve/acp/stop-reasons.ts';
import { createTurnUpdates, type TurnUpdatesOptions } from '../../../../src/faces/serve/acp/turn-updates.ts';

const foldWith = (options: Partial<TurnUpdatesOptions>, ...events: readonly AgentEvent[]): readonly SessionUpdate[] => {
  const toUpdates = createTurnUpdates({ cwd: '/work', capabilities: {}, ...options });
  return events.flatMap((event) => toUpdates(event));
};
const textsOf = (updates: readonly SessionUpdate[]) =>
  updates.flatMap((update) =>
    update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? [[update.content.text, update.messageId]] : [],
  );
const delta = (text: string): AgentEvent => ({ type: 'text_delta', delta: text });
const sampled = (text: string): AgentEvent => ({
  type: 'sampled',
  message: { role: 'assistant', content: [createTextBlock(text, 'model')] },
  usage: NO_USAGE,
  callId: 'm',
});
const RECOVERING: AgentEvent = { type: 'recovering', strategy: 'wait', failure: { type: 'network', detail: 'gone' } };

test('a reply that broke off is followed by another message, which says so; one that never began is not mentioned', () => {
  const broken = textsOf(foldWith({}, delta('Hel'), RECOVERING, delta('Hello'), sampled('Hello')));
  assert.deepEqual(
    broken.map(([text]) => text),
    ['Hel', '\n\n[The reply broke off. Trying again.]\n\n', 'Hello'],
  );
  assert.equal(new Set(broken.map(([, id]) => id)).size, 2);
  assert.deepEqual(
    textsOf(foldWith({}, RECOVERING, delta('Hello'), sampled('Hello'))).map(([text]) => text),
    ['Hello'],
  );
});

test('an answer that was not streamed is said at once', () => {
  assert.deepEqual(
    textsOf(foldWith({}, sampled('All at once.'), sampled(''))).map(([text]) => text),
    ['All at once.'],
  );
});

const settled = (outcome: Outcome): AgentEvent => ({ type: 'settled', outcome });
const ENDS: readonly (readonly [outcome: Outcome, words: readonly string[], reason: string])[] = [
  [{ type: 'answered', exitReason: 'answered', text: 'Yes.' }, [], 'end_turn'],
  [{ type: 'partial', exitReason: 'truncated', text: 'Ye', words: 'model' }, [], 'max_tokens'],
  [{ type: 'partial', exitReason: 'empty', text: 'Nothing came.', words: 'ours' }, ['Nothing came.'], 'end_turn'],
  [{ type: 'stopped', exitReason: 'interrupted', text: 'Interrupted.', words: 'ours' }, [], 'cancelled'],
  [{ type: 'stopped', exitReason: 'terminated', text: 'Terminated.', words: 'ours' }, [], 'cancelled'],
  [{ type: 'stopped', exitReason: 'turn_limit', text: 'Enough.', words: 'ours' }, ['Enough.'], 'max_turn_requests'],
  [{ type: 'stopped', exitReason: 'token_budget', text: 'Enough.', words: 'model' }, [], 'max_tokens'],
  [{ type: 'failed', exitReason: 'content_blocked', text: 'Blocked.' }, [], 'refusal'],
];
test('how a turn ended is told in the words of the protocol; ours are shown where the model said none', () => {
  for (const [outcome, words, reason] of ENDS) {
    assert.deepEqual(
      textsOf(foldWith({}, settled(outcome))).map(([text]) => text),
      words,
      outcome.exitReason,
    );
    assert.equal(toStopReason(outcome), reason, outcome.exitReason);
  }
});
test('a turn that failed is an error with its words; without a key the editor is told to set one up', () => {
  const fail = (exitReason: Extract<Outcome, { type: 'failed' }>['exitReason']) => () =>
    toStopReason({ type: 'failed', exitReason, text: 'It broke.' });
  assert.throws(fail('server_error'), { code: -32_603, message: 'It broke.' });
  for (const reason of ['unauthorized', 'billing'] satisfies ExitReason[])
    assert.throws(fail(reason), { code: -32_000, message: /It broke\./ });
});

const COMPACTION: readonly AgentEvent[] = [
  { type: 'compacting', tokens: 9, window: 10, reason: 'full' },
  {
    type: 'compacted',
    report: {
      engine: 'compressor',
      reason: 'full',
      outcome: 'summary',
      tokensBefore: 9,
      tokensAfter: 3,
      messagesBefore: 4,
      messagesAfter: 2,
      ms: 1,
    },
  },
];
test('compactions are told only to clients that know of them', () => {
  const shown = (capabilities: ClientCapabilities) =>
    foldWith({ capabilities }, ...COMPACTION).map((update) => (update.sessionUpdate === 'compaction_update' ? update.status : update));
  assert.deepEqual(shown({}), []);
  assert.deepEqual(shown({ session: { compaction: null } }), []);
  assert.deepEqual(shown({ session: { compaction: {} } }), ['in_progress', 'completed']);
});

test('the output of a running command is sent now and then, its end alone; a terminal of the editor shows it by itself', () => {
  let clock = 1_000;
  const started: AgentEvent = {
    type: 'tool_started',
    call: { type: 'tool_call', id: 'c', name: 'terminal', input: { command: 'x' }, trust: 'model' },
  };
  const progress = (note: string, at: number): AgentEvent => ((clock = at), { type: 'tool_progress', callId: 'c', note });
  const fold = (options: Partial<TurnUpdatesOptions>): readonly (number | undefined)[] => {
    const toUpdates = createTurnUpdates({ cwd: '/work', capabilities: {}, now: () => clock, ...options });
    const events = [() => started, () => progress('a\n', 1_000), () => progress('b\n', 1_100), () => progress('x'.repeat(9_000), 1_300)];
    return events.map((event) => {
      const [update] = toUpdates(event());
      return update?.sessionUpdate === 'tool_call_update' ? JSON.stringify(update.content).length : undefined;
    });
  };
  const [, first, second, third] = fold({});
  assert.ok(first !== undefined && second === undefined && third !== undefined && third < 4_200, `${first} ${second} ${third}`);
  assert.deepEqual(fold({ shownFor: () => [{ type: 'terminal', terminalId: 't' }] }), [undefined, undefined, undefined, undefined]);
});
