import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Files } from '../../../src/contracts/files.ts';
import { localFiles } from '../../../src/parts/terminals/files/local.ts';
import { createShellFiles, type ShellRun } from '../../../src/parts/terminals/files/shell.ts';
import { testFilesConformance } from '../../../src/testing/conformance/files.ts';

const execute = promisify(execFile);
const stage = (files: Files) => async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-files-')));
  return {
    files,
    folder,
    shell: async (command: string) => (await execute('/bin/sh', ['-c', command])).stdout,
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** A shell with nothing around it: what an engine or a host far away would be asked. */
const over =
  (...program: readonly [string, ...string[]]): ShellRun =>
  (script, { stdin = '', signal, room }) =>
    new Promise((resolve) => {
      const [file, ...args] = program;
      const child = execFile(file, [...args, script], { signal, maxBuffer: 2 * room }, (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ exitCode, output: stdout + stderr });
      });
      child.stdin?.on('error', () => {});
      child.stdin?.end(stdin);
    });

testFilesConformance('the local machine', stage(localFiles));
testFilesConformance('a shell', stage(createShellFiles(over('/bin/sh', '-c'), { home: '/root' })));
testFilesConformance('a shell with small pieces', stage(createShellFiles(over('/bin/sh', '-c'), { home: '/root', piece: 1000 * 1000 })));

/** The smallest system there is: one program for everything, none of GNU's. */
if (existsSync('/usr/bin/busybox')) {
  const path = mkdtempSync(join(tmpdir(), 'hermes-busybox-'));
  process.on('exit', () => rmSync(path, { recursive: true, force: true }));
  await execute('/usr/bin/busybox', ['--install', '-s', path]);
  testFilesConformance(
    'a busybox',
    stage(createShellFiles(over('/usr/bin/env', '-i', `PATH=${path}`, `${path}/sh`, '-c'), { home: '/root' })),
  );
} else console.log('files over a busybox: skipped, there is none at /usr/bin/busybox');

test('a place that lists what is not the name of a file has listed nothing', async () => {
  for (const name of ['', '.', '..', '../way/out', '/etc/passwd', 'sub/file']) {
    const lies: ShellRun = async () => ({ exitCode: 0, output: Buffer.from(`fgood\0f${name}\0`).toString('base64') });
    await assert.rejects(createShellFiles(lies, { home: '/root' }).list('/work'), /is not the name of a file/, name);
  }
});
