import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolDetails } from '../../../../src/contracts/details.ts';
import { createTextBlock, type Json, type ToolMessage } from '../../../../src/contracts/message.ts';
import { splitHunks } from '../../../../src/faces/serve/acp/hunks.ts';
import { fenceCode } from '../../../../src/faces/serve/acp/markdown.ts';
import { describeCall, locateCall, locateChanges, renderResult, toToolKind } from '../../../../src/faces/serve/acp/tool-calls.ts';
import { measureDiff } from '../../../../src/parts/tools/builtin/patch/unified.ts';

const CALLS: readonly (readonly [name: string, input: Json, title: string, kind: string])[] = [
  ['terminal', { command: 'npm\ttest\n  && echo \u001b[31mok' }, 'npm test↵ && echo \\x1b[31mok', 'execute'],
  ['read_file', { path: 'a.ts', offset: 3 }, 'Read a.ts', 'read'],
  ['web_extract', { urls: ['https://a.example', 'https://b.example'] }, 'Fetch https://a.example https://b.example', 'fetch'],
  ['browser_click', { ref: 'e1' }, 'browser_click e1', 'fetch'],
  ['mcp__time__now', {}, 'mcp__time__now', 'other'],
  ['terminal', 'malformed', 'Run', 'execute'],
  ['tool_call', { name: 'read_file', arguments: { path: 'a.ts' } }, 'Read a.ts', 'other'],
  ['constructor', {}, 'constructor', 'other'],
  ['terminal', { command: 'x'.repeat(1_000) }, 'x'.repeat(200), 'execute'],
];
test('a call is told in one line, with its kind', () => {
  for (const [name, input, title, kind] of CALLS) assert.deepEqual([describeCall({ name, input }), toToolKind(name)], [title, kind], name);
});

test('a call is found by its path, from the folder of the session, with its line only where it names one', () => {
  const at = (name: string, input: Json) => locateCall({ name, input }, '/work');
  assert.deepEqual(at('read_file', { path: 'src/a.ts', offset: 3 }), [{ path: '/work/src/a.ts', line: 3 }]);
  assert.deepEqual(at('search_files', { path: '/etc', offset: 20 }), [{ path: '/etc' }]);
  for (const input of [{}, { path: '' }, { path: 7 }, null]) assert.deepEqual(at('read_file', input), []);
});

const OLD = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const NEW = OLD.map((line, index) => (index === 2 ? 'changed 3' : index === 25 ? '+26\n-26b' : line));

test('each hunk of a diff becomes the two texts it stands for', () => {
  const { diff } = measureDiff({ old: 'a', new: 'a' }, `${OLD.join('\n')}\n`, `${NEW.join('\n')}\n`);
  const hunks = splitHunks(diff);
  assert.deepEqual(
    hunks.map(({ line }) => line),
    [1, 23],
  );
  assert.equal(hunks[0]?.oldText, `${OLD.slice(0, 6).join('\n')}\n`);
  assert.equal(hunks[0]?.newText, `${NEW.slice(0, 6).join('\n')}\n`);
  assert.equal(hunks[1]?.newText, `${NEW.slice(22, 29).join('\n')}\n`);
  assert.deepEqual(splitHunks(''), []);
});

const result = (text: string, failed = false, name = 'patch'): ToolMessage => ({
  role: 'tool',
  callId: 'c',
  name,
  content: [createTextBlock(text, 'tool')],
  failed,
});
const diffOf = (before: string | undefined, after: string): ToolDetails => ({
  kind: 'diff',
  files: [{ path: 'a', change: before === undefined ? 'created' : 'changed', ...measureDiff({ old: 'a', new: 'a' }, before, after) }],
});

test('a change is shown as a diff and nothing else; what is cut says so; a failure keeps its words', () => {
  const created = diffOf(undefined, 'new\n');
  assert.deepEqual(renderResult(result('Created a'), created, '/work'), [
    { type: 'diff', path: '/work/a', oldText: null, newText: 'new\n' },
  ]);
  assert.deepEqual(locateChanges(created, '/work'), [{ path: '/work/a', line: 1 }]);
  const cut: ToolDetails = { kind: 'diff', files: [{ path: 'a', change: 'changed', diff: '', added: 9, removed: 9, cut: true }] };
  assert.match(JSON.stringify(renderResult(result('Overwrote a'), cut, '/work')), /\/work\/a was changed; not all of the change is shown/);
  assert.match(JSON.stringify(renderResult(result('half of it', true), created, '/work')), /half of it/);
});

test('output cannot leave its block, hide anything or flood the editor', () => {
  assert.equal(fenceCode('a\n````\nb\n'), '`````\na\n````\nb\n`````');
  const shown = JSON.stringify(renderResult(result(`\u001b[2Jred\u202e ${'x'.repeat(30_000)}`, false, 'terminal'), undefined, '/work'));
  assert.match(shown, /```\\nred� x+\\n\[… \d+ more characters\]\\n```/);
  assert.ok(shown.length < 21_000);
  assert.deepEqual(renderResult(result('  \n', false, 'terminal'), undefined, '/work'), []);
});
