import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Terminal } from '../../../../src/contracts/terminal.ts';
import { createShellFiles, type ShellRun } from '../../../../src/parts/terminals/files/shell.ts';
import { localTerminal } from '../../../../src/parts/terminals/local/local.ts';
import { toPathResource, createPathResolution } from '../../../../src/parts/tools/builtin/files/locate.ts';
import { patchTool } from '../../../../src/parts/tools/builtin/patch/tool.ts';
import { readFileTool } from '../../../../src/parts/tools/builtin/read-file.ts';
import { searchFilesTool } from '../../../../src/parts/tools/builtin/search/tool.ts';
import { writeFileTool } from '../../../../src/parts/tools/builtin/write-file.ts';
import { noBubblewrap, openSandboxed } from '../../terminals/sandbox-stage.ts';
import { answer, contextIn, fileOptions, put, tempFolder } from '../setup.ts';

const overShell: ShellRun = (script, { stdin = '', signal, room }) =>
  new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', script], { signal, maxBuffer: 2 * room }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ exitCode, output: stdout + stderr });
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
  });

/** A place of which nothing is known but what its shell answers, with a home of its own. */
async function far() {
  const [home, folder] = [tempFolder(), tempFolder()];
  const local = await localTerminal.open({ cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
  after(() => local[Symbol.asyncDispose]());
  const terminal: Terminal = { ...local, kind: 'far', cwd: folder, files: createShellFiles(overShell, { home }) };
  const options = { ...fileOptions(folder), ...createPathResolution(terminal) };
  const context = contextIn(terminal);
  return {
    home,
    folder,
    options,
    read: (path: string) => answer(readFileTool({ ...options, maxChars: () => 100_000 }), { path }, context),
    write: (path: string, content: string) => answer(writeFileTool(options), { path, content }, context),
    v4a: (...lines: readonly string[]) => answer(patchTool(options), { mode: 'patch', patch: lines.join('\n') }, context),
    search: (pattern: string, path: string) => answer(searchFilesTool(options), { pattern, path }, context),
  };
}

test('files are read and written where commands run', async () => {
  const { folder, home, read, write } = await far();
  put(folder, { 'win.txt': 'a\r\nb\r\n' });
  put(home, { 'notes.txt': 'at home\n' });
  assert.equal(await read('win.txt'), '1|a\n2|b\n[lines 1-2 of 2, 6 bytes]');
  assert.equal(await read('~/notes.txt'), '1|at home\n[lines 1-1 of 1, 8 bytes]');
  assert.match(await read('win.tx'), /Did you mean win\.txt/);
  assert.match(await read('a\0b'), /^FAILED .*NUL/);
  assert.equal(
    await write('win.txt', 'c\n'),
    'Overwrote win.txt: 3 bytes, 1 line.\nKept as the file had it: CRLF line ends. To have plain UTF-8 with LF line ends instead, send the same write_file again.',
  );
  assert.equal(readFileSync(join(folder, 'win.txt'), 'utf8'), 'c\r\n');
  assert.match(await write('deep/new.json', '{'), /Created deep\/new\.json: 1 bytes.*\nWarning: .*syntax error/s);
  assert.match(await write('win.txt/below', 'x'), /^FAILED .*a part of the path is a file/);
});

test('a patch there is whole or not at all, and a moved file keeps its mode', async () => {
  const { folder, v4a } = await far();
  put(folder, { 'run.sh': 'echo one\n', 'b.txt': 'two\n', 'gone.txt': 'x\n' });
  chmodSync(join(folder, 'run.sh'), 0o755);
  assert.match(
    await v4a('*** Move File: run.sh -> bin/go.sh', '*** Update File: bin/go.sh', '-echo one', '+echo 1', '*** Delete File: gone.txt'),
    /^Patched 2 files/,
  );
  assert.equal(readFileSync(join(folder, 'bin/go.sh'), 'utf8'), 'echo 1\n');
  assert.equal(statSync(join(folder, 'bin/go.sh')).mode & 0o777, 0o755);
  assert.deepEqual([existsSync(join(folder, 'run.sh')), existsSync(join(folder, 'gone.txt'))], [false, false]);
  const failing = ['*** Update File: b.txt', '-two', '+2', '*** Move File: bin/go.sh -> back.sh', '*** Add File: b.txt/below', '+x'];
  assert.match(await v4a(...failing), /^FAILED /);
  assert.equal(readFileSync(join(folder, 'b.txt'), 'utf8'), 'two\n');
  assert.deepEqual([readdirSync(folder).toSorted(), readdirSync(join(folder, 'bin'))], [['b.txt', 'bin'], ['go.sh']]);
});

test('credential files are guarded by the home of the place, by name and through a link', async () => {
  const { home, folder, read, write, search } = await far();
  put(home, { '.ssh/id_ed25519': 'key\n', '.ssh/config': 'Host x\n', '.hermes/auth.json': '{}\n' });
  put(folder, { '.env': 'key=1\n', 'a.txt': 'key\n' });
  symlinkSync(join(home, '.ssh/id_ed25519'), join(folder, 'harmless.txt'));
  for (const path of ['~/.ssh/id_ed25519', `${home}/.ssh/id_ed25519`, 'harmless.txt', '.env', '~/.hermes/auth.json'])
    assert.match(await read(path), /^FAILED Refused: .* tools do not read it/, path);
  assert.match(await write('harmless.txt', 'x'), /^FAILED Refused/);
  assert.match(await read('~/.ssh/config'), /^1\|Host x/);
  assert.equal(await search('key', '.'), 'a.txt\n1:key\n[1 matching line; 1 left out because they are in files that hold secrets]');
  assert.match(
    await search('key', '~/.ssh'),
    /^\[no matching lines in .*; 1 left out because they are in files that hold secrets; not searched/,
  );
});

test('what cannot be put back after a failure is named', async () => {
  const { folder, options } = await far();
  put(folder, { a: 'one\n', b: 'two\n' });
  const local = await localTerminal.open({ cwd: folder, env: {} });
  after(() => local[Symbol.asyncDispose]());
  let writes = 0;
  const files: Terminal['files'] = {
    ...local.files,
    home: folder,
    // The disk gives out after the first write, for good.
    write: (path, bytes) => (++writes > 1 ? Promise.reject(new Error('no disk any more')) : local.files.write(path, bytes)),
  };
  const context = contextIn({ ...local, cwd: folder, files });
  const patch = '*** Update File: a\n-one\n+1\n*** Update File: b\n-two\n+2';
  const told = await answer(patchTool(options), { mode: 'patch', patch }, context);
  assert.match(
    told,
    new RegExp(`^FAILED The patch failed partway \\(no disk any more\\), and these files could not be restored: ${folder}/a`),
  );
});

test('without waiting, a far name stands for itself', async () => {
  const { folder, home, options } = await far();
  writeFileSync(join(folder, 'a.txt'), '');
  symlinkSync('a.txt', join(folder, 'alias'));
  assert.equal(toPathResource('alias', options), `path:${folder}/alias`);
  assert.equal(toPathResource('~/x/../y', options), `path:${home}/y`);
  assert.equal(toPathResource('alias', fileOptions(folder)), `path:${folder}/a.txt`);
});

test('in a sandbox, tools see what commands see and nothing else', { skip: noBubblewrap ?? false }, async () => {
  const outside = tempFolder();
  put(outside, { 'secret.txt': 'needle outside\n' });
  const { terminal, folder } = await openSandboxed();
  await using _ = terminal;
  const options = { ...fileOptions(folder), ...createPathResolution(terminal) };
  const context = contextIn(terminal);
  assert.match(await answer(writeFileTool(options), { path: 'src/a.txt', content: 'needle\n' }, context), /^Created src\/a\.txt/);
  assert.equal(readFileSync(join(folder, 'src/a.txt'), 'utf8'), 'needle\n');
  const edit = { path: 'src/a.txt', old_string: 'needle', new_string: 'a needle' };
  assert.match(await answer(patchTool(options), edit, context), /^Changed 1 place/);
  assert.match(await answer(readFileTool({ ...options, maxChars: () => 1_000 }), { path: 'src/a.txt' }, context), /^1\|a needle/);
  const search = searchFilesTool(options);
  assert.equal(await answer(search, { pattern: 'needle' }, context), 'src/a.txt\n1:a needle\n[1 matching line]');
  assert.match(await answer(search, { pattern: 'needle', path: outside }, context), /^FAILED There is no file/);
  assert.doesNotMatch(await answer(search, { pattern: 'needle outside', path: '/tmp' }, context), /secret\.txt/);
  assert.match(
    await answer(readFileTool({ ...options, maxChars: () => 1_000 }), { path: join(outside, 'secret.txt') }, context),
    /^FAILED There is no file/,
  );
});
