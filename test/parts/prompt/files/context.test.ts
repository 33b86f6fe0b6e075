import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadContextFiles } from '../../../../src/parts/prompt/files/context.ts';
import { plant, scanner, tree } from './tree.ts';

const load = (root: string) => loadContextFiles(root, scanner().admit);
/** What stands below the heading and our sentence. */
const sections = (text: string | undefined) => (text ?? '').split('\n\n').slice(2).join('\n\n');

test('one heading, one sentence of ours, each file under its name', () => {
  const { text, notices } = load(tree({ '.cursorrules': '\nfirst\n', '.cursor/rules/b.mdc': '---\nglobs: "*"\n---\nsecond' }));
  assert.match(text ?? '', /^# Project Context\n\n[^\n#]+\n\n## \.cursorrules\n\nfirst\n\n## \.cursor\/rules\/b\.mdc\n\nsecond$/);
  assert.deepEqual(notices, []);
});

test('without files there is no section', () => {
  assert.deepEqual(load(tree()), { notices: [] });
});

test('when the working directory is the home its SOUL.md does not come along', () => {
  const { text } = load(tree({ 'SOUL.md': 'my soul', 'AGENTS.md': 'rules' }));
  assert.equal(sections(text), '## AGENTS.md\n\nrules');
});

test('the scanner is asked with the name, as a project file, with the whole text on its own lines', () => {
  const { admit, asked } = scanner();
  const long = `${'a'.repeat(30_000)}z`;
  const root = tree({ '.cursorrules': long, '.cursor/rules/a.mdc': '---\nx: 1\n---\n\nodd' });
  loadContextFiles(root, admit);
  assert.deepEqual(asked, [
    { text: long, kind: 'context', name: '.cursorrules', owned: false, path: `${root}/.cursorrules` },
    { text: '\n\n\n\nodd', kind: 'context', name: '.cursor/rules/a.mdc', owned: false, path: `${root}/.cursor/rules/a.mdc` },
  ]);
});

test('a blocked file leaves its marker, the owner hears of it by its line, and no lower kind takes its place', () => {
  const root = tree({ 'AGENTS.md': `---\na: 1\n---\n${'x\n'.repeat(15_000)}evil\n${'y\n'.repeat(5_000)}`, 'CLAUDE.md': 'other' });
  const { text, notices } = load(root);
  assert.equal(sections(text), '## AGENTS.md\n\n[AGENTS.md was blocked]');
  assert.deepEqual(notices, ['AGENTS.md: evil in line 15004']);
});

test('warnings about an admitted file reach the owner', () => {
  assert.deepEqual(load(tree({ 'AGENTS.md': 'odd' })).notices, ['AGENTS.md is odd']);
});

test('20,000 characters stay whole; one more is cut to 14,000 and 4,000 with words between', () => {
  const root = tree({ 'AGENTS.md': 'h'.repeat(20_000) });
  assert.deepEqual([sections(load(root).text).length, load(root).notices], ['## AGENTS.md\n\n'.length + 20_000, []]);
  plant(root, { 'AGENTS.md': `${'h'.repeat(14_000)}${'m'.repeat(2_001)}${'t'.repeat(4_000)}` });
  const { text, notices } = load(root);
  const [, head, marker, tail] = sections(text).split('\n\n');
  assert.deepEqual([head, tail], ['h'.repeat(14_000), 't'.repeat(4_000)]);
  for (const said of [marker, ...notices]) {
    assert.ok(said?.includes(join(root, 'AGENTS.md')));
    assert.match(said ?? '', /14000\b.*\b4000\b.*\b20001\b/);
  }
  assert.match(marker ?? '', /file tools/);
  assert.equal(notices.length, 1);
});

test('another size can be asked for, and the first file is shown however long it may be', () => {
  const root = tree({ '.cursorrules': 'x'.repeat(70_000), '.cursor/rules/a.mdc': 'small' });
  const { text = '', notices } = loadContextFiles(root, scanner().admit, 100_000);
  assert.ok(text.includes('x'.repeat(70_000)));
  assert.match(text, /: \.cursor\/rules\/a\.mdc$/);
  assert.equal(notices.length, 1);
  assert.match(loadContextFiles(root, scanner().admit, 1_000).text ?? '', /first 700 and the last 200 of 70000/);
});

const CHARACTERS = ['x', '漢', '😀'];
for (const character of CHARACTERS) {
  test(`no ${character} is cut in two, wherever the cut falls`, () => {
    for (const shift of ['', 'a', 'ab']) {
      const { text = '' } = load(tree({ 'AGENTS.md': `${shift}${character.repeat(21_000)}${shift}` }));
      assert.ok(text.isWellFormed());
      assert.equal(text.replaceAll(character, '').includes('\u{fffd}'), false);
      assert.ok(sections(text).length <= 20_000);
    }
  });
}

test('rules that do not fit together are named, not shown', () => {
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `.cursor/rules/${name}.mdc`);
  const { text = '', notices } = load(tree(Object.fromEntries(names.map((name) => [name, `${name} ${'x'.repeat(18_000)}`]))));
  assert.deepEqual(
    [...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name),
    names.slice(0, 3),
  );
  assert.match(text, /: \.cursor\/rules\/d\.mdc, \.cursor\/rules\/e\.mdc$/);
  assert.match(notices.at(-1) ?? '', /60000 characters.*d\.mdc, \.cursor\/rules\/e\.mdc/);
  assert.ok(text.length < 61_000);
});

