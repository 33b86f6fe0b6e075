import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { graftConfigEntries, parseGitConfig } from '../../src/base/git-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-git-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'config');

/** What git itself reads: name and value, or nothing when it refuses the file. */
function readByGit(text: string): readonly (readonly [string, string | undefined])[] | undefined {
  writeFileSync(file, text, 'latin1');
  try {
    const output = execFileSync('git', ['config', '-z', '--no-includes', '-f', file, '--list'], {
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output
      .split('\0')
      .slice(0, -1)
      .map((entry) => {
        const [name = '', ...value] = entry.split('\n');
        return [name, entry.includes('\n') ? withPlainBlanks(value.join('\n')) : undefined];
      });
  } catch {
    return undefined;
  }
}
/** Blanks inside of a value are one space to older versions of git, and stay what they are to newer ones. */
const withPlainBlanks = (value: string | undefined): string | undefined => value?.replaceAll(/[ \t]/g, ' ');
const readByUs = (text: string) => parseGitConfig(text)?.map(({ key, value }) => [key, withPlainBlanks(value)] as const);

const TEXTS: readonly string[] = [
  '',
  '[core]\n\tbare = false\n',
  '[core] bare=false\n[Remote "Origin"]\n URL = a b  \n',
  '[a]\nb\nc = \nd=x ; remark\ne="x ; y" # remark\n',
  '[a "b\\"c\\\\d"]\nx = "q\\tr" s\\n\n',
  '[a.B.c]\nx = 1\n[a.B "C"]\ny = 2\n',
  '[a]\nx = one \\\n  two \\\n three\ny = 1\n',
  '\xef\xbb\xbf[a]\r\nx = 1\r\ny = 2 \\\r\n 3\r\n',
  '[a] x = 1\n[a] ; remark\n y\n',
  '[a]\nx = "open\n',
  '[a]\nx = \\q\n',
  '[a]\nx # remark\n',
  '[a]\n-x = 1\n',
  '[a b]\nx = 1\n',
  '[a "b" ]\nx = 1\n',
  '[a]\nx = 1',
  '[a]x=1',
  'x = 1\n',
  '[a]\nx = a\tb\n',
  '[a]\nx = " a "b" c "\n',
  '[a]\nx=\\',
  '[a]\nx=1 \\\n# no remark\n',
];

test('a config file is read as git reads it, or not at all', () => {
  for (const text of TEXTS) {
    const ours = readByUs(text);
    if (ours !== undefined) assert.deepEqual(ours, readByGit(text), JSON.stringify(text));
  }
  // A setting outside of any section means nothing to git, and is not read.
  assert.deepEqual(
    TEXTS.filter((text) => readByUs(text) === undefined && readByGit(text) !== undefined),
    ['x = 1\n'],
  );
});

test('texts made of all that has a meaning are never read otherwise than by git', () => {
  const pieces = [
    '[a]',
    '[core]',
    '[a "b"]',
    '[a.b]',
    '\n',
    '\n',
    '\n',
    ' ',
    '\t',
    'x',
    'fsmonitor',
    '=',
    ' = ',
    '"',
    '\\',
    '\\\n',
    '#',
    ';',
    '\r\n',
    '\\"',
    'v w',
    '[',
    ']',
    '-',
    '.',
    '\\n',
    '\xa0',
    '\v',
  ];
  let seed = 20_261_116;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  let read = 0;
  for (let round = 0; round < 2_000; round++) {
    const text = `[a]\n${Array.from({ length: 1 + next(14) }, () => pieces[next(pieces.length)]).join('')}`;
    const ours = readByUs(text);
    if (ours === undefined) continue;
    read += 1;
    const theirs = readByGit(text);
    // What git refuses runs nothing.
    if (theirs !== undefined) assert.deepEqual(ours, theirs, JSON.stringify(text));
  }
  assert.ok(read > 100, `only ${read} could be read`);
});

test('keys are taken from another text, and everything else stays as it is', () => {
  const text = '[user]\n\tname = Me\n[core]\n\tbare = false\n\tfsmonitor = evil\n[alias]\n\tst = !evil\n[remote "o"]\n\turl = x\n';
  const grafted = graftConfigEntries(text, '[core]\n\tbare = true\n\tfsmonitor = mine # really\n', new Set(['core.fsmonitor', 'alias.st']));
  assert.equal(grafted, '[user]\n\tname = Me\n[core]\n\tbare = false\n[remote "o"]\n\turl = x\n[core]\n\tfsmonitor = mine # really\n');
  assert.deepEqual(readByGit(grafted ?? ''), [
    ['user.name', 'Me'],
    ['core.bare', 'false'],
    ['remote.o.url', 'x'],
    ['core.fsmonitor', 'mine'],
  ]);
});
