import { isObject } from '../../base/json.ts';
import type { Outcome } from '../../contracts/event.ts';

/**
 * What the shell is told, by one rule for every command:
 * 0 it was done; 1 it was tried and failed, or what it looked at needs the owner (`ok: false`); 2 nothing was done, because
 * what was typed or set cannot be (a `UsageError`); 3 the answer is not complete; 130 and 143 it was stopped by a signal.
 */
export const EXIT = { answered: 0, failed: 1, usage: 2, incomplete: 3, interrupted: 130, terminated: 143 } as const;

export function toExitCode(outcome: Outcome): number {
  if (outcome.type === 'answered') return EXIT.answered;
  if (outcome.type === 'failed') return EXIT.failed;
  if (outcome.exitReason === 'interrupted') return EXIT.interrupted;
  return outcome.exitReason === 'terminated' ? EXIT.terminated : EXIT.incomplete;
}

/** The code of a command that came to its end. */
export const toResultExitCode = (result: unknown): number => (isObject(result) && result['ok'] === false ? EXIT.failed : EXIT.answered);
