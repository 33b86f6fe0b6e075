import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { localTerminal } from '../../../../src/parts/terminals/local/local.ts';
import { readFileTool } from '../../../../src/parts/tools/builtin/read-file.ts';
import { answer, contextIn, deskAt, fileOptions, put, tempFolder } from '../setup.ts';

function desk(maxChars = 100_000) {
  const folder = tempFolder();
  const tool = readFileTool({ ...fileOptions(folder), maxChars: () => maxChars });
  const context = contextIn(deskAt(folder));
  return {
    folder,
    tool,
    context,
    read: (path: string, offset?: number, limit?: number) =>
      answer(tool, { path, ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) }, context),
  };
}
const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

test('lines come with their numbers, and the end says how much there is and how to read on', async () => {
  const { folder, read } = desk();
  put(folder, { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'no end', 'c.txt': '', 'long.txt': numbered(1200), 'sub/d.txt': 'x\n' });
  assert.equal(await read('a.txt'), '1|one\n2|two\n3|three\n[lines 1-3 of 3, 14 bytes]');
  assert.equal(await read('a.txt', 2, 1), '2|two\n[lines 2-2 of 3, 14 bytes; read on with offset 3]');
  assert.equal(await read('b.txt'), '1|no end\n[lines 1-1 of 1, 6 bytes]');
  assert.equal(await read('c.txt'), '[c.txt is empty]');
  assert.match(await read('long.txt'), /\n1200\|line 1200\n\[lines 1-1200 of 1200, \d+ bytes\]$/);
  assert.equal(await read(join(folder, 'sub/d.txt')), '1|x\n[lines 1-1 of 1, 2 bytes]');
  assert.match(await read('a.txt', 9), /^FAILED a\.txt has 3 lines; offset 9 is past its end/);
});

test('at most 2000 lines at a time', async () => {
  const { folder, read } = desk();
  put(folder, { 'long.txt': numbered(2500) });
  assert.match(await read('long.txt', 1, 9999), /read on with offset 2001\]$/);
});

