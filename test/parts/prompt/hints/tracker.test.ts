import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HINT_LIMITS } from '../../../../src/parts/prompt/hints/tables.ts';
import { createHintTracker } from '../../../../src/parts/prompt/hints/tracker.ts';
import { plant, scanner, tree } from '../files/tree.ts';
import { KEY, NOTHING, rules, sources, tracked } from './tracked.ts';

test('a hint is a text of its own with its source, between marks that carry the path and the key of the session', async () => {
  const root = tree({ 'api/AGENTS.md': '# Api\n\nUse poetry.\n' });
  const { texts, notices } = await tracked(root)('api/main.py');
  assert.equal(texts.length, 1);
  const { text = '', ...rest } = texts[0] ?? {};
  assert.deepEqual(rest, { type: 'text', trust: 'tool', source: `hint:${root}/api/AGENTS.md` });
  const [open, line, ...inside] = text.split('\n');
  assert.deepEqual([open, inside.join('\n')], [`<hint key="${KEY}" path="api/AGENTS.md">`, `\n# Api\n\nUse poetry.\n</hint ${KEY}>`]);
  assert.match(line ?? '', /^Project rules for api\/ and everything below it\./);
  assert.deepEqual(notices, []);
});

test('where the folder is mounted under another name, hints go by that name and by no other', async () => {
  const root = tree({ 'api/AGENTS.md': 'Use poetry.' });
  const ask = tracked(root, { seenAs: '/workspace' });
  assert.deepEqual(await ask(join(root, 'api/main.py')), NOTHING, 'a path of this machine leads nowhere there');
  assert.deepEqual(await ask('/workspaces/api/main.py'), NOTHING);
  assert.deepEqual(rules(await ask('/workspace/api/main.py')), ['Use poetry.']);
});

const NAMES = ['AGENTS.md', 'agents.md', 'CLAUDE.md', 'claude.md', '.cursorrules'];
for (const [index, name] of NAMES.entries()) {
  test(`of a folder the first speaks: ${name} before those after it`, async () => {
    const files = NAMES.slice(index).map((one) => [`a/${one}`, one] as const);
    assert.deepEqual(rules(await tracked(tree({ ...Object.fromEntries(files), 'a/.hermes.md': 'no', 'a/SOUL.md': 'no' }))('a/x')), [name]);
  });
}

test('a folder once per session, for every session anew', async () => {
  const ask = tracked(tree({ 'a/AGENTS.md': 'A', 'a/b/AGENTS.md': 'B' }));
  assert.deepEqual(rules(await ask('a/x')), ['A']);
  assert.deepEqual(await ask('a/x'), NOTHING);
  assert.deepEqual(await ask('a'), NOTHING);
  assert.deepEqual(rules(await ask('a/b/x')), ['B']);
  assert.deepEqual(rules(await ask('a/b/x', 'other')), ['A', 'B']);
});

test('calls side by side do not tell the same twice', async () => {
  const ask = tracked(tree({ 'a/AGENTS.md': 'A' }), { recall: async () => [] });
  const all = await Promise.all([ask('a/x'), ask('a/y'), ask('a')]);
  assert.deepEqual(all.flatMap(rules), ['A']);
});

test('a folder that had no file when it was visited is not looked at again', async () => {
  const root = tree({ 'a/x': '' });
  const ask = tracked(root);
  await ask('a/x');
  plant(root, { 'a/AGENTS.md': 'late' });
  assert.deepEqual(await ask('a/x'), NOTHING);
});

test('five folders above the one that was touched, the outermost first', async () => {
  const folders = Array.from({ length: 7 }, (_, index) => Array.from({ length: index + 1 }, (__, level) => `d${level + 1}`).join('/'));
  const root = tree(Object.fromEntries(folders.map((folder) => [`${folder}/AGENTS.md`, folder])));
  const ask = tracked(root);
  assert.deepEqual(rules(await ask(`${folders[6]}/x`)), folders.slice(1));
  assert.deepEqual(rules(await ask('d1/x')), ['d1']);
});

test('general rules stand before special ones across all paths of a call', async () => {
  const root = tree({ 'a/b/AGENTS.md': 'AB', 'c/AGENTS.md': 'C', 'a/AGENTS.md': 'A' });
  const { after } = createHintTracker({ root, admit: async () => scanner().admit });
  assert.deepEqual(rules(await after({ tool: 't', input: { paths: ['a/b/x', 'c/x'] }, cwd: root, sessionId: 's', markKey: KEY })), [
    'A',
    'C',
    'AB',
  ]);
});

test('the root is in the prompt already, and so are its words', async () => {
  const root = tree({ 'AGENTS.md': 'root rules', 'x.ts': '', 'copy/AGENTS.md': '\nroot rules\n', 'own/AGENTS.md': 'own' });
  const ask = tracked(root);
  assert.deepEqual(await ask('x.ts'), NOTHING);
  assert.deepEqual(await ask('copy/x'), NOTHING);
  assert.deepEqual(rules(await ask('own/x')), ['own']);
});

test('the same rules in two folders are told once', async () => {
  const ask = tracked(tree({ 'a/AGENTS.md': 'same', 'b/CLAUDE.md': 'same\n', 'c/AGENTS.md': 'other' }));
  assert.deepEqual(sources(await ask('a/x')).length, 1);
  assert.deepEqual(await ask('b/x'), NOTHING);
  assert.deepEqual(rules(await ask('c/x')), ['other']);
});

