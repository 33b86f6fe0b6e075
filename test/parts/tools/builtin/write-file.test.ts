import assert from 'node:assert/strict';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { localTerminal } from '../../../../src/parts/terminals/local/local.ts';
import { noPython } from './execute-code/stage.ts';
import { readFileTool } from '../../../../src/parts/tools/builtin/read-file.ts';
import { patchTool } from '../../../../src/parts/tools/builtin/patch/tool.ts';
import { writeFileTool } from '../../../../src/parts/tools/builtin/write-file.ts';
import { answer, contextIn, deskAt, fileOptions, put, tempFolder } from '../setup.ts';

function desk() {
  const folder = tempFolder();
  const options = fileOptions(folder);
  const context = contextIn(deskAt(folder));
  const tool = writeFileTool(options);
  return {
    folder,
    tool,
    write: (path: string, content: string) => answer(tool, { path, content }, context),
    read: (path: string) => answer(readFileTool({ ...options, maxChars: () => 100_000 }), { path }, context),
    text: (path: string) => readFileSync(join(folder, path), 'utf8'),
  };
}

test('creates with its folders, then overwrites, and leaves nothing beside', async () => {
  const { folder, write, text } = desk();
  assert.equal(await write('deep/er/a.txt', 'é\ntwo\n'), 'Created deep/er/a.txt: 7 bytes, 2 lines.');
  assert.equal(await write('deep/er/a.txt', ''), 'Overwrote deep/er/a.txt: 0 bytes, 0 lines.');
  assert.equal(text('deep/er/a.txt'), '');
  assert.deepEqual(readdirSync(join(folder, 'deep/er')), ['a.txt']);
});

test('a file outside of the folders that outlive the session is said to be thrown away, by write_file and patch', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'work'));
  const context = (kept: readonly string[]) =>
    contextIn({ ...deskAt(join(folder, 'work')), place: { where: 'a box', cwd: join(folder, 'work'), kept } });
  const write = writeFileTool(fileOptions(folder));
  const [kept, lost] = [join(folder, 'work'), join(folder, 'tmp.txt')];
  assert.equal(await answer(write, { path: 'a.txt', content: 'a\n' }, context([kept])), 'Created a.txt: 2 bytes, 1 line.');
  assert.equal(
    await answer(write, { path: lost, content: 'a\n' }, context([kept])),
    `Created ${lost}: 2 bytes, 1 line.\nDeleted when the session ends: ${lost}. Write files that the user should keep below ${kept}.`,
  );
  const edit = { path: lost, old_string: 'a', new_string: 'b' };
  assert.match(await answer(patchTool(fileOptions(folder)), edit, context([kept])), /^Changed 1 place.*\nDeleted when the session ends: /);
  assert.match(await answer(write, { path: 'a.txt', content: 'b\n' }, context([])), /a\.txt\. No folder here is kept\.$/);
});

test('keeps the mode and writes through a link, also one whose target is not there yet', async () => {
  const { folder, write, text } = desk();
  put(folder, { 'run.sh': 'old' });
  chmodSync(join(folder, 'run.sh'), 0o755);
  symlinkSync('run.sh', join(folder, 'link'));
  symlinkSync('later.txt', join(folder, 'dangling'));
  await write('link', 'new');
  await write('dangling', 'there now');
  assert.equal(text('run.sh'), 'new');
  assert.equal(statSync(join(folder, 'run.sh')).mode & 0o777, 0o755);
  assert.ok(lstatSync(join(folder, 'link')).isSymbolicLink());
  assert.ok(lstatSync(join(folder, 'dangling')).isSymbolicLink());
  assert.equal(text('later.txt'), 'there now');
});

test('a file with CRLF and a byte order mark keeps both', async () => {
  const { folder, write, text } = desk();
  put(folder, { 'win.txt': '\u{feff}a\r\nb\r\n' });
  assert.match(
    await write('win.txt', 'c\nd\n'),
    /Kept as the file had it: CRLF line ends, a byte order mark\. To have plain UTF-8 with LF line ends instead, send the same write_file again\.$/,
  );
  assert.equal(text('win.txt'), '\u{feff}c\r\nd\r\n');
});

test('the same text sent again is written plain: line ends can be fixed', async () => {
  const { folder, write, text } = desk();
  put(folder, { 'win.txt': '\u{feff}a\r\nb\r\n' });
  await write('win.txt', 'a\nb\n');
  assert.equal(await write('win.txt', 'a\nb\n'), 'Overwrote win.txt: 4 bytes, 2 lines.');
  assert.equal(text('win.txt'), 'a\nb\n');
  assert.equal(await write('win.txt', 'c\n'), 'Overwrote win.txt: 2 bytes, 1 line.');
});

