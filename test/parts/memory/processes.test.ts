import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { changeMemory } from '../../../src/parts/memory/change-memory.ts';
import { parseEntries, printEntries } from '../../../src/parts/memory/entries.ts';
import { readSources, resolveSourcesPath } from '../../../src/parts/memory/sources.ts';
import { program } from '../../program.ts';
import { freshHome, placeAt, textIn } from './setup.ts';

interface Writer {
  readonly process: ChildProcess;
  readonly said: () => string[];
  readonly done: Promise<unknown[]>;
}

function startWriter(home: string, name: string, count: number): Writer {
  const script = program(join(import.meta.dirname, 'writer.ts'));
  const child = spawn(process.execPath, [script, home, name, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return { process: child, said: () => output.split('\n').slice(0, -1), done: once(child, 'close') };
}

/** The file is whole, holds all that was confirmed, and of each entry it is known where it came from. */
function assertWhole(home: string, said: readonly string[]): string[] {
  const text = textIn(home);
  const entries = parseEntries(text);
  assert.equal(text, printEntries(entries));
  const there = new Set(entries);
  assert.equal(there.size, entries.length, 'nothing is there twice');
  assert.deepEqual(
    said.filter((entry) => !there.has(entry)),
    [],
    'confirmed and lost',
  );
  const sources = readSources(resolveSourcesPath(home));
  for (const entry of entries) assert.equal(sources.of('memory', entry)?.source?.sessionId, entry.split('-')[0], entry);
  return entries;
}

test('four processes that add at once lose nothing', { timeout: 60_000 }, async () => {
  const home = freshHome();
  const writers = ['a', 'b', 'c', 'd'].map((name) => startWriter(home, name, 25));
  const codes = (await Promise.all(writers.map((writer) => writer.done))).map(([code]) => code);
  assert.deepEqual(codes, [0, 0, 0, 0]);
  const said = writers.flatMap((writer) => writer.said());
  assert.equal(said.length, 100);
  assert.equal(assertWhole(home, said).length, 100);
  assert.deepEqual(readdirSync(join(home, 'memories')).toSorted(), ['.sources.jsonl', 'MEMORY.md']);
  const lines = readFileSync(resolveSourcesPath(home), 'utf8').trimEnd().split('\n');
  assert.equal(lines.length, 100);
});

test('a writer killed at any moment leaves the old file or the new one, and the lock to the next', { timeout: 120_000 }, async (t) => {
  const home = freshHome();
  const said: string[] = [];
  let most = 0;
  for (let kill = 0; kill < 20; kill++) {
    const writer = startWriter(home, `k${kill}`, 100_000);
    for (let waited = 0; writer.said().length < 2 && waited < 15_000; waited++) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
    writer.process.kill('SIGKILL');
    await writer.done;
    assert.ok(writer.said().length > 1, 'it got the lock although the one before never gave it back');
    said.push(...writer.said());
    const entries = assertWhole(home, said);
    // At most the one entry that was being written when the kill came is there without having been confirmed.
    assert.ok(entries.length - said.length <= kill + 1);
    most = Math.max(most, entries.length - said.length);
  }
  t.diagnostic(`${said.length} confirmed, ${most} written but not confirmed`);
  const result = await changeMemory(placeAt(home, { 'memory.memory_char_limit': 1_000_000 }), 'memory', [
    { action: 'add', content: 'k-after' },
  ]);
  assert.ok(result.ok);
  assert.ok(parseEntries(textIn(home)).includes('k-after'));
});
