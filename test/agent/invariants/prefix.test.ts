import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../../src/contracts/entry.ts';
import { isObject } from '../../../src/base/json.ts';
import { createTextBlock, type Json, type Message } from '../../../src/contracts/message.ts';
import type { EncodedRequest, ModelRequest } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, toRouteKey } from '../../../src/contracts/runtime.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import { RUNTIME } from '../setup.ts';
import { HABITS, lineFor, randomInput } from './lines.ts';
import { PROTOCOLS, randomStory, type Story } from './story.ts';
import { partsOf, type Parts } from './wire.ts';
import { openStage, type Stage } from './stage.ts';
import { tell } from './world.ts';
import { sized } from '../../size.ts';

test('every request repeats the bytes of the one before it on its route, across steps, turns and restarts', async () => {
  const stage = await openStage();
  await forAll(sized(60, 150), (chance) => assertStable(randomStory(chance), stage));
});

test('replies that are thrown away leave no trace in the prefix, also where results and words are one message', async () => {
  const stage = await openStage();
  const wasteful = { ...HABITS, answer: 5, broken: 20, cut: 20, empty: 10, blank: 10, thinking: 10 };
  await forAll(sized(40, 80), (chance) => {
    const story = randomStory(chance, { deeds: new Map(), line: (index) => lineFor(chance, index, wasteful) });
    return assertStable({ ...story, runtime: { ...story.runtime, protocol: 'anthropic-messages' } }, stage);
  });
});

async function assertStable(story: Story, stage: Stage): Promise<void> {
  const before = new Map<string, Parts>();
  await tell(story, stage, {
    sending: (encoded, entries) => {
      const key = comparedBy(encoded, entries);
      const [last, now] = [before.get(key), partsOf(encoded.body)];
      before.set(key, now);
      if (last === undefined) return;
      assert.equal(now.head, last.head, 'tools and system');
      assert.deepEqual(now.messages.slice(0, last.messages.length), last.messages);
    },
  });
}

const changesBytes = (entry: Entry): boolean =>
  entry.type === 'compaction' || entry.type === 'epoch' || (entry.type === 'note' && entry.signatures === 'refused');

/** Requests that must share their prefix: same route, same adjustments, no compaction and no new prompt in between. */
function comparedBy({ request: { runtime, adjust } }: EncodedRequest, entries: readonly Entry[]): string {
  const turns = entries.filter(changesBytes).length;
  return JSON.stringify([toRouteKey(runtime), runtime.protocol, adjust.images, adjust.natives, adjust.plainSchemas, turns]);
}

test('the order of keys in tool arguments never matters', () =>
  forAll(300, (chance) => {
    const input = randomInput(chance);
    for (const protocol of PROTOCOLS) {
      const [one, other] = [requestWith(input, protocol), requestWith(reordered(input, chance), protocol)];
      assert.equal(bodyOf(one), bodyOf(other));
    }
  }));

/** Each time in a format of its own: one that remembers would hide a difference. */
const bodyOf = (request: ModelRequest): string => createWireFormats(() => undefined)(request.runtime).encode(request).body;

function reordered(value: Json, chance: SeededRandom): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reordered(item, chance));
  if (!isObject(value)) return value;
  return Object.fromEntries(chance.shuffled(Object.entries(value)).map(([key, member]) => [key, reordered(member ?? null, chance)]));
}

function requestWith(input: Json, protocol: (typeof PROTOCOLS)[number]): ModelRequest {
  const messages: readonly Message[] = [
    { role: 'user', content: [createTextBlock('go', 'owner')] },
    { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'look', input, trust: 'model' }] },
    { role: 'tool', callId: 'c1', name: 'look', content: [createTextBlock('seen', 'tool')], failed: false },
  ];
  const views = messages.map((message) => ({ message }));
  return {
    runtime: { ...RUNTIME, protocol },
    adjust: DEFAULT_ADJUSTMENTS,
    system: 'You help.',
    tools: [],
    toolUse: 'auto',
    messages: views,
    cacheTtl: '5m',
  };
}
