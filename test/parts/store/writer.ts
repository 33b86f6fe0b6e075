/**
 * A program that writes to a store until it is done or killed; run by the tests as a process of its own.
 *   node writer.ts PATH COUNT [SESSION]
 * Prints the session id, then the position of each entry once `commit` has returned.
 */
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { createPrepareState, createUserEntry, SESSION } from '../../../src/testing/conformance/session-store-samples.ts';

const [path = '', count = '0', given] = process.argv.slice(2);
const store = await openSqliteStore({ path });
const id = given ?? (await store.create(SESSION)).id;
const claim = await store.claim(id);
// Straight to the pipe: a line that is out was committed, even when the next instruction is never reached.
writeSync(1, `${id}\n`);

for (let i = 0; i < Number(count); i++) {
  const append = [createUserEntry(`step ${i} of ${process.pid}`), createUserEntry('x'.repeat((i * 997) % 9000))];
  const entries = await store.commit(claim, { append, turn: createPrepareState(id, `t${i}`) });
  writeSync(1, `${entries.map((entry) => `${entry.seq}:${entry.id}`).join('\n')}\n`);
  if (i % 5 === 0) await store.care.tend();
}
await store[Symbol.asyncDispose]();
