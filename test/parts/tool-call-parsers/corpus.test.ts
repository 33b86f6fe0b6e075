import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinPieces } from '../../../src/parts/tool-call-parsers/all.ts';
import { readCases, toolsOf, toShown, toWanted } from './cases.ts';

for (const folder of ['tune', 'regressions'])
  test(`${folder}: every case is read as it should be`, () => {
    for (const one of readCases(folder))
      assert.deepEqual(toShown(one, one.parser.parse(one.text, toolsOf(one))), toWanted(one), `${one.name}\n${one.text}`);
  });

/** Cases nobody who works on the parsers has seen. Only their number is told. */
const HELD_OUT = 444;
test('held out: no fewer cases are read than before', () => {
  const read = readCases('held-out').filter(
    (one) => JSON.stringify(toShown(one, one.parser.parse(one.text, toolsOf(one)))) === JSON.stringify(toWanted(one)),
  );
  assert.ok(read.length >= HELD_OUT, `${read.length} cases are read, not ${HELD_OUT}`);
});

test('a text gives the same wherever it is cut, and no beginning of it makes a parser throw', () => {
  for (const one of ['tune', 'regressions'].flatMap(readCases)) {
    const whole = JSON.stringify(one.parser.parse(one.text, toolsOf(one)));
    for (let at = 0; at <= one.text.length; at++) {
      const run = one.parser.begin(toolsOf(one));
      const pieces = [...run.step(one.text.slice(0, at)), ...run.step(one.text.slice(at)), ...run.end()];
      assert.equal(JSON.stringify(joinPieces(pieces)), whole, `${one.name}, cut at ${at}`);
      one.parser.parse(one.text.slice(0, at), toolsOf(one));
    }
    const letters = one.parser.begin(toolsOf(one));
    const pieces = [...one.text.split('').flatMap((letter) => letters.step(letter)), ...letters.end()];
    assert.equal(JSON.stringify(joinPieces(pieces)), whole, `${one.name}, letter by letter`);
  }
});
