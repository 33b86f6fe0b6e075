/**
 * How many assertions each test file executes, to show that a change of the suite lost none:
 *   node scripts/assertions.ts count FOLDER OUT.json [WORD…]   runs the tests of the checkout in FOLDER, all
 *     or, again, those whose path holds a word; OUT.json.lines keeps the counts of each test and the processor time
 *   node scripts/assertions.ts compare BEFORE.json AFTER.json
 * A file that moved to another folder is found by its name; what is fewer or nowhere is listed, and makes the exit code 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareCounts, type AssertionCounts } from './suite/assertion-counts.ts';

interface CountedFile {
  readonly file: string;
  readonly tests: Readonly<Record<string, number>>;
}
const COUNTER = join(import.meta.dirname, 'suite/assertion-counter.ts');

const [verb = '', first = '', second = '', ...only] = process.argv.slice(2);
if (verb === 'count' && second !== '') await writeCounts(first, resolve(second), only);
else if (verb === 'compare' && second !== '') process.exitCode = compare(read(first), read(second));
else console.error('Use: node scripts/assertions.ts count FOLDER OUT.json, or compare BEFORE.json AFTER.json.');

async function writeCounts(folder: string, out: string, words: readonly string[]): Promise<void> {
  const lines = `${out}.lines`;
  if (words.length === 0) rmSync(lines, { force: true });
  const all = globSync('test/**/*.test.ts', { cwd: folder }).toSorted();
  const files = all.filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  const args = ['--import', COUNTER, '--test', '--test-concurrency=2', '--test-timeout=600000', ...files];
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ASSERTIONS_FILE: lines }, stdio: 'inherit' });
  await once(child, 'exit');
  const rows = readFileSync(lines, 'utf8').trim().split('\n');
  // A file that was counted again has its last count.
  const counted = new Map(rows.map((row) => JSON.parse(row) as CountedFile).map(({ file, tests }) => [file, Object.values(tests)]));
  const text = all.map((file) => {
    const counts = counted.get(file) ?? [];
    return `  ${JSON.stringify(file)}: [${counts.length}, ${counts.reduce((sum, count) => sum + count, 0)}]`;
  });
  writeFileSync(out, `{\n${text.join(',\n')}\n}\n`);
}

function read(path: string): AssertionCounts {
  return JSON.parse(readFileSync(path, 'utf8')) as AssertionCounts;
}

function compare(before: AssertionCounts, after: AssertionCounts): number {
  const { fewer, added, total } = compareCounts(before, after);
  console.log(`assertions in all: ${total.before} → ${total.after}`);
  console.log(`\nfewer or nowhere, ${fewer.length}:${fewer.map((line) => `\n  ${line}`).join('')}`);
  console.log(`\nnew files, ${added.length}:${added.map((line) => `\n  ${line}`).join('')}`);
  return fewer.length === 0 ? 0 : 1;
}
