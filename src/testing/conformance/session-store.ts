import { describe } from 'node:test';
import { testActivity } from './session-store-activity.ts';
import { testAdoption } from './session-store-adoption.ts';
import { testBranches } from './session-store-branches.ts';
import { testStoreCare } from './session-store-care.ts';
import { testTurnCells } from './session-store-cells.ts';
import { testClaims } from './session-store-claims.ts';
import { testLedger } from './session-store-ledger.ts';
import { testLog } from './session-store-log.ts';
import { testSessionNames } from './session-store-names.ts';
import { testStoredProcesses } from './session-store-processes.ts';
import { testQuestions } from './session-store-questions.ts';
import type { OpenStore, StoreConformanceOptions } from './session-store-samples.ts';
import { testRuns } from './session-store-runs.ts';
import { testSearch } from './session-store-search.ts';

/** Every promise of `SessionStore`, checked. A new implementation proves itself by passing. */
export function testSessionStoreConformance(name: string, open: OpenStore, stage: StoreConformanceOptions = {}): void {
  describe(`${name} keeps the promises of a session store`, () => {
    testLog(open);
    testClaims(open, stage);
    testTurnCells(open);
    testLedger(open);
    testActivity(open);
    testSessionNames(open);
    testBranches(open);
    testAdoption(open);
    testSearch(open);
    testQuestions(open, stage);
    testStoredProcesses(open);
    testRuns(open, stage);
    testStoreCare(open, stage);
  });
}
