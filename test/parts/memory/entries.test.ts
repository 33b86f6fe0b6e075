import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countCharacters,
  cleanEntry,
  hasSeparator,
  parseEntries,
  printEntries,
  canRoundTrip,
  countUsedCharacters,
} from '../../../src/parts/memory/entries.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';

const PIECES = [
  'a',
  'tea',
  ' ',
  '\n',
  '\r',
  '\r\n',
  '§',
  '\n§ ',
  '§\n',
  '\t',
  '\0',
  '\u{feff}',
  '\u2028',
  '\ud800',
  '家',
  '👍',
  '## x',
] as const;
const randomText = (chance: SeededRandom): string => chance.list(0, 12, () => chance.pick(PIECES)).join('');

test('whatever is a clean entry comes back from its file as it was', async () => {
  await forAll(400, (chance) => {
    const entries = chance.list(0, 6, () => cleanEntry(randomText(chance))).filter((entry) => entry !== '' && !hasSeparator(entry));
    const text = printEntries(entries);
    const onDisk = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text));
    assert.deepEqual(parseEntries(onDisk), entries);
    assert.ok(canRoundTrip(onDisk) && !onDisk.includes('\0'));
  });
});

test('any text at all settles after it was written once', async () => {
  await forAll(400, (chance) => {
    const entries = parseEntries(randomText(chance));
    assert.deepEqual(parseEntries(printEntries(entries)), entries);
  });
});

const BY_HAND: readonly (readonly [name: string, text: string, entries: readonly string[], kept: boolean])[] = [
  ['as we write it', 'one\n§\ntwo\nlines\n', ['one', 'two\nlines'], true],
  ['no line end at the close', 'one\n§\ntwo', ['one', 'two'], true],
  ['empty lines at the close', 'one\n\n\n', ['one'], true],
  ['nothing but a line end', '\n', [], true],
  ['line ends of Windows', 'one\r\n§\r\ntwo\r\n', ['one', 'two'], false],
  ['spaces around the sign', 'one\n § \ntwo\n', ['one', 'two'], false],
  ['empty entries', '§\none\n§\n§\n', ['one'], false],
  ['the sign within a line', 'see § 5\n§§\n', ['see § 5\n§§'], true],
  ['empty lines around entries', '\none\n\n§\n\ntwo\n', ['one', 'two'], false],
];
for (const [name, text, entries, kept] of BY_HAND)
  test(`a file with ${name} is read`, () => {
    assert.deepEqual(parseEntries(text), entries);
    assert.equal(canRoundTrip(text), kept);
  });

test('characters are counted as people see them, separators with them', () => {
  assert.equal(countCharacters('a👍家'), 3);
  assert.equal(countUsedCharacters(['ab', 'c']), 6);
  assert.equal(countUsedCharacters([]), 0);
});