test('a file in another encoding keeps it, and what it cannot hold is told before anything is written', async () => {
  const { folder, write, read } = desk();
  const bytes = (path: string) => readFileSync(join(folder, path)).toString('hex');
  put(folder, { 'latin.txt': Buffer.from('caf\u{e9}\n', 'latin1'), 'wide.txt': Buffer.from('\u{feff}a\r\n', 'utf16le') });
  assert.match(await write('latin.txt', 'th\u{e9}\n'), /Kept as the file had it: Latin-1/);
  assert.equal(bytes('latin.txt'), Buffer.from('th\u{e9}\n', 'latin1').toString('hex'));
  assert.match(
    await write('latin.txt', '日本\n'),
    /^FAILED Nothing changed: latin\.txt is written in Latin-1 .* which has no "日"\. .*again\.$/,
  );
  assert.match(await write('latin.txt', '日本\n'), /^Overwrote latin\.txt: 7 bytes/);
  assert.match(await read('latin.txt'), /^1\|日本\n/);
  assert.match(await write('wide.txt', 'ü\n'), /UTF-16LE, CRLF line ends, a byte order mark/);
  assert.equal(bytes('wide.txt'), Buffer.from('\u{feff}ü\r\n', 'utf16le').toString('hex'));
});

test('a hard link that is replaced is said to be one', async () => {
  const { folder, write } = desk();
  put(folder, { 'a.txt': 'one\n' });
  linkSync(join(folder, 'a.txt'), join(folder, 'b.txt'));
  assert.match(await write('a.txt', 'two\n'), /a\.txt was a hard link: the old text stays under 1 other name/);
  assert.doesNotMatch(await write('a.txt', 'three\n'), /hard link/);
});

test('write_file refuses to overwrite an edit somebody made since the file was read, and shows the difference', async () => {
  const { folder, write, read, text } = desk();
  put(folder, { 'a.txt': 'one\n' });
  await read('a.txt');
  assert.match(await write('a.txt', 'two\n'), /^Overwrote/);
  assert.match(await write('a.txt', 'three\nfour\n'), /^Overwrote/, 'its own write is known');
  writeFileSync(join(folder, 'a.txt'), 'three\nby somebody else\nfour\n');
  utimesSync(join(folder, 'a.txt'), new Date(), new Date(Date.now() + 5_000));
  const refusal = await write('a.txt', 'three\nfive\n');
  assert.match(refusal, /^FAILED Not written: a\.txt has changed since you last read it[^]*\n three\n-by somebody else\n-four\n\+five\n/);
  assert.equal(text('a.txt'), 'three\nby somebody else\nfour\n', 'nothing of it is lost');
  assert.match(
    await write('a.txt', 'three\nfive\n'),
    /^FAILED Not written: a\.txt has changed[^]*read the file first/,
    'the same text again',
  );
  assert.equal(text('a.txt'), 'three\nby somebody else\nfour\n');
  assert.match(await write('a.txt', 'three\nby somebody else\nfive\n'), /^Overwrote/, 'what was shown is known');
  writeFileSync(join(folder, 'a.txt'), 'theirs\n');
  utimesSync(join(folder, 'a.txt'), new Date(), new Date(Date.now() + 7_000));
  assert.match(await write('a.txt', 'mine\n'), /^FAILED/);
  await read('a.txt');
  assert.match(await write('a.txt', 'mine\n'), /^Overwrote/, 'whoever has read the file knows what goes');
  put(folder, { 'unread.txt': 'x' });
  assert.match(await write('unread.txt', 'y'), /^Overwrote/);
  const long = Array.from({ length: 3_000 }, (_, line) => `line ${line}\n`).join('');
  await write('long.txt', 'short\n');
  writeFileSync(join(folder, 'long.txt'), long);
  utimesSync(join(folder, 'long.txt'), new Date(), new Date(Date.now() + 9_000));
  for (const _ of [1, 2]) assert.match(await write('long.txt', 'mine\n'), /^FAILED Not written[^]*Read the file again/);
});

test('says which syntax error a JSON file newly has, and writes it all the same', async () => {
  const { folder, write, text } = desk();
  put(folder, { 'good.json': '{"a":1}', 'bad.json': '{a:1}' });
  assert.match(await write('good.json', '{"a":'), /Warning: the text is written, but it has a syntax error/);
  assert.equal(text('good.json'), '{"a":');
  assert.doesNotMatch(await write('bad.json', '{b:2}'), /Warning/, 'it was broken before');
  assert.match(await write('new.json', '{,}'), /Warning/);
  assert.doesNotMatch(await write('fine.json', '[1,2]'), /Warning/);
});

