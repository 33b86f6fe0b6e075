import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock } from '../../contracts/message.ts';
import type { MessageFate, NewInboxItem } from '../../contracts/session-store.ts';
import {
  beginSampleSession,
  readCurrentSession,
  createPrepareState,
  assertRefused,
  createUserEntry,
  type OpenStore,
} from './session-store-samples.ts';

const FATES: readonly MessageFate[] = [
  'steered',
  'turn',
  'interrupted',
  'command',
  'refused',
  'merged',
  'expired',
  'answered_elsewhere',
  'withdrawn',
];

/** The turn cell and the inbox. */
export function testTurnCells(open: OpenStore): void {
  turnCellTests(open);
  inboxTests(open);
  pendingTests(open);
}

function turnCellTests(open: OpenStore): void {
  test('the turn cell holds the last state until it is cleared', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    equal(await store.turn(session.id), undefined);
    const state = createPrepareState(session.id, 't1');
    await store.commit(claim, { turn: state });
    await store.commit(claim, { append: [createUserEntry('the cell stays')] });
    deepEqual([await store.turn(session.id), (await readCurrentSession(store, session.id)).unfinished], [state, true]);
    const later = { ...state, steps: 1, phase: 'sample' as const };
    await store.commit(claim, { turn: later });
    deepEqual(await store.turn(session.id), later);
    const isRunning = async () => [...(await store.list()), ...(await store.find(session.id))].map(({ running }) => running);
    deepEqual(await isRunning(), [true, true]);
    await store.release(claim);
    deepEqual(await isRunning(), [undefined, undefined]);
    const again = await store.claim(session.id);
    await store.commit(again, { turn: null });
    deepEqual([await store.turn(session.id), (await readCurrentSession(store, session.id)).unfinished], [undefined, false]);
  });
}

