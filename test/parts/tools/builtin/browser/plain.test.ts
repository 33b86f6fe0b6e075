import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectDefaults } from '../../../../../src/contracts/settings.ts';
import { parseLabels } from '../../../../../src/parts/tools/builtin/browser/verbs/annotate.ts';
import { openBrowsers } from '../../../../../src/parts/tools/builtin/browser/browsers.ts';
import { findBrowser } from '../../../../../src/parts/tools/builtin/browser/find.ts';
import { browserSettings } from '../../../../../src/parts/tools/builtin/browser/settings.ts';
import { compact, parseRef } from '../../../../../src/parts/tools/builtin/browser/snapshot.ts';
import { createBrowserTools } from '../../../../../src/parts/tools/builtin/browser/verbs/tools.ts';
import { diffLines } from '../../../../../src/parts/tools/builtin/browser/view.ts';
import { answer, contextIn, deskAt, tempFolder } from '../../setup.ts';
import { testReach } from './reach.ts';

const SNAPSHOT = `- generic [active] [ref=e1]:
  - navigation [ref=e2]:
    - list [ref=e3]:
      - listitem [ref=e4]:
        - link "Home" [ref=e5] [cursor=pointer]:
          - /url: /
  - main [ref=e6]:
    - 'heading "It''s: here" [level=1] [ref=e7]'
    - paragraph [ref=e8]: ${'long '.repeat(60)}
    - generic [ref=e9] [cursor=pointer]: Fold out
    - combobox "Size" [ref=e10]:
      - option "small" [selected]
    - img [ref=e11]
    - iframe [ref=e12]:
      - button "${'B'.repeat(300)}" [ref=f1e2]: more
    - text: plain words`;

test('a compact snapshot keeps words and what can be acted on', () => {
  assert.equal(
    compact(SNAPSHOT),
    [
      '- link "Home" [ref=e5]',
      '- heading "It\'s: here" [level=1]',
      `- paragraph: ${'long '.repeat(60).trimEnd().slice(0, 199)}…`,
      '- generic [ref=e9] [clickable]: Fold out',
      '- combobox "Size" [ref=e10]:',
      '  - option "small" [selected]',
      '- iframe:',
      `  - button "${'B'.repeat(198)}… [ref=f1e2]: more`,
      '- text: plain words',
    ].join('\n'),
  );
});

test('refs in every spelling a model may use', () => {
  for (const given of ['e5', '@e5', 'ref=e5', '[ref=e5]', ' e5 ']) assert.equal(parseRef(given), 'e5');
  assert.equal(parseRef('@f12e345'), 'f12e345');
  for (const given of ['', 'button', 'e', '5', 'e5 >> css=body', 'e5]x']) assert.equal(parseRef(given), undefined, given);
});

test('what changed on a page', () => {
  assert.equal(diffLines('- a\n- b', '- a\n- b'), 'The page looks as before.');
  assert.equal(diffLines('- a\n- b', '- a\n- c\n- c'), 'New on the page:\n- c\n- c\n[1 line is gone]');
});

test('labels of a screenshot leave out what is in frames or has no size', () => {
  const boxed = `- generic [ref=f3e1] [box=0,0,10,10]:
  - button "Go" [ref=f3e2] [box=1,-2,30,40]
  - link "Hidden" [ref=f3e3] [box=0,0,0,0]
  - iframe [ref=f3e4] [box=0,0,10,10]:
    - button "Inner" [ref=f4e2] [box=1,2,3,4]
  - textbox [ref=f3e5] [box=5,6,7,8]: words`;
  assert.deepEqual(parseLabels(boxed), [
    { ref: 'f3e2', box: [1, -2, 30, 40] },
    { ref: 'f3e5', box: [5, 6, 7, 8] },
  ]);
});

test('the browser is the one the owner names, then the environment, then what is on PATH', () => {
  const folder = tempFolder();
  const make = (name: string): string => {
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o755);
    return join(folder, name);
  };
  const [edge, chrome] = [make('microsoft-edge'), make('google-chrome')];
  const find = (executable: string, variables: Record<string, string>) =>
    findBrowser({ executable, variable: (name) => ({ PATH: folder, ...variables })[name] });
  assert.equal(find('', {}), chrome);
  assert.equal(find('', { CHROME_PATH: edge }), edge);
  assert.equal(find(chrome, { CHROME_PATH: edge }), chrome);
  assert.equal(find('microsoft-edge', {}), edge);
  assert.equal(find('/nowhere/chrome', {}), undefined, 'a wrong name is not replaced');
});

test('ten tools in 1,600 bytes, and without a browser none', async () => {
  const base = { settings: collectDefaults(browserSettings), reach: testReach(), home: tempFolder(), variable: () => undefined };
  const browsers = openBrowsers(base);
  const tools = createBrowserTools({ ...base, browsers });
  const bytes = Buffer.byteLength(JSON.stringify(tools.map(({ name, description, input }) => ({ name, description, input }))));
  assert.equal(tools.length, 10);
  assert.ok(bytes <= 1_600, `${bytes} bytes`);
  for (const tool of tools) {
    assert.equal(await tool.available?.(), false);
    assert.match(tool.needs ?? '', /apt install chromium/);
  }
  const words = await answer(tools[0] as never, { url: 'http://site.test/' } as never, contextIn(deskAt('/nowhere')));
  assert.match(words, /^FAILED There is no browser here\. Needed: .*browser\.executable/);
});
