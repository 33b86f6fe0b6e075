import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFileTool } from '../../../../src/parts/tools/builtin/read-file.ts';
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
  await write('win.txt', 'c\nd\n');
  assert.equal(text('win.txt'), '\u{feff}c\r\nd\r\n');
});

test('warns when the file changed since it was last read here, and only then', async () => {
  const { folder, write, read } = desk();
  put(folder, { 'a.txt': 'one\n' });
  await read('a.txt');
  assert.doesNotMatch(await write('a.txt', 'two\n'), /Warning/);
  assert.doesNotMatch(await write('a.txt', 'three\n'), /Warning/, 'its own write is known');
  writeFileSync(join(folder, 'a.txt'), 'by somebody else\n');
  utimesSync(join(folder, 'a.txt'), new Date(), new Date(Date.now() + 5_000));
  assert.match(await write('a.txt', 'four\n'), /Warning: the file had changed/);
  put(folder, { 'unread.txt': 'x' });
  assert.doesNotMatch(await write('unread.txt', 'y'), /Warning/);
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
