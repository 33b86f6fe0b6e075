/** A mistake the person can mend: what was tried, what is wrong, what to do. Ends the command with exit code 2. */
export class UsageError extends Error {
  readonly code = 'usage';
}
export const isUsageError = (error: unknown): error is UsageError => readErrorCode(error) === 'usage';

/**
 * What an error is known by; empty when it has none. The program and the library are two bundles with a class of the same
 * name each, so `instanceof` knows only half of the errors that pass from one to the other.
 */
export const readErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export const toErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether a file was looked for that is not there; a path that leads through a file leads nowhere either. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(readErrorCode(error));
