import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropRewound, isMessageEntry, type Entry } from '../../../src/contracts/entry.ts';
import { collectToolCalls, createTextBlock, joinTextBlocks, type Message } from '../../../src/contracts/message.ts';
import type { AdoptedEntry } from '../../../src/contracts/session-store.ts';
import { deriveView } from '../../../src/parts/context/view/view.ts';
import type { ForeignLog, ForeignMessage } from '../../../src/parts/migrate/foreign/foreign-home.ts';
import { createAdoptedLog } from '../../../src/parts/migrate/log/create-log.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';

const ORIGIN = { key: 'hermes\0one', note: 'Taken over.', startedAt: 1000 };
const asLog = (entries: readonly AdoptedEntry[]): Entry[] => entries.map((entry, index) => ({ ...entry, sessionId: 's', seq: index + 1 }));
const shown = (log: ForeignLog): readonly Message[] =>
  deriveView(dropRewound(asLog(createAdoptedLog(log, ORIGIN)))).map(({ message }) => message);

/** Messages as careless programs leave them: in any order, with calls and results that do not belong together. */
function randomMessages(random: SeededRandom, count: number): ForeignMessage[] {
  const compactedUntil = random.hits(0.3) ? random.int(0, count - 1) : 0;
  let takenBack = false;
  return Array.from({ length: count }, (_, index): ForeignMessage => {
    takenBack = index >= compactedUntil && random.hits(takenBack ? 0.6 : 0.1);
    const fate = takenBack ? 'taken_back' : index < compactedUntil ? 'compacted' : 'stands';
    return { at: 2000 + index, message: randomMessage(random, `word${index}`), fate };
  });
}

function randomMessage(random: SeededRandom, word: string): Message {
  const text = createTextBlock(word, 'model');
  const id = `call_${random.int(0, 3)}`;
  switch (random.int(0, 3)) {
    case 0:
      return { role: 'tool', callId: id, name: 'terminal', content: [text], failed: false };
    case 1:
      return { role: 'assistant', content: [text, { type: 'tool_call', id, name: 'terminal', input: {}, trust: 'model' }] };
    case 2:
      return { role: 'assistant', content: [text] };
    default:
      return { role: 'user', content: [text] };
  }
}

/** What a provider would refuse. */
function findFaults(view: readonly Message[]): string[] {
  const faults: string[] = view[0] === undefined || view[0].role === 'user' ? [] : [`it begins with ${view[0].role}`];
  const open = new Set<string>();
  for (const [index, message] of view.entries()) {
    const before = view[index - 1]?.role;
    if (message.role === 'tool' ? !open.delete(message.callId) : open.size > 0) faults.push(`${index}: calls and results do not fit`);
    if (message.role !== 'tool' && before === message.role) faults.push(`${index}: ${message.role} twice`);
    if (message.role === 'user' && before === 'tool') faults.push(`${index}: a message follows a result`);
    if (message.role === 'assistant') for (const { id } of collectToolCalls(message)) open.add(id);
  }
  return open.size > 0 ? [...faults, 'it ends with a call'] : faults;
}

test('whatever another program left, its log becomes one a model can be sent, with every message in it', () =>
  forAll(600, (random) => {
    const messages = randomMessages(random, 1 + random.int(0, 23));
    const log = { messages, costs: [], ...(random.hits(0.5) && { summary: 'so far' }) };
    const entries = asLog(createAdoptedLog(log, ORIGIN));
    const view = deriveView(dropRewound(entries)).map(({ message }) => message);
    assert.deepEqual(findFaults(view), [], JSON.stringify(messages.map(({ message, fate }) => [message.role, fate])));
    const stored = entries.filter(isMessageEntry).map(({ message }) => joinTextBlocks(message));
    const seen = view.map(joinTextBlocks).join(' ');
    for (const { message, fate } of messages) {
      const words = joinTextBlocks(message);
      assert.equal(stored.filter((text) => text.split(/(?=word)/).includes(words)).length, 1, `${words} is stored once`);
      assert.equal(new RegExp(`${words}(?!\\d)`).test(seen), fate === 'stands', `${words} is ${fate}`);
    }
    assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
    assert.deepEqual(asLog(createAdoptedLog(log, ORIGIN)), entries, 'the same log gives the same entries');
  }));

const said = (role: 'user' | 'assistant', words: string, fate: ForeignMessage['fate'] = 'stands'): ForeignMessage => ({
  at: 5000,
  fate,
  message: { role, content: [createTextBlock(words, role === 'user' ? 'owner' : 'model')] },
});

test('a log that went on there begins with the same entries', () => {
  const first = [said('user', 'one'), said('assistant', 'two')];
  const early = createAdoptedLog({ messages: first, costs: [] }, ORIGIN);
  const late = createAdoptedLog({ messages: [...first, said('user', 'three'), said('assistant', 'four')], costs: [] }, ORIGIN);
  assert.deepEqual(late.slice(0, early.length), early);
  assert.notDeepEqual(createAdoptedLog({ messages: first, costs: [] }, { ...ORIGIN, key: 'other' })[1]?.id, early[1]?.id);
});

test('a summary stands for what it stood for, and what was taken back is not shown', () => {
  const messages = [
    said('user', 'old', 'compacted'),
    said('assistant', 'older', 'compacted'),
    said('user', 'wrong', 'taken_back'),
    said('assistant', 'also wrong', 'taken_back'),
    said('user', 'new'),
    said('assistant', 'newest'),
  ];
  assert.deepEqual(shown({ messages, costs: [], summary: 'so far' }).map(joinTextBlocks), ['so far', '', 'new', 'newest']);
});
