import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../../src/contracts/entry.ts';
import { isMessageEntry } from '../../../src/contracts/entry.ts';
import { createTextBlock } from '../../../src/contracts/message.ts';
import { createAgent } from '../../../src/agent/agent.ts';
import { forAll } from '../../../src/testing/seeded-random.ts';
import { scriptedProvider } from '../../../src/testing/scripted-provider.ts';
import { collect, RUNTIME, says as question, setup } from '../setup.ts';
import { randomStory } from './story.ts';
import { openStage } from './stage.ts';
import { tell } from './world.ts';
import { sized } from '../../size.ts';

const FATES = ['steered', 'turn', 'interrupted'] as const;

test('every posted text has exactly one fate in the end, stands in the log once, and the fates add up to the posts', async () => {
  const stage = await openStage();
  await forAll(sized(60, 150), async (chance) => {
    const { inbox, posted, entries } = await tell(randomStory(chance, { rates: { steer: 20, queue: 10, interrupt: 10, full: 2 } }), stage);
    const sum = FATES.reduce((total, fate) => total + inbox.filter((item) => item.fate === fate).length, 0);
    assert.equal(sum, posted);
    for (const item of inbox) {
      const words = item.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      const found = entries.filter((entry) => says(entry, words));
      assert.deepEqual(
        found.map((entry) => entry.origin),
        [item.fate === 'steered' ? 'steer' : 'user'],
        `${words} (${item.fate})`,
      );
    }
  });
});

test('an interrupting text ends the turn it met and no later one', async () => {
  const scene = await setup(
    scriptedProvider((_request, index) => {
      if (index > 0) return { text: `answer ${index}` };
      void agent.post({ sessionId: scene.session.id, content: [createTextBlock('stop that', 'owner')], mode: 'interrupt' });
      return { text: 'slow words', chunk: 1, paceMs: 5 };
    }),
  );
  const agent = createAgent(scene.store, scene.deps, RUNTIME);
  await agent.post({ sessionId: scene.session.id, content: [createTextBlock('first', 'owner')], mode: 'queue' });
  const { events } = await collect(agent.send(scene.session, question('second'), new AbortController().signal));
  const exits = events.flatMap((event) => (event.type === 'settled' ? [event.outcome.exitReason] : []));
  assert.deepEqual(exits, ['interrupted', 'answered', 'answered']);
  const inbox = await scene.store.inbox(scene.session.id);
  assert.deepEqual(
    inbox.map((item) => item.fate),
    ['turn', 'interrupted'],
  );
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'inbox' ? [{ id: event.itemId, fate: event.fate }] : [])),
    inbox.map(({ id, fate }) => ({ id, fate })),
  );
});

const says = (entry: Entry, words: string): boolean =>
  isMessageEntry(entry) &&
  entry.message.role === 'user' &&
  entry.message.content.some((block) => block.type === 'text' && block.text === words);
