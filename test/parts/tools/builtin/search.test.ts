import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { Terminal } from '../../../../src/contracts/terminal.ts';
import { localTerminal } from '../../../../src/parts/terminals/local/local.ts';
import { createGlobMatcher } from '../../../../src/parts/tools/builtin/files/glob.ts';
import type { SearchEngine } from '../../../../src/parts/tools/builtin/search/query.ts';
import { PLAIN_PROGRAMS } from '../../../../src/parts/tools/builtin/search/grep-in-terminal.ts';
import { findRipgrep, ripgrep } from '../../../../src/parts/tools/builtin/search/ripgrep.ts';
import { searchInTerminal } from '../../../../src/parts/tools/builtin/search/search-in-terminal.ts';
import { toExtendedPattern, toPerlPattern } from '../../../../src/parts/tools/builtin/search/patterns.ts';
import { searchFilesTool, type SearchFilesInput } from '../../../../src/parts/tools/builtin/search/tool.ts';
import { walkingEngine } from '../../../../src/parts/tools/builtin/search/walk.ts';
import { answer, contextIn, deskAt, fileOptions, put, tempFolder } from '../setup.ts';

const FILES: Readonly<Record<string, string | Buffer>> = {
  'src/app.ts': 'import x from "x";\nconst limit = 10;\n// TODO: one\nrun(limit);\n',
  'src/deep/util.ts': 'export const limit = 20;\r\n// TODO: two\r\n',
  'readme.md': 'The limit is 10 (ten).\nTODO\n',
  'data.bin': Buffer.concat([Buffer.from('limit'), Buffer.alloc(100), Buffer.from('limit\n')]),
  'latin.txt': Buffer.from([0x6c, 0x69, 0x6d, 0x69, 0x74, 0xe9, 0x0a]),
  'wide.txt': `${'w'.repeat(1_000)}limit\n`,
  '.env': 'limit=1\n',
};

/** A far place, as far as a search knows: nothing but a shell with these programs. */
async function farPlace(path: string): Promise<Terminal> {
  const terminal = await localTerminal.open({ cwd: '/', env: { PATH: path } });
  after(() => terminal[Symbol.asyncDispose]());
  return terminal;
}

/** A folder with links to these programs alone. */
function programs(links: Readonly<Record<string, string>>): string {
  const folder = tempFolder();
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
  return folder;
}
const PLAIN = ['sh', 'env', ...PLAIN_PROGRAMS];
const whereIs = (name: string): string => execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
const BUSYBOX = '/usr/bin/busybox';

const binary = await findRipgrep();
const ENGINES: readonly [name: string, engine: SearchEngine | undefined, needs: string][] = [
  ['ripgrep', binary === undefined ? undefined : ripgrep(binary), 'the ripgrep binary for this machine'],
  ['walking', walkingEngine, ''],
  [
    'ripgrep there',
    binary === undefined ? undefined : searchInTerminal(await farPlace(`${dirname(binary)}:/usr/bin:/bin`)),
    'the ripgrep binary for this machine',
  ],
  ['find and grep there', searchInTerminal(await farPlace(programs(Object.fromEntries(PLAIN.map((name) => [name, whereIs(name)]))))), ''],
  [
    'busybox there',
    existsSync(BUSYBOX) ? searchInTerminal(await farPlace(programs(Object.fromEntries(PLAIN.map((name) => [name, BUSYBOX]))))) : undefined,
    BUSYBOX,
  ],
];

test('a place without the programs of a search is told with their names', async () => {
  const bare = await farPlace(programs({ sh: whereIs('sh'), env: whereIs('env'), stat: whereIs('stat') }));
  const folder = tempFolder();
  const tool = searchFilesTool({ ...fileOptions(folder), engine: searchInTerminal(bare) });
  assert.equal(
    await answer(tool, { pattern: 'x' }, contextIn(deskAt(folder))),
    'FAILED Not searched: where commands run there is neither ripgrep (rg) nor find, grep, xargs, head, tr, wc, cut. Install one or the other there, or look with commands that are there.',
  );
});

