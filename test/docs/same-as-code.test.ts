import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TERMINAL_SLOTS } from '../../src/contracts/terminal-extension.ts';
import { commandSettings } from '../../src/commands/settings.ts';
import { screenSettings } from '../../src/faces/tui/settings.ts';
import { THEMES } from '../../src/faces/tui/theme/themes.ts';
import { ALL_PAGES } from './pages.ts';

test('the page on extensions has all slots, from top to bottom', () => {
  const page = readFileSync('docs/extending-the-terminal.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(rows, [...TERMINAL_SLOTS]);
});

test('the page on the terminal UI names all settings of the screen and all themes', () => {
  const page = readFileSync('docs/terminal-ui.md', 'utf8');
  const settings = Object.keys({ ...commandSettings, ...screenSettings }).filter((name) => name.startsWith('display.'));
  const missing = [...settings, ...THEMES.map(({ name }) => name)].filter((name) => !page.includes(`\`${name}\``));
  assert.deepEqual(missing, []);
});

test('every file of ours that a page names is there', () => {
  const gone = ALL_PAGES.filter((page) => !/^docs\/(?:decisions|proofs)\//.test(page)).flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`((?:src|test|scripts|bench|examples|docs)\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
      // Results of long proofs are there once somebody has run them.
      .filter((path) => !existsSync(path) && !path.startsWith('docs/proofs/'))
      .map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(gone, []);
});
