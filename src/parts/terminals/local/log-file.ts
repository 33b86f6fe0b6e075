import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { RedactingStream } from '../../../contracts/secrets.ts';
import { createResumedListener, type OutputListener } from '../process/output-listener.ts';

/** Beside the log: how many lines it had when it was emptied, and that it holds no secret any more. */
const [EMPTIED, CLEANED] = ['emptied', 'cleaned'];
/** The file is emptied when it is longer, while we are there: what was in it has been read. */
const MAX_LOG = 64 * 1024 * 1024;
const PIECE = 256 * 1024;

/** Reads on from where it stopped. Of all lines, `heard` were heard in an earlier run. */
export function createLogReader(path: string, ears: OutputListener, heard: number): () => void {
  const emptied = join(dirname(path), EMPTIED);
  const { take, lines } = createResumedListener(ears, heard, linesIn(emptied));
  let at = 0;
  return () => {
    if (!existsSync(path)) return;
    const file = openSync(path, 'r+');
    try {
      // Emptied by another of us who reads it, too.
      if (fstatSync(file).size < at) at = 0;
      for (const piece of piecesOf(file, at)) {
        take(piece);
        at += piece.length;
      }
      if (at < MAX_LOG || fstatSync(file).size !== at) return;
      writeFileSync(emptied, String(lines()), { mode: 0o600 });
      ftruncateSync(file);
      at = 0;
    } finally {
      closeSync(file);
    }
  };
}

function* piecesOf(file: number, from: number): Generator<Buffer> {
  const room = Buffer.alloc(PIECE);
  for (let at = from, count = 1; count > 0; at += count) {
    count = readSync(file, room, 0, room.length, at);
    if (count > 0) yield Buffer.from(room.subarray(0, count));
  }
}

/** How many lines were taken out of a log before the ones that are in it. */
function linesIn(emptied: string): number {
  try {
    return Number.parseInt(readFileSync(emptied, 'utf8'), 10) || 0;
  } catch {
    return 0; // it never grew too long
  }
}

export const isCleaned = (folder: string): boolean => existsSync(join(folder, CLEANED));

/**
 * Once its process is over: the log as it was written gives place to one without secrets. What still writes into the old
 * one writes into nothing. On a full disk the log is emptied: better no words than those.
 */
export function cleanLog(folder: string, stream: RedactingStream): void {
  for (const _ of cleanInPieces(folder, stream));
}

/** The same, piece by piece: a long one is no reason to keep everything else waiting. */
export function* cleanInPieces(folder: string, stream: RedactingStream): Generator<void> {
  const [log, beside] = [join(folder, 'log'), join(folder, 'log.new')];
  if (isCleaned(folder) || !existsSync(log)) return;
  try {
    yield* copyThrough(log, beside, stream);
    renameSync(beside, log);
    writeFileSync(join(folder, CLEANED), '', { mode: 0o600 });
  } catch {
    empty(log, beside);
  }
}

function* copyThrough(from: string, to: string, stream: RedactingStream): Generator<void> {
  const [source, target] = [openSync(from, 'r'), openSync(to, 'w', 0o600)];
  const decoder = new StringDecoder('utf8');
  try {
    for (const piece of piecesOf(source, 0)) {
      writeFileSync(target, stream.push(decoder.write(piece)));
      yield;
    }
    writeFileSync(target, stream.push(decoder.end()) + stream.end());
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

function empty(log: string, beside: string): void {
  try {
    rmSync(beside, { force: true });
    truncateSync(log);
  } catch {
    // Its folder was taken away meanwhile.
  }
}
