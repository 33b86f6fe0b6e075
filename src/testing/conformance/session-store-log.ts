import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock } from '../../contracts/message.ts';
import type { NewEntry } from '../../contracts/entry.ts';
import type { EndReason } from '../../contracts/session-store.ts';
import {
  createAnswerEntry,
  beginSampleSession,
  readCurrentSession,
  createPrepareState,
  assertRefused,
  RUNTIME,
  createUserEntry,
  SESSION,
  createToolResultEntry,
  type OpenStore,
} from './session-store-samples.ts';

/** Sessions and their entries. */
export function testLog(open: OpenStore): void {
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
    await store.commit(claim, { append: [createUserEntry('a question')] });
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
    await store.commit(claim, {
      append: [createUserEntry('one'), { type: 'note', origin: 'system', text: 'a note' }],
      exitReason: 'answered',
    });
    await store.commit(claim, { append: [createAnswerEntry('two')] });
    const now = await readCurrentSession(store, session.id);
    deepEqual([now.messages, now.lastExitReason, now.updatedAt >= session.updatedAt], [2, 'answered', true]);
  });

  test('an ended session says when and why, keeps its first reason, and is opened again by a turn', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [createUserEntry('kept words')], exitReason: 'answered' });
    let before = await readCurrentSession(store, session.id);
    deepEqual([before.endedAt, before.endReason], [undefined, undefined]);
    for (const reason of ['reset', 'resumed_elsewhere', 'expired', 'exit'] satisfies EndReason[]) {
      await store.commit(claim, { end: reason });
      const ended = await readCurrentSession(store, session.id);
      deepEqual(ended, { ...before, endedAt: ended.endedAt, endReason: reason }, 'an end is no use: it moves no session up');
      ok((ended.endedAt ?? 0) >= before.startedAt);
      await store.commit(claim, { end: 'exit' });
      deepEqual(await readCurrentSession(store, session.id), ended);
      deepEqual([(await store.list()).length, (await store.search({ text: 'kept' })).length], [1, 1]);
      await store.commit(claim, { turn: createPrepareState(session.id, 't2') });
      const resumed = await readCurrentSession(store, session.id);
      deepEqual([resumed.endedAt, resumed.endReason, resumed.unfinished], [undefined, undefined, true]);
      await store.commit(claim, { turn: null });
      before = await readCurrentSession(store, session.id);
    }
    await store.commit(claim, { append: [createUserEntry('last words')], end: 'exit' });
    deepEqual(
      [(await readCurrentSession(store, session.id)).messages, (await readCurrentSession(store, session.id)).endReason],
      [2, 'exit'],
    );
  });

  test('a removed session takes all that hangs on it, and leaves its children', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const child = await store.create({ ...SESSION, parent: { sessionId: session.id, kind: 'child' } });
    await store.commit(claim, { append: [createUserEntry('vanishing words')], turn: createPrepareState(session.id, 't1') });
    await store.post({ sessionId: session.id, content: [createTextBlock('hello', 'owner')], mode: 'queue' });
    await assertRefused(store.remove(session.id), 'busy');
    await store.release(claim);
    await store.remove(session.id);
    deepEqual(
      [await store.find(session.id), await store.entries(session.id), await store.turn(session.id), await store.inbox(session.id)],
      [[], [], undefined, []],
    );
    deepEqual(await store.search({ text: 'vanishing' }), []);
    equal((await readCurrentSession(store, child.id)).parent, undefined);
    await assertRefused(store.remove(session.id), 'missing');
  });
}

function entryTests(open: OpenStore): void {
  test('entries come back as they were written, in order and without gaps', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const first = await store.commit(claim, { turnId: 't1', append: EVERY_KIND });
    const second = await store.commit(claim, { append: [createUserEntry('between turns')] });
    const all = await store.entries(session.id);
    deepEqual(all, [...first, ...second]);
    deepEqual(
      all.map((entry) => entry.seq),
      all.map((_, index) => index + 1),
    );
    deepEqual(
      all.map(stripped),
      [...EVERY_KIND, createUserEntry('between turns')].map((entry) => ({ ...entry })),
    );
    deepEqual([all[0]?.turnId, all.at(-1)?.turnId], ['t1', undefined]);
    equal(new Set(all.map((entry) => entry.id)).size, all.length);
  });

  test('a reader can ask for what is new', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [createUserEntry('one'), createUserEntry('two'), createUserEntry('three')] });
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
    const [entry] = await store.commit(claim, { append: [{ ...createUserEntry('mine'), id: 'e_mine' }] });
    equal(entry?.id, 'e_mine');
    await assertRefused(store.commit(claim, { append: [{ ...createUserEntry('again'), id: 'e_mine' }] }), 'taken');
    deepEqual(await store.entries(session.id), [entry]);
  });

  test('a commit that fails halfway leaves nothing behind', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [createUserEntry('kept')], turn: createPrepareState(session.id, 't1') });
    const before = [await store.entries(session.id), await store.turn(session.id), await readCurrentSession(store, session.id)];
    const half = {
      append: [createUserEntry('lost'), createUserEntry('lost too')],
      turn: null,
      exitReason: 'answered' as const,
      fates: [{ id: 'i_none', fate: 'turn' as const }],
    };
    await assertRefused(store.commit(claim, half), 'missing');
    deepEqual([await store.entries(session.id), await store.turn(session.id), await readCurrentSession(store, session.id)], before);
    const [next] = await store.commit(claim, { append: [createUserEntry('after')] });
    equal(next?.seq, 2);
  });

  test('text of every kind survives', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const odd = ['', 'nul \0 inside', 'half a pair \ud83d', '😀 中文 עברית', 'quote " \\ \u2028', 'x'.repeat(300_000)];
    await store.commit(claim, { append: odd.map(createUserEntry) });
    deepEqual((await store.entries(session.id)).map(stripped), odd.map(createUserEntry));
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
  createUserEntry('a question'),
  { ...createUserEntry('with a sidecar'), wireOnly: [{ type: 'text', text: 'recalled', trust: 'owner' }] },
  { ...createUserEntry('with what it answers'), quoted: '> a mail' },
  createAnswerEntry('an answer'),
  createToolResultEntry('a result'),
  createToolResultEntry('one with details', { kind: 'command', exitCode: 3, ended: 'exited', cwd: '/' }, 1_250),
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
