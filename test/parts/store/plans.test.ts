import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock } from '../../../src/contracts/message.ts';
import type { SessionStore } from '../../../src/contracts/session-store.ts';
import { openDb, type Db, type SqlValue } from '../../../src/parts/store/sqlite/database/db.ts';
import { openSqliteStore, createSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { beginSampleSession, createPrepareState, createUserEntry } from '../../../src/testing/conformance/session-store-samples.ts';
import { freshPath } from './places.ts';

/** How SQLite goes about everything a store reads while some work is done. */
async function plansOf(work: (store: SessionStore) => Promise<unknown>): Promise<string[]> {
  const path = freshPath();
  await using filled = await openSqliteStore({ path });
  const { session, claim } = await beginSampleSession(filled);
  await filled.commit(claim, {
    append: [createUserEntry('word'), { type: 'rewind', origin: 'user', toSeq: 0 }],
    turn: createPrepareState(session.id, 't'),
  });
  await filled.post({ sessionId: session.id, content: [createTextBlock('hello', 'owner')], mode: 'queue' });
  while (await filled.care.tend());
  const db = await openDb({ path });
  const plans: string[] = [];
  const noted = (sql: string, values: readonly SqlValue[]) =>
    plans.push(...db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail));
  const watched: Db = {
    ...db,
    all: (sql, ...values) => (noted(sql, values), db.all(sql, ...values)),
    get: (sql, ...values) => (noted(sql, values), db.get(sql, ...values)),
  };
  await work(createSqliteStore(watched, {}));
  db.close();
  return plans;
}

/** Whole tables of the log that are read from end to end. */
const scans = (plans: readonly string[]): string[] =>
  plans.filter((plan) => /^SCAN (?:sessions|entries|inbox|calls|later)\b(?!.*inbox_waiting)/.test(plan));

test('what is left to do is found by indexes of what is open, however many sessions and messages there are', async () => {
  const plans = await plansOf((store) => store.pending());
  deepEqual(scans(plans), []);
  match(plans.join('\n'), /inbox_waiting/);
});

test('whether a hit was taken back is looked up by an index of rewinds alone', async () => {
  const plans = await plansOf((store) => store.search({ text: 'word' }));
  deepEqual(scans(plans), []);
  match(plans.join('\n'), /later USING INDEX entries_rewinds/);
});

test('what happened is counted from indexes that hold all of it: no text and no record is read', async () => {
  const plans = await plansOf((store) => store.activity({ since: 1 }));
  deepEqual(
    plans.filter((plan) => /^(?:SCAN|SEARCH) (?:entries|calls) /.test(plan)),
    [
      'calls USING COVERING INDEX calls_activity',
      'entries USING COVERING INDEX entries_outcomes',
      'entries USING COVERING INDEX entries_tools',
    ].map((plan) => `SEARCH ${plan} (at>?)`),
  );
});

test('reports of compactions are found by an index of the few entries that can hold one', async () => {
  match((await plansOf((store) => store.compactions({ since: 1 }))).join('\n'), /entries USING INDEX entries_compactions/);
});
