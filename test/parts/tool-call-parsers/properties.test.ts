import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParsedReply, ToolCallParser } from '../../../src/contracts/tool-call-parser.ts';
import { findToolCallParser, joinPieces } from '../../../src/parts/tool-call-parsers/all.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import { sized } from '../../size.ts';
import { drawCallSet, type CallSet } from './call-sets.ts';
import { CALL_STYLES, parserOf, renderCalls } from './render-calls.ts';

const CASES = sized(12, 1_000);
const toShown = ({ content, calls }: Pick<ParsedReply, 'content' | 'calls'>) => ({
  content,
  calls: calls.map((call) => ({ name: call.name, arguments: call.arguments })),
});
function parseInPieces(parser: ToolCallParser, text: string, tools: CallSet['tools'], random: SeededRandom): ParsedReply {
  const run = parser.begin(tools);
  const pieces = [];
  for (let at = 0; at < text.length;) {
    const length = random.int(1, 9);
    pieces.push(...run.step(text.slice(at, at + length)));
    at += length;
  }
  return joinPieces([...pieces, ...run.end()]);
}

for (const [name, style] of Object.entries(CALL_STYLES)) {
  const parser = findToolCallParser(parserOf(name));

  test(`${name}: what was written is read, whole and in pieces`, () =>
    forAll(CASES, (random) => {
      const set = drawCallSet(random, style.avoid);
      const { text } = renderCalls(style, set.content, set.calls);
      for (const said of [text, `${text}${style.end}`, `${style.thought.join('Hm.')}\n\n${text}`]) {
        assert.deepEqual(toShown(parser.parse(said, set.tools)), { content: set.content, calls: set.calls }, said);
        assert.deepEqual(parseInPieces(parser, said, set.tools, random), parser.parse(said, set.tools), said);
      }
    }));

  test(`${name}: no beginning of a text gives a call that has not ended`, () =>
    forAll(Math.ceil(CASES / 4), (random) => {
      const set = drawCallSet(random, style.avoid);
      const { text, ends } = renderCalls(style, set.content, set.calls);
      const run = parser.begin(set.tools);
      let told = 0;
      for (let at = 0; at <= text.length; at++) {
        const ended = ends.filter((end) => end <= at).length;
        if (at > 0) told += run.step(text.charAt(at - 1)).filter(({ type }) => type === 'call').length;
        assert.ok(told <= ended, `streamed up to ${at}: ${text}`);
        // Where the text is over, a call whose arguments are whole is one without its end marker as well.
        const { calls } = toShown(parser.parse(text.slice(0, at), set.tools));
        assert.ok(calls.length === ended || calls.length === ended + 1, `${at}: ${text}`);
        assert.deepEqual(calls, set.calls.slice(0, calls.length), `${at}: ${text}`);
      }
    }));

  test(`${name}: a call inside a thought is none, however the thought began and whether it ended`, () =>
    forAll(CASES, (random) => {
      const set = drawCallSet(random, [...style.avoid, 'think>']);
      const { text } = renderCalls(style, set.content, set.calls);
      const [open, close] = style.thought;
      for (const said of [`${open}${text}${close}No.`, `${open}${text}`, `${text}${close}No.`])
        assert.deepEqual(parser.parse(said, set.tools).calls, [], said);
      const run = parser.begin(set.tools, { isThinking: true });
      const pieces = [...run.step(text), ...run.step(`${close}No.`), ...run.end()];
      assert.ok(
        pieces.every(({ type }) => type === 'thinking' || type === 'text'),
        'none is told even on the way',
      );
      assert.equal(joinPieces(pieces).content, 'No.');
    }));
}
