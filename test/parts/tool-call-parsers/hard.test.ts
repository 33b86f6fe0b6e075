import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { joinPieces } from '../../../src/parts/tool-call-parsers/all.ts';
import { readCases, toolsOf, toShown, toWanted, type ReadCase } from './cases.ts';

/** Of what models write beside their format, so much must be read; and nothing may be called that was not meant. */
const LEAST = 0.9;
const PARSERS = readdirSync('test/fixtures/tool-call-parsers/hard-tune').map((file) => file.replace(/\.json$/, ''));

const parse = (one: ReadCase) => one.parser.parse(one.text, toolsOf(one));
const isRead = (one: ReadCase): boolean => JSON.stringify(toShown(one, parse(one))) === JSON.stringify(toWanted(one));
/** A call that is not among those the case wants. */
const listFalse = (one: ReadCase): readonly string[] => {
  const wanted = one.calls.map((call) => JSON.stringify(call));
  return parse(one)
    .calls.map(({ name, arguments: args }) => JSON.stringify({ name, arguments: args }))
    .filter((call) => !wanted.includes(call));
};

for (const half of ['hard-tune', 'hard-held-out'])
  for (const name of PARSERS)
    test(`${half}: ${name} reads nearly all, and calls nothing that was not meant`, () => {
      const cases = readCases(half).filter((one) => one.parser.name === name);
      const read = cases.filter(isRead);
      assert.deepEqual(cases.flatMap(listFalse), []);
      const missed = half === 'hard-tune' ? cases.filter((one) => !isRead(one)).map((one) => one.name) : [];
      assert.ok(
        read.length >= LEAST * cases.length,
        `${read.length} of ${cases.length} are read${missed.map((each) => `\n${each}`).join('')}`,
      );
    });

test('a hard text gives the same wherever it is cut', () => {
  for (const one of ['hard-tune', 'hard-held-out'].flatMap(readCases)) {
    const whole = JSON.stringify(parse(one));
    for (let at = 0; at <= one.text.length; at++) {
      const run = one.parser.begin(toolsOf(one));
      const pieces = [...run.step(one.text.slice(0, at)), ...run.step(one.text.slice(at)), ...run.end()];
      assert.equal(JSON.stringify(joinPieces(pieces)), whole, `${one.name}, cut at ${at}`);
    }
  }
});
