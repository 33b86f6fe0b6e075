import { closeSync, constants, fsyncSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/folders.ts';
import { isObject, parseJson, readStringAt } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import type { MemoryOperation, MemorySource, MemoryTarget } from '../../contracts/memory.ts';
import { resolveMemoryFolder } from './stores.ts';

/** One change as the side ledger keeps it. What was removed or replaced can be read here for ever. */
export interface SourceLine {
  /** Milliseconds; in the file a date. */
  readonly at: number;
  readonly target: MemoryTarget;
  readonly action: MemoryOperation['action'];
  /** The entry added, the one put in place of `old`, or the one removed. */
  readonly text: string;
  readonly old?: string;
  /** Absent when the owner made the change. */
  readonly source?: MemorySource;
}
export interface EntrySources {
  /** The newest line that wrote this entry; `undefined` for one written into the file by hand. */
  of(target: MemoryTarget, entry: string): SourceLine | undefined;
}

export const resolveSourcesPath = (home: string): string => join(resolveMemoryFolder(home), '.sources.jsonl');

/** Appends durably. A line that a kill cut off before is closed first, so that it spoils no other. */
export function appendSources(path: string, lines: readonly SourceLine[]): void {
  makeFolder(dirname(path));
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
  try {
    const text = lines.map((line) => `${JSON.stringify(printed(line))}\n`).join('');
    // Goes on after a short write, which a disk that is nearly full gives.
    writeFileSync(file, endsCutOff(file, path) ? `\n${text}` : text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function endsCutOff(file: number, path: string): boolean {
  const { size } = statSync(path);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
}

const printed = ({ at, target, action, text, old, source }: SourceLine) => ({
  at: new Date(at).toISOString(),
  target,
  action,
  hash: sha256(text),
  text,
  ...(old !== undefined && { old }),
  sessionId: source?.sessionId ?? null,
  turnId: source?.turnId ?? null,
  foreign: source?.foreign ?? [],
});

/**
 * A removal says nothing of where an entry came from: when the kill came between the line and the file, the entry is
 * still there, and its source with it.
 */
export function readSources(path: string): EntrySources {
  const newest = new Map<string, SourceLine>();
  for (const line of linesOf(path)) {
    const { source, hash } = parseSourceLine(line) ?? {};
    if (source !== undefined && source.action !== 'remove') newest.set(`${source.target} ${hash}`, source);
  }
  return { of: (target, entry) => newest.get(`${target} ${sha256(entry)}`) };
}

/** Bytes of the newest lines that are read: about a hundred thousand changes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Whatever cannot be read leaves entries without a source, never without their words. Broken bytes break one line only. */
function linesOf(path: string): string[] {
  try {
    return statSync(path).isFile() ? readFileSync(path).subarray(-MAX_BYTES).toString('utf8').split('\n') : [];
  } catch {
    return [];
  }
}

export function parseSourceLine(line: string): { readonly source: SourceLine; readonly hash: string } | undefined {
  const value = parseJson(line);
  if (!isObject(value)) return undefined;
  const { text, hash, sessionId, turnId } = value;
  const at = Date.parse(readStringAt(value, 'at') ?? '');
  const target = (['memory', 'user'] as const).find((each) => each === value['target']);
  const action = (['add', 'replace', 'remove'] as const).find((each) => each === value['action']);
  const whole = !Number.isNaN(at) && target !== undefined && action !== undefined;
  if (!whole || typeof text !== 'string' || typeof hash !== 'string') return undefined;
  const foreign = Array.isArray(value['foreign']) ? value['foreign'].filter((each) => typeof each === 'string') : [];
  const known = typeof sessionId === 'string' && typeof turnId === 'string';
  return { source: { at, target, action, text, ...(known && { source: { sessionId, turnId, foreign } }) }, hash };
}