test('says which syntax error a YAML file newly has', async () => {
  const { folder, write } = desk();
  put(folder, { 'good.yaml': 'a: 1\n', 'bad.yml': 'a: [1\n' });
  assert.match(await write('good.yaml', 'a: 1\nb: [1, 2\n'), /Warning: .*syntax error: .*\(line \d+, column \d+\)/);
  assert.doesNotMatch(await write('bad.yml', 'a: {1\n'), /Warning/, 'it was broken before');
  assert.match(await write('twice.yml', 'a: 1\na: 2\n'), /Warning: .*unique/);
  assert.match(await write('tab.yml', 'a:\n\t- 1\n'), /Warning/);
  const fine = ['', 'a: 1\n---\nb: 2\n', 'x: !Ref y\n', 'name: {{ .Values.name }}\n', '- a\n- "b"\n', '# only words\n'];
  for (const content of fine) assert.doesNotMatch(await write('fine.yaml', content), /Warning/, content);
});

test('syntax of .py, .ts and .toml is checked after a write where a checker is there', { skip: noPython }, async () => {
  const folder = tempFolder();
  const terminal = await localTerminal.open({ cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
  after(() => terminal[Symbol.asyncDispose]());
  const write = (path: string, content: string, place = terminal) =>
    answer(writeFileTool(fileOptions(folder)), { path, content }, contextIn(place));
  const table: readonly [path: string, broken: string, told: RegExp, fine: string][] = [
    ['a.py', 'def f(:\n  pass\n', /syntax error: invalid syntax \(line 1, column \d+\)/, 'def f():\n    return "é"\n'],
    [
      'a.ts',
      'const a = 1;\n\nconst x: = 1;\n',
      /syntax error: .*[Uu]nexpected.* \(line 3, column 10\)/,
      'enum Color { Red }\nexport const x: number = 1;\n',
    ],
    ['a.toml', 'a = [1\nb = 2\n', /syntax error: .*line 2/, 'a = [1]\n'],
  ];
  for (const [path, broken, told, fine] of table) {
    assert.match(await write(path, broken), told, path);
    assert.doesNotMatch(await write(path, fine), /Warning/, path);
    assert.match(await write(path, broken), told, path);
    assert.doesNotMatch(await write(path, `${broken}\n`), /Warning/, 'it was broken before');
  }
  assert.equal(
    await write('b.py', 'def f(:\n', { ...deskAt(folder) }),
    'Created b.py: 8 bytes, 1 line.',
    'without a checker nothing is said',
  );
});

test('refuses folders, devices, credential files and what the system does not allow', async () => {
  const { folder, write } = desk();
  mkdirSync(join(folder, 'sub'));
  put(folder, { plain: 'x' });
  const table: readonly [string, RegExp][] = [
    ['sub', /is a folder/],
    ['/dev/null', /device/],
    ['.env', /tools do not write it/],
    ['~/.ssh/authorized_keys', /tools do not write it/],
    ['.profile/sessions.db', /tools do not write it/],
    ['.profile/state.db', /tools do not write it/],
    ['plain/below', /a part of the path is a file/],
    ['a\0b', /NUL/],
    ['x'.repeat(300), /too long/],
  ];
  for (const [path, expected] of table) assert.match(await write(path, 'x'), new RegExp(`^FAILED .*${expected.source}`, 's'), path);
});

test('calls on one file clash whatever they call it', () => {
  const { folder, tool } = desk();
  put(folder, { 'a.txt': '' });
  symlinkSync('a.txt', join(folder, 'alias'));
  const resources = ['a.txt', './sub/../a.txt', 'alias', join(folder, 'a.txt')].map(
    (path) => tool.effects({ path, content: '' }).resources,
  );
  assert.deepEqual(new Set(resources.flat()), new Set([`path:${join(folder, 'a.txt')}`]));
  assert.deepEqual(tool.effects({ path: 'new/b\0.txt', content: '' }).kind, 'write');
});

test('a file outside that the user allowed stays, and is not said to be thrown away', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'work'));
  const path = join(folder, 'x.txt');
  const shown: string[] = [];
  const wall = (sees: boolean) => ({
    ...deskAt(join(folder, 'work')),
    place: { where: 'a box', cwd: join(folder, 'work'), kept: [join(folder, 'work')] },
    wall: {
      tier: 'bubblewrap' as const,
      profile: 'attended' as const,
      writable: [],
      hides: () => false,
      files: {
        keepsFrom: () => false,
        allow: () => {},
        isAllowed: (each: string) => each === path,
        show: async (each: string) => (shown.push(each), sees),
        isPlain: () => true,
      },
      runOutside: () => Promise.reject(new Error('not here')),
      startOutside: () => Promise.reject(new Error('not here')),
      grant: async () => {},
      canOpenPaths: async () => sees,
      endInside: async () => {},
    },
  });
  const tool = writeFileTool(fileOptions(folder));
  assert.equal(
    await answer(tool, { path, content: 'a\n' }, contextIn(wall(true))),
    `Created ${path}: 2 bytes, 1 line.\nWritten outside the sandbox, as the user allowed: ${path} stays after the session.`,
  );
  assert.deepEqual(shown, [path]);
  assert.match(await answer(tool, { path, content: 'b\n' }, contextIn(wall(false))), /Commands do not see .*x\.txt as it is now/);
});
