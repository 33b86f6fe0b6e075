import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { patchTool, type PatchInput } from '../../../../../src/parts/tools/builtin/patch/tool.ts';
import { readFileTool } from '../../../../../src/parts/tools/builtin/read-file.ts';
import { answer, contextIn, deskAt, fileOptions, put, tempFolder } from '../../setup.ts';

function desk(files: Readonly<Record<string, string | Buffer>>) {
  const folder = tempFolder();
  put(folder, files);
  const options = fileOptions(folder);
  const tool = patchTool(options);
  const context = contextIn(deskAt(folder));
  return {
    folder,
    tool,
    options,
    context,
    patch: (input: PatchInput) => answer(tool, input, context),
    v4a: (...lines: readonly string[]) => answer(tool, { mode: 'patch', patch: lines.join('\n') }, context),
    text: (path: string) => readFileSync(join(folder, path), 'utf8'),
  };
}

test('a replacement answers with count and diff', async () => {
  const { patch, text } = desk({ 'a.ts': 'one\ntwo\nthree\n' });
  assert.equal(
    await patch({ path: 'a.ts', old_string: 'two', new_string: '2' }),
    'Changed 1 place in a.ts.\n--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
  );
  assert.equal(text('a.ts'), 'one\n2\nthree\n');
  assert.match(
    await patch({ path: 'a.ts', old_string: '  one\n  2', new_string: '  one\n  22' }),
    /found by line-trimmed matching: check the diff/,
  );
});

test('CRLF, byte order mark and mode stay', async () => {
  const { folder, patch, text } = desk({ 'win.bat': '\u{feff}a\r\nb\r\nc\r\n' });
  chmodSync(join(folder, 'win.bat'), 0o750);
  await patch({ path: 'win.bat', old_string: 'a\nb', new_string: 'a\nx\nb' });
  assert.equal(text('win.bat'), '\u{feff}a\r\nx\r\nb\r\nc\r\n');
  assert.equal(statSync(join(folder, 'win.bat')).mode & 0o777, 0o750);
});

test('what cannot be patched is refused and stays as it is', async () => {
  const latin = Buffer.from([0x63, 0xe9, 0x0a]);
  const { folder, patch } = desk({ 'l.txt': latin, 'b.bin': Buffer.from([0, 1]), '.env': 'a=1\n', 'a.txt': 'x\n' });
  const edit = { old_string: 'a', new_string: 'b' };
  const table: readonly [PatchInput, RegExp][] = [
    [{ path: 'l.txt', ...edit }, /not valid UTF-8/],
    [{ path: 'b.bin', ...edit }, /not text/],
    [{ path: '.env', ...edit }, /tools do not write it/],
    [{ path: 'a.tx', ...edit }, /Did you mean a\.txt/],
    [{ path: '.', ...edit }, /is a folder/],
    [{ path: 'a.txt', old_string: 'x' }, /needs new_string/],
    [{ old_string: 'x' }, /needs path, new_string/],
    [{ mode: 'patch' }, /needs the V4A text/],
    [{ mode: 'patch', patch: 'nonsense' }, /cannot be read: line 1/],
    [{ path: 'a.txt', ...edit }, /Nothing changed in a\.txt: the text is not in the file/],
  ];
  for (const [input, expected] of table) assert.match(await patch(input), new RegExp(`^FAILED .*${expected.source}`, 's'));
  assert.deepEqual(readFileSync(join(folder, 'l.txt')), latin);
});

