/** A process that opens a store when it is told to: `node upgrader.ts PATH`, then a line on stdin. */
import { once } from 'node:events';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';

process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.pause();
const store = await openSqliteStore({ path: process.argv[2] ?? '' });
process.stdout.write(`sessions ${(await store.list({ limit: 10_000 })).length}\n`);
await store[Symbol.asyncDispose]();
