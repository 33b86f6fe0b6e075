import type { Json } from '../../../base/json-types.ts';
import type { ConnectionEnd } from '../../../contracts/platform-adapter.ts';
import type { LinkTimes } from './contract.ts';

/** What earlier connections teach the next one. */
export interface Attempts {
  /** Ends in a row, busy ones apart, without a connection that held. */
  readonly failures: number;
  readonly busy: number;
  /** Resumes in a row. */
  readonly resumes: number;
  /** What the next connection goes on from. */
  readonly resume?: Json;
}
export const NO_ATTEMPTS: Attempts = { failures: 0, busy: 0, resumes: 0 };

/** How a connection, or the attempt to make one, ended. */
export interface GenerationEnd extends ConnectionEnd {
  /** How long something was received by it. */
  readonly heldMs: number;
}
export type NextStep =
  | { readonly type: 'waiting' | 'busy'; readonly ms: number; readonly why: string; readonly attempts: Attempts }
  | { readonly type: 'refused'; readonly why: string };

/** Then a session that cannot be resumed, although the service says so, is given up for a fresh login. */
const MAX_RESUMES = 3;
/** Waits are shortened by up to this part, so that many links do not come back at the same moment. */
const JITTER = 0.2;

/**
 * When to connect again, and how, after an attempt and its connection took so long. Pure. Waits are kept from one attempt to
 * the next: time that was lost with a connection that hung is not waited again.
 */
export function planNext(before: Attempts, end: GenerationEnd, tookMs: number, times: LinkTimes, random: number): NextStep {
  if (end.kind === 'refused') return { type: 'refused', why: end.why };
  const { failures, busy, resumes } = end.heldMs >= times.held ? NO_ATTEMPTS : before;
  const isBusy = end.kind === 'busy';
  const [waits, step] = isBusy ? [times.busyWaits, busy] : [times.waits, failures];
  const spread = 1 - JITTER * random;
  const [least = 0, usual = least] = [waits[0], waits[Math.min(step, waits.length - 1)]];
  const wait = Math.max(least * spread, usual * spread - tookMs, end.retryAfterMs ?? 0);
  const canResume = end.resume !== undefined && resumes < MAX_RESUMES;
  return {
    type: isBusy ? 'busy' : 'waiting',
    // Whoever says when the other program may be gone knows better.
    ms: isBusy ? (end.retryAfterMs ?? usual * spread) : Math.min(wait, end.retryWithinMs ?? Infinity),
    why: end.why,
    attempts: {
      failures: isBusy ? failures : failures + 1,
      busy: isBusy ? busy + 1 : 0,
      resumes: canResume ? resumes + 1 : 0,
      ...(canResume && { resume: end.resume }),
    },
  };
}
