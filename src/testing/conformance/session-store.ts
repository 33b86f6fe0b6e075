import { describe } from 'node:test';
import { branchTests } from './session-store-branches.ts';
import { careTests } from './session-store-care.ts';
import { cellTests } from './session-store-cells.ts';
import { claimTests } from './session-store-claims.ts';
import { ledgerTests } from './session-store-ledger.ts';
import { logTests } from './session-store-log.ts';
import { nameTests } from './session-store-names.ts';
import type { OpenStore, StoreStage } from './session-store-samples.ts';
import { searchTests } from './session-store-search.ts';

/** Every promise of `SessionStore`, checked. A new implementation proves itself by passing. */
export function sessionStoreConformance(name: string, open: OpenStore, stage: StoreStage = {}): void {
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
