import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCompleter, type CompletionInput, type CompletionSources } from '../../../../src/faces/tui/input/completion.ts';
import { createFileCache } from '../../../../src/faces/tui/input/file-cache.ts';
import { rank } from '../../../../src/faces/tui/input/fuzzy.ts';
import { drawContext } from './draw.ts';

const FILES = ['src/main.ts', 'src/faces/tui/run.ts', 'test/main.test.ts', 'my notes/a.md', 'bad\nname.ts', 'README.md'];
const COMMANDS = [
  { line: '/model ', summary: 'Choose a model' },
  { line: '/memory ', summary: 'Show what is remembered' },
];
const at = (text: string, more: Partial<CompletionInput> = {}): CompletionInput => ({ text, firstLine: true, atEnd: true, ...more });
const settle = () => new Promise((done) => setTimeout(done, 5));

function openCompleter(changes: Partial<CompletionSources> = {}) {
  const completer = createCompleter({
    commands: async (line) => COMMANDS.filter((each) => each.line.startsWith(line)),
    values: { model: async () => ['claude-opus', 'claude-haiku', 'gpt-5'] },
    files: async () => FILES,
    history: () => ['fix the build', 'fix the tests please'],
    onChange: () => {},
    ...changes,
  });
  const labels = (): string[] => completer.menu.render(drawContext({ columns: 60 }));
  const complete = async (text: string, more: Partial<CompletionInput> = {}): Promise<string[]> => {
    completer.update(at(text, more));
    await settle();
    return labels();
  };
  return { completer, complete, labels };
}

test('a slash offers commands, and behind a command the values it takes', async () => {
  const { completer, complete } = openCompleter();
  assert.deepEqual(await complete('/m'), ['› /model   Choose a model', '  /memory  Show what is remembered']);
  completer.move(1);
  assert.deepEqual(completer.accept(), { label: '/memory', summary: 'Show what is remembered', replace: 2, text: '/memory ' });
  assert.equal(completer.isOpen, false);
  assert.deepEqual(await complete('/model hai'), ['› claude-haiku']);
  assert.deepEqual(completer.accept(), { label: 'claude-haiku', summary: '', replace: 3, text: 'claude-haiku' });
  assert.deepEqual(await complete('/m', { firstLine: false }), []);
  assert.deepEqual(await complete('a/m'), []);
});

test('Enter takes a completion only when somebody moved to it', async () => {
  const { completer, complete } = openCompleter();
  await complete('/m');
  assert.equal(completer.acceptChosen(), undefined);
  completer.move(-1);
  assert.equal(completer.acceptChosen()?.text, '/memory ');
});

test('an at sign offers kinds of references and files, the nearest first; names that cannot be written are left out', async () => {
  const { completer, complete } = openCompleter();
  assert.deepEqual((await complete('look at @')).slice(0, 2), [
    '› @file:                A file, or lines of it: @file:src/m…',
    '  @folder:              The list of files in a folder',
  ]);
  assert.equal((await complete('look at @')).length, 9);
  assert.deepEqual(await complete('see @main'), ['› src/main.ts', '  test/main.test.ts']);
  assert.deepEqual(completer.accept(), { label: 'src/main.ts', summary: '', replace: 5, text: '@file:src/main.ts ' });
  await complete('@file:notes');
  assert.equal(completer.accept()?.text, '@file:"my notes/a.md" ');
  await complete('(@folder:tui');
  assert.equal(completer.accept()?.text, '@folder:src/faces/tui ');
  assert.deepEqual(await complete('@bad'), []);
  assert.deepEqual(await complete('me@main'), []);
});

test('Tab looks for a path where a word stands', async () => {
  const { completer, labels } = openCompleter();
  assert.equal(completer.lookForPath(at('open ')), false);
  assert.equal(completer.lookForPath(at('open srcmain')), true);
  await settle();
  assert.deepEqual(labels(), ['› src/main.ts', '  src/faces/tui/run.ts'].slice(0, labels().length));
  assert.deepEqual(completer.accept(), { label: 'src/main.ts', summary: '', replace: 7, text: 'src/main.ts' });
  completer.lookForPath(at('open ./srcmain'));
  await settle();
  assert.equal(completer.accept()?.text, './src/main.ts');
});

