/** A process that opens the store of a home when it is told to: `node opener.ts HOME`, then a line on stdin. */
import { once } from 'node:events';
import { resolveHome } from '../../../src/base/home.ts';
import { openHomeStore } from '../../../src/parts/store/home-store.ts';
import { beginSampleSession, createUserEntry } from '../../../src/testing/conformance/session-store-samples.ts';

// Loaded before it is told to begin: what is killed is the work.
await import('../../../src/parts/store/former-store.ts');
process.stdout.write('ready\n');
await once(process.stdin, 'data');
await using store = await openHomeStore(resolveHome({ HERMES_HOME: process.argv[2] }));
const { claim } = await beginSampleSession(store);
await store.commit(claim, { append: [createUserEntry('of a worker')] });
process.stdout.write('open\n');
await once(process.stdin, 'data');
process.stdin.pause();
