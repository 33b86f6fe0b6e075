import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolLine } from '../../../src/contracts/services/tools.ts';
import { measureWidth } from '../../../src/base/width.ts';
import { plain } from '../../../src/base/screen/paint.ts';
import { renderTools } from '../../../src/faces/cli/tools.ts';

const tool = (name: string, more: Partial<ToolLine> = {}): ToolLine => ({
  name,
  description: 'Reads a file. And more.',
  toolsets: ['file', '日本語の道具'],
  inSession: true,
  available: true,
  effects: 'read',
  replay: 'safe',
  ...more,
});
const sets = [{ name: '日本語の道具', description: 'よむ', tools: ['read_file'] }];
const at = (columns: number) => ({ paint: plain, columns, now: 0 });

test('rows stand under each other whatever is written in them', () => {
  assert.equal(
    renderTools(
      {
        session: { toolsets: ['hermes-cli'] },
        tools: [
          tool('read_file'),
          tool('web', { available: false, inSession: false, reason: 'it needs a key' }),
          tool('other', { inSession: false }),
        ],
        toolsets: sets,
      },
      at(Infinity),
    ),
    [
      'In the next session',
      '  toolsets: hermes-cli',
      '✓ read_file     Reads a file.',
      '                only reads; repeated after a crash; in file, 日本語の道具',
      '',
      'Not in the next session',
      '– web           not available: it needs a key',
      '– other         Reads a file.',
      '                its toolset is not chosen',
      '                only reads; repeated after a crash; in file, 日本語の道具',
      '',
      'Toolsets',
      '  choose with -t or the setting toolsets',
      '  日本語の道具  よむ: read_file',
      '',
    ].join('\n'),
  );
});

test('on a screen no line is wider than it, and a long name has a line of its own', () => {
  const long = 'mcp__filesystem__read_multiple_files_at_once';
  const drawn = renderTools(
    {
      session: { toolsets: ['hermes-cli'] },
      tools: [tool(long, { description: 'Reads \u001b[31mmany\u001b[0m files at once, whatever they are called.' })],
      toolsets: sets,
    },
    at(60),
  );
  const lines = drawn.split('\n');
  assert.equal(lines[2], `✓ ${long}`);
  assert.match(lines[3] ?? '', /^ {28}Reads many files at once,/);
  for (const line of lines) assert.ok(measureWidth(line) <= 60, line);
});