test('a file that is no text can be deleted and moved, and is put back whole when the patch fails half way', async () => {
  const binary = Buffer.from([0, 1, 2, 0xff, 0xfe, 0x0d, 0x0a]);
  const latin = Buffer.from([0x63, 0xe9, 0x0a]);
  const { folder, v4a, options, context } = desk({ 'b.bin': binary, 'l.txt': latin, 'm.bin': binary, 'a.txt': 'x\n' });
  const told = await v4a('*** Delete File: b.bin', '*** Delete File: l.txt', '*** Move File: m.bin -> sub/n.bin');
  assert.equal(told, 'Patched 3 files.\nDeleted b.bin (7 bytes).\nDeleted l.txt (3 bytes).\nMoved m.bin -> sub/n.bin (7 bytes).');
  assert.equal(told.includes('\0') || told.includes('\ufffd'), false);
  assert.deepEqual(readdirSync(folder).toSorted(), ['a.txt', 'sub']);
  assert.deepEqual(readFileSync(join(folder, 'sub/n.bin')), binary);
  assert.match(await v4a('*** Update File: sub/n.bin', '@@', '-a', '+b'), /^FAILED .*sub\/n\.bin is not text, it is binary data/s);
  const stuck = patchTool({
    ...options,
    remove: async (path) => (path.endsWith('a.txt') ? Promise.reject(new Error('no leave')) : rmSync(path)),
  });
  const failed = await answer(stuck, { patch: '*** Delete File: sub/n.bin\n*** Delete File: a.txt' }, context);
  assert.match(failed, /^FAILED .*no leave/);
  assert.deepEqual(readFileSync(join(folder, 'sub/n.bin')), binary);
});

test('repeated failures on a path get stronger advice', async () => {
  const { patch } = desk({ 'a.txt': 'x\n' });
  const edit = { path: 'a.txt', old_string: 'not there', new_string: 'b' };
  const told = [await patch(edit), await patch(edit), await patch(edit)];
  assert.doesNotMatch(told[0] ?? '', /Read the place again/);
  assert.match(told[1] ?? '', /Read the place again/);
  assert.match(told[2] ?? '', /write_file/);
});

test('advice on how to name a place stands only where a place was missed', async () => {
  const { patch, v4a } = desk({ 'a.txt': 'x\n', 'b.txt': 'y\n' });
  const move = () => v4a('*** Begin Patch', '*** Move File: a.txt -> b.txt', '*** End Patch');
  const told = [await move(), await move(), await move(), await patch({ path: 'no.txt', old_string: 'a', new_string: 'b' })];
  const same = { path: 'a.txt', old_string: 'x', new_string: 'x' };
  told.push(await patch(same), await patch(same), await patch(same));
  for (const words of told) assert.doesNotMatch(words, /Read the place again|write_file/, words);
  const miss = () => v4a('*** Begin Patch', '*** Update File: a.txt', '@@', '-not there', '+z', '*** End Patch');
  await miss();
  assert.match(await miss(), /Read the place again/);
  assert.match(await miss(), /write_file/);
});

test('a V4A patch is applied whole', async () => {
  const { folder, v4a, text } = desk({ 'a.txt': 'one\ntwo\n', 'old.sh': 'go\r\n', 'gone.txt': 'x\n' });
  chmodSync(join(folder, 'old.sh'), 0o755);
  const told = await v4a(
    '*** Begin Patch',
    '*** Update File: a.txt',
    '-two',
    '+2',
    '*** Add File: deep/new.txt',
    '+hello',
    '*** Move File: old.sh -> bin/new.sh',
    '*** Delete File: gone.txt',
    '*** End Patch',
  );
  assert.match(told, /^Patched 4 files\.\n/);
  assert.match(told, /--- \/dev\/null\n\+\+\+ b\/deep\/new\.txt\n@@ -0,0 \+1,1 @@\n\+hello/);
  assert.deepEqual([text('a.txt'), text('deep/new.txt'), text('bin/new.sh')], ['one\n2\n', 'hello\n', 'go\r\n']);
  assert.equal(statSync(join(folder, 'bin/new.sh')).mode & 0o777, 0o755);
  assert.deepEqual([existsSync(join(folder, 'old.sh')), existsSync(join(folder, 'gone.txt'))], [false, false]);
});

