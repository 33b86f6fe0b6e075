import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock } from '../../contracts/message.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import {
  createAnswerEntry,
  beginSampleSession,
  createCallRecord,
  createPrepareState,
  createUserEntry,
  type OpenStore,
  type StoreConformanceOptions,
} from './session-store-samples.ts';

/** Facts, tending, checking, repairing, backing up. */
export function testStoreCare(open: OpenStore, { backup }: StoreConformanceOptions): void {
  test('facts are kept, and the last word counts', async () => {
    await using store = await open();
    equal(await store.fact('route|streaming'), undefined);
    await store.learn('route|streaming', 'no');
    await store.learn('route|streaming', 'yes');
    await store.learn('other', '');
    deepEqual([await store.fact('route|streaming'), await store.fact('other')], ['yes', '']);
  });

  test('a fact is only replaced when it is still the one that was expected', async () => {
    await using store = await open();
    const kept = [
      await store.learn('turn', 'first', null),
      await store.learn('turn', 'second', null),
      await store.learn('turn', 'third', 'second'),
      await store.learn('turn', 'fourth', 'first'),
      await store.learn('turn', 'fifth'),
    ];
    deepEqual([kept, await store.fact('turn')], [[true, false, false, true, true], 'fifth']);
  });

  test('a fact that is forgotten is not known any more; an empty one is', async () => {
    await using store = await open();
    await store.learn('sent', 'yes');
    await store.learn('empty', '');
    const forgotten = [await store.learn('sent', undefined, 'no'), await store.learn('sent', undefined, 'yes')];
    deepEqual([forgotten, await store.fact('sent'), await store.fact('empty')], [[false, true], undefined, '']);
    equal(await store.learn('sent', 'again', null), true);
  });

  test('tending comes to an end, whatever there is to take in', async (t) => {
    await using store = await open();
    const { care } = store;
    if (care === undefined) return t.skip(NO_FILES);
    const { claim } = await beginSampleSession(store);
    for (let i = 0; i < 10; i++)
      await store.commit(claim, { append: Array.from({ length: 50 }, (_, n) => createUserEntry(`number ${i} ${n}`)) });
    let helpings = 1;
    while (await care.tend()) helpings++;
    ok(helpings < 1000);
    equal(await care.tend(), false);
    equal((await store.search({ text: 'number', limit: 1000 })).length, 500);
  });

  test('a sound store has no findings, and repair changes nothing', async (t) => {
    await using store = await open();
    const { care } = store;
    if (care === undefined) return t.skip(NO_FILES);
    await fill(store);
    const before = await picture(store);
    deepEqual(await care.check(), []);
    const report = await care.repair();
    deepEqual(report.problems, []);
    deepEqual([report.sessions, report.entries], [3, 6]);
    deepEqual(await picture(store), before);
  });

  test('writers go on after a repair', async (t) => {
    await using store = await open();
    const { care } = store;
    if (care === undefined) return t.skip(NO_FILES);
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [createUserEntry('before')] });
    await care.repair();
    const [entry] = await store.commit(claim, { append: [createUserEntry('after')] });
    deepEqual([entry?.seq, (await store.search({ text: 'after' })).length, (await store.entries(session.id)).length], [2, 1, 2]);
  });

  test('a backup opens and holds the same', { skip: backup === undefined && 'no way to open a backup' }, async () => {
    await using store = await open();
    await fill(store);
    ok(backup !== undefined && store.care !== undefined);
    const path = backup.path();
    await store.care.backup(path);
    await store.care.backup(path); // over an older one
    await using copy = await backup.open(path);
    deepEqual(await picture(copy), await picture(store));
    deepEqual(await copy.care?.check(), []);
  });
}

const NO_FILES = 'this store has no files to take care of';

async function fill(store: SessionStore): Promise<void> {
  for (const words of ['alpha beta', '中文 alpha', 'gamma']) {
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, {
      append: [createUserEntry(words), createAnswerEntry(`about ${words}`)],
      turn: createPrepareState(session.id, 't1'),
      calls: [createCallRecord(session.id, `m_${words}`, { price: 1 })],
    });
    await store.retitle(session.id, `On ${words}`, 'user');
    await store.post({ sessionId: session.id, content: [createTextBlock(words, 'owner')], mode: 'queue' });
  }
  await store.learn('a fact', 'known');
}

/** Everything a reader can see. */
async function picture(store: SessionStore): Promise<unknown> {
  const sessions = await store.list();
  const each = await Promise.all(
    sessions.map(async ({ id }) => [await store.entries(id), await store.turn(id), await store.inbox(id), await store.spent(id)]),
  );
  const hits = await Promise.all(['alpha', '文', 'about', 'gam'].map((words) => store.search({ text: words })));
  return { sessions, each, hits, calls: await store.calls({}), fact: await store.fact('a fact') };
}
