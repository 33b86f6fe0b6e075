import { describe } from 'node:test';
import type { StageStore } from './gateway-store-samples.ts';
import { testJobDefinitions } from './job-store-definitions.ts';
import { testJobInstants } from './job-store-instants.ts';
import { testJobRuns } from './job-store-runs.ts';
import { testTickers } from './job-store-tickers.ts';

/** Every promise of `JobStore`, checked. A new implementation proves itself by passing. */
export function testJobStoreConformance(name: string, stage: StageStore): void {
  describe(`${name} keeps the promises of a store of jobs`, () => {
    testJobDefinitions(stage);
    testJobInstants(stage);
    testJobRuns(stage);
    testTickers(stage);
  });
}
