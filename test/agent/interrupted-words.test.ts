import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import type { AgentEvent, Outcome } from '../../src/contracts/event.ts';
import { isMessageEntry, type Entry } from '../../src/contracts/entry.ts';
import { joinTextBlocks } from '../../src/contracts/message.ts';
import { scriptedProvider, type ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { RUNTIME, says, setup, type Setup } from './setup.ts';

/** Runs a message and stops it with the event that `when` picks. */
async function stopAt(stage: Setup, when: (event: AgentEvent) => boolean, reason = 'interrupted'): Promise<Outcome> {
  const stop = new AbortController();
  const turn = createAgent(stage.store, stage.deps, RUNTIME).send(stage.session, says('go'), stop.signal);
  for (;;) {
    const { value, done } = await turn.next();
    if (done === true) return value;
    if (when(value)) stop.abort(reason);
  }
}
const nthDelta = (nth: number) => {
  let seen = 0;
  return (event: AgentEvent): boolean => event.type === 'text_delta' && ++seen === nth;
};
const log = async ({ store, session }: Setup): Promise<readonly Entry[]> => store.entries(session.id);
const said = (entries: readonly Entry[]): string[] =>
  entries.filter(isMessageEntry).flatMap(({ message }) => `${message.role}: ${joinTextBlocks(message)}`);
const outcomeOf = (entries: readonly Entry[]) => entries.findLast((entry) => entry.type === 'outcome');

const SLOW: ScriptedAnswer = { text: 'one two three four', chunk: 4 };

for (const reason of ['interrupted', 'terminated'] as const) {
  test(`a turn that is ${reason} keeps the words that were streamed, as a fragment the next request holds`, async () => {
    const provider = scriptedProvider([SLOW, { text: 'And on.' }]);
    const stage = await setup(provider);
    const outcome = await stopAt(stage, nthDelta(2), reason);
    assert.deepEqual(outcome, { type: 'stopped', exitReason: reason, text: 'one two ', words: 'model' });
    const entries = await log(stage);
    assert.deepEqual(said(entries), ['user: go', 'assistant: one two ']);
    const fragment = entries.findLast(isMessageEntry);
    const end = outcomeOf(entries);
    assert.equal(end?.type === 'outcome' ? end.messageId : undefined, fragment?.id, 'the outcome names the fragment');
    assert.equal(fragment?.origin, 'model');
    await stopAt(stage, () => false);
    assert.deepEqual(
      provider.requests[1]?.messages.map(({ message }) => `${message.role}: ${joinTextBlocks(message)}`),
      ['user: go', 'assistant: one two ', 'user: go'],
    );
  });
}

test('an interrupt while a broken stream is waited for keeps the words that were shown before it broke', async () => {
  const fails = { type: 'network', detail: 'reset', partial: { text: 'half an ans' } } as const;
  const stage = await setup(scriptedProvider([{ text: 'half an ans', fails }]));
  const outcome = await stopAt(stage, ({ type }) => type === 'recovering');
  assert.deepEqual(outcome, { type: 'stopped', exitReason: 'interrupted', text: 'half an ans', words: 'model' });
  assert.deepEqual(said(await log(stage)), ['user: go', 'assistant: half an ans']);
});

test('an interrupt in the second piece of an answer gives both pieces as its words', async () => {
  const stage = await setup(scriptedProvider([{ text: 'First half, ', finish: 'length' }, SLOW]));
  const outcome = await stopAt(stage, nthDelta(2));
  assert.equal(outcome.text, 'First half, one ');
  const end = outcomeOf(await log(stage));
  assert.equal(end?.type === 'outcome' ? end.parts?.length : undefined, 2);
});

test('an interrupt between two pieces of an answer gives the first as its words', async () => {
  const stage = await setup(scriptedProvider([{ text: 'First half, ', finish: 'length' }]));
  const outcome = await stopAt(stage, ({ type }) => type === 'recovering');
  assert.deepEqual([outcome.text, outcome.exitReason], ['First half, ', 'interrupted']);
});

test('an interrupt in the closing call keeps its words', async () => {
  const stage = await setup(scriptedProvider([{ calls: [{ id: 'c', name: 'none' }] }, SLOW]), { settings: { 'agent.max_turns': 1 } });
  const outcome = await stopAt(stage, nthDelta(1));
  assert.deepEqual([outcome.text, outcome.exitReason], ['one ', 'interrupted']);
});

test('an interrupt before any word, or after blanks alone, leaves silence and our own notice', async () => {
  for (const words of ['', '   ']) {
    const stage = await setup(scriptedProvider([{ thinking: 'hm', text: `${words}later`, chunk: Math.max(1, words.length) }]));
    const outcome = await stopAt(stage, words === '' ? ({ type }) => type === 'thinking_delta' : nthDelta(1));
    assert.deepEqual(outcome, { type: 'stopped', exitReason: 'interrupted', text: 'Interrupted.', words: 'ours' });
    const entries = await log(stage);
    assert.deepEqual(said(entries), ['user: go', 'assistant: ']);
    assert.equal(entries.findLast(isMessageEntry)?.origin, 'nudge');
  }
});

test('a stream that an error frame ends keeps the words that were shown, when nothing mends it and when it is interrupted', async () => {
  const fails = { type: 'overloaded', detail: 'Overloaded' } as const;
  const line: ScriptedAnswer = { text: 'half an ans', fails };
  const lost = await setup(scriptedProvider([line, line, line, line]));
  const outcome = await stopAt(lost, () => false);
  assert.deepEqual([outcome.type, outcome.exitReason, outcome.text], ['partial', 'cut_off', 'half an ans']);
  assert.deepEqual(said(await log(lost)), ['user: go', 'assistant: half an ans']);
  const stage = await setup(scriptedProvider([line]));
  assert.equal((await stopAt(stage, ({ type }) => type === 'recovering')).text, 'half an ans');
});
