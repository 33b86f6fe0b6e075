/** A mistake the person can mend: what was tried, what is wrong, what to do. Ends the command with exit code 2. */
export class UsageError extends Error {
  readonly code = 'usage';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