test('line ends, byte order marks, long lines and foreign encodings are shown as text', async () => {
  const { folder, read } = desk();
  put(folder, {
    'crlf.txt': 'a\r\nb\r\n',
    'bom.txt': '\u{feff}a\n',
    'wide.txt': `${'x'.repeat(5000)}\nshort\n`,
    'latin1.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
    // UTF-8 that is cut in a character is no Latin-1.
    'broken.txt': Buffer.from([...Buffer.from('für '), 0xc3, 0x0a]),
    'wide16.txt': Buffer.from('\u{feff}hello', 'utf16le'),
    'bare16.txt': Buffer.from('hello', 'utf16le').swap16(),
    'sjis.txt': Buffer.from('93fa967b8cea82cc83658343835883670a', 'hex'),
    'emoji.txt': `${'a'.repeat(1999)}😀tail\n`,
  });
  assert.equal(await read('crlf.txt'), '1|a\n2|b\n[lines 1-2 of 2, 6 bytes]');
  assert.equal(await read('bom.txt'), '1|a\n[lines 1-1 of 1, 5 bytes]');
  assert.equal(await read('wide.txt'), `1|${'x'.repeat(2000)} [… line cut, 5000 bytes long]\n2|short\n[lines 1-2 of 2, 5007 bytes]`);
  assert.equal(
    await read('latin1.txt'),
    '1|café\n[lines 1-1 of 1, 5 bytes]\n[written in Latin-1 (windows-1252); patch and write_file keep that]',
  );
  assert.match(await read('broken.txt'), /^1\|für \u{fffd}\n.*\n\[not valid UTF-8/u);
  assert.match(await read('wide16.txt'), /^1\|hello\n.*\n\[written in UTF-16LE;/);
  assert.match(await read('bare16.txt'), /^1\|hello\n.*\n\[written in UTF-16BE;/);
  assert.match(await read('sjis.txt'), /^1\|日本語のテイスト\n.*\n\[written in Shift-JIS;/);
  assert.doesNotMatch(await read('emoji.txt'), /[\ud800-\udfff](?![\udc00-\udfff])/);
});

test('what is not a text file is refused with the reason', async () => {
  const { folder, read } = desk();
  put(folder, {
    'zero.bin': Buffer.from([1, 2, 0, 3]),
    'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4]),
    'picture.webp': Buffer.from('RIFF\0\u0001\0\0WEBPVP8 ', 'latin1'),
    'paper.pdf': '%PDF-1.7 text only',
    'wide32.txt': Buffer.from([0xff, 0xfe, 0, 0, 0x68, 0, 0, 0]),
    'controls.dat': Buffer.from(Array.from({ length: 100 }, (_, index) => (index % 5 === 0 ? 3 : 65))),
  });
  mkdirSync(join(folder, 'sub'));
  execFileSync('/bin/sh', ['-c', 'mkfifo pipe'], { cwd: folder });
  const table: readonly [string, RegExp][] = [
    ['sub', /is a folder.*search_files/],
    ['.', /is a folder/],
    ['pipe', /device, pipe or socket/],
    ['/dev/zero', /device, pipe or socket/],
    ['/dev/null', /device, pipe or socket/],
    ['zero.bin', /binary data/],
    ['picture.png', /PNG image\. Look at it with vision_analyze\./],
    ['picture.webp', /WebP image\. Look at it with vision_analyze\./],
    ['paper.pdf', /PDF/],
    ['wide32.txt', /UTF-32.*iconv/],
    ['controls.dat', /binary data/],
    ['no\0pe', /NUL/],
    ['a.txt/b', /no file/],
  ];
  for (const [path, expected] of table) assert.match(await read(path), new RegExp(`^FAILED .*${expected.source}`, 's'), path);
});

test('credential files are refused, by their own name and through a link', async () => {
  const folder = tempFolder();
  const profile = join(folder, 'profile');
  put(folder, {
    '.env': 'K=1',
    '.env.production': 'K=1',
    '.env.example': 'K=\n',
    'sub/.envrc': 'x',
    'profile/auth.json': '{}',
    'profile/checkpoints/blobs/09/f1': 'kept',
    'profile/trash/20260101/1/content': 'kept',
    'profile/config.yaml': 'a: 1\n',
  });
  symlinkSync(join(folder, '.env'), join(folder, 'harmless.txt'));
  const tool = readFileTool({ ...fileOptions(folder, profile), maxChars: () => 100_000 });
  const read = (path: string) => answer(tool, { path }, contextIn(deskAt(folder)));
  const refused = [
    '.env',
    '.env.production',
    'sub/.envrc',
    'profile/auth.json',
    'profile/checkpoints/blobs/09/f1',
    'profile/trash/20260101/1/content',
    'harmless.txt',
    '~/.ssh/id_ed25519',
    '~/.aws/credentials',
    '~/.netrc',
    '/etc/shadow',
    '/proc/self/environ',
    `${homedir()}/.config/gh/hosts.yml`,
  ];
  for (const path of refused) assert.match(await read(path), /^FAILED Refused: .* tools do not read it/, path);
  assert.match(await read('.env.example'), /^1\|K=/);
  assert.match(await read('profile/config.yaml'), /^1\|a: 1/);
  assert.doesNotMatch(await read('~/.ssh/nothing-here.pub'), /Refused/);
});

test('read_file gives 2,000 lines within its character cap', async () => {
  const { folder, read } = desk(1_000);
  put(folder, { 'big.txt': `${'y'.repeat(99)}\n`.repeat(50), 'wide.txt': `${'w'.repeat(5_000)}\nnext\n` });
  const told = await read('big.txt');
  assert.match(told, /^1\|y{99}\n[^]*\n\[lines 1-9 of 50, 5000 bytes; more than 1000 characters do not fit; read on with offset 10\]$/);
  assert.match(await read('big.txt', 10), /^10\|/);
  assert.match(await read('wide.txt'), /^1\|w+.*\n\[lines 1-1 of 2.*read on with offset 2\]$/, 'one line is given however long it is');
  const wide = desk();
  put(wide.folder, { 'long.txt': 'a line\n'.repeat(2_500) });
  assert.match(await wide.read('long.txt'), /\n\[lines 1-2000 of 2500, 17500 bytes; read on with offset 2001\]$/);
});

test('a missing file names the folder it was looked for in, and its neighbours', async () => {
  const { folder, read } = desk();
  put(folder, { 'src/settings.ts': '', 'src/index.ts': '' });
  assert.equal(
    await read('src/setings.ts'),
    `FAILED There is no file src/setings.ts (looked in ${join(folder, 'src')}). Did you mean src/settings.ts?`,
  );
  assert.match(await read('src/zzzzzzzz'), /no file.*search_files/);
  assert.equal(
    await read('nowhere/x'),
    `FAILED There is no file nowhere/x: its folder ${join(folder, 'nowhere')} does not exist or cannot be listed.`,
  );
});

test('reading the same again gives a stub, then a refusal, until the file changes', async () => {
  const { folder, tool, context, read } = desk();
  put(folder, { 'a.txt': 'one\n', 'b.bin': Buffer.from([0]) });
  assert.match(await read('a.txt'), /^1\|one/);
  assert.match(await read('./a.txt'), /^Unchanged/);
  assert.match(await read('a.txt'), /^FAILED Refused: you have read/);
  assert.match(await read('a.txt', 1, 7), /^1\|one/, 'another range is shown');
  assert.match(await answer(tool, { path: 'a.txt' }, { ...context, sessionId: 's2' }), /^1\|one/, 'another session is shown');
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  utimesSync(join(folder, 'a.txt'), new Date(), new Date(Date.now() + 5_000));
  assert.match(await read('a.txt'), /^1\|two/);
  assert.match(await read('b.bin'), /binary/);
  assert.match(await read('b.bin'), /binary/, 'a refusal is not a reading');
});

test('ten megabytes and one endless line are read in bounded time', async () => {
  const { folder, read } = desk();
  put(folder, { 'lines.log': 'some words on a line\n'.repeat(500_000), 'oneline.json': 'z'.repeat(10_000_000) });
  const startedAt = performance.now();
  assert.match(await read('lines.log', 499_999), /^499999\|some words on a line\n500000\|.*\n\[lines 499999-500000 of 500000/);
  assert.match(await read('oneline.json'), /line cut, 10000000 bytes long/);
  assert.ok(performance.now() - startedAt < 3_000);
});

const NOTEBOOK = {
  cells: [
    { cell_type: 'markdown', source: ['# Title\n', 'words'] },
    {
      cell_type: 'code',
      source: 'print(1)\n',
      outputs: [
        { output_type: 'stream', text: ['1\n'] },
        { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': '<Figure>' } },
        { output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: [] },
      ],
    },
    { cell_type: 'raw' },
  ],
};

test('a notebook is told cell by cell; one that is none is read as it is', async () => {
  const { folder, tool, context, read } = desk();
  put(folder, { 'a.ipynb': JSON.stringify(NOTEBOOK), 'broken.ipynb': '{"cells": [\n' });
  const size = JSON.stringify(NOTEBOOK).length;
  const first = ['[cell 1: markdown]', '# Title', 'words', '', '[cell 2: code]', 'print(1)', '[output]', '1'];
  const second = ['[output]', '<Figure>', '[not shown: image/png]', '[output]', 'ValueError: no', '', '[cell 3: raw]'];
  const lines = [...first, ...second];
  const told = (await read('a.ipynb')).split('\n');
  assert.deepEqual(
    told.slice(0, lines.length),
    lines.map((line, index) => `${index + 1}|${line}`),
  );
  assert.match(told.slice(lines.length).join('\n'), new RegExp(`\\[lines 1-16 of 16, ${size} bytes\\]\n\\[the notebook’s cells`));
  assert.deepEqual((await tool.run({ path: 'a.ipynb', limit: 1 }, context)).details, {
    kind: 'data',
    data: {
      total_lines: 16,
      file_size: size,
      truncated: true,
      extracted_document: true,
    },
  });
  assert.equal(await read('broken.ipynb'), '1|{"cells": [\n[lines 1-1 of 1, 12 bytes]');
});

test('documents are turned into text by a program of the place, and a refusal names the one that is missing', async () => {
  const folder = tempFolder();
  const programs = tempFolder();
  put(folder, { 'a b.pdf': '%PDF-1.7', 'c.docx': 'PK\u{3}\u{4}', 'bad.pdf': '%PDF-1.7 bad' });
  put(programs, { pdftotext: '#!/bin/sh\ncase "$4" in *bad*) exit 3;; esac\nprintf "page one of %s\\n" "$4"\n' });
  chmodSync(join(programs, 'pdftotext'), 0o755);
  const terminal = await localTerminal.open({ cwd: folder, env: { PATH: `${programs}:/usr/bin:/bin` } });
  after(() => terminal[Symbol.asyncDispose]());
  const tool = readFileTool({ ...fileOptions(folder), maxChars: () => 100_000 });
  const read = (path: string) => answer(tool, { path }, contextIn(terminal));
  assert.equal(await read('a b.pdf'), `1|page one of ${folder}/a b.pdf\n[lines 1-1 of 1, 8 bytes]\n[text extracted by pdftotext]`);
  assert.match(await read('bad.pdf'), /^FAILED Refused: bad\.pdf is a PDF, and pdftotext could not turn it into text \(exit code 3\)/);
  if (!existsSync('/usr/bin/pandoc'))
    assert.match(await read('c.docx'), /^FAILED Refused: c\.docx is a Word document, and pandoc is not there .*package pandoc/);
});
