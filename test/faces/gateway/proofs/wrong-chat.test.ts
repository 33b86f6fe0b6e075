import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { runWrongChat } from './wrong-chat.ts';

test('what is said in a chat goes to no other, with two accounts on each platform, steering, consent and kills', async (context) => {
  const seed = process.env['HERMES_SEED'] ?? 'wrong-chat/1';
  const { faults, ...counts } = await runWrongChat({ seed, chats: sized(1, 3), messages: sized(24, 120), kills: sized(1, 5) });
  context.diagnostic(JSON.stringify(counts));
  assert.deepEqual(faults, []);
});
