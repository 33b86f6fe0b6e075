import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contracts/message.ts';
import type { ParsedReply } from '../../../src/contracts/tool-call-parser.ts';
import { findToolCallParser, joinPieces } from '../../../src/parts/tool-call-parsers/all.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly content: string | null;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  readonly after?: readonly string[];
  readonly ids?: readonly string[];
  readonly tools?: readonly { readonly name: string; readonly parameters: JsonObject }[];
}
const readCases = (folder: string) =>
  readdirSync(join('test/fixtures/tool-call-parsers', folder)).flatMap((file) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fixture
    const cases = JSON.parse(readFileSync(join('test/fixtures/tool-call-parsers', folder, file), 'utf8')) as readonly Case[];
    const parser = findToolCallParser(file.replace(/\.json$/, ''));
    return cases.map((one) => ({ ...one, parser, name: `${file}: ${one.name}` }));
  });

const toolsOf = ({ tools }: Case) => tools?.map(({ name, parameters }) => ({ name, description: '', input: parameters }));
const words = (text: string): string => text.split(/\s+/).join(' ').trim();
const toShown = (one: Case, reply: ParsedReply) => ({
  content: reply.content,
  calls: reply.calls.map((call) => ({ name: call.name, arguments: call.arguments })),
  ids: one.ids && reply.calls.map(({ id }) => id),
  after: one.after && words(reply.after),
});
const toWanted = ({ content, calls, ids, after }: Case) => ({ content: content ?? '', calls, ids, after: after && words(after.join(' ')) });

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
