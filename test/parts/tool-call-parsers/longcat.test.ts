import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findToolCallParser } from '../../../src/parts/tool-call-parsers/all.ts';
import { createSeededRandom } from '../../../src/testing/seeded-random.ts';
import { drawCallSet } from './call-sets.ts';
import { CALL_STYLES, renderCalls } from './render-calls.ts';

/** Each marker of Hermes and the one LongCat has in its place. */
const MARKERS = [
  ['tool_call>', 'longcat_tool_call>'],
  ['<|im_end|>', '</longcat_s>'],
  ['think>', 'longcat_think>'],
] as const;
const rewrite = (text: string): string => MARKERS.reduce((words, [hermes, longcat]) => words.replaceAll(hermes, longcat), text);
const rewriteAll = <Value>(value: Value): Value =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same with other words
  JSON.parse(rewrite(JSON.stringify(value))) as Value;

function listTexts(): readonly string[] {
  const cases = ['tune', 'regressions']
    .map((folder) => `test/fixtures/tool-call-parsers/${folder}/hermes.json`)
    .filter((path) => existsSync(path))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fixture
    .flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as readonly { readonly text: string }[])
    .map(({ text }) => text);
  const style = CALL_STYLES['hermes'] ?? assert.fail();
  const drawn = Array.from({ length: 200 }, (_, index) => {
    const { content, calls } = drawCallSet(createSeededRandom(`hermes/${index}`), style.avoid ?? []);
    return renderCalls(style, content, calls).text;
  });
  return [...cases, ...drawn];
}

test('LongCat reads what Hermes reads, between its own markers: nobody else’s template or parser of it can be had', () => {
  const [hermes, longcat] = [findToolCallParser('hermes'), findToolCallParser('longcat')];
  let calls = 0;
  for (const text of listTexts()) {
    const expected = hermes.parse(text, []);
    calls += expected.calls.length;
    assert.deepEqual(longcat.parse(rewrite(text), []), rewriteAll(expected), text);
  }
  assert.ok(calls > 200, `${calls} calls`);
});
