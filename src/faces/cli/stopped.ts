import type { Outcome } from '../../contracts/event.ts';

/** What the screen says when a person stopped the turn: what is kept, and what to type. */
export function describeStop(outcome: Outcome, sessionId: string): string | undefined {
  if (outcome.type !== 'stopped' || (outcome.exitReason !== 'interrupted' && outcome.exitReason !== 'terminated')) return undefined;
  const kept = outcome.words === 'model' ? ' The answer so far is saved.' : '';
  return `${STOPPED[outcome.exitReason]}${kept}\nTo continue: hermes chat --resume ${sessionId} -q "go on"\n`;
}
const STOPPED = { interrupted: 'Interrupted.', terminated: 'Terminated.' } as const;
