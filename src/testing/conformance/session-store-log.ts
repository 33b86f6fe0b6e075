import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { text } from '../../contracts/message.ts';
import type { NewEntry } from '../../contracts/entry.ts';
import type { EndReason } from '../../contracts/session-store.ts';
import {
  answerEntry,
  beginSampleSession,
  currentSession,
  prepareState,
  assertRefused,
  RUNTIME,
  userEntry,
  SESSION,
  toolResult,
  type OpenStore,
} from './session-store-samples.ts';

/** Sessions and their entries. */
export function logTests(open: OpenStore): void {
  entryTests(open);
  sessionTests(open);
}

function sessionTests(open: OpenStore): void {
  test('a session names the model it was opened with, then that of its latest prompt', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const [epoch] = EVERY_KIND;
    if (epoch?.type !== 'epoch') throw new Error('the first kind is the prompt');
    await store.commit(claim, { append: [{ ...epoch, epoch: { ...epoch.epoch, model: 'another', provider: 'elsewhere' } }] });
    await store.commit(claim, { append: [userEntry('a question')] });
    const [found] = await store.find(session.id);
    deepEqual([found?.model, found?.provider], ['another', 'elsewhere']);
  });

  test('a new session is empty and finished', async () => {
    await using store = await open();
    const session = await store.create(SESSION);
    ok(/^\d{8}_\d{6}_[0-9a-f]{6}$/u.test(session.id), session.id);
    deepEqual(session, {
      ...SESSION,
      id: session.id,
      platform: SESSION.source,
      startedAt: session.startedAt,
      updatedAt: session.startedAt,
      messages: 0,
      unfinished: false,
    });
    deepEqual(await store.entries(session.id), []);
    deepEqual(await store.find(session.id), [session]);
  });

  test('a session counts its messages and tells its last exit reason', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [userEntry('one'), { type: 'note', origin: 'system', text: 'a note' }], exitReason: 'answered' });
    await store.commit(claim, { append: [answerEntry('two')] });
    const now = await currentSession(store, session.id);
    deepEqual([now.messages, now.lastExitReason, now.updatedAt >= session.updatedAt], [2, 'answered', true]);
  });

  test('an ended session says when and why, keeps its first reason, and is opened again by a turn', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [userEntry('kept words')], exitReason: 'answered' });
    let before = await currentSession(store, session.id);
    deepEqual([before.endedAt, before.endReason], [undefined, undefined]);
    for (const reason of ['reset', 'resumed_elsewhere', 'expired', 'exit'] satisfies EndReason[]) {
      await store.commit(claim, { end: reason });
      const ended = await currentSession(store, session.id);
      deepEqual(ended, { ...before, endedAt: ended.endedAt, endReason: reason }, 'an end is no use: it moves no session up');
      ok((ended.endedAt ?? 0) >= before.startedAt);
      await store.commit(claim, { end: 'exit' });
      deepEqual(await currentSession(store, session.id), ended);
      deepEqual([(await store.list()).length, (await store.search({ text: 'kept' })).length], [1, 1]);
      await store.commit(claim, { turn: prepareState(session.id, 't2') });
      const resumed = await currentSession(store, session.id);
      deepEqual([resumed.endedAt, resumed.endReason, resumed.unfinished], [undefined, undefined, true]);
      await store.commit(claim, { turn: null });
      before = await currentSession(store, session.id);
    }
    await store.commit(claim, { append: [userEntry('last words')], end: 'exit' });
    deepEqual([(await currentSession(store, session.id)).messages, (await currentSession(store, session.id)).endReason], [2, 'exit']);
  });

  test('a removed session takes all that hangs on it, and leaves its children', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const child = await store.create({ ...SESSION, parent: { sessionId: session.id, kind: 'child' } });
    await store.commit(claim, { append: [userEntry('vanishing words')], turn: prepareState(session.id, 't1') });
    await store.post({ sessionId: session.id, content: [text('hello', 'owner')], mode: 'queue' });
    await assertRefused(store.remove(session.id), 'busy');
    await store.release(claim);
    await store.remove(session.id);
    deepEqual(
      [await store.find(session.id), await store.entries(session.id), await store.turn(session.id), await store.inbox(session.id)],
      [[], [], undefined, []],
    );
    deepEqual(await store.search({ text: 'vanishing' }), []);
    equal((await currentSession(store, child.id)).parent, undefined);
    await assertRefused(store.remove(session.id), 'missing');
  });
}

