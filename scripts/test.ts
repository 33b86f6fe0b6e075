/**
 * Runs the suite:
 *   node scripts/test.ts            every test file below test/
 *   node scripts/test.ts store      those whose path holds the word
 *   node scripts/test.ts --record   all of them, and keeps how long the long ones took
 * First what keeps time, one file after the other; then the rest, a few at a time, the longest first. In a run of everything, a
 * few files that failed run once more by themselves, and the last lines name them. A file that does not end is killed and fails.
 */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { writeBatches } from './suite/batches.ts';
import { refreshBundle } from './suite/bundle.ts';
import { isLong, longestFirst, recordDurations } from './suite/durations.ts';
import { laneOf } from './suite/lanes.ts';
import { bundlePrograms } from './suite/programs.ts';
import { newTally, type Tally } from './suite/tally.ts';
import { openTempFolder } from './suite/temp-folder.ts';
import { limitFiles } from './suite/time-limit.ts';

const AT_A_TIME = 5;
/** Less than a file may take: a test that hangs is named, and those after it still run. */
const MAX_TEST_MS = 110_000;
/** More than a few are no accident of a busy machine. */
const MAX_REPEATED_FILES = 3;
const OPTIONS = { execArgv: ['--import', resolve('scripts/suite/untracked-promises.ts'), `--test-timeout=${MAX_TEST_MS}`] };

const words = process.argv.slice(2).filter((word) => word !== '--record');
const chosen = globSync('test/**/*.test.ts').filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
if (chosen.length === 0) {
  console.error(`No test file has ${words.map((word) => `"${word}"`).join(' or ')} in its path. \`npm test\` alone runs all of them.`);
  process.exit(1);
}

if (refreshBundle()) console.log('dist was not made of the sources as they are now: built anew');
// A long one among many would be waited for at the end.
const {
  alone = [],
  shared = [],
  beside = [],
} = Object.groupBy(chosen, (file) => (isLong(file) && laneOf(file) === 'shared' ? 'beside' : laneOf(file)));
process.env['HERMES_TEST_MAIN'] = resolve('dist/main.cjs');
process.env['NODE_COMPILE_CACHE'] ??= resolve('.cache/compiled-tests');
if (words.length === 0) process.env['HERMES_TEST_PROGRAMS'] = await bundlePrograms();
const temporary = openTempFolder();
if (temporary !== undefined) process.env['TMPDIR'] = temporary.folder;

const tally = newTally();
for await (const text of Readable.from(runLanes(tally)).compose(new spec())) process.stdout.write(text);
finish();

async function* runLanes(into: Tally): AsyncGenerator<TestEvent> {
  yield* into.count(runFiles(longestFirst(alone), 1));
  const rest = [...writeBatches(shared.toSorted()), ...longestFirst(beside)];
  yield* into.count(runFiles(rest, AT_A_TIME));
  const failed = into.failedFiles();
  if (words.length === 0 && !into.hasKilled() && failed.length > 0 && failed.length <= MAX_REPEATED_FILES)
    yield* into.countAgain(runFiles(failed, 1));
  yield* into.totals();
}

function runFiles(files: string[], concurrency: number): AsyncGenerator<TestEvent> {
  return limitFiles(run({ files, concurrency, ...OPTIONS }), (killed) => tally.addKilled(killed));
}

function finish(): void {
  if (process.argv.includes('--record')) recordDurations(tally.durations());
  temporary?.[Symbol.dispose]();
  console.log(tally.closing());
  process.exit(tally.isGreen() ? 0 : 1);
}
