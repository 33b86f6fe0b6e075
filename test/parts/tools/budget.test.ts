import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTextBlock, joinTextBlocks, type ToolMessage } from '../../../src/contracts/message.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { computeCharLimit, spillTo } from '../../../src/parts/tools/budget.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { tempFolder } from './setup.ts';

const settings = collectDefaults(toolSettings);
const result = (callId: string, length: number, fill = 'x'): ToolMessage => ({
  role: 'tool',
  callId,
  name: 't',
  content: [createTextBlock(fill.repeat(length), 'foreign')],
  failed: false,
});
const size = (message: ToolMessage | undefined): number => (message === undefined ? -1 : joinTextBlocks(message).length);
const LARGE = 1_000_000;

test('100,000 characters stay, one more goes to disk with a preview and its path', async () => {
  const folder = join(tempFolder(), 'spill');
  const spill = spillTo(folder, settings);
  const fits = result('fits', 100_000);
  assert.equal(await spill.keep(fits, LARGE, 's1'), fits);
  const spilled = await spill.keep(result('big/../id', 100_001), LARGE, '../s1');
  assert.ok(size(spilled) < 2_000);
  assert.equal(spilled.content[0]?.trust, 'foreign');
  const path = join(folder, '___s1', 'big____id.foreign.txt');
  assert.match(joinTextBlocks(spilled), new RegExp(`100001 characters and is in ${path.replaceAll('.', '\\.')}`));
  assert.equal(readFileSync(path, 'utf8').length, 100_001);
});

test('a tool may ask for less, and one that bounds itself is never spilled', async () => {
  const spill = spillTo(tempFolder(), settings);
  assert.equal(size(await spill.keep(result('a', 100_200), Infinity, 's1')), 100_200);
  assert.ok(size(await spill.keep(result('a', 5_000), 4_000, 's1')) < 2_000);
});

test('the preview ends with a whole line', async () => {
  const spill = spillTo(tempFolder(), settings);
  const spilled = await spill.keep(result('a', 20_000, 'ten chars\n'), LARGE, 's1');
  assert.match(joinTextBlocks(spilled), /^(?:ten chars\n)+\[The whole/);
});

test('one step keeps 200,000 characters: the largest go first, the small stay', async () => {
  const folder = tempFolder();
  const spill = spillTo(folder, settings);
  const results = [result('a', 80_000), result('b', 95_000), result('c', 60_000), result('d', 2_000)];
  const fitted = await spill.fit(results, 's1');
  assert.deepEqual(
    fitted.map((each, index) => each === results[index]),
    [true, false, true, true],
  );
  assert.ok(fitted.reduce((sum, each) => sum + size(each), 0) <= 200_000);
  assert.deepEqual(readdirSync(folder, { recursive: true }), ['s1', join('s1', 'b.foreign.txt')]);
  const fine = [result('a', 100_000), result('b', 100_000)];
  assert.deepEqual(await spill.fit(fine, 's1'), fine);
});

test('a disk that refuses leaves the beginning and says so', async () => {
  const folder = join(tempFolder(), 'file');
  writeFileSync(folder, 'not a folder');
  const spilled = await spillTo(folder, settings).keep(result('a', 150_000), LARGE, 's1');
  assert.match(joinTextBlocks(spilled), /^x+\n\[Only the first 1500 of 150000 characters/);
});

test('the same call id in two sessions gives two files, each with its own text', async () => {
  const spill = spillTo(tempFolder(), settings);
  const pathIn = (message: ToolMessage | undefined) =>
    / is in (\S+)\. The lines/.exec(message === undefined ? '' : joinTextBlocks(message))?.[1];
  const one = pathIn(await spill.keep(result('call_0', 150_000, '1'), LARGE, 's1'));
  const [two] = (await spill.fit([result('call_0', 250_000, '2')], 's2')).map(pathIn);
  assert.ok(one !== undefined && two !== undefined && one !== two);
  assert.deepEqual(
    [one, two].map((path) => readFileSync(path, 'utf8').slice(0, 3)),
    ['111', '222'],
  );
});

test('a small window leaves less room, a large one no more than the settings say', async () => {
  const table: readonly [window: number, perResult: number, perStep: number][] = [
    [4_096, 8_000, 16_000],
    [13_333, 8_000, 16_000],
    [16_384, 9_830, 19_660],
    [32_768, 19_660, 39_321],
    [65_536, 39_321, 78_643],
    [131_072, 78_643, 157_286],
    [166_667, 100_000, 200_000],
    [1_000_000, 100_000, 200_000],
    [Infinity, 100_000, 200_000],
  ];
  for (const [window, perResult, perStep] of table) {
    assert.deepEqual(
      [computeCharLimit('result', window, 100_000), computeCharLimit('step', window, 200_000)],
      [perResult, perStep],
      `${window}`,
    );
    const spill = spillTo(tempFolder(), settings, () => window);
    const kept = await Promise.all([perResult, perResult + 1].map((length) => spill.keep(result(`c${length}`, length), LARGE, 's1')));
    assert.deepEqual(
      kept.map((each) => size(each) >= perResult),
      [true, false],
    );
    const half = Math.floor(perStep / 2);
    const whole = [result('a', half), result('b', half)];
    assert.deepEqual(await spill.fit(whole, 's1'), whole);
    const [first] = await spill.fit([result('a', half + 2), result('b', half)], 's1');
    assert.ok(size(first) < half);
  }
  assert.equal(computeCharLimit('result', 4_096, 5_000), 5_000, 'an owner who wants less gets less');
});

test('old spills are cleared away, in every session and from before sessions had folders', async () => {
  const folder = tempFolder();
  const session = join(folder, 's0');
  const gone = join(folder, 'gone');
  for (const path of [session, gone]) mkdirSync(path);
  const files = [join(folder, 'old.txt'), join(session, 'old.txt'), join(session, 'recent.txt')];
  for (const path of files) writeFileSync(path, 'x');
  for (const path of [...files.slice(0, 2), gone]) utimesSync(path, new Date(), new Date(Date.now() - 169 * 3_600_000));
  await spillTo(folder, settings).keep(result('a', 150_000), LARGE, 's1');
  assert.deepEqual([...files, gone].map(existsSync), [false, false, true, false]);
});

test('a call id longer than a file name is shortened, and two that begin alike stay apart', async () => {
  const folder = tempFolder();
  const spill = spillTo(folder, settings);
  for (const end of ['a', 'b', 'b']) await spill.keep(result('c'.repeat(300) + end, 150_000), LARGE, 's'.repeat(300));
  const [session = '', ...others] = readdirSync(folder);
  assert.deepEqual(others, []);
  assert.equal(readdirSync(join(folder, session)).length, 2);
});

test('a script gets the texts of a result on lines of their own, and its pictures', async () => {
  const content = [
    createTextBlock('one', 'foreign'),
    { type: 'image', mime: 'image/png', data: 'aGk=', trust: 'foreign' } as const,
    createTextBlock('two', 'foreign'),
    createTextBlock('three\n', 'foreign'),
    createTextBlock('four', 'foreign'),
  ];
  const told = await spillTo(tempFolder(), settings).forScript({ ...result('c', 0), content }, 's');
  assert.deepEqual(told, { text: 'one\ntwo\nthree\nfour', images: [{ mime: 'image/png', data: 'aGk=' }] });
});
