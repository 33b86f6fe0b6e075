import type { Outcome } from '../../contracts/event.ts';

/** What the shell is told. Part of the command line contract. */
export const EXIT = { answered: 0, failed: 1, usage: 2, incomplete: 3, interrupted: 130, terminated: 143 } as const;

export function exitCode(outcome: Outcome): number {
  if (outcome.type === 'answered') return EXIT.answered;
  if (outcome.type === 'failed') return EXIT.failed;
  if (outcome.exitReason === 'interrupted') return EXIT.interrupted;
  return outcome.exitReason === 'terminated' ? EXIT.terminated : EXIT.incomplete;
}
