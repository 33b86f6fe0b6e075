import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { runMemory } from './memory.ts';

/** A host keeps fifty terminals open, of five processes each; a few more are on their way out. */
const MAX_CHILDREN = 60 * 5;
const MAX_HANDLES = 60 * 6 + 100;
/** Against a gateway that does nothing, in the same run. */
const MAX_RATIO = 3;

test('however many chats there are, sessions, processes, handles and memory stay within bounds', async (context) => {
  const chats = sized(120, 10_000);
  const { answered, idle, most, after } = await runMemory(chats);
  context.diagnostic(JSON.stringify({ chats, idle, most, after }));
  assert.equal(answered, chats);
  assert.ok(most.children <= MAX_CHILDREN, `${most.children} processes below the gateway`);
  assert.ok(most.handles <= MAX_HANDLES, `${most.handles} handles`);
  assert.ok(most.rssMb <= MAX_RATIO * idle.rssMb, `${most.rssMb} MB against ${idle.rssMb} MB`);
});
