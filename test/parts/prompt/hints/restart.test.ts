import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { TextBlock, ToolMessage } from '../../../../src/contracts/message.ts';
import { HINT_LIMITS } from '../../../../src/parts/prompt/hints/tables.ts';
import { createHintTracker, type HintOptions } from '../../../../src/parts/prompt/hints/tracker.ts';
import { plant, scanner, tree } from '../files/tree.ts';
import { NOTHING, rules, sources, tracked } from './tracked.ts';

const stored = (texts: readonly TextBlock[]): ToolMessage => ({
  role: 'tool',
  callId: 'c',
  name: 'read_file',
  failed: false,
  content: [{ type: 'text', text: 'result', trust: 'tool' }, ...texts],
});

test('after a restart the log tells what was told, by folder and by words', async () => {
  const root = tree({ 'a/AGENTS.md': 'A', 'b/AGENTS.md': 'evil', 'copy/AGENTS.md': 'A', 'c/AGENTS.md': 'C' });
  const before = tracked(root);
  const log = [stored((await before('a/x')).texts), stored((await before('b/x')).texts)];
  plant(root, { 'a/AGENTS.md': 'A, changed since' });
  const asked: string[] = [];
  const ask = tracked(root, { recall: (id) => (asked.push(id), log) });
  for (const path of ['a/x', 'b/x', 'copy/x']) assert.deepEqual(await ask(path), NOTHING, path);
  assert.deepEqual(rules(await ask('c/x')), ['C']);
  assert.deepEqual(asked, ['s']);
});

test('rules that were taken back with their turn are told again, others not', async () => {
  const root = tree({ 'a/AGENTS.md': 'A', 'b/AGENTS.md': 'B' });
  const log: ToolMessage[] = [];
  const tracker = createHintTracker({ root, admit: async () => scanner().admit, recall: () => log });
  const ask = (path: string) => tracker.after({ tool: 'read_file', input: { path }, cwd: root, sessionId: 's', markKey: '1a2b3c4d' });
  log.push(stored((await ask('a/x')).texts));
  assert.deepEqual(rules(await ask('b/x')), ['B']);
  tracker.forget('s');
  assert.deepEqual([await ask('a/x'), rules(await ask('b/x'))], [NOTHING, ['B']]);
});

test('what a page or another file says of itself is no visit', async () => {
  const root = tree({ 'a/AGENTS.md': 'A' });
  const block: TextBlock = {
    type: 'text',
    text: `hint:${root}/a/AGENTS.md\n\nA, more or less`,
    trust: 'foreign',
    source: 'https://example.org',
  };
  assert.deepEqual(rules(await tracked(root, { recall: async () => [stored([block])] })('a/x')), ['A']);
});

test('sessions beyond the bound are let go and recalled from their log', async () => {
  const root = tree({ 'a/AGENTS.md': 'A' });
  const log = new Map<string, ToolMessage[]>();
  const recalled: string[] = [];
  const ask = tracked(root, { recall: async (id) => (recalled.push(id), log.get(id) ?? []) });
  for (let index = 0; index <= HINT_LIMITS.sessions; index++) {
    const id = `s${index}`;
    const { texts } = await ask('a/x', id);
    assert.equal(texts.length, 1);
    log.set(id, [stored(texts)]);
    await ask('a/x', 's0');
  }
  assert.equal(recalled.filter((id) => id === 's0').length, 1);
  assert.deepEqual(await ask('a/x', 's1'), NOTHING);
  assert.equal(recalled.filter((id) => id === 's1').length, 2);
});

const TROUBLES: readonly (readonly [what: string, options: Partial<HintOptions>, told: number, notices: number])[] = [
  ['a log that cannot be read', { recall: () => Promise.reject(new Error('disk')) }, 1, 0],
  [
    'a log that throws at once',
    {
      recall: () => {
        throw new Error('disk');
      },
    },
    1,
    0,
  ],
  [
    'a scanner that throws',
    {
      admit: async () => () => {
        throw new Error('broken');
      },
    },
    0,
    1,
  ],
  ['a root that is gone', { root: '/nowhere/at/all' }, 0, 0],
];
for (const [what, options, told, notices] of TROUBLES) {
  test(`${what} costs the hint at most`, async () => {
    const hints = await tracked(tree({ 'a/AGENTS.md': 'A' }), options)('a/x');
    assert.deepEqual([hints.texts.length, hints.notices.length], [told, notices]);
  });
}

test('a path nobody can follow is no trouble', async () => {
  const root = tree({ 'a/AGENTS.md': 'A', 'a/file': '' });
  symlinkSync('ring', join(root, 'ring'));
  const ask = tracked(root);
  for (const path of ['ring/x', `${'n'.repeat(300)}/x`, 'a\0b', '\n']) assert.deepEqual(await ask(path), NOTHING);
  assert.deepEqual(
    sources(await ask('a/file/under/a/file')).map((source) => dirname(source)),
    [`hint:${root}/a`],
  );
});
