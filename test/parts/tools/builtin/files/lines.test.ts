import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLineWindow } from '../../../../../src/parts/tools/builtin/files/lines.ts';
import { forAll } from '../../../../../src/testing/seeded-random.ts';

const MAX_LINE = 12;

/** What a window shows, the plain way. */
function plainly(text: string, first: number, count: number): { readonly lines: readonly string[]; readonly total: number } {
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  const shown = all.slice(first - 1, first - 1 + count);
  return { lines: shown.map((line) => (line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line)), total: all.length };
}

test('a window shows the same lines however the bytes come in', async () => {
  await forAll(400, (chance) => {
    const text = chance.list(0, 40, () => chance.pick(['', 'a', 'word', 'a longer line than fits', '\n', '\n\n', 'x\n'])).join('');
    const [first, count] = [chance.int(1, 12), chance.int(1, 8)];
    const window = createLineWindow(first, count, MAX_LINE);
    for (let rest = Buffer.from(text); rest.length > 0;) {
      const size = chance.int(1, 16);
      window.feed(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    const { lines, total, broken } = window.finish();
    const told = lines.map((line) => line.replace(/ \[… line cut, \d+ bytes long\]$/, ''));
    assert.deepEqual({ lines: told, total }, plainly(text, first, count), JSON.stringify(text));
    assert.equal(broken, false);
  });
});

test('a line that is cut says how long it is, also when it came in pieces', () => {
  const window = createLineWindow(2, 1, MAX_LINE);
  for (const piece of ['first\nse', 'cond line', ' is long', '\nthird']) window.feed(Buffer.from(piece));
  assert.deepEqual(window.finish(), { lines: ['second line  [… line cut, 19 bytes long]'], total: 3, broken: false });
});
