import { describe } from 'node:test';
import { testArrivals } from './gateway-store-arrivals.ts';
import { testChanges } from './gateway-store-changes.ts';
import { testChats } from './gateway-store-chats.ts';
import { testDeliveries } from './gateway-store-deliveries.ts';
import { testPeople } from './gateway-store-people.ts';
import type { StageStore } from './gateway-store-samples.ts';
import { testWork } from './gateway-store-work.ts';

/** Every promise of `GatewayStore` and of `changes`, checked. A new implementation proves itself by passing. */
export function testGatewayStoreConformance(name: string, stage: StageStore): void {
  describe(`${name} keeps the promises of a gateway's store`, () => {
    testArrivals(stage);
    testWork(stage);
    testDeliveries(stage);
    testChats(stage);
    testPeople(stage);
    testChanges(stage);
  });
}
