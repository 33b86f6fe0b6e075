import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createModelRequest } from '../../../src/agent/request.ts';
import type { Entry } from '../../../src/contracts/entry.ts';
import { createTextBlock, type ToolMessage } from '../../../src/contracts/message.ts';
import type { ViewMessage } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS } from '../../../src/contracts/runtime.ts';
import type { TurnState } from '../../../src/contracts/turn.ts';
import { windowEngine } from '../../../src/parts/context/window.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { forAll } from '../../../src/testing/seeded-random.ts';
import { RUNTIME, says } from '../setup.ts';
import { PROTOCOLS, randomStory } from './story.ts';
import { assertSound } from './wire.ts';
import { openStage } from './stage.ts';
import { tell } from './world.ts';
import { sized } from '../../size.ts';

const formatOf = createWireFormats(() => undefined);

test('roles alternate and every call has one result, in each request and after every commit, on all wires', async () => {
  const stage = await openStage();
  await forAll(sized(60, 150), async (chance) => {
    await tell(randomStory(chance), stage, {
      sending: ({ request, body }) => assertSound(request.runtime.protocol, body),
      committed: (_change, entries, turn) => assertLog(entries, turn),
    });
  });
});

/** The log as the next request would show it; open calls are given their results, a closed turn the next question. */
function assertLog(entries: readonly Entry[], turn: TurnState | undefined): void {
  const ask = { adjust: DEFAULT_ADJUSTMENTS, toolUse: 'auto', cacheTtl: '5m' } as const;
  for (const protocol of PROTOCOLS) {
    const request = createModelRequest(entries, { ...ask, runtime: { ...RUNTIME, protocol } }, windowEngine);
    const messages = [...request.messages, ...outstanding(turn)];
    // A reply that is kept and a turn that is over are followed by words of the user's side.
    const asked = messages.at(-1)?.message.role === 'assistant' ? [...messages, { message: says('next') }] : messages;
    if (turn === undefined) assert.equal(messages.at(-1)?.message.role, 'assistant', 'a closed turn ends with the assistant');
    assertSound(protocol, formatOf(request.runtime).encode({ ...request, messages: asked }).body);
  }
}

const outstanding = (turn: TurnState | undefined): ViewMessage[] =>
  turn?.phase === 'act' ? turn.calls.map(({ call }) => ({ message: resultOf(call.id) })) : [];
const resultOf = (callId: string): ToolMessage => ({
  role: 'tool',
  callId,
  name: 'any',
  content: [createTextBlock('done', 'tool')],
  failed: false,
});
