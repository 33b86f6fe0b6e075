import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandList } from '../../../src/base/shell/ast.ts';
import { MAX_LINE, readShell } from '../../../src/base/shell/read.ts';
import { listCommandLists, listSubstitutions, joinWordParts } from '../../../src/base/shell/tree.ts';

/** The simple commands of a list in words, those within other commands and words among them. */
const wordsIn = (list: CommandList): readonly string[] =>
  list
    .flatMap(({ commands }) => commands)
    .flatMap((command) => [
      ...(command.type === 'simple' ? [command.words.map((word) => joinWordParts(word, () => '…') ?? '').join(' ')] : []),
      ...(command.type === 'simple' ? command.words.flatMap(({ parts }) => listSubstitutions(parts).flatMap(wordsIn)) : []),
      ...listCommandLists(command).flatMap(wordsIn),
    ]);

const LINES: readonly (readonly [line: string, commands: readonly string[]])[] = [
  ['', []],
  [`FOO=1 rm 'a b' "c\\"d" e\\ f && cat <in >out 2>&1; x >> log`, ['rm a b c"d e f', 'cat', 'x']],
  ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
  ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
  ['for x in 1 2; do a "$x"; done', ['a …']],
  ['case $x in a) b ;; *) c ;; esac', ['b', 'c']],
  ['f() { a; }; f', ['a', 'f']],
  ['(a; b) | { c; }', ['a', 'b', 'c']],
  ['echo $(a `b`) "${x:-$(c)}" <(d) $(( $(e) + 1 ))', ['echo … … … …', 'a …', 'b', 'c', 'd', 'e']],
  ['cat <<E | grep x\nrm -rf y\nE\nls', ['cat', 'grep x', 'ls']],
  ['# rm x\nls # y', ['ls']],
];
for (const [line, commands] of LINES)
  test(`the commands of ${JSON.stringify(line)}`, () => {
    const { list, whole } = readShell(line);
    assert.deepEqual({ commands: wordsIn(list), whole }, { commands, whole: true });
  });

test('a simple command says how it is written, without the variables before it', () => {
  const sources = (line: string) =>
    readShell(line).list.flatMap(({ commands }) => commands.map((command) => (command.type === 'simple' ? command.source : command.type)));
  assert.deepEqual(sources(`A=1  B=2 nohup "./my serve"  > log 2>&1 & ls -la  | wc`), ['nohup "./my serve"  > log 2>&1', 'ls -la', 'wc']);
});

const BROKEN: readonly (readonly [line: string, commands: readonly string[]])[] = [
  [`cat docs/x 'never closed`, ['cat docs/x']],
  ['echo "never closed docs/x', ['echo']],
  ['rm a; ls b\nfi', ['rm a', 'ls b']],
  ['rm a\nif b; then c', ['rm a']],
  ['rm a )', ['rm a']],
  ['a; b $(c', ['a', 'b']],
  [`rm ${'$('.repeat(100)}`, ['rm']],
];
for (const [line, commands] of BROKEN)
  test(`what is read of ${JSON.stringify(line.slice(0, 40))}, which no shell could read to its end`, () => {
    const { list, whole } = readShell(line);
    assert.deepEqual({ commands: wordsIn(list), whole }, { commands, whole: false });
  });

test('a here-document knows whether its end came', () => {
  const closed = (line: string) =>
    readShell(line).list.flatMap(({ commands }) =>
      commands.flatMap((command) => (command.type === 'simple' ? command.redirections.map(({ here }) => here?.closed) : [])),
    );
  assert.deepEqual(closed('cat <<E\nx\nE'), [true]);
  assert.deepEqual(closed('cat <<E\nx\n'), [false]);
  assert.deepEqual(closed('x=$(cat <<E\nx\nE\n); cat <<-F\n\ty\n\tF'), [true]);
});

test('whoever asks about a line that was just read gets the same reading; long lines and many others make it go', () => {
  const line = 'echo kept';
  const first = readShell(line);
  for (let other = 0; other < 50; other++) readShell(`echo ${other}`);
  assert.equal(readShell(line), first);
  for (let other = 0; other < 70; other++) readShell(`echo ${other}`);
  assert.notEqual(readShell(line), first);
  const long = `: ${'x'.repeat(MAX_LINE - 10)}`;
  const [again, kept] = [readShell(line), readShell(long)];
  assert.equal(readShell(long), kept);
  assert.equal(readShell(line), again);
  readShell(`${long} 1`);
  readShell(`${long} 2`);
  assert.notEqual(readShell(long), kept);
});

test('a line longer than anybody writes is not read at all', () => {
  const { list, whole, steps } = readShell(`: ${'x'.repeat(MAX_LINE)}`);
  assert.deepEqual({ list, whole, steps }, { list: [], whole: false, steps: 0 });
});

test('how deep a line is nested, and what it took, is told', () => {
  const [flat, deep] = [readShell('echo a'), readShell('echo $(echo $(echo a))')];
  assert.ok(deep.depth > flat.depth);
  assert.ok(deep.steps > flat.steps);
});
