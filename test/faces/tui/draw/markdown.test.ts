import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { colours, plain } from '../../../../src/base/screen/paint.ts';
import { measureWidth } from '../../../../src/base/width.ts';
import { createLiveMarkdown, drawMarkdown } from '../../../../src/faces/tui/draw/markdown/live.ts';
import type { MarkdownContext } from '../../../../src/faces/tui/draw/markdown/context.ts';
import { forAll, type SeededRandom } from '../../../../src/testing/seeded-random.ts';
import { randomMarkdown } from '../sample-text.ts';

const at = (columns: number, paint = plain): MarkdownContext => ({
  paint,
  columns,
  style: (name, text) => (paint === plain ? text : `\u001b[3${name.length % 8}m${text}\u001b[39m`),
  // Colors that depend on what stands above: a quotation mark opens or closes.
  highlight: (code) => {
    let quoted = false;
    return code.split('\n').map((line) =>
      line.split(/(?<=")/).map((text) => {
        quoted = text.endsWith('"') ? !quoted : quoted;
        return { text, ...(quoted && { style: 'syntax.string' as const }) };
      }),
    );
  },
});

/** Feeds a text in pieces and takes lines whenever chance wants, as frames do. */
function drawInPieces(text: string, chance: SeededRandom, context: MarkdownContext): string[] {
  const live = createLiveMarkdown();
  const lines: string[] = [];
  for (let end = 0; end < text.length;) {
    end = Math.min(text.length, end + chance.int(1, chance.pick([1, 4, 40])));
    live.extend(text.slice(0, end));
    if (chance.hits(0.7)) lines.push(...live.takeSettled(context));
    if (chance.hits(0.2)) live.render(context);
  }
  return [...lines, ...live.takeSettled(context), ...live.render(context)];
}

test('however a text comes in pieces, its lines are those of the whole text, and none is wider than the screen', () =>
  forAll(400, (chance) => {
    const text = randomMarkdown(chance);
    const context = at(chance.pick([24, 40, 80, 120]), chance.pick([plain, colours]));
    const whole = drawMarkdown(text, context);
    assert.deepEqual(drawInPieces(text, chance, context), whole);
    for (const line of whole) assert.ok(measureWidth(stripVTControlCharacters(line)) <= context.columns, line);
  }));

test('lines go out while a paragraph is written, before its end is there', () => {
  const live = createLiveMarkdown();
  live.extend('one two three four five six seven eight nine ten');
  assert.deepEqual(live.takeSettled(at(24)), ['one two three four five']);
  assert.deepEqual(live.takeSettled(at(24)), []);
  assert.deepEqual(live.render(at(24)), ['six seven eight nine ten']);
});

test('after another width the rest of a paragraph goes on where it was, and no word is lost or told twice', () =>
  forAll(200, (chance) => {
    const words = chance.list(5, 120, (index) => `w${index}${'o'.repeat(chance.int(0, 9))}`);
    const live = createLiveMarkdown();
    const text = words.join(' ');
    const lines: string[] = [];
    for (let end = 0; end < text.length; end += 30) {
      const context = at(chance.int(24, 100));
      live.extend(text.slice(0, end));
      lines.push(...live.takeSettled(context));
      for (const line of live.render(context)) assert.ok(line.length <= context.columns);
    }
    live.extend(text);
    assert.equal([...lines, ...live.takeSettled(at(60)), ...live.render(at(60))].join(' '), text);
  }));

test('a text that was changed is noticed, and one that was only trimmed is not', () => {
  const live = createLiveMarkdown();
  live.extend('first line\nsecond line\n\n');
  live.takeSettled(at(40));
  assert.equal(live.agrees('first line\nsecond line'), true);
  assert.equal(live.agrees('first line\nanother line'), false);
});
