import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { fitWidth, splitByWidth } from '../../../../src/base/width.ts';
import type { Block } from '../../../../src/faces/tui/contract.ts';
import { drawBlocks } from '../../../../src/faces/tui/draw/block.ts';
import { createQuestionQueue } from '../../../../src/faces/tui/input/dialogs/queue.ts';
import { splitToColumns } from '../../../../src/faces/tui/input/fit.ts';
import { createTextField } from '../../../../src/faces/tui/input/text-field.ts';
import { clipLine, splitLine, stripSequences } from '../../../../src/faces/tui/screen/lines.ts';
import { createStyles } from '../../../../src/faces/tui/theme/styles.ts';
import { THEMES } from '../../../../src/faces/tui/theme/themes.ts';
import { forAll, type SeededRandom } from '../../../../src/testing/seeded-random.ts';

/** The tables themselves are compared with our widths in test/base/width-unicode.test.ts; here is what is drawn with them. */
const { eastAsianWidth } = (await import(import.meta.resolve('get-east-asian-width', import.meta.resolve('@earendil-works/pi-tui')))) as {
  eastAsianWidth(codePoint: number): number;
};
const EMOJI = gunzipSync(readFileSync('test/fixtures/unicode/emoji-test-17.txt.gz')).toString().split('\n') as [string, ...string[]];
/** One picture, also where a sequence is not fully qualified. */
const PICTURES = new Set(EMOJI.filter((emoji) => /^\p{RGI_Emoji}$/v.test(emoji) || /[\u200d\p{Emoji_Modifier}]/u.test(emoji)));
/** Nothing to see by themselves: marks, joiners, the later letters of a Hangul syllable. */
const EMPTY = /[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u1160-\u11ff]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Columns by the Unicode files alone. */
function measureByFiles(text: string): number {
  let sum = 0;
  for (const { segment } of segmenter.segment(text)) {
    const signs = Array.from(segment);
    const whole = signs.findLastIndex((_, index) => PICTURES.has(signs.slice(0, index + 1).join('')));
    if (whole >= 0) sum += 2;
    for (const sign of signs.slice(whole + 1)) sum += EMPTY.test(sign) ? 0 : eastAsianWidth(sign.codePointAt(0) ?? 0);
  }
  return sum;
}

const SAMPLES = ['a', 'word ', 'e\u0301', ' ', '| ', '한국', 'ﾊﾝ', '—', '각', 'ก็', 'ไทย', '終端', '，', '（全角）', '𠮷', '〰'] as const;
/** A skin tone by itself would join what stands before it. */
const WHOLE = EMOJI.filter((emoji) => !/^\p{Emoji_Modifier}$/u.test(emoji)) as [string, ...string[]];
const randomText = (chance: SeededRandom, most = 60): string =>
  chance.list(1, most, () => chance.pick(chance.hits(0.3) ? WHOLE : SAMPLES)).join('');
const randomCell = (chance: SeededRandom): string => randomText(chance, 20).replaceAll('|', '');
const randomBlocks = (chance: SeededRandom): Block[] => [
  { kind: 'user', text: randomText(chance), origin: 'user', at: 0 },
  { kind: 'thinking', text: randomText(chance) },
  {
    kind: 'answer',
    text: [
      randomText(chance),
      `- ${randomText(chance)}\n  - ${randomText(chance)}`,
      `| a | b |\n|---|---|\n| ${randomCell(chance)} | ${randomCell(chance)} |`,
      `\`\`\`\n${randomText(chance)}\n\`\`\``,
      `> ${randomText(chance)}`,
      `## ${randomText(chance)}`,
    ].join('\n\n'),
  },
  {
    kind: 'tool',
    call: { type: 'tool_call', id: 'c', name: 'terminal', input: { command: randomText(chance) }, trust: 'model' },
    state: 'finished',
    progress: [],
    result: randomText(chance),
  },
  { kind: 'note', text: randomText(chance) },
];

test('no line that is drawn is wider than the terminal, by the Unicode files', async () => {
  await forAll(60, (chance) => {
    const columns = chance.pick([20, 40, 81]);
    const style = createStyles(chance.pick(['none', 'truecolor']), THEMES[0]?.styles ?? {});
    const context = { columns, rows: 24, style, now: 0, showThinking: true };
    const text = randomText(chance);
    const questions = createQuestionQueue({ now: () => 0, onChange: () => {}, onInterrupt: () => {} });
    questions.ask({ question: text, act: randomText(chance), choices: ['Yes', 'No'] }, new AbortController().signal).catch(() => {});
    const field = createTextField();
    field.insert(text);
    const lines = [
      ...drawBlocks(randomBlocks(chance), context),
      ...(questions.current()?.widget.render(context) ?? []),
      field.render(columns).text,
      clipLine(text, columns),
      ...splitLine(style('accent', text), columns),
      ...splitByWidth(text, columns),
      ...splitToColumns(text, columns, '↪'),
      fitWidth(text, columns),
    ];
    for (const line of lines) assert.ok(measureByFiles(stripSequences(line)) <= columns, `${columns}: ${line}`);
  });
});

test('rows of a line have all of it, and begin with the styles that are open there', () => {
  assert.deepEqual(splitLine('\u001b[1mab\u001b[31m終cd\u001b[0me', 3), [
    '\u001b[1mab\u001b[31m\u001b[0m',
    '\u001b[1m\u001b[31m終c\u001b[0m',
    '\u001b[1m\u001b[31md\u001b[0me\u001b[0m',
  ]);
});
