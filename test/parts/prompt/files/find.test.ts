import assert from 'node:assert/strict';
import { linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findContextFiles } from '../../../../src/parts/prompt/files/find.ts';
import { CONTEXT_LIMITS } from '../../../../src/parts/prompt/files/kinds.ts';
import { tree } from './tree.ts';

interface Row {
  readonly story: string;
  readonly files: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** `name=text` of each file taken. */
  readonly found: readonly string[];
}

const ALL = {
  '.hermes.md': '1',
  'HERMES.md': '2',
  'AGENTS.md': '3',
  'agents.md': '4',
  'CLAUDE.md': '5',
  'claude.md': '6',
  '.cursorrules': '7',
  '.cursor/rules/a.mdc': '8',
};
/** All files but the first ones. */
const from = (first: number) => Object.fromEntries(Object.entries(ALL).slice(first - 1));

const RANK: readonly Row[] = [
  { story: 'nothing there', files: { 'README.md': 'x' }, found: [] },
  { story: '.hermes.md before all', files: ALL, found: ['.hermes.md=1'] },
  { story: 'HERMES.md next', files: from(2), found: ['HERMES.md=2'] },
  { story: 'AGENTS.md next', files: from(3), found: ['AGENTS.md=3'] },
  { story: 'agents.md next', files: from(4), found: ['agents.md=4'] },
  { story: 'CLAUDE.md next', files: from(5), found: ['CLAUDE.md=5'] },
  { story: 'claude.md next', files: from(6), found: ['claude.md=6'] },
  { story: 'the two of Cursor together', files: from(7), found: ['.cursorrules=7', '.cursor/rules/a.mdc=8'] },
  { story: 'rules alone', files: from(8), found: ['.cursor/rules/a.mdc=8'] },
  {
    story: 'rules by name, nothing but .mdc, those in subfolders too',
    files: { '.cursor/rules/b.mdc': 'b', '.cursor/rules/a.mdc': 'a', '.cursor/rules/c.md': 'c', '.cursor/rules/deep/d.mdc': 'd' },
    found: ['.cursor/rules/a.mdc=a', '.cursor/rules/b.mdc=b', '.cursor/rules/deep/d.mdc=d'],
  },
  { story: '.cursor is a file', files: { '.cursor': 'x' }, found: [] },
  { story: 'a home has a SOUL.md, which is no project file', files: { 'SOUL.md': 'me', 'soul.md': 'me' }, found: [] },
];

const BLANK: readonly Row[] = [
  { story: 'an empty file is absent', files: { 'AGENTS.md': '', 'CLAUDE.md': 'c' }, found: ['CLAUDE.md=c'] },
  { story: 'so is a blank one', files: { 'AGENTS.md': ' \n\t\r\n', 'agents.md': 'a' }, found: ['agents.md=a'] },
  { story: 'and one with nothing but a byte order mark', files: { '.hermes.md': '\u{feff}', 'AGENTS.md': 'a' }, found: ['AGENTS.md=a'] },
  { story: 'and one with nothing but a head', files: { '.hermes.md': '---\na: 1\n---\n', 'AGENTS.md': 'a' }, found: ['AGENTS.md=a'] },
  {
    story: 'a blank .hermes.md does not hide one above',
    files: { '.git/': '', '.hermes.md': 'up', 'a/.hermes.md': ' ' },
    cwd: 'a',
    found: ['../.hermes.md=up'],
  },
  { story: 'the head of .hermes.md is taken away', files: { '.hermes.md': '---\na: 1\n---\n\nrules\n' }, found: ['.hermes.md=rules'] },
  {
    story: 'with Windows line ends too',
    files: { '.cursor/rules/a.mdc': '---\r\nglobs: x\r\n---\r\nrules' },
    found: ['.cursor/rules/a.mdc=This rule applies to x.\n\nrules'],
  },
  { story: 'a head that never closes is text', files: { 'AGENTS.md': '---\na: 1\nrules' }, found: ['AGENTS.md=---\na: 1\nrules'] },
  { story: 'a byte order mark goes', files: { 'AGENTS.md': '\u{feff}rules' }, found: ['AGENTS.md=rules'] },
];