for (const [name, engine, needs] of ENGINES) {
  const skip = engine === undefined ? `${needs} is not installed` : false;
  if (skip !== false) console.log(`search by ${name}: skipped, ${skip}`);
  const desk = (files: Readonly<Record<string, string | Buffer>> = FILES) => {
    const folder = tempFolder();
    put(folder, files);
    Object.keys(files).forEach((path, index) => utimesSync(join(folder, path), 1_700_000_000, 1_700_000_000 + index));
    const tool = searchFilesTool({ ...fileOptions(folder), ...(engine !== undefined && { engine }) });
    return {
      folder,
      tool,
      search: (input: SearchFilesInput, signal?: AbortSignal) =>
        answer(tool, input, contextIn(deskAt(folder), signal === undefined ? {} : { signal })),
    };
  };

  test(`${name}: contents by regex, each file once, by path`, { skip }, async () => {
    const { search } = desk();
    assert.equal(
      await search({ pattern: 'TODO(: \\w+)?$' }),
      ['readme.md', '2:TODO', 'src/app.ts', '3:// TODO: one', 'src/deep/util.ts', '2:// TODO: two', '[3 matching lines]'].join('\n'),
    );
    assert.equal(await search({ pattern: 'TODO', target: 'grep', path: 'src/app.ts' }), 'src/app.ts\n3:// TODO: one\n[1 matching line]');
    assert.equal(
      await search({ pattern: 'const', file_glob: '*.ts', path: 'src' }),
      'src/app.ts\n2:const limit = 10;\nsrc/deep/util.ts\n1:export const limit = 20;\n[2 matching lines]',
    );
    assert.match(await search({ pattern: 'nothing here' }), /^\[no matching lines in /);
    assert.match(await search({ pattern: '--files' }), /^\[no matching lines in /, 'a pattern is never taken for an option');
    assert.match(await search({ pattern: '(?i)the LIMIT' }), /readme\.md\n1:The limit/);
  });

  test(`${name}: lines around a match`, { skip }, async () => {
    const { search } = desk();
    assert.equal(
      await search({ pattern: 'TODO: one', context: 1 }),
      'src/app.ts\n2-const limit = 10;\n3:// TODO: one\n4-run(limit);\n[1 matching line]',
    );
  });

  test(`${name}: files with matches, newest first, and counts by path`, { skip }, async () => {
    const { search } = desk();
    assert.equal(
      await search({ pattern: 'TODO', output_mode: 'files_only' }),
      'readme.md\nsrc/deep/util.ts\nsrc/app.ts\n[3 files with matches]',
    );
    assert.equal(
      await search({ pattern: 'limit', output_mode: 'count', path: 'src' }),
      'src/app.ts: 2\nsrc/deep/util.ts: 1\n[2 files with matches]',
    );
  });

  test(`${name}: files by name, newest first`, { skip }, async () => {
    const { search } = desk();
    assert.equal(await search({ pattern: '*.ts', target: 'files' }), 'src/deep/util.ts\nsrc/app.ts\n[2 files]');
    assert.equal(await search({ pattern: 'src/**/*.{ts,js}', target: 'find' }), 'src/deep/util.ts\nsrc/app.ts\n[2 files]');
    assert.equal(await search({ pattern: 'read', target: 'files' }), 'readme.md\n[1 file]');
    assert.match(
      await search({ pattern: '*', target: 'files', limit: 2 }),
      /^wide\.txt\nlatin\.txt\n\[6 files; next page: offset 2; 1 left out /,
    );
  });

  test(`${name}: pages join without gaps or repeats`, { skip }, async () => {
    const { search } = desk({ 'many.txt': Array.from({ length: 25 }, (_, index) => `hit ${index}\n`).join('') });
    const first = await search({ pattern: 'hit', limit: 10 });
    const second = await search({ pattern: 'hit', limit: 10, offset: 10 });
    const third = await search({ pattern: 'hit', limit: 10, offset: 20 });
    assert.match(first, /\[25 matching lines; next page: offset 10\]$/);
    assert.match(third, /hit 24\n\[25 matching lines\]$/);
    const found = [first, second, third].flatMap((page) => page.match(/hit \d+/g));
    assert.deepEqual(
      found,
      Array.from({ length: 25 }, (_, index) => `hit ${index}`),
    );
  });

  test(`${name}: binary, foreign and wide files do no harm; credential files never show`, { skip }, async () => {
    const { search } = desk();
    const told = await search({ pattern: 'limit', context: 1 });
    assert.doesNotMatch(told, /data\.bin\n|\.env\n/);
    assert.match(told, /latin\.txt\n1:limit\u{fffd}/u);
    assert.ok(told.split('\n').every((line) => line.length < 600));
    assert.match(await search({ pattern: 'limit', path: '.env' }), /^FAILED Refused/);
    assert.doesNotMatch(await search({ pattern: 'limit', file_glob: '.env' }), /limit=1/);
  });

  test(`${name}: hidden files are searched, those of version control are not`, { skip }, async () => {
    const { search } = desk({ '.github/ci.yml': 'hit\n', '.eslintrc': 'hit\n', '.git/config': 'hit\n', 'sub/.hg/store': 'hit\n' });
    assert.equal(await search({ pattern: 'hit' }), '.eslintrc\n1:hit\n.github/ci.yml\n1:hit\n[2 matching lines]');
    assert.equal(await search({ pattern: '*.yml', target: 'files' }), '.github/ci.yml\n[1 file]');
  });

  test(`${name}: a pattern across lines matches, or is refused with the reason`, { skip }, async () => {
    const { search } = desk({ 'a.txt': 'one\ntwo\nthree\n' });
    const told = await search({ pattern: 'one\\ntwo' });
    if (name.startsWith('ripgrep')) assert.equal(told, 'a.txt\n1:one\n2:two\n[2 matching lines]');
    else assert.match(told, /^FAILED Not searched: there is no ripgrep here, and without it a pattern cannot match across lines/);
    assert.match(await search({ pattern: 'o[^\\n]e' }), /^a\.txt\n1:one\n/, 'a set that leaves the line end out is no such pattern');
  });

  test(`${name}: an empty answer names the folder, the pattern and the filters`, { skip }, async () => {
    const { folder, search } = desk();
    assert.match(
      await search({ pattern: 'no such words', path: 'src', file_glob: '*.ts' }),
      new RegExp(`^\\[no matching lines in ${folder}/src, pattern "no such words", file_glob \\*\\.ts; not searched: `),
    );
    assert.match(await search({ pattern: '*.zzz', target: 'files' }), new RegExp(`^\\[no files in ${folder}, pattern "\\*\\.zzz"`));
  });

  test(`${name}: a link to a folder of credentials is no way to them`, { skip }, async () => {
    const { folder, search } = desk({ '.profile/mcp-tokens/site.json': 'limit\n', 'src/a.ts': 'limit\n' });
    symlinkSync(join(folder, '.profile/mcp-tokens'), join(folder, 'way'));
    symlinkSync(join(folder, 'src'), join(folder, 'plain'));
    assert.match(await search({ pattern: 'limit', path: 'way' }), /^\[no matching lines in .*; 1 left out/);
    assert.match(await search({ pattern: 'limit', path: 'plain' }), /1:limit/);
  });

  test(`${name}: a pattern that is no regex says how to escape, a missing place says so`, { skip }, async () => {
    const { search } = desk();
    assert.match(await search({ pattern: 'foo(' }), /^FAILED Not searched: "foo\(" is not a valid regular expression .* backslash/s);
    assert.match(await search({ pattern: 'x', path: 'sr' }), /^FAILED There is no file sr \(looked in /);
    assert.match(await search({ pattern: 'x', path: 'a\0b' }), /^FAILED .*NUL/);
  });

  test(`${name}: ten megabytes, one line or many, stay bounded`, { skip }, async () => {
    const { search } = desk({ 'one.txt': `${'x'.repeat(10_000_000)}needle\n`, 'many.txt': 'needle in hay\n'.repeat(700_000) });
    const startedAt = performance.now();
    const told = await search({ pattern: 'needle', limit: 3 });
    assert.match(told, /more than 20001 matching lines; next page: offset 3\]$/);
    assert.ok(told.length < 2_000);
    assert.ok(performance.now() - startedAt < 10_000);
  });

  test(`${name}: stops at once when told to`, { skip }, async () => {
    const { search } = desk({ 'many.txt': 'needle in hay\n'.repeat(200_000) });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 5);
    const startedAt = performance.now();
    const told = await search({ pattern: 'n[e]+d(l|k)e', output_mode: 'content' }, stop.signal).catch(
      (error: unknown) => `FAILED ${String(error)}`,
    );
    assert.ok(performance.now() - startedAt < 2_000);
    assert.match(told, /^FAILED|matching lines/);
  });
}

test(
  'ripgrep leaves out what .gitignore names',
  { skip: binary === undefined ? 'the ripgrep binary for this machine is not installed' : false },
  async () => {
    const folder = tempFolder();
    put(folder, { '.gitignore': 'build/\n', 'build/a.ts': 'hit\n', 'a.ts': 'hit\n' });
    mkdirSync(join(folder, '.git'));
    const tool = searchFilesTool(fileOptions(folder));
    assert.equal(await answer(tool, { pattern: 'hit' }, contextIn(deskAt(folder))), 'a.ts\n1:hit\n[1 matching line]');
  },
);

test('patterns are put into the words of grep', () => {
  const table: readonly [pattern: string, perl: string, extended: string][] = [
    ['a$', 'a\r?$', 'a\r?$'],
    ['a\\$', 'a\\$', 'a\\$'],
    ['[$]', '[$]', '[$]'],
    ['[]$]x$', '[]$]x\r?$', '[]$]x\r?$'],
    ['(?:a|b)\\d+', '(?:a|b)\\d+', '(a|b)[0-9]+'],
    ['[\\w.]+\\s', '[\\w.]+\\s', '[[:alnum:]_.]+[[:space:]]'],
    ['\\\\d', '\\\\d', '\\\\d'],
    ['(', '(', '('],
    ['[', '[', '['],
  ];
  for (const [pattern, perl, extended] of table)
    assert.deepEqual([toPerlPattern(pattern), toExtendedPattern(pattern)], [perl, extended], pattern);
});

test('globs', () => {
  const table: readonly [string, string, boolean][] = [
    ['*.ts', 'a.ts', true],
    ['*.ts', 'deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**', 'src/deep/a.ts', true],
    ['**/*.{ts,js}', 'a.js', true],
    ['**/*.{ts,js}', 'x/y/a.ts', true],
    ['a?c', 'abc', true],
    ['[a-c].txt', 'b.txt', true],
    ['[!a-c].txt', 'b.txt', false],
    ['!*.ts', 'a.ts', false],
    ['/a.ts', 'a.ts', true],
    ['a+(b).ts', 'a+(b).ts', true],
    ['x\\*y', 'x*y', true],
    ['{open', 'open', true],
  ];
  for (const [pattern, path, expected] of table) assert.equal(createGlobMatcher(pattern)(path), expected, `${pattern} on ${path}`);
});
