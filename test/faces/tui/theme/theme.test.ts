import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { encodeColor, parseColor, readColorDepth } from '../../../../src/faces/tui/theme/colors.ts';
import { readSkin } from '../../../../src/faces/tui/theme/skin.ts';
import { createStyles } from '../../../../src/faces/tui/theme/styles.ts';
import { chooseTheme, THEMES } from '../../../../src/faces/tui/theme/themes.ts';

test('the environment says how many colors there are, and whether none are wanted', () => {
  assert.equal(readColorDepth({ TERM: 'xterm-256color', COLORTERM: 'truecolor' }), 'truecolor');
  assert.equal(readColorDepth({ TERM: 'xterm-256color' }), '256');
  assert.equal(readColorDepth({ TERM: 'xterm' }), '16');
  assert.equal(readColorDepth({ TERM: 'linux', TERM_PROGRAM: 'WezTerm' }), 'truecolor');
  assert.equal(readColorDepth({ TERM: 'dumb', COLORTERM: 'truecolor' }), 'none');
  assert.equal(readColorDepth({ TERM: 'xterm-256color', NO_COLOR: '1' }), 'none');
  assert.equal(readColorDepth({ TERM: 'xterm-256color', NO_COLOR: '' }), '256');
});

test('a color is written in the words of the terminal, the nearest where it has fewer', () => {
  const encode = (text: string, depth: '16' | '256' | 'truecolor', isBackground = false) => {
    const color = parseColor(text);
    return color === undefined ? undefined : encodeColor(color, depth, isBackground);
  };
  assert.equal(encode('#ff8000', 'truecolor'), '38;2;255;128;0');
  assert.equal(encode('#ff8000', '256'), '38;5;208');
  assert.equal(encode('#e01010', '16'), '31');
  assert.equal(encode('#808080', '256'), '38;5;244');
  assert.equal(encode('#f80', 'truecolor', true), '48;2;255;136;0');
  assert.equal(encode('bright-red', '256'), '91');
  assert.equal(encode('208', '256'), '38;5;208');
  assert.equal(encode('208', '16'), '33');
  assert.equal(encode('gray', '16', true), '100');
  for (const none of ['pink', '#12345', '256', '', '\u001b[31m']) assert.equal(encode(none, '16'), undefined);
});

test('there are two dark and two light themes, and what the terminal says chooses one', () => {
  assert.deepEqual(
    THEMES.map(({ name, background }) => `${name} ${background}`),
    ['dark dark', 'terminal dark', 'light light', 'contrast light'],
  );
  assert.equal(chooseTheme('auto', 'dark')?.name, 'dark');
  assert.equal(chooseTheme('auto', 'light')?.name, 'light');
  assert.equal(chooseTheme('auto', undefined)?.name, 'terminal');
  assert.equal(chooseTheme('contrast', 'dark')?.name, 'contrast');
  assert.equal(chooseTheme('nothing', 'dark'), undefined);
});

test('every color of every theme can be read, and no style changes the text', () => {
  for (const { name, styles } of THEMES) {
    for (const { color, background } of Object.values(styles))
      for (const given of [color, background]) assert.ok(given === undefined || parseColor(given) !== undefined, `${name}: ${given}`);
    for (const depth of ['none', '16', '256', 'truecolor'] as const) {
      const style = createStyles(depth, styles);
      for (const each of Object.keys(styles)) assert.equal(stripVTControlCharacters(style(each, 'a 中')), 'a 中');
    }
    assert.equal(createStyles('none', styles)('bad', 'x'), 'x');
  }
});

/** How bright a color is for the eye, from 0 to 1, as the web's accessibility rules count it. */
function luminance(hex: string): number {
  const color = parseColor(hex);
  assert.ok(color !== undefined && 'rgb' in color);
  const [red = 0, green = 0, blue = 0] = color.rgb.map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
const contrast = (one: number, other: number): number => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

test('words can be read on their background: 4.5 to 1, and 7 to 1 where the contrast is high', () => {
  const grounds = { dark: ['#000000', '#1e1e1e'], light: ['#ffffff', '#fdf6e3'] } as const;
  for (const { name, background, styles } of THEMES) {
    if (name === 'terminal') continue;
    const least = name === 'contrast' ? 7 : 4.5;
    for (const [style, { color }] of Object.entries(styles)) {
      // Rules are no words.
      if (color === undefined || style === 'rule') continue;
      for (const ground of grounds[background]) {
        const seen = contrast(luminance(color), luminance(ground));
        assert.ok(seen >= least, `${name} ${style} on ${ground}: ${seen.toFixed(2)}`);
      }
    }
  }
});

test('extensions bring styles, themes change them, and the file of the owner has the last word', () => {
  const style = createStyles(
    '16',
    { panel: { color: 'red' }, other: { bold: true } },
    { panel: { color: 'green' } },
    { other: { color: 'blue' } },
  );
  assert.equal(style('panel', 'x'), '\u001b[32mx\u001b[39m');
  assert.equal(style('other', 'x'), '\u001b[34mx\u001b[39m');
  assert.equal(style('unknown', 'x'), 'x');
  assert.equal(style('panel', ''), '');
});

test('a skin changes what it names; what cannot be used is told and the rest holds', () => {
  const skin = readSkin({
    name: 'mine',
    colors: { ui_accent: '#ff0000', prompt: 'green', response_border: '#123456', ui_ok: 'no color', status_bar_bg: 17 },
    styles: { 'my-panel': { color: '#00ff00', bold: true }, broken: { color: 'nope' }, short: 'red' },
    spinner: { waiting_faces: ['(o)', '(O)'], thinking_verbs: ['ponder', 7, '\u001b[31mmuse'] },
    branding: { agent_name: 'Iris\u001b]0;x\u0007', prompt_symbol: '➤', welcome: 3 },
    tool_prefix: '|',
  });
  assert.deepEqual(skin.styles, {
    accent: { color: '#ff0000' },
    prompt: { bold: true, color: 'green' },
    user: { bold: true, color: 'green' },
    status: { background: '17' },
    'my-panel': { bold: true, color: '#00ff00' },
    short: { color: 'red' },
  });
  assert.deepEqual(skin.spinner, { frames: ['(o)', '(O)'], verbs: ['ponder', 'muse'] });
  assert.deepEqual(skin.branding, { agentName: 'Iris', promptSymbol: '➤' });
  assert.deepEqual(skin.problems, [
    'colors.ui_ok is not a color: use #rrggbb, one of the 16 names or a number up to 255.',
    'styles.broken is not a style: use color, background, bold, dim, italic, underline.',
  ]);
  assert.deepEqual(readSkin(['a']).problems, ['The file must be a map of keys.']);
  assert.deepEqual(readSkin(undefined).problems, []);
});
