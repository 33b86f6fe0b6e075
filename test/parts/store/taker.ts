/**
 * A program that takes arrivals and admits them until nothing is left or it is killed; run by the tests as a process of its own.
 *   node taker.ts PATH NAME
 * Prints the key of each arrival once `admit` has returned.
 */
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { createAdmission, createDelivery, TAKE } from '../../../src/testing/conformance/gateway-store-samples.ts';

const [path = '', owner = ''] = process.argv.slice(2);
const { gateway, ...store } = await openSqliteStore({ path, durability: 'process' });
writeSync(1, 'ready\n');

for (let idle = 0; idle < 5;) {
  const rows = await gateway.take('arrival', { ...TAKE, owner, limit: 3 });
  idle = rows.length === 0 ? idle + 1 : 0;
  for (const { taken, row } of rows) {
    const [chat = '', text = ''] = row.eventKey.split(':');
    await gateway.admit(taken, createAdmission(chat, text, { deliveries: [createDelivery(chat, text)] }));
    writeSync(1, `${row.eventKey}\n`);
  }
}
await store[Symbol.asyncDispose]();