function entryTests(open: OpenStore): void {
  test('entries come back as they were written, in order and without gaps', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const first = await store.commit(claim, { turnId: 't1', append: EVERY_KIND });
    const second = await store.commit(claim, { append: [userEntry('between turns')] });
    const all = await store.entries(session.id);
    deepEqual(all, [...first, ...second]);
    deepEqual(
      all.map((entry) => entry.seq),
      all.map((_, index) => index + 1),
    );
    deepEqual(
      all.map(stripped),
      [...EVERY_KIND, userEntry('between turns')].map((entry) => ({ ...entry })),
    );
    deepEqual([all[0]?.turnId, all.at(-1)?.turnId], ['t1', undefined]);
    equal(new Set(all.map((entry) => entry.id)).size, all.length);
  });

  test('a reader can ask for what is new', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [userEntry('one'), userEntry('two'), userEntry('three')] });
    deepEqual(
      (await store.entries(session.id, 2)).map((entry) => entry.seq),
      [3],
    );
    deepEqual(await store.entries(session.id, 3), []);
    deepEqual(await store.entries('no-such-session'), []);
  });

  test('an id given by the writer is kept, and not given twice', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const [entry] = await store.commit(claim, { append: [{ ...userEntry('mine'), id: 'e_mine' }] });
    equal(entry?.id, 'e_mine');
    await assertRefused(store.commit(claim, { append: [{ ...userEntry('again'), id: 'e_mine' }] }), 'taken');
    deepEqual(await store.entries(session.id), [entry]);
  });

  test('a commit that fails halfway leaves nothing behind', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [userEntry('kept')], turn: prepareState(session.id, 't1') });
    const before = [await store.entries(session.id), await store.turn(session.id), await currentSession(store, session.id)];
    const half = {
      append: [userEntry('lost'), userEntry('lost too')],
      turn: null,
      exitReason: 'answered' as const,
      fates: [{ id: 'i_none', fate: 'turn' as const }],
    };
    await assertRefused(store.commit(claim, half), 'missing');
    deepEqual([await store.entries(session.id), await store.turn(session.id), await currentSession(store, session.id)], before);
    const [next] = await store.commit(claim, { append: [userEntry('after')] });
    equal(next?.seq, 2);
  });

  test('text of every kind survives', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const odd = ['', 'nul \0 inside', 'half a pair \ud83d', '😀 中文 עברית', 'quote " \\ \u2028', 'x'.repeat(300_000)];
    await store.commit(claim, { append: odd.map(userEntry) });
    deepEqual((await store.entries(session.id)).map(stripped), odd.map(userEntry));
  });
}

const stripped = ({
  id: _id,
  sessionId: _session,
  seq: _seq,
  at: _at,
  turnId: _turn,
  ...rest
}: {
  id: string;
  sessionId: string;
  seq: number;
  at: number;
  turnId?: string;
}): object => rest;

const EVERY_KIND: readonly NewEntry[] = [
  {
    type: 'epoch',
    origin: 'system',
    cause: 'start',
    epoch: {
      slots: [{ name: 'identity', lifetime: 'session', text: 'You are.' }],
      tools: [],
      model: 'm',
      provider: 'p',
      toolsets: ['core'],
    },
  },
  userEntry('a question'),
  { ...userEntry('with a sidecar'), wireOnly: [{ type: 'text', text: 'recalled', trust: 'owner' }] },
  answerEntry('an answer'),
  toolResult('a result'),
  toolResult('one with details', { kind: 'command', exitCode: 3, ended: 'exited', cwd: '/' }),
  {
    type: 'compaction',
    origin: 'summary',
    fromSeq: 2,
    toSeq: 4,
    summary: { role: 'user', content: [{ type: 'text', text: 'short', trust: 'model' }] },
  },
  { type: 'model_change', origin: 'system', from: RUNTIME, to: { ...RUNTIME, model: 'other' }, cause: 'fallback' },
  { type: 'note', origin: 'system', text: 'a note' },
  { type: 'outcome', origin: 'system', outcome: 'answered', exitReason: 'answered', messageId: 'e_2', parts: ['e_1', 'e_2'] },
  { type: 'rewind', origin: 'user', toSeq: 5 },
];