test('the newest message that began like this stands behind it', () => {
  const { completer } = openCompleter();
  completer.update(at('fix the '));
  assert.equal(completer.ghost(), 'tests please');
  completer.update(at('fix the b'));
  assert.equal(completer.ghost(), 'uild');
  completer.update(at('fix the b', { atEnd: false }));
  assert.equal(completer.ghost(), '');
  completer.update(at('f'));
  assert.equal(completer.ghost(), '');
});

test('what was looked for an earlier text is thrown away, and a source that fails offers nothing', async () => {
  const answers: ((lines: typeof COMMANDS) => void)[] = [];
  const { completer, labels } = openCompleter({ commands: () => new Promise((answer) => answers.push(answer)) });
  completer.update(at('/m'));
  completer.update(at('/me'));
  answers[1]?.([{ line: '/memory ', summary: '' }]);
  answers[0]?.(COMMANDS);
  await settle();
  assert.deepEqual(labels(), ['› /memory']);
  completer.update(at('/mem'));
  completer.close();
  answers[2]?.(COMMANDS);
  await settle();
  assert.deepEqual(labels(), []);
  const broken = openCompleter({ files: () => Promise.reject(new Error('no disk')) });
  assert.deepEqual(await broken.complete('see @main'), []);
});

test('a menu shows eight rows around the one that is selected, never wider than the screen', async () => {
  const { completer, labels } = openCompleter({
    commands: async () => Array.from({ length: 30 }, (_, index) => ({ line: `/做${index} `, summary: '很长的说明'.repeat(20) })),
  });
  completer.update(at('/'));
  await settle();
  for (let step = 0; step < 12; step++) completer.move(1);
  const lines = labels();
  assert.equal(lines.length, 9);
  assert.match(lines[8] ?? '', /^ {2}13 of 30$/);
  assert.ok(lines.some((line) => line.startsWith('› /做12')));
});

test('the nearest comes first, and letters scattered over a text do not fit', async () => {
  const texts = ['src/main.ts', 'src/faces/tui/main-screen.ts', 'domain.md', 'src/faces/tui/run.ts', 'my long summary about paints'];
  const find = (query: string) => rank(query, texts, { textOf: (text) => text, most: 9, signal: new AbortController().signal });
  assert.deepEqual(await find('MAIN'), ['src/main.ts', 'src/faces/tui/main-screen.ts', 'domain.md']);
  assert.deepEqual(await find('tuirun'), ['src/faces/tui/run.ts']);
  assert.deepEqual(await find('mlsp'), []);
  assert.deepEqual(await find(''), texts);
});

test('ranking gives way to keys between slices, and stops when it is not wanted', async () => {
  const paths = Array.from({ length: 20_000 }, (_, index) => `folder/file${index}.ts`);
  const looking = new AbortController();
  let keys = 0;
  const timer = setInterval(() => keys++, 0);
  const all = await rank('file19999', paths, { textOf: (path) => path, most: 5, signal: looking.signal });
  clearInterval(timer);
  assert.deepEqual(all, ['folder/file19999.ts']);
  assert.ok(keys > 0);
  looking.abort();
  assert.deepEqual(await rank('file', paths, { textOf: (path) => path, most: 5, signal: looking.signal }), []);
});

test('files are listed once for many keys, and again when the list is old or failed', async () => {
  const time = { now: 0 };
  const outcomes = [['a'], new Error('no'), ['b'], ['c']];
  let calls = 0;
  const list = createFileCache(
    {
      listFiles: async () => {
        const next = outcomes[calls++];
        if (next instanceof Error) throw next;
        return next ?? [];
      },
    },
    () => time.now,
    new AbortController().signal,
  );
  assert.deepEqual(await Promise.all([list(), list()]), [['a'], ['a']]);
  time.now += 11_000;
  await assert.rejects(list());
  await settle();
  assert.deepEqual(await list(), ['b']);
  assert.equal(calls, 3);
});
