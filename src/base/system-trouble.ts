import { readErrorCode } from './errors.ts';

/** What the machine refuses, by the code of the system: what is wrong, and what to do. */
const TROUBLE: Readonly<Record<string, string>> = {
  EROFS: 'it is on a read-only file system. Make it writable, or set HERMES_HOME to another folder.',
  EACCES: 'you may not. Give yourself the right, or set HERMES_HOME to another folder.',
  EPERM: 'you may not. Give yourself the right, or set HERMES_HOME to another folder.',
  ENOSPC: 'the disk is full. Free some space, then try again.',
  EDQUOT: 'your share of the disk is full. Free some space, then try again.',
  EMFILE: 'too many files are open. Raise the limit (ulimit -n), then try again.',
};

/** A file that could not be used, in words for the person; `undefined` for what they can do nothing about. */
export function describeSystemTrouble(error: unknown): string | undefined {
  const code = readErrorCode(error);
  // These errors carry the whole sentence already.
  if (code === 'file_lock' && error instanceof Error) return error.message;
  const trouble = TROUBLE[code];
  if (trouble === undefined || !(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return undefined;
  return `${error.path} could not be used (${code}): ${trouble}`;
}