const PARENTS: readonly Row[] = [
  {
    story: 'the nearest above',
    files: { '.git/': '', '.hermes.md': 'far', 'a/.hermes.md': 'near', 'a/b/c/': '' },
    cwd: 'a/b/c',
    found: ['../../.hermes.md=near'],
  },
  { story: 'the git root itself', files: { '.git/': '', 'HERMES.md': 'root', 'a/b/': '' }, cwd: 'a/b', found: ['../../HERMES.md=root'] },
  {
    story: 'nearer HERMES.md before a farther .hermes.md',
    files: { '.git/': '', '.hermes.md': 'far', 'a/HERMES.md': 'near', 'a/b/': '' },
    cwd: 'a/b',
    found: ['../HERMES.md=near'],
  },
  {
    story: 'named from the working directory when it lies there',
    files: { '.git/': '', 'a/.hermes.md': 'here' },
    cwd: 'a',
    found: ['.hermes.md=here'],
  },
  {
    story: 'a worktree has a .git file',
    files: { '.hermes.md': 'above', 'w/.git': 'gitdir: elsewhere', 'w/.hermes.md': 'tree', 'w/a/': '' },
    cwd: 'w/a',
    found: ['../.hermes.md=tree'],
  },
  { story: 'not beyond the git root', files: { '.hermes.md': 'above', 'w/.git': 'gitdir: elsewhere', 'w/a/': '' }, cwd: 'w/a', found: [] },
  {
    story: 'the inner of two repositories',
    files: { '.git/': '', '.hermes.md': 'outer', 'in/.git/': '', 'in/a/': '' },
    cwd: 'in/a',
    found: [],
  },
  { story: 'outside git only here', files: { '.hermes.md': 'above', 'a/': '' }, cwd: 'a', found: [] },
  { story: 'outside git, here', files: { 'a/.hermes.md': 'here' }, cwd: 'a', found: ['.hermes.md=here'] },
  {
    story: 'one above goes before AGENTS.md here',
    files: { '.git/': '', '.hermes.md': 'up', 'a/AGENTS.md': 'here' },
    cwd: 'a',
    found: ['../.hermes.md=up'],
  },
  {
    story: 'other kinds are not looked for above',
    files: { '.git/': '', 'AGENTS.md': 'rules', 'CLAUDE.md': 'x', '.cursorrules': 'x', 'a/': '' },
    cwd: 'a',
    found: ['../AGENTS.md=rules'],
  },
];

for (const row of [...RANK, ...BLANK, ...PARENTS]) {
  test(`found: ${row.story}`, () => {
    const { files, notices } = findContextFiles(join(tree(row.files), row.cwd ?? ''));
    assert.deepEqual(
      files.map(({ name, text }) => `${name}=${text}`),
      row.found,
    );
    assert.deepEqual(
      notices.filter((words) => !words.includes('YAML head')),
      [],
    );
  });
}

test('a working directory that is a link has the parents of the real one', () => {
  const root = tree({ 'repo/.git/': '', 'repo/.hermes.md': 'rules', 'repo/a/': '', 'elsewhere/': '' });
  symlinkSync(join(root, 'repo', 'a'), join(root, 'elsewhere', 'link'));
  assert.deepEqual(
    findContextFiles(join(root, 'elsewhere', 'link')).files.map(({ path, name }) => [path, name]),
    [[join(root, 'repo', '.hermes.md'), join(root, 'repo', '.hermes.md')]],
  );
});

test('a working directory that is not there has no files and no trouble', () => {
  assert.deepEqual(findContextFiles(join(tree(), 'gone')), { files: [], notices: [] });
});

test('one file under two names, as on a file system that ignores case, is tried once', () => {
  const root = tree({ 'AGENTS.md': 'a\0b' });
  linkSync(join(root, 'AGENTS.md'), join(root, 'agents.md'));
  assert.equal(findContextFiles(root).notices.length, 1);
});

test('a folder with more rules than are read says so', () => {
  const name = (index: number) => `.cursor/rules/${String(index).padStart(3, '0')}.mdc`;
  const root = tree(Object.fromEntries(Array.from({ length: CONTEXT_LIMITS.rules + 1 }, (_, index) => [name(index), 'x'])));
  const { files, notices } = findContextFiles(root);
  assert.deepEqual([files.length, files.at(-1)?.name, notices.length], [CONTEXT_LIMITS.rules, name(CONTEXT_LIMITS.rules - 1), 1]);
  assert.match(notices[0] ?? '', /holds 101 rules/);
});
