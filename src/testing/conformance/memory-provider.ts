import { describe } from 'node:test';
import { testMemoryProviderFacts } from './memory-provider-facts.ts';
import { testMemoryProviderLife } from './memory-provider-life.ts';
import { testMemoryProviderRecall } from './memory-provider-recall.ts';
import type { StageMemoryProvider } from './memory-provider-samples.ts';

/** Every promise of a `MemoryProvider`, checked. A new one proves itself by passing; what it does not offer is skipped by name. */
export function testMemoryProviderConformance(name: string, stage: StageMemoryProvider): void {
  describe(`${name} keeps the promises of a memory provider`, () => {
    testMemoryProviderFacts(stage);
    testMemoryProviderLife(stage);
    testMemoryProviderRecall(stage);
  });
}
