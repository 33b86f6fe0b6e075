import { readErrorCode } from '../base/errors.ts';

/**
 * The files of the place where commands run. Paths are absolute in that place. Failures are `FilesError`s with the
 * code of the system (`ENOENT`, `EACCES`, `ENOSPC` …), whatever the place is.
 */
export interface Files {
  /** The home folder there, for `~`. */
  readonly home: string;
  /** Links followed as far as something exists. */
  real(path: string): Promise<string>;
  /** Links followed; `undefined` for nothing. */
  stat(path: string): Promise<FileStat | undefined>;
  read(path: string, signal: AbortSignal): AsyncIterable<Buffer>;
  /** Opens a file, so that it can be judged and then read without being another by then; `undefined` where the place cannot. */
  open?(path: string): Promise<OpenedFile | undefined>;
  /** The target holds the old bytes or the new, never half of one. Makes missing folders, keeps the mode of what was there. */
  write(path: string, bytes: string | Buffer): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  list(folder: string): Promise<readonly FolderEntry[]>;
}
export interface FileStat {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly mode: number;
  /** How many names the file has; absent where that is not known. */
  readonly links?: number;
  /** Changes whenever the file does. */
  readonly stamp: string;
}
/** A file that is open: all that is told and read of it is of this very file, whatever its name leads to by now. */
export interface OpenedFile extends AsyncDisposable {
  /** What it is called there, links followed. */
  readonly real: string;
  /** A name on this machine that means this file alone, for as long as it is open. */
  readonly here: string;
  readonly stat: FileStat;
  read(signal: AbortSignal): AsyncIterable<Buffer>;
}
export interface FolderEntry {
  readonly name: string;
  readonly kind: FileStat['kind'] | 'link';
}
/** Trouble with files of a place, in words for a model. It is known by its name, whoever's class it is of. */
export class FilesError extends Error {
  override readonly name = 'FilesError';
  readonly code: string;
  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
/** Whether it is trouble with files, and of one of these kinds where any are named. */
export const isFilesError = (error: unknown, ...codes: readonly string[]): error is FilesError =>
  error instanceof Error && error.name === 'FilesError' && (codes.length === 0 || codes.includes(readErrorCode(error)));
