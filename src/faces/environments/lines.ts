import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isObject, parseJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json-types.ts';
import { UsageError } from '../../base/errors.ts';

/** A line of a file, and where it is, so that it can be read again without the file being kept in memory. */
export interface StoredLine {
  readonly at: number;
  readonly size: number;
  /** Absent for what is no JSON object: a line that a kill tore off, or somebody else's. */
  readonly value: JsonObject | undefined;
}
const CHUNK = 1 << 20;

/** The lines of a file one by one, however large it is; none of a file that is not there. Blank ones are left out. */
export function* eachLine(path: string): Generator<StoredLine> {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK);
    let parts: Buffer[] = [];
    let at = 0;
    const end = function* (): Generator<StoredLine> {
      const bytes = Buffer.concat(parts);
      parts = [];
      if (bytes.toString('utf8').trim() !== '') yield { at, size: bytes.length, value: readObject(bytes) };
      at += bytes.length + 1;
    };
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      let from = 0;
      for (let to = chunk.indexOf(0x0a); to >= 0 && to < read; to = chunk.indexOf(0x0a, from)) {
        parts.push(Buffer.from(chunk.subarray(from, to)));
        yield* end();
        from = to + 1;
      }
      parts.push(Buffer.from(chunk.subarray(from, read)));
    }
    yield* end();
  } finally {
    closeSync(file);
  }
}

const readObject = (bytes: Buffer): JsonObject | undefined => {
  const value = parseJson(bytes.toString('utf8'));
  return isObject(value) ? value : undefined;
};

/** Reads lines again by where they are. */
export interface LineReader extends Disposable {
  read(line: Pick<StoredLine, 'at' | 'size'>): JsonObject | undefined;
}
export function openLineReader(path: string): LineReader {
  const file = openSync(path, 'r');
  return {
    read: ({ at, size }) => {
      const bytes = Buffer.alloc(size);
      readSync(file, bytes, 0, size, at);
      return readObject(bytes);
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

/** A file of lines that is there whole or not at all, for its owner alone: what is closed before it is done leaves nothing. */
export interface WholeFile extends Disposable {
  append(line: object): void;
  /** All lines are written: it takes its place. */
  finish(): void;
}
export function openWholeFile(path: string): WholeFile {
  const fresh = `${path}.new`;
  let file: number | undefined = openSync(fresh, 'w', 0o600);
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    append: (line) => {
      if (file !== undefined) writeFileSync(file, `${JSON.stringify(line)}\n`);
    },
    finish: () => {
      close();
      renameSync(fresh, path);
    },
    [Symbol.dispose]: () => {
      close();
      rmSync(fresh, { force: true });
    },
  };
}

/** Refuses a file that is not there before anything is written. */
export function refuseMissing(path: string): string {
  if (!existsSync(path))
    throw new UsageError(`there is no file ${path}. Give a file of conversations, such as trajectories.jsonl of a batch.`);
  return path;
}
