import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { text, visibleText, type ToolMessage } from '../../../src/contracts/message.ts';
import { defaultsOf } from '../../../src/contracts/settings.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { tempFolder } from './setup.ts';

const settings = defaultsOf(toolSettings);
const result = (callId: string, length: number, fill = 'x'): ToolMessage => ({
  role: 'tool',
  callId,
  name: 't',
  content: [text(fill.repeat(length), 'foreign')],
  failed: false,
});
const size = (message: ToolMessage | undefined): number => (message === undefined ? -1 : visibleText(message).length);
const LARGE = 1_000_000;

test('100,000 characters stay, one more goes to disk with a preview and its path', async () => {
  const folder = join(tempFolder(), 'spill');
  const spill = spillTo(folder, settings);
  const fits = result('fits', 100_000);
  assert.equal(await spill.keep(fits, LARGE), fits);
  const spilled = await spill.keep(result('big/../id', 100_001), LARGE);
  assert.ok(size(spilled) < 2_000);
  assert.equal(spilled.content[0]?.trust, 'foreign');
  const path = join(folder, 'big_.._id.txt');
  assert.match(visibleText(spilled), new RegExp(`100001 characters and is in ${path.replaceAll('.', '\\.')}`));
  assert.equal(readFileSync(path, 'utf8').length, 100_001);
});

test('a tool may ask for less, and one that bounds itself is never spilled', async () => {
  const spill = spillTo(tempFolder(), settings);
  assert.equal(size(await spill.keep(result('a', 100_200), Infinity)), 100_200);
  assert.ok(size(await spill.keep(result('a', 5_000), 4_000)) < 2_000);
});

test('the preview ends with a whole line', async () => {
  const spill = spillTo(tempFolder(), settings);
  const spilled = await spill.keep(result('a', 20_000, 'ten chars\n'), LARGE);
  assert.match(visibleText(spilled), /^(?:ten chars\n)+\[The whole/);
});

test('one step keeps 200,000 characters: the largest go first, the small stay', async () => {
  const folder = tempFolder();
  const spill = spillTo(folder, settings);
  const results = [result('a', 80_000), result('b', 95_000), result('c', 60_000), result('d', 2_000)];
  const fitted = await spill.fit(results);
  assert.deepEqual(
    fitted.map((each, index) => each === results[index]),
    [true, false, true, true],
  );
  assert.ok(fitted.reduce((sum, each) => sum + size(each), 0) <= 200_000);
  assert.deepEqual(readdirSync(folder), ['b.txt']);
  const fine = [result('a', 100_000), result('b', 100_000)];
  assert.deepEqual(await spill.fit(fine), fine);
});

test('a disk that refuses leaves the beginning and says so', async () => {
  const folder = join(tempFolder(), 'file');
  writeFileSync(folder, 'not a folder');
  const spilled = await spillTo(folder, settings).keep(result('a', 150_000), LARGE);
  assert.match(visibleText(spilled), /^x+\n\[Only the first 1500 of 150000 characters/);
});

test('old spills are cleared away', async () => {
  const folder = tempFolder();
  const [old, recent] = [join(folder, 'old.txt'), join(folder, 'recent.txt')];
  for (const path of [old, recent]) writeFileSync(path, 'x');
  utimesSync(old, new Date(), new Date(Date.now() - 169 * 3_600_000));
  await spillTo(folder, settings).keep(result('a', 150_000), LARGE);
  assert.deepEqual([existsSync(old), existsSync(recent)], [false, true]);
});