/** What came, and what became of it. */
function inboxTests(open: OpenStore): void {
  test('a text waits in the inbox until it has its fate', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const [one, two] = [
      await store.post({ sessionId: session.id, content: [createTextBlock('first', 'owner')], mode: 'queue' }),
      await store.post({ sessionId: session.id, content: [createTextBlock('second', 'owner')], mode: 'steer', key: 'k2' }),
    ];
    deepEqual(await store.waiting(session.id), [one, two]);
    await store.commit(claim, { fates: [{ id: one.id, fate: 'turn' }] });
    deepEqual(await store.waiting(session.id), [two]);
    deepEqual(await store.inbox(session.id), [{ ...one, fate: 'turn' }, two]);
  });

  test('every fate is given exactly once, and names the turn it was given in', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    for (const fate of FATES) {
      const item = await store.post({ sessionId: session.id, content: [createTextBlock(fate, 'owner')], mode: 'interrupt' });
      await store.commit(claim, { turnId: `t_${fate}`, fates: [{ id: item.id, fate }] });
      await assertRefused(store.commit(claim, { append: [createUserEntry('twice')], fates: [{ id: item.id, fate }] }), 'taken');
      await assertRefused(store.commit(claim, { fates: [{ id: item.id, fate: 'turn' }] }), 'taken');
    }
    deepEqual(
      (await store.inbox(session.id)).map((item) => [item.fate, item.turnId]),
      FATES.map((fate) => [fate, `t_${fate}`]),
    );
    deepEqual(await store.entries(session.id), []);
  });

  test('a message comes back whole, whose words each block holds included', async () => {
    await using store = await open();
    const { session } = await beginSampleSession(store);
    const item = {
      sessionId: session.id,
      mode: 'queue',
      content: [
        { type: 'text', text: 'odd \0 \ud83d 😀 " \\ \u2028', trust: 'foreign', source: 'telegram chat 7, member 12' },
        { type: 'image', mime: 'image/png', data: 'iVBORw0KGgo=', trust: 'foreign' },
        { type: 'file', name: 'a.csv', mime: 'text/csv', data: 'YSxi', trust: 'owner' },
      ],
      origin: 'hook',
      overlay: [createTextBlock('Group: ops', 'owner'), { ...createTextBlock('Topic: anything', 'foreign'), source: 'telegram chat 7' }],
      quoted: '> an earlier message',
      replyTo: { chat: 7, thread: [1, null, 'x'] },
      sentAt: 1_700_000_000_000,
      key: 'telegram:7:1',
    } as const satisfies NewInboxItem;
    const posted = await store.post(item);
    deepEqual(posted, { ...item, id: posted.id, at: posted.at });
    deepEqual([await store.waiting(session.id), await store.inbox(session.id)], [[posted], [posted]]);
  });

  test('a message that comes with its fate is on record and never waits', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const item = await store.post({ sessionId: session.id, content: [createTextBlock('/new', 'owner')], mode: 'queue', fate: 'command' });
    equal(item.fate, 'command');
    deepEqual([await store.waiting(session.id), await store.inbox(session.id)], [[], [item]]);
    await assertRefused(store.commit(claim, { fates: [{ id: item.id, fate: 'turn' }] }), 'taken');
  });

  test('a text with a key is taken once per session, whatever became of it', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const other = await beginSampleSession(store);
    const keyed = { content: [createTextBlock('hello', 'owner')], mode: 'queue', key: 'telegram:7' } as const;
    const item = await store.post({ ...keyed, sessionId: session.id });
    const again = { ...keyed, sessionId: session.id, content: [createTextBlock('hello again', 'owner')], mode: 'steer' } as const;
    deepEqual(await store.post(again), item);
    await store.commit(claim, { fates: [{ id: item.id, fate: 'turn' }] });
    deepEqual(await store.post({ ...keyed, sessionId: session.id }), { ...item, fate: 'turn' });
    await store.post({ ...keyed, sessionId: other.session.id });
    deepEqual([(await store.inbox(session.id)).length, (await store.inbox(other.session.id)).length], [1, 1]);
  });

  test('a fate reaches only the texts of its own session', async () => {
    await using store = await open();
    const [mine, other] = [await beginSampleSession(store), await beginSampleSession(store)];
    const item = await store.post({ sessionId: other.session.id, content: [createTextBlock('not yours', 'owner')], mode: 'queue' });
    await assertRefused(store.commit(mine.claim, { fates: [{ id: item.id, fate: 'turn' }] }), 'missing');
    await assertRefused(store.post({ sessionId: 'no-such-session', content: [createTextBlock('x', 'owner')], mode: 'queue' }), 'missing');
    deepEqual(await store.waiting(other.session.id), [item]);
  });
}

function pendingTests(open: OpenStore): void {
  test('what is left to do is found over all sessions: waiting messages and unfinished turns, longest left alone first', async () => {
    await using store = await open();
    const [idle, waits, cut, both] = [
      await beginSampleSession(store),
      await beginSampleSession(store),
      await beginSampleSession(store),
      await beginSampleSession(store),
    ];
    const pending = async () => (await store.pending()).map(({ session, waiting }) => [session.id, waiting, session.unfinished]);
    deepEqual(await pending(), []);
    const post = (sessionId: string) => store.post({ sessionId, content: [createTextBlock('hello', 'owner')], mode: 'queue' });
    const [first] = [await post(waits.session.id), await post(waits.session.id), await post(both.session.id)];
    for (const { session, claim } of [cut, both])
      await store.commit(claim, { append: [createUserEntry('x')], turn: createPrepareState(session.id, 't1') });
    await store.commit(idle.claim, { append: [createUserEntry('x')], turn: null });
    deepEqual(await pending(), [
      [waits.session.id, 2, false],
      [cut.session.id, 0, true],
      [both.session.id, 1, true],
    ]);
    deepEqual((await store.pending())[1]?.session, await readCurrentSession(store, cut.session.id));
    await store.commit(waits.claim, { fates: [{ id: first.id, fate: 'expired' }] });
    for (const { claim } of [cut, both]) await store.commit(claim, { turn: null });
    const left = new Set((await store.pending()).map(({ session, waiting }) => `${session.id} ${waiting} ${session.unfinished}`));
    deepEqual(left, new Set([waits, both].map(({ session }) => `${session.id} 1 false`)));
  });
}
