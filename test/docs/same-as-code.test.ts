import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { toSnakeCase } from '../../src/base/snake-case.ts';
import { HOOK_KINDS, isHookName } from '../../src/contracts/hook-catalog.ts';
import { TERMINAL_SLOTS } from '../../src/contracts/terminal-extension.ts';
import { commandSettings } from '../../src/commands/settings.ts';
import { screenSettings } from '../../src/faces/tui/settings.ts';
import { THEMES } from '../../src/faces/tui/theme/themes.ts';
import { HOOK_EXAMPLES } from '../../src/parts/hooks/entries/examples.ts';
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

test('the page on hooks lists every hook in order, with what it may do and all that it is told', () => {
  const page = readFileSync('docs/hooks.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| .* \| (observe|transform|decide)[^|]* \| (.*) \|$/gm)];
  assert.deepEqual(
    rows.map(([, name, kind]) => [name, kind]),
    Object.entries(HOOK_KINDS),
  );
  const everywhere = new Set(['session_id', 'platform', 'parent_session_id']);
  const untold = rows.flatMap(([, name = '', , keys = '']) =>
    Object.keys(toSnakeCase(isHookName(name) ? HOOK_EXAMPLES[name] : {}) ?? {})
      .filter((key) => !everywhere.has(key) && !keys.includes(`\`${key}\``))
      .map((key) => `${name}: ${key}`),
  );
  assert.deepEqual(untold, []);
});

test('every kind of plugin has a page, with its example word for word', () => {
  const embedded = globSync('docs/plugins/*.md').flatMap((page) => {
    const fences = [...readFileSync(page, 'utf8').matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm)];
    assert.ok(fences.length > 0, `${page} has no example`);
    return fences.map(([, path = '', text]) => ({ page, path, isSame: readFileSync(path, 'utf8').trimEnd() === text?.trimEnd() }));
  });
  assert.deepEqual(
    embedded.filter(({ isSame }) => !isSame),
    [],
  );
  const shown = new Set(embedded.map(({ path }) => path.split('/')[2] ?? ''));
  assert.deepEqual([...shown].toSorted(), readdirSync('examples/plugins').toSorted());
  const table = readFileSync('docs/plugins.md', 'utf8');
  assert.deepEqual(
    globSync('docs/plugins/*.md').filter((page) => !table.includes(`(${page.slice('docs/'.length)})`)),
    [],
  );
});
