import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import {
  beginSampleSession,
  readCurrentSession,
  assertRefused,
  createUserEntry,
  SESSION,
  type OpenStore,
} from './session-store-samples.ts';

/** Finding, listing, titles, lineage. */
export function testSessionNames(open: OpenStore): void {
  findingTests(open);
  titleTests(open);
}

function findingTests(open: OpenStore): void {
  test('a session is found by id, by the beginning of its id and by title', async () => {
    await using store = await open();
    const [one, two] = [await store.create(SESSION), await store.create(SESSION)];
    await store.retitle(one.id, 'Fix the parser', 'user');
    const ids = async (ref: string) => (await store.find(ref)).map((session) => session.id);
    deepEqual(await ids(one.id), [one.id]);
    deepEqual(await ids('Fix the parser'), [one.id]);
    deepEqual(await ids(two.id.slice(0, -1)), [two.id]);
    deepEqual((await ids(one.id.slice(0, 4))).toSorted(), [one.id, two.id].toSorted());
    deepEqual([await ids(''), await ids('zzz'), await ids('%'), await ids('_')], [[], [], [], []]);
  });

  test('sessions are listed newest first, by who opened them, where they are held and folder', async () => {
    await using store = await open();
    const [one, two] = [
      await beginSampleSession(store, { source: 'cli', cwd: '/a' }),
      await beginSampleSession(store, { source: 'cli', cwd: '/b' }),
    ];
    const three = await beginSampleSession(store, { source: 'cron', cwd: '/a' });
    const drawn = await beginSampleSession(store, { source: 'tui', platform: 'cli', cwd: '/c' });
    await new Promise((resolve) => setTimeout(resolve, 3));
    await store.commit(one.claim, { append: [createUserEntry('now the newest')] });
    const ids = async (...filter: Parameters<typeof store.list>) => (await store.list(...filter)).map((session) => session.id);
    equal((await ids())[0], one.session.id);
    deepEqual((await ids()).length, 4);
    deepEqual(await ids({ limit: 1 }), [one.session.id]);
    deepEqual(await ids({ source: 'cli', cwd: '/b' }), [two.session.id]);
    deepEqual(await ids({ source: 'cron' }), [three.session.id]);
    deepEqual([three.session.platform, drawn.session.source, drawn.session.platform], ['cron', 'tui', 'cli']);
    deepEqual(await ids({ platform: 'cli', cwd: '/c' }), [drawn.session.id]);
    deepEqual((await ids({ platform: 'cli' })).toSorted(), [one, two, drawn].map(({ session }) => session.id).toSorted());
    deepEqual(await ids({ platform: 'cli', source: 'tui' }), [drawn.session.id]);
    deepEqual((await ids({ cwd: '/a' })).length, 2);
  });
}

/** What sessions are called, and what they came from. */
function titleTests(open: OpenStore): void {
  test('a better source replaces a title, a lesser one does not', async () => {
    await using store = await open();
    const { id } = await store.create(SESSION);
    const title = async () => [(await readCurrentSession(store, id)).title, (await readCurrentSession(store, id)).titleBy];
    await store.retitle(id, 'derived', 'derived');
    await store.retitle(id, 'by the model', 'model');
    deepEqual(await title(), ['by the model', 'model']);
    await store.retitle(id, 'derived later', 'derived');
    deepEqual(await title(), ['by the model', 'model']);
    await store.retitle(id, 'by me', 'user');
    const kept = await store.retitle(id, 'by the model again', 'model');
    deepEqual([await title(), kept.title], [['by me', 'user'], 'by me']);
    await store.retitle(id, 'by me again', 'user');
    deepEqual(await title(), ['by me again', 'user']);
    await assertRefused(store.retitle('no-such-session', 'x', 'user'), 'missing');
  });

  test('no two sessions have the same title', async () => {
    await using store = await open();
    const [one, two, three] = [await store.create(SESSION), await store.create(SESSION), await store.create(SESSION)];
    await store.retitle(one.id, 'Same', 'user');
    await assertRefused(store.retitle(two.id, 'Same', 'user'), 'taken');
    equal((await readCurrentSession(store, two.id)).title, undefined);
    equal((await store.retitle(two.id, 'Same', 'model')).title, 'Same #2');
    equal((await store.retitle(three.id, 'Same', 'derived')).title, 'Same #3');
    equal((await store.retitle(one.id, 'Same', 'user')).title, 'Same');
  });

  test('a title a session begins with counts as derived', async () => {
    await using store = await open();
    const titles = [];
    for (let i = 0; i < 9; i++) titles.push((await store.create({ ...SESSION, title: 'hi' })).title);
    deepEqual(titles, ['hi', ...[2, 3, 4, 5, 6, 7, 8, 9].map((count) => `hi #${count}`)]);
    const nameless = await store.create({ ...SESSION, title: ' ' });
    deepEqual([nameless.title, nameless.titleBy], [undefined, undefined]);
    equal((await store.retitle(nameless.id, 'better', 'model')).titleBy, 'model');
  });

  test('a title is one visible line of at most a hundred characters', async () => {
    await using store = await open();
    const { id } = await store.create(SESSION);
    equal((await store.retitle(id, ' two\nlines\u200b \u202eback ', 'user')).title, 'two lines back');
    const long = (await store.retitle(id, 'x'.repeat(500), 'user')).title ?? '';
    equal(long.length, 100);
    await assertRefused(store.retitle(id, '\u200b \n', 'user'), 'missing');
  });

  test('a session knows what it came from', async () => {
    await using store = await open();
    const parent = await store.create(SESSION);
    for (const kind of ['branch', 'child', 'reset'] as const) {
      const link = { sessionId: parent.id, kind };
      const session = await store.create({ ...SESSION, parent: link });
      deepEqual((await readCurrentSession(store, session.id)).parent, link);
    }
    await assertRefused(store.create({ ...SESSION, parent: { sessionId: 'no-such-session', kind: 'branch' } }), 'missing');
    ok((await store.list()).length === 4);
  });
}
