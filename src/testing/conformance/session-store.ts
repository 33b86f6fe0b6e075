import { describe } from 'node:test';
import type { Claim, SessionStore } from '../../contracts/session-store.ts';
import { branchTests } from './session-store-branches.ts';
import { careTests } from './session-store-care.ts';
import { cellTests } from './session-store-cells.ts';
import { claimTests } from './session-store-claims.ts';
import { ledgerTests } from './session-store-ledger.ts';
import { logTests } from './session-store-log.ts';
import { nameTests } from './session-store-names.ts';
import { searchTests } from './session-store-search.ts';

/** A store of its own for every test, empty. */
export type Open = () => Promise<SessionStore>;

/** What only the implementation can stage; tests that need a missing one are skipped and say so. */
export interface Stage {
  /** Another handle on the same data, as a second program would have it. */
  readonly again?: (store: SessionStore) => Promise<SessionStore>;
  /** Claims a session as a process that then died without a word. */
  readonly orphan?: (store: SessionStore, sessionId: string) => Promise<Claim>;
  /** Opens what `backup` made, and says where it should go. */
  readonly backup?: { readonly path: () => string; readonly open: (path: string) => Promise<SessionStore> };
}

/** Every promise of `SessionStore`, checked. A new implementation proves itself by passing. */
export function sessionStoreConformance(name: string, open: Open, stage: Stage = {}): void {
  describe(`${name} keeps the promises of a session store`, () => {
    logTests(open);
    claimTests(open, stage);
    cellTests(open);
    ledgerTests(open);
    nameTests(open);
    branchTests(open);
    searchTests(open);
    careTests(open, stage);
  });
}
