/** A test file that does not end is killed with everything it started, so that the rest of the suite runs. */
import { readlinkSync } from 'node:fs';
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { listProcesses } from '../../test/processes.ts';

const MAX_FILE_S = 120;
/** What honestly takes longer where the machine is slow or busy, by the beginning of the path. */
const LONGER: readonly { readonly path: string; readonly seconds: number; readonly why: string }[] = [
  { path: '.cache/test-batches/', seconds: 300, why: 'forty files share the process; each of their tests has its own limit' },
  { path: 'test/parts/terminals/sandbox-escape.test.ts', seconds: 300, why: 'about 200 attempts, each in a sandbox of its own' },
  { path: 'test/walks/update-kill.test.ts', seconds: 300, why: 'npm installs again and again' },
  { path: 'test/parts/terminals/containers.test.ts', seconds: 300, why: 'a container engine starts some dozens of containers' },
];
const limitOf = (file: string): number => LONGER.find(({ path }) => file.startsWith(path))?.seconds ?? MAX_FILE_S;

export interface KilledFile {
  readonly file: string;
  /** The tests that had begun and not ended. */
  readonly tests: readonly string[];
}

/** Passes a lane's events on. What is killed fails, because the runner sees a process that ended by a signal; `onKill` names it. */
export async function* limitFiles(
  lane: AsyncIterable<TestEvent>,
  onKill: (killed: KilledFile) => void,
  secondsOf = limitOf,
): AsyncGenerator<TestEvent> {
  const timers = new Map<string, NodeJS.Timeout>();
  const open = new Map<string, Set<string>>();
  const kill = (file: string): void => {
    for (const pid of findProcesses(file)) endProcess(pid);
    onKill({ file, tests: [...(open.get(file) ?? [])] });
  };
  for await (const event of lane) {
    if (event.type === 'test:dequeue' || event.type === 'test:complete') {
      const { name, file: path = '', entryFile } = event.data;
      const file = relative(process.cwd(), entryFile ?? path);
      const isBegun = event.type === 'test:dequeue';
      if (name !== file) noteTest(open, file, name, isBegun);
      else if (isBegun) timers.set(file, setTimeout(kill, 1000 * secondsOf(file), file));
      else clearTimeout(timers.get(file));
    }
    yield event;
  }
  for (const timer of timers.values()) clearTimeout(timer);
}

function noteTest(open: Map<string, Set<string>>, file: string, name: string, isBegun: boolean): void {
  const names = open.get(file) ?? new Set();
  open.set(file, names);
  if (isBegun) names.add(name);
  else names.delete(name);
}

/**
 * The process of a test file, everything below it, and whatever else writes into its output: the runner waits until nobody does,
 * and a daemon that a test left behind is no longer below it.
 */
export function findProcesses(file: string): number[] {
  const all = listProcesses();
  const found = all.filter(({ parent, args }) => parent === process.pid && args.includes(file)).map(({ pid }) => pid);
  const outputs = new Set(
    found.flatMap((pid) => [outputOf(pid, 1), outputOf(pid, 2)]).filter((output) => /^(?:pipe|socket):/.test(output)),
  );
  for (const pid of found) found.push(...all.filter(({ parent }) => parent === pid).map((child) => child.pid));
  const writers = all.filter(({ pid }) => pid !== process.pid && [1, 2].some((descriptor) => outputs.has(outputOf(pid, descriptor))));
  return [...new Set([...found, ...writers.map(({ pid }) => pid)])];
}

function outputOf(pid: number, descriptor: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return '';
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