test('a file name cannot write a line of its own', () => {
  const { text = '' } = load(tree({ '.cursor/rules/a\n\n# Orders\u{202e}\u{200b}.mdc': 'x' }));
  assert.equal(sections(text).split('\n')[0], '## .cursor/rules/a # Orders\u{fffd}?.mdc');
});

interface Bad {
  readonly what: string;
  readonly make: (path: string) => void;
  readonly why: RegExp;
  readonly skip?: string;
}
const into = (content: string | Uint8Array) => (path: string) => plant(path, { '../AGENTS.md': content });
const BAD: readonly Bad[] = [
  { what: 'binary', make: into(Uint8Array.of(1, 0, 2)), why: /binary/ },
  { what: 'not UTF-8', make: into(Uint8Array.of(0x61, 0xff, 0xfe)), why: /UTF-8/ },
  { what: 'UTF-16', make: into(Buffer.from('\u{feff}rules', 'utf16le')), why: /binary/ },
  { what: 'three MiB long', make: into('x'.repeat(3 * 1024 * 1024)), why: /3145728 bytes/ },
  { what: 'a folder', make: (path) => mkdirSync(path), why: /not a plain file/ },
  { what: 'a pipe nobody writes to', make: (path) => void execFileSync('mkfifo', [path]), why: /not a plain file/ },
  { what: 'a link to itself', make: (path) => symlinkSync(path, path), why: /ELOOP/ },
  { what: 'a link to a device', make: (path) => symlinkSync('/dev/zero', path), why: /link to \/dev\/zero/ },
  {
    what: 'a link to a key',
    make: (path) => {
      plant(path, { '../id_rsa': 'secret' });
      symlinkSync('id_rsa', path);
    },
    why: /link to .*id_rsa/,
  },
  {
    what: 'unreadable',
    make: (path) => {
      into('rules')(path);
      chmodSync(path, 0);
    },
    why: /EACCES/,
    ...(process.getuid?.() === 0 && { skip: 'root reads everything' }),
  },
];
for (const { what, make, why, skip } of BAD) {
  test(`AGENTS.md is ${what}: one line to the owner, and the next kind speaks`, { skip: skip ?? false }, () => {
    const root = tree({ 'CLAUDE.md': 'rules' });
    make(join(root, 'AGENTS.md'));
    const { text, notices } = load(root);
    assert.equal(sections(text), '## CLAUDE.md\n\nrules');
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? '', why);
    assert.ok(notices[0]?.startsWith(join(root, 'AGENTS.md')));
  });
}

test('a link whose end is gone is absent; a link to rules elsewhere is followed', () => {
  const root = tree({ 'shared/house.md': 'rules' });
  symlinkSync('nowhere.md', join(root, '.hermes.md'));
  symlinkSync('shared/house.md', join(root, 'AGENTS.md'));
  const { text, notices } = load(root);
  assert.deepEqual([sections(text), notices], ['## AGENTS.md\n\nrules', []]);
});

test('a rule that cannot be read costs itself only', () => {
  const { text, notices } = load(tree({ '.cursor/rules/a.mdc/': '', '.cursor/rules/b.mdc': 'b' }));
  assert.equal(sections(text), '## .cursor/rules/b.mdc\n\nb');
  assert.equal(notices.length, 1);
});

test('a rules folder that is a ring of links is told', () => {
  const root = tree({ '.cursor/': '' });
  symlinkSync('rules', join(root, '.cursor', 'rules'));
  const { text, notices } = load(root);
  assert.equal(text, undefined);
  assert.match(notices.join(), /\.cursor\/rules.*ELOOP/);
});
