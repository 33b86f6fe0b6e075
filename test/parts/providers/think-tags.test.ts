import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TaggedText, SCAN, scanTags } from '../../../src/parts/providers/protocols/think-tags.ts';

const scan = (chunks: readonly string[]): { readonly text: string; readonly thinking: string } => {
  let state = SCAN;
  const pieces: TaggedText[] = [];
  for (const chunk of chunks) {
    const [next, given] = scanTags(state, chunk);
    state = next;
    pieces.push(...given);
  }
  pieces.push(...scanTags(state, '', true)[1]);
  return pieces.reduce(add, { text: '', thinking: '' });
};
/** What a piece makes of the words so far. */
const add = ({ text, thinking }: { text: string; thinking: string }, piece: TaggedText) => {
  if (piece.kind === 'recall') return { text: '', thinking: thinking + text + piece.text };
  return piece.kind === 'text' ? { text: text + piece.text, thinking } : { text, thinking: thinking + piece.text };
};

const TABLE: readonly (readonly [why: string, input: string, text: string, thinking: string])[] = [
  ['plain words', 'Hello < world', 'Hello < world', ''],
  ['a closed tag', '<think>plan</think>Answer', 'Answer', 'plan'],
  ['space around it goes', '\n<think>plan</think>\n\nAnswer', 'Answer', 'plan'],
  ['in the middle', 'Hello <think>x</think>world', 'Hello world', 'x'],
  ['an unclosed tag', 'Hi <thinking>and then', 'Hi ', 'and then'],
  [
    'every name and case',
    '<THINK>a</Think><reasoning>b</reasoning><thought>c</thought><REASONING_SCRATCHPAD>d</REASONING_SCRATCHPAD>e',
    'e',
    'abcd',
  ],
  ['any of the names closes', '<think>a</thinking>rest', 'rest', 'a'],
  ['…and what then closes again is dropped', '<thinking>a</think>b</thinking>c', 'bc', 'a'],
  ['tags nest', '<think>one <think>two</think> three</think>rest', 'rest', 'one <think>two</think> three'],
  ['tags of several names nest', '<think>a<thought>b</thought>c</think>d', 'd', 'a<thought>b</thought>c'],
  ['a quoted tag does not nest', '<think>a `<think>` b</think>c', 'c', 'a `<think>` b'],
  ['a thought that the template opened', 'plan\nmore</think>\n\nAnswer', 'Answer', 'plan\nmore'],
  ['…closed by any name, once', 'plan</thinking>one</think>two', 'onetwo', 'plan'],
  ['…with code in it', 'say `x` and\n```\n</think>\n```\nso</think>Answer', 'Answer', 'say `x` and\n```\n</think>\n```\nso'],
  ['…of nothing but space', ' \n</think>\n\nAnswer', 'Answer', ''],
  ['a closing tag in code tells nothing', 'End with `</think>`, then answer', 'End with `</think>`, then answer', ''],
  ['a stray closing tag after another tag is dropped', '<think>x</think>a</think>b', 'ab', 'x'],
  ['other tags are words', '<thinker>a</thinker> <b>', '<thinker>a</thinker> <b>', ''],
  ['space inside the tag', '<think >a</think\n>b', 'b', 'a'],
  ['half a tag at the end is words', 'a <thin', 'a <thin', ''],
  ['quoted in backticks', 'Use `<think>` and `</think>` so', 'Use `<think>` and `</think>` so', ''],
  ['quoted in double backticks', 'Use ``a ` <think>`` so', 'Use ``a ` <think>`` so', ''],
  ['a lone backtick protects nothing', 'don`t <think>secret plan</think> hi', 'don`t  hi', 'secret plan'],
  ['…not even with others of another length', 'don`t ``` <think>secret</think> hi', 'don`t ```  hi', 'secret'],
  ['a pair on the next line is none', 'don`t <think>a</think>\nisn`t', 'don`t \nisn`t', 'a'],
  ['a pair at the very end', 'Use `<think>`', 'Use `<think>`', ''],
  ['a pair too far away is none', `a \` <think>b</think>${'c'.repeat(400)}\``, `a \` ${'c'.repeat(400)}\``, 'b'],
  ['a lone backtick, then its line ends', 'a ` b\n<think>x</think>c', 'a ` b\nc', 'x'],
  ['quoted in a fence', '```xml\n<think>x</think>\n```\n<think>y</think>z', '```xml\n<think>x</think>\n```\nz', 'y'],
  ['quoted in a tilde fence', '~~~\n<think>\n~~~\nok', '~~~\n<think>\n~~~\nok', ''],
  ['a longer fence holds a shorter one', '````\n```\n<think>\n````\nok', '````\n```\n<think>\n````\nok', ''],
  ['a fence left open in reasoning', '<think>```\ncode</think>Answer', 'Answer', '```\ncode'],
  ['reasoning that quotes its own end', '<think>write `</think>` last</think>Answer', 'Answer', 'write `</think>` last'],
  ['space alone is kept', '  \n', '  \n', ''],
  ['leading space of plain words is kept', '\n\nHello', '\n\nHello', ''],
];

for (const [why, input, text, thinking] of TABLE) {
  test(`tags: ${why}`, () => {
    assert.deepEqual(scan([input]), { text, thinking });
    assert.deepEqual(scan(input.split('')), { text, thinking }, 'one character at a time');
  });
}

const ALPHABET = [
  '<think>',
  '</think>',
  '<',
  '>',
  '/',
  'think',
  '`',
  '``',
  '```',
  '~~~',
  '\n',
  ' ',
  'a',
  '<Thought>',
  '</thought >',
  '</thinking>',
  'a'.repeat(396),
  '<reasoning',
  'é',
  '🙂',
];

/** A small generator with a seed, so that a failure can be repeated. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) yield state / 2_147_483_648;
}

test('tags: a lone backtick holds back a bounded amount', () => {
  const [, first] = scanTags(SCAN, `don\`t ${'a'.repeat(300)}`);
  assert.deepEqual(first, [{ kind: 'text', text: 'don' }]);
  const [{ held }, given] = scanTags(SCAN, `don\`t ${'a'.repeat(1000)}`);
  assert.deepEqual([held, given[0]?.text.length], ['', 1006]);
});

test('tags: any chunking gives the same result', () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const source = numbers(seed * 7919);
    const below = (limit: number) => Math.floor(source.next().value * limit);
    const input = Array.from({ length: 1 + below(25) }, () => ALPHABET[below(ALPHABET.length)] ?? '').join('');
    const chunks: string[] = [];
    for (let at = 0; at < input.length;) {
      const size = 1 + below(5);
      chunks.push(input.slice(at, at + size));
      at += size;
    }
    assert.deepEqual(scan(chunks), scan([input]), JSON.stringify({ seed, input, chunks }));
  }
});
