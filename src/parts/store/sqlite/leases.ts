import type { Claim } from '../../../contracts/session-store.ts';
import { holdClaim, LEASE } from './claims.ts';
import type { Db } from './db.ts';

interface Held {
  readonly session: number;
  readonly claim: Claim;
  renewedAt: number;
}

/** The claims of this process. Keeps their leases alive between commits; the timer never keeps the process alive. */
export interface Leases {
  add(session: number, claim: Claim): void;
  /** The session's number, when the claim was taken here. */
  numberOf(claim: Claim): number | undefined;
  renewed(claim: Claim): void;
  drop(claim: Claim): void;
  clear(): readonly Claim[];
}

export function leases(db: () => Db, now: () => number): Leases {
  const held = new Map<string, Held>();
  let timer: NodeJS.Timeout | undefined;
  const rest = () => {
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    add: (session, claim) => {
      held.set(claim.sessionId, { session, claim, renewedAt: now() });
      timer ??= setInterval(() => void renew(db(), held, now()), LEASE / 3).unref();
    },
    numberOf: (claim) => held.get(claim.sessionId)?.session,
    renewed: (claim) => {
      const mine = held.get(claim.sessionId);
      if (mine !== undefined) mine.renewedAt = now();
    },
    drop: (claim) => {
      if (held.get(claim.sessionId)?.claim.token === claim.token) held.delete(claim.sessionId);
      rest();
    },
    clear: () => {
      const claims = [...held.values()].map((mine) => mine.claim);
      held.clear();
      rest();
      return claims;
    },
  };
}

async function renew(db: Db, held: ReadonlyMap<string, Held>, now: number): Promise<void> {
  const due = [...held.values()].filter((mine) => mine.renewedAt + LEASE / 3 <= now);
  for (const mine of due) {
    // A claim that fell shows at the next commit, which is where somebody can act on it.
    await db.write('renew a lease', () => holdClaim(db, mine.session, mine.claim, now)).catch(() => undefined);
    mine.renewedAt = now;
  }
}
