import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { put, tempFolder } from './setup.ts';
import { countUp, openChild } from './shared-files-program.ts';

const PROGRAM = join(import.meta.dirname, 'shared-files-program.ts');
const CHILDREN = ['a', 'b', 'c', 'd'];
const ROUNDS = 15;
const start = (lines: readonly string[]): string => lines.map((line) => `${line}=0;\n`).join('');
const counted = (lines: readonly string[], rounds = ROUNDS): string => lines.map((line) => `${line}=${rounds};\n`).join('');
const textOf = (folder: string): string => readFileSync(join(folder, 'shared.txt'), 'utf8');

test('four children that patch other lines of one file lose nothing', async () => {
  const folder = tempFolder();
  put(folder, { 'shared.txt': start(CHILDREN) });
  await Promise.all(CHILDREN.map((line) => countUp(folder, line, ROUNDS)));
  assert.equal(textOf(folder), counted(CHILDREN));
  assert.deepEqual(readdirSync(folder), ['shared.txt'], 'no lock lies beside it');
});

test('four children whose scripts patch one file lose nothing', async () => {
  const folder = tempFolder();
  put(folder, { 'shared.txt': start(CHILDREN) });
  const scripts = CHILDREN.map(async (line) => {
    await using child = await openChild(folder, line);
    const code = `for (let i = 0; i < ${ROUNDS}; i++) await patch({ path: 'shared.txt', old_string: '${line}=' + i + ';', new_string: '${line}=' + (i + 1) + ';' });`;
    return child.call('execute_code', { code, language: 'javascript' });
  });
  for (const told of await Promise.all(scripts)) assert.match(told, /\[success, 15 tool calls/);
  assert.equal(textOf(folder), counted(CHILDREN));
});

test('patches of several files lose nothing and never wait for each other in a circle', async () => {
  const folder = tempFolder();
  put(folder, { 'one.txt': start(CHILDREN), 'two.txt': start(CHILDREN) });
  const change = (file: string, line: string, round: number) =>
    `*** Update File: ${file}\n@@\n-${line}=${round};\n+${line}=${round + 1};\n`;
  const work = CHILDREN.map(async (line, index) => {
    await using child = await openChild(folder, line);
    const files = index % 2 === 0 ? ['one.txt', 'two.txt'] : ['two.txt', 'one.txt'];
    for (let round = 0; round < ROUNDS; round++) {
      const told = await child.call('patch', { patch: files.map((file) => change(file, line, round)).join('') });
      assert.match(told, /^Patched 2 files/);
    }
  });
  await Promise.all(work);
  for (const file of ['one.txt', 'two.txt']) assert.equal(readFileSync(join(folder, file), 'utf8'), counted(CHILDREN));
});

test('two programs that patch one file lose nothing', async () => {
  const folder = tempFolder();
  put(folder, { 'shared.txt': start(CHILDREN) });
  const programs = CHILDREN.map((line) => spawn(process.execPath, [PROGRAM, 'count', folder, line, String(ROUNDS)], { stdio: 'inherit' }));
  for (const [code] of await Promise.all(programs.map((each) => once(each, 'exit')))) assert.equal(code, 0);
  assert.equal(textOf(folder), counted(CHILDREN));
});

test('the lock of a killed program holds up nobody; who waits for a living one can be stopped', async (t) => {
  const folder = tempFolder();
  put(folder, { 'shared.txt': start(['a']) });
  const holder = spawn(process.execPath, [PROGRAM, 'hold', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  await using child = await openChild(folder, 'a');
  const edit = { path: 'shared.txt', old_string: 'a=0;', new_string: 'a=1;' };
  const stop = new AbortController();
  const waiting = child.call('patch', edit, stop.signal);
  stop.abort();
  assert.match(await waiting, /^FAILED The user interrupted this call before it began/);
  assert.equal(textOf(folder), 'a=0;\n');
  const gone = once(holder, 'exit');
  holder.kill('SIGKILL');
  await gone;
  assert.match(await child.call('patch', edit), /^Changed 1 place/);
  assert.equal(textOf(folder), 'a=1;\n');
});

test('who comes second is told and shown what was changed meanwhile', async () => {
  const folder = tempFolder();
  put(folder, { 'shared.txt': 'one\ntwo\nthree\n' });
  await using first = await openChild(folder, 'first');
  await using second = await openChild(folder, 'second');
  await second.call('read_file', { path: 'shared.txt' });
  await first.call('patch', { path: 'shared.txt', old_string: 'one', new_string: 'ONE' });
  const told = await second.call('patch', { path: 'shared.txt', old_string: 'three', new_string: 'THREE' });
  assert.match(told, /had changed since you last read it[^]*\n-one\n\+ONE\n/);
  assert.equal(textOf(folder), 'ONE\ntwo\nTHREE\n');
  // An edit that no longer finds its place says why.
  await first.call('patch', { path: 'shared.txt', old_string: 'two', new_string: '2' });
  const missed = await second.call('patch', { path: 'shared.txt', old_string: 'two\nTHREE', new_string: 'two\nthree' });
  assert.match(missed, /^FAILED Nothing changed[^]*has changed since you last read it[^]*\n-two\n\+2\n/);
  const whole = await second.call('write_file', { path: 'shared.txt', content: 'ONE\ntwo\nthree\n' });
  assert.match(whole, /^FAILED Not written: shared\.txt has changed since you last read it/);
});
