import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { runStrangers } from './strangers.ts';

/** Rows of strangers that an account keeps in an hour, and codes that wait for an owner at once. */
const MAX_ROWS = 60;
const MAX_CODES = 20;
/** The journal of a store, which is emptied into it at a thousand pages, however many come. */
const MAX_GROWTH = sized(4 * 1024 * 1024, 5 * 1024 * 1024);

test('strangers in masses cost no model call and no room, and guess no code', async (context) => {
  const { rows, replies, grownBytes, ...result } = await runStrangers(sized(5_000, 100_000));
  context.diagnostic(JSON.stringify({ rows, replies, grownBytes, ...result }));
  assert.deepEqual(result, { messages: result.messages, modelCalls: 0, isLocked: true, paired: 0, leaks: [] });
  assert.ok(rows <= MAX_ROWS && replies > 0 && replies <= MAX_CODES, `${rows} rows, ${replies} replies`);
  assert.ok(grownBytes <= MAX_GROWTH, `grown by ${grownBytes} bytes`);
});
