import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawBlocks } from '../../../../src/faces/tui/draw/block.ts';
import { promptMarks } from '../../../../src/faces/tui/terminal/sequences.ts';
import type { Block, DrawContext, ToolBlock } from '../../../../src/faces/tui/contract.ts';

const context: DrawContext = { columns: 40, rows: 24, style: (_, text) => text, now: 0, showThinking: true };
const AT = new Date(2026, 10, 16, 9, 5).getTime();
const draw = (blocks: readonly Block[], more: Partial<DrawContext> = {}): string[] => drawBlocks(blocks, { ...context, ...more });

const call = (command: string, more: Partial<ToolBlock> = {}): ToolBlock => ({
  kind: 'tool',
  call: { type: 'tool_call', id: command, name: 'terminal', input: { command }, trust: 'model' },
  state: 'finished',
  progress: [],
  result: Array.from({ length: 9 }, (_, index) => `${command} ${index}`).join('\n'),
  details: { kind: 'command', exitCode: 0, ended: 'exited', cwd: '/' },
  ...more,
});
const edit = (paths: readonly string[]): ToolBlock =>
  call('', {
    call: { type: 'tool_call', id: 'e', name: 'patch', input: { path: paths[0] ?? '' }, trust: 'model' },
    details: {
      kind: 'diff',
      files: paths.map((path) => ({ path, change: 'changed', diff: '@@ -1 +1 @@\n-old\n+new', added: 1, removed: 1 })),
    },
  });
const user: Block = { kind: 'user', text: 'Fix it, please.', origin: 'user', at: AT };
const answer: Block = { kind: 'answer', text: 'Done.' };
const end: Block = { kind: 'outcome', outcome: 'answered', exitReason: 'answered', text: '', at: AT + 60_000 };

test('display.tool_progress: no rows, the first of several alike, all of them shortened, or each with its whole result', () => {
  const blocks = [call('ls'), call('pwd'), call('false', { state: 'failed' }), edit(['a.ts']), answer];
  const rows = (toolCalls: NonNullable<DrawContext['toolCalls']>) => draw(blocks, { toolCalls }).filter((line) => /^[✓✗]/.test(line));
  assert.deepEqual(draw(blocks, { toolCalls: 'off' }), ['Done.']);
  assert.deepEqual(rows('new'), ['✓ Run ls', '✗ Run false', '✓ Edit a.ts · +1 −1']);
  assert.deepEqual(rows('all'), ['✓ Run ls', '✓ Run pwd', '✗ Run false', '✓ Edit a.ts · +1 −1']);
  assert.ok(!draw(blocks).includes('  ls 4') && draw(blocks).some((line) => line.includes('4 more lines')));
  assert.ok(draw(blocks, { toolCalls: 'verbose' }).includes('  ls 4'));
  // A viewer that shows everything shows the calls too.
  assert.equal(draw(blocks, { toolCalls: 'off', expanded: true }).filter((line) => /^[✓✗]/.test(line)).length, 4);
});

test('display.inline_diffs: without it changes are counted and not shown', () => {
  assert.deepEqual(draw([edit(['a.ts'])], { hidesDiffs: true }), ['✓ Edit a.ts · +1 −1']);
  assert.deepEqual(draw([edit(['a.ts', 'b.ts'])], { hidesDiffs: true }), ['✓ Edit a.ts', '  a.ts +1 −1', '  b.ts +1 −1']);
  assert.deepEqual(draw([edit(['a.ts'])]), ['✓ Edit a.ts · +1 −1', '  1 - old', '  1 + new']);
});

test('display.timestamps: when a message came and when the answer was complete', () => {
  assert.deepEqual(draw([user, answer, end]), ['❯ Fix it, please.', '', 'Done.']);
  assert.deepEqual(draw([user, answer, end], { timestamps: true }), ['❯ Fix it, please.  09:05', '', 'Done.', '09:06']);
  assert.deepEqual(draw([user], { timestamps: true, columns: 20 }), ['❯ Fix it, please.', '  09:05']);
  assert.deepEqual(draw([user], { expanded: true }), ['❯ Fix it, please.  2026-11-16 09:05']);
});

test('what a person sent is marked for the terminal, and so is where its answer begins', () => {
  const { prompt, input, output } = promptMarks;
  assert.deepEqual(draw([user, answer, { ...user, origin: 'steer' }, { ...user, origin: 'nudge' }], { marks: promptMarks }), [
    `${prompt}❯ ${input}Fix it, please.`,
    output,
    'Done.',
    '',
    `${prompt}↪ ${input}Fix it, please.`,
    output,
    '› told the model: Fix it, please.',
  ]);
});

test('a shell command of the owner and what it wrote', () => {
  const shell = (command: string, text: string, tone: 'plain' | 'warn' = 'plain'): Block => ({ kind: 'aside', tone, command, text });
  const style: DrawContext['style'] = (name, text) => `<${name}>${text}`;
  assert.deepEqual(draw([shell('git status', 'clean\n\nreally\n'), shell('true', ''), { kind: 'aside', tone: 'plain', text: 'so' }]), [
    '! git status',
    '  clean',
    '',
    '  really',
    '',
    '! true',
    'so',
  ]);
  assert.deepEqual(draw([shell('false', '', 'warn')], { style }), ['<warn>! <user>false']);
});

test('what a person answered to a question stands below it', () => {
  const asked = call('', {
    call: { type: 'tool_call', id: 'q', name: 'clarify', input: { question: 'Which color?' }, trust: 'model' },
    result: 'Green, please',
    ms: 2_000,
  });
  const { details: _, ...plain } = asked;
  assert.deepEqual(draw([plain]), ['✓ Ask Which color? · 2.0 s', '  Green, please']);
});

test('the sign of the prompt and the keys that are named can be others', () => {
  const sent: Block = { ...user, text: 'one\ntwo' };
  assert.deepEqual(draw([sent], { sign: '<>' }), ['<> one', '   two']);
  const more = draw([call('ls')], { keyNames: { interrupt: 'Esc', viewer: 'F4' } });
  assert.ok(more.includes('  … 4 more lines (F4 shows them)'));
});
