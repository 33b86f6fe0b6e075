/** Adds up what the lanes of the suite report, so that one summary speaks for all of them. */
import { relative } from 'node:path';
import type { EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import type { KilledFile } from './time-limit.ts';

const SLOWEST = 10;

export interface Tally {
  /** Passes a lane's events on and keeps its sums, which go out once for all lanes. */
  count(lane: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent>;
  /** The files in which something failed so far. */
  failedFiles(): string[];
  /**
   * Passes on the events of a second run of these files. If all of it passes, what failed before counts as passed, and the closing
   * names it. Its tests are not counted twice.
   */
  countAgain(lane: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent>;
  /** Names a file that did not end in the closing. Its failure is counted with the others. */
  addKilled(killed: KilledFile): void;
  hasKilled(): boolean;
  /** The sums of all lanes so far, as Node's own runner would give them. */
  totals(): TestEvent[];
  /** Milliseconds of each file, from the start of its process to its end. */
  durations(): ReadonlyMap<string, number>;
  /** The slowest files, why tests were skipped, and a last line for whoever reads the log by program: `N passed, N failed, N skipped`. */
  closing(): string;
  isGreen(): boolean;
}

type Sums = Record<'tests' | 'suites' | 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo', number>;

export function newTally(): Tally {
  const sums: Sums = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 };
  const durations = new Map<string, number>();
  /** What failed, by its file. */
  const failures = new Map<string, string[]>();
  /** How many tests were skipped, by the reason they give. */
  const skips = new Map<string, number>();
  const killed: KilledFile[] = [];
  let passedAlone: string[] = [];
  let isGreen = true;
  let elapsed = 0;

  const addLane = ({ counts, duration_ms, success }: EventData.TestSummary): void => {
    for (const name of ['tests', 'suites', 'passed', 'cancelled', 'skipped', 'todo'] as const) sums[name] += counts[name];
    sums.failed = sums.tests - sums.passed - sums.cancelled - sums.skipped - sums.todo;
    isGreen &&= success;
    elapsed += duration_ms;
  };
  const addFailure = (data: EventData.TestFail): void => {
    const file = fileToRepeat(data);
    if (!isExpected(data) && !isSumOfOthers(data)) failures.set(file, [...(failures.get(file) ?? []), data.name]);
  };
  const addSkip = ({ skip, details }: EventData.TestPass): void => {
    if (skip === undefined || skip === false || details.type === 'suite') return;
    const reason = typeof skip === 'string' && skip !== '' ? skip : 'no reason given';
    skips.set(reason, (skips.get(reason) ?? 0) + 1);
  };
  async function* count(lane: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
    for await (const event of lane) {
      if (event.type === 'test:fail') addFailure(event.data);
      if (event.type === 'test:pass') addSkip(event.data);
      if (event.type === 'test:complete' && isWholeFile(event.data)) durations.set(event.data.name, event.data.details.duration_ms);
      if (event.type === 'test:summary' && event.data.file === undefined) addLane(event.data);
      else if (event.type !== 'test:diagnostic' || event.data.file !== undefined) yield event;
    }
  }
  async function* countAgain(lane: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
    let passedThisTime = false;
    for await (const event of lane) {
      if (event.type === 'test:summary' && event.data.file === undefined) {
        passedThisTime = event.data.success;
        elapsed += event.data.duration_ms;
      } else if (event.type !== 'test:diagnostic' || event.data.file !== undefined) yield event;
    }
    const known = [...failures.values()].flat().length;
    if (!passedThisTime || known !== sums.failed + sums.cancelled) return;
    passedAlone = [...failures].flatMap(([file, names]) => names.map((name) => `${relative(process.cwd(), file)}: ${name}`));
    sums.passed += sums.failed + sums.cancelled;
    [sums.failed, sums.cancelled, isGreen] = [0, 0, true];
  }
  const totals = (): TestEvent[] => {
    const { tests, suites, passed, failed, cancelled, skipped, todo } = sums;
    const named = { tests, suites, pass: passed, fail: failed, cancelled, skipped, todo, duration_ms: elapsed };
    return Object.entries(named).map(([name, value]) => ({
      type: 'test:diagnostic',
      data: { nesting: 0, message: `${name} ${value}`, level: 'info' },
    }));
  };
  const failedFiles = (): string[] => [...failures.keys()];
  return {
    count,
    failedFiles,
    countAgain,
    addKilled: (file) => void killed.push(file),
    hasKilled: () => killed.length > 0,
    totals,
    durations: () => durations,
    closing: () => describeClosing({ sums, durations, skips, killed, passedAlone }),
    isGreen: () => isGreen,
  };
}

interface ClosingFacts {
  readonly sums: Sums;
  readonly durations: ReadonlyMap<string, number>;
  readonly skips: ReadonlyMap<string, number>;
  readonly killed: readonly KilledFile[];
  readonly passedAlone: readonly string[];
}

function describeClosing({ sums: { passed, failed, cancelled, skipped }, durations, skips, killed, passedAlone }: ClosingFacts): string {
  const slowest = [...durations].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
  const rows = slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
  const sections = [
    listed('slowest files', rows),
    listed(
      'skipped',
      [...skips].toSorted(([, a], [, b]) => b - a).map(([reason, times]) => `${String(times).padStart(7)}    ${reason}`),
    ),
    listed(
      'killed, because they did not end',
      killed.map(({ file, tests }) => `  ${file}${tests.length === 0 ? '' : `, in: ${tests.join('; ')}`}`),
    ),
    listed(
      'failed beside others and passed alone',
      passedAlone.map((name) => `  ${name}`),
    ),
  ];
  return `${sections.join('')}\n${passed} passed, ${failed + cancelled} failed, ${skipped} skipped`;
}

const listed = (title: string, rows: readonly string[]): string => (rows.length === 0 ? '' : `\n${title}:\n${rows.join('\n')}\n`);

/** The runner reports each file as a test of its own, which has the file's path for a name. */
const isWholeFile = ({ name, file }: EventData.TestComplete): boolean => file !== undefined && name === relative(process.cwd(), file);

/** A promise of a shared suite stands in that suite's file, which runs nothing by itself: the file that was started does. */
const fileToRepeat = ({ file, entryFile }: EventData.TestFail): string => (file?.endsWith('.test.ts') ? file : (entryFile ?? file ?? ''));

/** A test that says of itself that it does not hold yet. */
const isExpected = ({ todo }: EventData.TestFail): boolean => todo !== undefined && todo !== false;

/** A suite or a file fails with what is in it, which is named by itself. */
const isSumOfOthers = ({ details }: EventData.TestFail): boolean =>
  'failureType' in details.error && details.error.failureType === 'subtestsFailed';
