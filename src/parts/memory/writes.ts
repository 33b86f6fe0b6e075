import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { withFileLock } from '../../base/file-lock.ts';
import { sha256 } from '../../base/sha256.ts';
import type { MemoryOperation } from '../../contracts/memory.ts';
import type { MemoryWrite } from '../../contracts/memory-provider.ts';
import { parseSourceLine, resolveSourcesPath, type SourceLine } from './sources.ts';
import { readStore, resolveMemoryStore, type MemoryPlace } from './stores.ts';

/** A change of the built-in memory, and where in the ledger its line ends. */
export interface WriteToTell {
  readonly end: number;
  readonly change: MemoryWrite;
}
export interface ReadWrites {
  readonly writes: readonly WriteToTell[];
  /** Everything up to here was looked at. */
  readonly end: number;
}

/** Bytes of the ledger that are looked at in one go. */
const MAX_BYTES = 256 * 1024;

export const findWritesEnd = (home: string): number => statSync(resolveSourcesPath(home), { throwIfNoEntry: false })?.size ?? 0;

/**
 * The changes behind a position of the ledger, oldest first. The ledger is written before the file: a line whose change a kill kept
 * from the file is left out. Read while nobody writes, so that no line is taken for one of those too early.
 */
export async function readWrites(place: Pick<MemoryPlace, 'home' | 'settings'>, from: number, signal: AbortSignal): Promise<ReadWrites> {
  const [memory, user] = [resolveMemoryStore('memory', place), resolveMemoryStore('user', place)];
  return withFileLock(memory.path, () => withFileLock(user.path, () => readNow(place, from), { signal }), { signal });
}

function readNow(place: Pick<MemoryPlace, 'home' | 'settings'>, from: number): ReadWrites {
  const path = resolveSourcesPath(place.home);
  const size = findWritesEnd(place.home);
  // Somebody made the ledger anew: what it holds now was not there before.
  const start = from > size ? 0 : from;
  const lines = readLines(path, start, size);
  const known = lines.map(({ text }) => parseSourceLine(text)?.source);
  const writes = lines.flatMap(({ text, end }, index): WriteToTell[] => {
    const line = known[index];
    return line === undefined || !wasMade(line, known.slice(index + 1), place) ? [] : [{ end, change: toWrite(line, text, end) }];
  });
  return { writes, end: lines.at(-1)?.end ?? start };
}

function readLines(path: string, start: number, size: number): { readonly text: string; readonly end: number }[] {
  if (size <= start) return [];
  const bytes = Buffer.alloc(Math.min(MAX_BYTES, size - start));
  const file = openSync(path, 'r');
  try {
    const read = readSync(file, bytes, 0, bytes.length, start);
    const lines: { text: string; end: number }[] = [];
    for (let at = 0, next = bytes.indexOf(10); next !== -1 && next < read; at = next + 1, next = bytes.indexOf(10, at))
      lines.push({ text: bytes.toString('utf8', at, next), end: start + next + 1 });
    // A line longer than all that is looked at is none of ours.
    return lines.length === 0 && read === MAX_BYTES ? [{ text: '', end: start + read }] : lines;
  } finally {
    closeSync(file);
  }
}

/** Whether the file shows the change, or a later line does. */
function wasMade(line: SourceLine, later: readonly (SourceLine | undefined)[], place: Pick<MemoryPlace, 'home' | 'settings'>): boolean {
  const stored = readStore(resolveMemoryStore(line.target, place));
  const isThere = stored.ok && stored.entries.includes(line.text);
  const isTouched = later.some(
    (next) => next !== undefined && next.target === line.target && (next.text === line.text || next.old === line.text),
  );
  return isTouched || !stored.ok || (line.action === 'remove' ? !isThere : isThere);
}

const toWrite = (line: SourceLine, text: string, end: number): MemoryWrite => ({
  key: `${sha256(text).slice(0, 16)}@${end}`,
  operation: toOperation(line),
  target: line.target,
  ...(line.source !== undefined && { source: line.source }),
});

function toOperation({ action, text, old = '' }: SourceLine): MemoryOperation {
  switch (action) {
    case 'add':
      return { action, content: text };
    case 'replace':
      return { action, oldText: old, content: text };
    case 'remove':
      return { action, oldText: text };
  }
}
