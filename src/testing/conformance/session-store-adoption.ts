import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { AdoptedEntry, AdoptedSession } from '../../contracts/session-store.ts';
import {
  assertRefused,
  createAnswerEntry,
  createCallRecord,
  createUserEntry,
  readCurrentSession,
  SESSION,
  type OpenStore,
} from './session-store-samples.ts';

const ID = '20250102_030405_abcdef';
const ENTRIES: readonly AdoptedEntry[] = [
  { type: 'note', origin: 'system', text: 'Taken over.', id: 'e_0', at: 1000 },
  { ...createUserEntry('herons and egrets'), id: 'e_1', at: 2000, turnId: 't_1' },
  { ...createAnswerEntry('wading birds'), id: 'e_2', at: 3000, turnId: 't_1' },
];
const adopted = (entries = ENTRIES, more: Partial<AdoptedSession> = {}): AdoptedSession => ({
  ...SESSION,
  id: ID,
  title: 'Birds',
  startedAt: 1000,
  updatedAt: 3000,
  entries,
  calls: [createCallRecord(ID, 'm1', { price: 0.5, purpose: 'elsewhere' })],
  ...more,
});
const LATER: readonly AdoptedEntry[] = [...ENTRIES, { ...createUserEntry('and storks'), id: 'e_3', at: 9000, turnId: 't_2' }];

/** Sessions of other programs. */
export function testAdoption(open: OpenStore): void {
  test('a session of another program is here with its id, title, times, entries and cost, and is found by its words', async () => {
    await using store = await open();
    const { did, session } = await store.adopt(adopted());
    equal(did, 'created');
    deepEqual(
      { id: session.id, title: session.title, startedAt: session.startedAt, updatedAt: session.updatedAt, messages: session.messages },
      { id: ID, title: 'Birds', startedAt: 1000, updatedAt: 3000, messages: 2 },
    );
    deepEqual(
      await store.entries(ID),
      ENTRIES.map((entry, index) => ({ ...entry, sessionId: ID, seq: index + 1 })),
    );
    equal((await store.spent(ID)).price, 0.5);
    while (await store.care?.tend());
    deepEqual(
      (await store.search({ text: 'egrets' })).map(({ sessionId, at }) => ({ sessionId, at })),
      [{ sessionId: ID, at: 2000 }],
    );
    deepEqual((await store.care?.check()) ?? [], []);
  });

  test('taking it over again changes nothing, and what it has got since is added once', async () => {
    await using store = await open();
    await store.adopt(adopted());
    const first = await store.entries(ID);
    equal((await store.adopt(adopted())).did, 'unchanged');
    deepEqual(await store.entries(ID), first);
    const { did, session } = await store.adopt(adopted(LATER, { updatedAt: 9000 }));
    deepEqual({ did, messages: session.messages, updatedAt: session.updatedAt }, { did: 'extended', messages: 3, updatedAt: 9000 });
    equal((await store.adopt(adopted())).did, 'unchanged');
    equal((await store.spent(ID)).calls, 1);
    deepEqual((await store.care?.check()) ?? [], []);
  });

  test('a session that went another way here stays as it is', async () => {
    await using store = await open();
    await store.adopt(adopted());
    const claim = await store.claim(ID);
    await store.commit(claim, { append: [createUserEntry('said here')] });
    equal((await store.adopt(adopted())).did, 'unchanged');
    const before = await readCurrentSession(store, ID);
    equal((await store.adopt(adopted(LATER))).did, 'diverged');
    deepEqual(await readCurrentSession(store, ID), before);
    await store.release(claim);
  });

  test('a title that is taken gives way, and an unknown parent takes over nothing', async () => {
    await using store = await open();
    await store.adopt(adopted());
    equal((await store.adopt(adopted(ENTRIES, { id: `${ID}2`, calls: [] }))).session.title, 'Birds #2');
    const orphan = adopted(ENTRIES, { id: `${ID}3`, calls: [], parent: { sessionId: 'nobody', kind: 'child' } });
    await assertRefused(store.adopt(orphan), 'missing');
    deepEqual(await store.find(`${ID}3`), []);
  });
}
