import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNoticeBoard } from '../../src/base/notice-board.ts';

test('what nobody has heard yet is kept for the first listener, within bounds, and everybody hears what comes later', async () => {
  const board = createNoticeBoard<number>();
  for (let line = 0; line < 250; line++) board.tell(line);
  const [one, two] = [new AbortController(), new AbortController()];
  const first = Array.fromAsync(board.listen(one.signal));
  const second = Array.fromAsync(board.listen(two.signal));
  board.tell(1000);
  one.abort();
  board.tell(1001);
  board.close();
  assert.deepEqual(await first, [...Array.from({ length: 200 }, (_, index) => index + 50), 1000]);
  assert.deepEqual(await second, [1000, 1001]);
  assert.deepEqual(await Array.fromAsync(board.listen(new AbortController().signal)), [], 'a closed board has no more to say');
});

test('what the last listener had not read when it left is kept for the next, and nothing is kept for one that is gone', async () => {
  const board = createNoticeBoard<number>();
  const stop = new AbortController();
  for (const line of [1, 2, 3]) board.tell(line);
  for await (const line of board.listen(stop.signal)) if (line === 2) break;
  board.tell(4);
  const next = Array.fromAsync(board.listen(stop.signal));
  stop.abort();
  assert.deepEqual(await next, [3, 4]);
});