test('moves and deletions are one line, and a move with an edit shows the edit alone', async () => {
  const long = Array.from({ length: 400 }, (_, line) => `line ${line}\n`).join('');
  const { v4a } = desk({ 'gone.txt': long, 'old.txt': long, 'from.txt': long });
  assert.equal(
    await v4a('*** Delete File: gone.txt', '*** Move File: old.txt -> new.txt'),
    'Patched 2 files.\nDeleted gone.txt (400 lines).\nMoved old.txt -> new.txt (400 lines).',
  );
  const edited = await v4a('*** Update File: from.txt', '-line 7', '+LINE 7', '*** Move File: from.txt -> to.txt');
  assert.match(edited, /^Patched 1 file\.\nMoved from\.txt -> to\.txt \(400 lines\)\.\n--- a\/to\.txt\n[^]*-line 7\n\+LINE 7\n/);
  assert.ok(edited.length < 500);
});

test('an edit that misses names the nearest lines, also for one line', async () => {
  const { patch } = desk({ 'a.ts': 'const limit = 10;\n\nexport function total(items: Item[]): number {\n  return items.length;\n}\n' });
  const miss = (old_string: string) => patch({ path: 'a.ts', old_string, new_string: 'something else' });
  assert.match(
    await miss('function total(list: Row[])'),
    /The nearest lines are:\nL3: export function total\(items: Item\[\]\): number \{$/,
  );
  assert.match(await miss('limit = 12'), /The nearest lines are:\nL1: const limit = 10;/);
  assert.match(await miss('zebra'), /nor anything like it: look for it with search_files/);
});

test('nothing is written when the second file fails, whatever makes it fail', async () => {
  const failures: readonly (readonly string[])[] = [
    ['*** Update File: b.txt', '-not there', '+x'],
    ['*** Add File: b.txt', '+x'],
    ['*** Move File: c.txt -> b.txt'],
    ['*** Update File: none.txt', '-x', '+y'],
    ['*** Add File: .env', '+x'],
    ['*** Add File: b.txt/below', '+x'],
  ];
  for (const second of failures) {
    const { folder, v4a, text } = desk({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' });
    assert.match(await v4a('*** Update File: a.txt', '-one', '+1', '*** Add File: new.txt', '+n', ...second), /^FAILED /, second.join());
    assert.deepEqual([text('a.txt'), text('b.txt'), text('c.txt')], ['one\n', 'two\n', 'three\n']);
    assert.deepEqual(readdirSync(folder).toSorted(), ['a.txt', 'b.txt', 'c.txt']);
  }
});

test('a write the system refuses half way leaves all files as they were', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root may write everywhere');
  const { folder, v4a, text } = desk({ 'a.txt': 'one\n', 'locked/b.txt': 'two\n' });
  chmodSync(join(folder, 'locked'), 0o555);
  const told = await v4a('*** Update File: a.txt', '-one', '+1', '*** Update File: locked/b.txt', '-two', '+2');
  chmodSync(join(folder, 'locked'), 0o755);
  assert.match(told, /^FAILED .*permission denied/);
  assert.deepEqual([text('a.txt'), text('locked/b.txt')], ['one\n', 'two\n']);
  assert.deepEqual(readdirSync(folder).toSorted(), ['a.txt', 'locked']);
});

test('says when the file had changed since it was read, and what JSON it broke', async () => {
  const { folder, options, context, patch } = desk({ 'a.json': '{"a": 1}\n' });
  await answer(readFileTool({ ...options, maxChars: () => 1_000 }), { path: 'a.json' }, context);
  writeFileSync(join(folder, 'a.json'), '{"a": 1, "b": 2}\n');
  utimesSync(join(folder, 'a.json'), new Date(), new Date(Date.now() + 5_000));
  const told = await patch({ path: 'a.json', old_string: '1', new_string: '1,,' });
  assert.match(told, /had changed since you last read it/);
  assert.match(told, /syntax error/);
});

test('deletes no file that somebody changed since it was read, before it is read again', async () => {
  const { folder, options, context, v4a, text } = desk({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const read = () => answer(readFileTool({ ...options, maxChars: () => 1_000 }), { path: 'a.txt' }, context);
  await read();
  writeFileSync(join(folder, 'a.txt'), 'one\nby the owner\n');
  utimesSync(join(folder, 'a.txt'), new Date(), new Date(Date.now() + 5_000));
  for (const lines of [['*** Delete File: a.txt'], ['*** Delete File: a.txt', '*** Add File: a.txt', '+mine']]) {
    const told = await v4a('*** Update File: b.txt', '-two', '+2', ...lines);
    assert.match(told, /^FAILED Nothing was changed: a\.txt has changed since you last read it/);
    assert.deepEqual([text('a.txt'), text('b.txt')], ['one\nby the owner\n', 'two\n']);
  }
  assert.doesNotMatch(await v4a('*** Move File: a.txt -> c.txt'), /^FAILED/, 'a move loses nothing');
  assert.doesNotMatch(await v4a('*** Move File: c.txt -> a.txt'), /^FAILED/);
  await read();
  assert.doesNotMatch(await v4a('*** Delete File: a.txt'), /^FAILED/);
  assert.equal(existsSync(join(folder, 'a.txt')), false);
});

test('effects name the files of the call', () => {
  const { folder, tool } = desk({});
  const paths = (input: PatchInput) => tool.effects(input).resources;
  assert.deepEqual(paths({ path: 'a', old_string: 'x', new_string: 'y' }), [`path:${folder}/a`]);
  assert.deepEqual(paths({ mode: 'patch', patch: '*** Move File: a -> b\n*** Add File: c\n+x' }), [
    `path:${folder}/a`,
    `path:${folder}/b`,
    `path:${folder}/c`,
  ]);
  assert.deepEqual(paths({ mode: 'patch', patch: 'broken' }), ['*']);
});

test('a megabyte is patched in well under a second', async () => {
  const { patch } = desk({
    'big.ts': Array.from({ length: 25_000 }, (_, index) => `  const value${index} = compute(${index}, options);`).join('\n'),
  });
  const startedAt = performance.now();
  assert.match(
    await patch({ path: 'big.ts', old_string: 'const value20000 = compute(20000,   options);', new_string: 'const value20000 = 0;' }),
    /^Changed 1 place/,
  );
  const ms = performance.now() - startedAt;
  assert.ok(ms < 2_000, `${ms.toFixed(0)} ms`);
});

test('in a file of mixed line ends no line changes its end', async () => {
  const mixed = 'a\r\nb\nc\r\nd\n';
  const { patch, text, v4a } = desk({ 'm.txt': mixed, 'n.txt': mixed, 'o.txt': mixed });
  await patch({ path: 'm.txt', old_string: 'b\nc', new_string: 'B\nx\nC' });
  assert.equal(text('m.txt'), 'a\r\nB\nx\r\nC\r\nd\n');
  await patch({ path: 'n.txt', old_string: 'a\nb\n', new_string: 'a\nB\n' });
  assert.equal(text('n.txt'), 'a\r\nB\nc\r\nd\n');
  await v4a('*** Update File: o.txt', '@@', ' a', '-b', '+B', ' c');
  assert.equal(text('o.txt'), 'a\r\nB\nc\r\nd\n');
});

test('a file is patched in its own encoding, and no other byte of it changes', async () => {
  const sjis = (hex: string) => Buffer.from(hex, 'hex');
  const { folder, patch } = desk({
    'sjis.txt': sjis('93fa967b8cea82cc83658343835883670a6f6e650a'),
    'latin.txt': Buffer.from('na\u{ef}ve\none\n', 'latin1'),
    'wide.txt': Buffer.from('\u{feff}ä\r\none\r\n', 'utf16le'),
  });
  for (const path of ['sjis.txt', 'latin.txt', 'wide.txt'])
    assert.match(await patch({ path, old_string: 'one', new_string: '1' }), /^Changed 1 place/);
  const bytes = (path: string) => readFileSync(join(folder, path)).toString('hex');
  assert.equal(bytes('sjis.txt'), '93fa967b8cea82cc83658343835883670a310a');
  assert.equal(bytes('latin.txt'), Buffer.from('na\u{ef}ve\n1\n', 'latin1').toString('hex'));
  assert.equal(bytes('wide.txt'), Buffer.from('\u{feff}ä\r\n1\r\n', 'utf16le').toString('hex'));
  await patch({ path: 'sjis.txt', old_string: '1', new_string: 'テスト' });
  assert.equal(bytes('sjis.txt'), '93fa967b8cea82cc83658343835883670a8365835883670a');
  assert.match(
    await patch({ path: 'latin.txt', old_string: '1', new_string: '✓' }),
    /^FAILED Nothing changed: latin\.txt is written in Latin-1 .* has no "✓"/,
  );
});

test('a hunk that does not stand there letter for letter is said to be found by likeness', async () => {
  const { v4a } = desk({ 'a.py': 'def f():\n    return  1\n' });
  assert.match(
    await v4a('*** Update File: a.py', '@@', ' def f():', '-\treturn 1', '+\treturn 2'),
    /^Patched 1 file\. a\.py, hunk 1: found by [\w-]+ matching\. Check the diff\./,
  );
});

test('a file is moved by *** Move to:, with its edit', async () => {
  const { v4a, text, folder } = desk({ 'a.txt': 'one\ntwo\n' });
  assert.match(
    await v4a('*** Begin Patch', '*** Update File: a.txt', '*** Move to: b/c.txt', '@@', '-two', '+2', '*** End Patch'),
    /Moved a\.txt -> b\/c\.txt/,
  );
  assert.equal(text('b/c.txt'), 'one\n2\n');
  assert.ok(!existsSync(join(folder, 'a.txt')));
});

test('a unified diff is read: several files, new, deleted and renamed ones', async () => {
  const { v4a, text, folder, patch } = desk({ 'a.txt': '1\n2\n3\n2\n5\n', 'gone.txt': 'x\n', 'old.txt': 'n\n-- sql\n' });
  const told = await v4a(
    'diff --git a/a.txt b/a.txt',
    'index 111..222 100644',
    '--- a/a.txt',
    '+++ b/a.txt',
    '@@ -3,3 +3,3 @@ some function',
    ' 3',
    '-2',
    '+two',
    ' 5',
    'diff --git a/new.txt b/new.txt',
    'new file mode 100644',
    '--- /dev/null',
    '+++ b/new.txt',
    '@@ -0,0 +1,2 @@',
    '+n1',
    '+n2',
    'diff --git a/gone.txt b/gone.txt',
    'deleted file mode 100644',
    '--- a/gone.txt',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-x',
    'diff --git a/old.txt b/renamed.txt',
    'rename from old.txt',
    'rename to renamed.txt',
    '--- a/old.txt',
    '+++ b/renamed.txt',
    '@@ -1,2 +1,2 @@',
    ' n',
    '--- sql',
    '+++ sql',
  );
  assert.match(told, /^Patched 4 files\./);
  assert.equal(text('a.txt'), '1\n2\n3\ntwo\n5\n');
  assert.equal(text('new.txt'), 'n1\nn2\n');
  assert.equal(text('renamed.txt'), 'n\n++ sql\n');
  assert.ok(!existsSync(join(folder, 'gone.txt')) && !existsSync(join(folder, 'old.txt')));
  assert.match(await patch({ patch: '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' }), /^Patched 1 file/);
  // The line number decides between two places that read alike.
  const twice = '--- a/t.txt\n+++ b/t.txt\n@@ -4,1 +4,1 @@\n-b\n+B\n';
  writeFileSync(join(folder, 't.txt'), 'a\nb\na\nb\n');
  await patch({ patch: twice });
  assert.equal(text('t.txt'), 'a\nb\na\nB\n');
});
