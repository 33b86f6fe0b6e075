/** What one skill may bring. */
export const BOUNDS = {
  /** Bytes of one file, as for files the agent writes. */
  file: 1024 * 1024,
  /** Bytes of all files. */
  all: 8 * 1024 * 1024,
  files: 100,
  /** Skills of one folder of several. */
  skills: 50,
  /** How deep below a folder of several they are looked for. */
  levels: 3,
} as const;
