import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureWidth } from '../../../src/base/width.ts';
import type { MemoryStoreView } from '../../../src/contracts/memory.ts';
import { toMemoryJson, renderMemory } from '../../../src/faces/cli/memory.ts';
import { colours, plain } from '../../../src/base/screen/paint.ts';

const NOW = new Date(2026, 10, 15, 12, 0).getTime();
/** What the part gives is what the screen takes. */
const VIEW = [
  {
    target: 'memory',
    path: '/home/x/memories/MEMORY.md',
    enabled: true,
    limit: 2200,
    used: 550,
    entries: [
      {
        text: 'The build needs Node 26\nand a C compiler',
        chars: 40,
        at: NOW - 3 * 3_600_000,
        source: { sessionId: '20261115_090000_abc123', turnId: 't_1', foreign: ['https://example.org'] },
      },
      { text: 'EVIL \u001b[31mred', chars: 9, blocked: 'MEMORY.md entry 2 is blocked' },
    ],
  },
  { target: 'user', path: '/home/x/memories/USER.md', enabled: false, limit: 1375, used: 0, entries: [] },
] satisfies readonly MemoryStoreView[];

test('both stores are drawn with their use, entries and sources', () => {
  assert.equal(
    renderMemory(VIEW, { paint: plain, columns: Infinity, now: NOW }),
    `Memory  █████                 25%  550 of 2,200 characters, 2 entries
/home/x/memories/MEMORY.md
1  The build needs Node 26
   and a C compiler
   session 20261115_090000_abc123, 3 h ago
   written after reading outside content: https://example.org
2  EVIL red
   written by hand
   blocked, not shown to the model: MEMORY.md entry 2 is blocked

User                          0%  0 of 1,375 characters, 0 entries
/home/x/memories/USER.md
disabled: the model cannot read or change it
nothing yet
`,
  );
});

test('entries are wrapped to the screen, wide characters and long words too', () => {
  const texts = ['one two three four five six seven eight nine ten', '記憶'.repeat(30), `https://example.org/${'x'.repeat(90)} end`];
  const entries = texts.map((text) => ({ text, chars: text.length }));
  const view = [{ target: 'memory', path: '/m', enabled: true, limit: 10, used: 99, entries }] satisfies readonly MemoryStoreView[];
  const lines = renderMemory(view, { paint: plain, columns: 40, now: NOW }).split('\n').slice(2);
  assert.deepEqual(
    lines.filter((line) => measureWidth(line) > 40),
    [],
  );
  assert.deepEqual(lines.slice(0, 2), ['1  one two three four five six seven', '   eight nine ten']);
  const squeezed = lines.join('').replaceAll(/\s|written by hand/g, '');
  assert.equal(squeezed, texts.map((text, index) => `${index + 1}${text.replaceAll(' ', '')}`).join(''));
});

test('a store that cannot be read says why, in colour on a terminal', () => {
  const view = [
    { target: 'user', path: '/u', enabled: true, limit: 10, used: 0, entries: [], trouble: '/u could not be read: it is binary.' },
  ] satisfies readonly MemoryStoreView[];
  const drawn = renderMemory(view, { paint: colours, columns: 80, now: NOW });
  assert.ok(drawn.includes('\u001b[31m/u could not be read: it is binary.\u001b[39m') && !drawn.includes('nothing yet'), drawn);
});

test('scripts get one row for each entry', () => {
  assert.deepEqual(toMemoryJson(VIEW), [
    {
      target: 'memory',
      index: 1,
      text: 'The build needs Node 26\nand a C compiler',
      chars: 40,
      session_id: '20261115_090000_abc123',
      turn_id: 't_1',
      at: new Date(NOW - 3 * 3_600_000).toISOString(),
      foreign: ['https://example.org'],
      blocked: false,
    },
    {
      target: 'memory',
      index: 2,
      text: 'EVIL \u001b[31mred',
      chars: 9,
      session_id: null,
      turn_id: null,
      at: null,
      foreign: [],
      blocked: true,
    },
  ]);
});
