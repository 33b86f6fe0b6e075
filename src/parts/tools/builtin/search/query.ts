/** A search as both engines take it. */
export interface FileQuery {
  readonly pattern: string;
  readonly mode: SearchMode;
  /** Absolute file or folder. */
  readonly root: string;
  readonly fileGlob?: string;
  readonly context: number;
}
/** `files` looks at names; the others at contents. */
export type SearchMode = 'files' | 'content' | 'files_only' | 'count';

/** One line of what was found. Paths are absolute. */
export type FileHit =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'line'; readonly path: string; readonly line: number; readonly text: string; readonly match: boolean }
  | { readonly kind: 'count'; readonly path: string; readonly count: number };

/** Finds hits, names by time of change (newest first), lines and counts by path. Stops when the reader stops. */
export type SearchEngine = (query: FileQuery, signal: AbortSignal) => AsyncIterable<FileHit>;

/** The pattern cannot be understood. */
export class BadPattern extends Error {}

/** Folders in which version control keeps its own files; nobody means these. All other hidden files are searched. */
export const VCS_FOLDERS: readonly string[] = ['.git', '.hg', '.svn', '.jj', '.bzr'];

/** Characters of a line that are shown. */
export const MAX_COLUMNS = 400;
