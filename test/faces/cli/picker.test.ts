import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain } from '../../../src/base/screen/paint.ts';
import { measureWidth } from '../../../src/base/width.ts';
import { drawPicker, openPicker, pressKey, type PickerState } from '../../../src/faces/cli/picker.ts';

const CHOICES = ['openrouter', 'anthropic', 'openai-api', 'gemini', 'kimi', 'ollama', 'vllm', 'xai', 'zai', '漢字のモデル'].map(
  (value) => ({
    value,
    note: `needs a key for ${value}`,
  }),
);
const question = { question: 'Which provider?', choices: CHOICES, suggested: 'anthropic' };

/** What the keys lead to: the state, or how it ended. */
function press(...keys: readonly string[]): PickerState | string {
  let state = openPicker(question);
  for (const key of keys) {
    const step = pressKey(state, key);
    if (step === 'cancelled') return step;
    if ('picked' in step) return step.picked;
    state = step;
  }
  return state;
}

const PRESSES: readonly (readonly [keys: readonly string[], picked: string])[] = [
  [['\r'], 'anthropic'],
  [['\x1b[B', '\r'], 'openai-api'],
  [['\x1b[A', '\x1b[A', '\r'], '漢字のモデル'],
  [['\x10', '\x0e', '\x0e', '\n'], 'openai-api'],
  [['o', 'l', '\r'], 'ollama'],
  [['O', 'P', 'E', 'N', '\x1b[B', '\r'], 'openai-api'],
  [['x', 'x', '\x7f', '\r'], 'xai'],
  [['z', 'a', '\x1b', '\r'], 'openrouter'],
  [['漢', '\r'], '漢字のモデル'],
  [['\x03'], 'cancelled'],
  [['\x1b'], 'cancelled'],
];
for (const [keys, picked] of PRESSES)
  test(`the keys ${JSON.stringify(keys.join(' '))} end with ${picked}`, () => assert.equal(press(...keys), picked));

test('Enter where nothing matches picks nothing, and unknown keys change nothing', () => {
  const none = press('q', 'q', '\r', '\x1b[5~', '\x01');
  assert.deepEqual(none, { question, filter: 'qq', marked: 0 });
});

test('no line is wider than the terminal, the marked row is always shown, and a note gives way to the name', () => {
  for (const columns of [20, 40, 80])
    for (let at = 0; at < CHOICES.length; at++) {
      const lines = drawPicker({ ...openPicker(question), marked: at }, columns, plain);
      for (const line of lines) assert.ok(measureWidth(line) <= columns, `${columns}: ${line}`);
      assert.ok(
        lines.some((line) => line.startsWith(`❯ ${(CHOICES[at]?.value ?? '').slice(0, 4)}`)),
        lines.join('\n'),
      );
    }
  assert.deepEqual(drawPicker({ ...openPicker(question), filter: 'ol', marked: 0 }, 80, plain), [
    '? Which provider?',
    '❯ ollama  needs a key for ollama',
    '  ol▏',
  ]);
});

test('a name that somebody else wrote reaches the terminal without its control sequences', () => {
  const lines = drawPicker(openPicker({ question: 'Which?', choices: [{ value: 'a\x1b[2J', note: 'b\nc' }] }), 60, plain);
  // oxlint-disable-next-line no-control-regex -- that is what must not be there
  assert.doesNotMatch(lines.join(''), /[\u0000-\u001f]/);
});

test('what a note says is found behind the names', () => {
  const choices = [
    { value: 'ollama-cloud', note: 'needs an API key' },
    { value: 'vllm', note: 'local server, not running' },
    { value: 'local-ai', note: 'needs an API key' },
  ];
  let state = openPicker({ question: 'Which provider?', choices });
  for (const key of 'local') {
    const step = pressKey(state, key);
    state = step === 'cancelled' || 'picked' in step ? assert.fail() : step;
  }
  const shown = drawPicker(state, 80, plain).join('\n');
  assert.match(shown, /local-ai[\s\S]*vllm/);
  assert.doesNotMatch(shown, /ollama-cloud/);
});