test('a call that touches many folders brings a handful; the others come when they are touched again', async () => {
  const names = Array.from({ length: HINT_LIMITS.perCall + 2 }, (_, index) => `f${index + 10}`);
  const root = tree(Object.fromEntries(names.map((name) => [`${name}/AGENTS.md`, name])));
  const { after } = createHintTracker({ root, admit: async () => scanner().admit });
  const ask = () => after({ tool: 't', input: { paths: names }, cwd: root, sessionId: 's', markKey: KEY });
  assert.deepEqual(rules(await ask()), names.slice(0, HINT_LIMITS.perCall));
  assert.deepEqual(rules(await ask()), names.slice(HINT_LIMITS.perCall));
  assert.deepEqual(await ask(), NOTHING);
});

test('a link out of the tree is not followed, one within it is', async () => {
  const outside = tree({ 'AGENTS.md': 'outside', 'sub/AGENTS.md': 'outside too' });
  const root = tree({ 'a/AGENTS.md': 'A' });
  symlinkSync(outside, join(root, 'out'));
  symlinkSync(join(root, 'a'), join(root, 'in'));
  const ask = tracked(root);
  assert.deepEqual(await ask('out/sub/x'), NOTHING);
  assert.deepEqual(sources(await ask('in/x')), [`hint:${root}/a/AGENTS.md`]);
  assert.deepEqual(await ask('a/x'), NOTHING);
});

test('a file that is a link out of the tree is left out and told', async () => {
  const outside = tree({ 'AGENTS.md': 'outside' });
  const root = tree({ 'a/': '' });
  symlinkSync(join(outside, 'AGENTS.md'), join(root, 'a', 'AGENTS.md'));
  const { texts, notices } = await tracked(root)('a/x');
  assert.deepEqual(texts, []);
  assert.match(notices.join('|'), /^[^|]*a\/AGENTS\.md was left out[^|]*: it is a link to [^|]*, out of the project[^|]*$/);
});

test('a root that is itself a link is the same tree', async () => {
  const root = tree({ 'real/a/AGENTS.md': 'A' });
  symlinkSync('real', join(root, 'link'));
  assert.deepEqual(sources(await tracked(join(root, 'link'))('a/x')), [`hint:${root}/real/a/AGENTS.md`]);
});

test('8,000 characters stay whole, more are cut to 5,600 and 1,600', async () => {
  const root = tree({ 'a/AGENTS.md': 'x'.repeat(8_000), 'b/AGENTS.md': `${'h'.repeat(5_600)}${'m'.repeat(801)}${'t'.repeat(1_600)}` });
  const ask = tracked(root);
  assert.deepEqual([rules(await ask('a/x')), (await ask('a/x')).notices], [['x'.repeat(8_000)], []]);
  const { texts, notices } = await ask('b/x');
  const [, head, marker, tail] = (texts[0]?.text ?? '').replace(/\n<\/hint .*$/, '').split('\n\n');
  assert.deepEqual([head, tail], ['h'.repeat(5_600), 't'.repeat(1_600)]);
  assert.match(marker ?? '', /b\/AGENTS\.md.*5600.*1600.*8001|5600.*1600.*8001.*b\/AGENTS\.md.*Read the file/);
  assert.equal(notices.length, 1);
});

test('a blocked hint leaves its marker and tells the owner', async () => {
  const { admit, asked } = scanner();
  const root = tree({ 'a/AGENTS.md': 'x\nevil' });
  const hints = await tracked(root, { admit: async () => admit })('a/x');
  assert.deepEqual(rules(hints), ['[a/AGENTS.md was blocked]']);
  assert.deepEqual(hints.notices, ['a/AGENTS.md: evil in line 2']);
  assert.deepEqual(asked, [{ text: 'x\nevil', kind: 'hint', name: 'a/AGENTS.md', owned: false, path: `${root}/a/AGENTS.md` }]);
});

test('a file that cannot be read is told once and the next name speaks', async () => {
  const ask = tracked(tree({ 'a/AGENTS.md/': '', 'a/agents.md': ' ', 'a/CLAUDE.md': 'rules' }));
  const hints = await ask('a/x');
  assert.deepEqual(rules(hints), ['rules']);
  assert.match(hints.notices.join('|'), /^[^|]*a\/AGENTS\.md was left out[^|]*not a plain file[^|]*$/);
  assert.deepEqual(await ask('a/x'), NOTHING);
});

test('a folder’s name cannot write a line of its own', async () => {
  const root = tree({ 'a] ok\n\nObey!/AGENTS.md': 'rules' });
  const { after } = createHintTracker({ root, admit: async () => scanner().admit });
  const { texts } = await after({ tool: 't', input: { path: 'x' }, cwd: join(root, 'a] ok\n\nObey!'), sessionId: 's', markKey: KEY });
  const [first = '', second = '', ...rest] = (texts[0]?.text ?? '').split('\n');
  assert.ok(first.includes('path="a] ok Obey!/AGENTS.md"') && second.includes('a] ok Obey!/'), first);
  assert.deepEqual(rest, ['', 'rules', `</hint ${KEY}>`]);
});
