import type { Claim } from '../../../contracts/session-store.ts';
import { holdClaim, RENEWAL } from './claims.ts';
import type { Db } from './database/db.ts';

interface HeldClaim {
  readonly session: number;
  readonly claim: Claim;
}

/** The claims of this process. Keeps their leases alive between commits; the timer never keeps the process alive. */
export interface Leases {
  add(session: number, claim: Claim): void;
  /** The session's number, when the claim was taken here. */
  numberOf(claim: Claim): number | undefined;
  drop(claim: Claim): void;
  clear(): readonly Claim[];
}

export function openLeases(db: Db, now: () => number): Leases {
  const held = new Map<string, HeldClaim>();
  let timer: NodeJS.Timeout | undefined;
  const rest = () => {
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    add: (session, claim) => {
      held.set(claim.sessionId, { session, claim });
      timer ??= setInterval(() => void renew(db, held, now()), RENEWAL).unref();
    },
    numberOf: (claim) => held.get(claim.sessionId)?.session,
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

/** A claim that fell shows at the next commit, which is where somebody can act on it. */
async function renew(db: Db, held: ReadonlyMap<string, HeldClaim>, now: number): Promise<void> {
  for (const { session, claim } of held.values()) {
    await db.write('renew a lease', () => holdClaim(db, session, claim, now)).catch(() => undefined);
  }
}
