import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock, NO_USAGE } from '../../contracts/message.ts';
import type { NewRun, Run, RunPlace } from '../../contracts/run-store.ts';
import type { Session, SessionStore } from '../../contracts/session-store.ts';
import {
  createAnswerEntry,
  createCallRecord,
  createPrepareState,
  createUserEntry,
  SESSION,
  type OpenStore,
  type StoreConformanceOptions,
} from './session-store-samples.ts';

const API = { ...SESSION, source: 'api_server' };
const fresh = (owner = 'main'): RunPlace => ({ type: 'new', owner, session: API, facts: { system: 'Be brief.' } });
const runOf = (words: string, more: Partial<NewRun> = {}): NewRun => ({
  owner: 'main',
  kind: 'chat',
  request: { model: 'm' },
  place: fresh(),
  item: { content: [createTextBlock(words, 'owner')] },
  maxOpen: 10,
  ...more,
});
async function begin(store: SessionStore, words: string, more: Partial<NewRun> = {}): Promise<{ run: Run; session: Session }> {
  const beginning = await store.runs.begin(runOf(words, more));
  if (beginning.type !== 'begun') throw new Error(`not begun: ${beginning.type}`);
  return beginning;
}
const end = (store: SessionStore, runId: string, seq = 1, prefixes: readonly string[] = []) =>
  store.runs.append([{ runId, events: [], end: { state: 'completed', result: { text: 'ok' }, seq, prefixes } }]);
const deltas = (...words: readonly string[]) => words.map((delta) => ({ type: 'message.delta', data: { delta } }));

/** Runs, their events and whose sessions they are in. */
export function testRuns(open: OpenStore, stage: StoreConformanceOptions): void {
  testBeginnings(open, stage);
  testContinuations(open);
  testPlaces(open);
  testRunEvents(open);
  testOwners(open);
}

function testBeginnings(open: OpenStore, { again }: StoreConformanceOptions): void {
  test('a run begins with its session and its message, and knows the turn that took the message', async () => {
    await using store = await open();
    const seed = [createUserEntry('earlier'), createAnswerEntry('yes')];
    const { run, session } = await begin(store, 'hello', { place: { type: 'new', owner: 'main', session: API, facts: { a: 1 }, seed } });
    deepEqual([run.state, run.sessionId, run.request, session.messages], ['queued', session.id, { model: 'm' }, 2]);
    deepEqual(
      (await store.entries(session.id)).map(({ seq, origin }) => [seq, origin]),
      [
        [1, 'user'],
        [2, 'model'],
      ],
    );
    const [item] = await store.waiting(session.id);
    deepEqual([item?.id, item?.mode, item?.replyTo, item?.content], [run.itemId, 'queue', { run: run.id }, runOf('hello').item.content]);
    const claim = await store.claim(session.id);
    await store.commit(claim, { turnId: 't1', append: [createUserEntry('hello')], fates: [{ id: run.itemId, fate: 'turn' }] });
    deepEqual(await store.runs.find(run.id), { ...run, turnId: 't1' });
    for (const filter of [[], [session.id]]) deepEqual(await store.runs.listOpen(...filter), [{ ...run, turnId: 't1' }]);
    deepEqual(await store.runs.listOpen('another'), []);
    equal(await store.runs.find('run_0'), undefined);
    deepEqual(await store.runs.findOwner(session.id), { owner: 'main', facts: { a: 1 } });
  });

  test('one key of one owner is one run, whoever begins it and however often', async () => {
    await using store = await open();
    const others = again === undefined ? [] : [await again(store), await again(store)];
    const asked = (owner: string, bodyHash = 'h') => runOf('hello', { owner, place: fresh(owner), idempotency: { key: 'k', bodyHash } });
    const begun = await Promise.all([store, ...others, store].map((each) => each.runs.begin(asked('main'))));
    const ids = new Set(begun.map((each) => ('run' in each ? each.run.id : each.type)));
    deepEqual([ids.size, begun.filter(({ type }) => type === 'begun').length], [1, 1]);
    equal((await store.list({ source: 'api_server' })).length, 1);
    deepEqual(await store.runs.begin(asked('main', 'other')), { type: 'conflict' });
    const other = await store.runs.begin(asked('phone', 'other'));
    equal(other.type, 'begun');
    for (const each of others) await each[Symbol.asyncDispose]();
  });

  test('no more are begun than may be open, and what is refused leaves nothing behind', async () => {
    await using store = await open();
    const { run } = await begin(store, 'one', { maxOpen: 1, idempotency: { key: 'k', bodyHash: 'h' } });
    const before = (await store.list()).length;
    deepEqual(await store.runs.begin(runOf('two', { maxOpen: 1 })), { type: 'full' });
    deepEqual(await store.runs.begin(runOf('two', { place: { type: 'session', sessionId: 'nobody' } })), { type: 'missing' });
    deepEqual(await store.runs.begin(runOf('two', { place: { type: 'after', sessionId: run.sessionId, seq: 7 } })), { type: 'missing' });
    equal((await store.runs.begin(runOf('one', { maxOpen: 1, idempotency: { key: 'k', bodyHash: 'h' } }))).type, 'known');
    equal((await store.list()).length, before);
    await end(store, run.id);
    equal((await store.runs.begin(runOf('two', { maxOpen: 1 }))).type, 'begun');
  });
}

function testContinuations(open: OpenStore): void {
  test('a turn that waits for its client goes on with another run, once', async () => {
    await using store = await open();
    const { run, session } = await begin(store, 'hello');
    const again = () => store.runs.begin(runOf('', { continues: run.id, request: { results: 1 } }));
    equal((await again()).type, 'missing', 'it is not over');
    const claim = await store.claim(session.id);
    const turn = createPrepareState(session.id, 't1');
    await store.commit(claim, { turnId: 't1', turn, append: [createUserEntry('hello')], fates: [{ id: run.itemId, fate: 'turn' }] });
    await end(store, run.id);
    const next = await again();
    const found = next.type === 'begun' ? next.run : undefined;
    deepEqual([found?.sessionId, found?.turnId, found?.itemId], [session.id, 't1', run.itemId]);
    deepEqual([(await store.runs.findByTurn(session.id, 't1'))?.id, await store.waiting(session.id)], [found?.id, []]);
    equal((await again()).type, 'missing', 'another run goes on with it');
    await end(store, found?.id ?? '');
    await store.commit(claim, { turnId: 't1', turn: null });
    equal((await store.runs.begin(runOf('', { continues: found?.id ?? '' }))).type, 'missing', 'the turn is over');
    equal(await store.runs.findByTurn(session.id, 't2'), undefined);
  });

  test('a run posts another message once, and is the run of the turn that takes it', async () => {
    await using store = await open();
    const { run, session } = await begin(store, 'hello');
    const claim = await store.claim(session.id);
    await store.commit(claim, { turnId: 't1', append: [createUserEntry('hello')], fates: [{ id: run.itemId, fate: 'turn' }] });
    const retry = { content: [createTextBlock('once more', 'owner')], sampling: { maxOutput: 5 } };
    for (let times = 0; times < 2; times++) await store.runs.append([{ runId: run.id, events: [], retry }]);
    const [item, ...others] = await store.waiting(session.id);
    deepEqual([item?.content, item?.sampling, item?.replyTo, others], [retry.content, retry.sampling, { run: run.id }, []]);
    equal((await store.runs.find(run.id))?.turnId, undefined);
    await store.commit(claim, { turnId: 't2', fates: [{ id: item?.id ?? '', fate: 'turn' }] });
    equal((await store.runs.findByTurn(session.id, 't2'))?.id, run.id);
  });
}

function testPlaces(open: OpenStore): void {
  test('a conversation goes on where it stood, and in a copy when something came after that', async () => {
    await using store = await open();
    const { run, session } = await begin(store, 'hello');
    const claim = await store.claim(session.id);
    const note = { type: 'note', origin: 'system', text: 'between turns' } as const;
    await store.commit(claim, {
      turnId: 't1',
      append: [createUserEntry('hello'), createAnswerEntry('hi'), note],
      fates: [{ id: run.itemId, fate: 'turn' }],
    });
    await end(store, run.id, 2, ['first', 'second']);
    deepEqual(await store.runs.findPrefix('phone', ['first']), undefined);
    const found = await store.runs.findPrefix('main', ['unknown', 'second']);
    deepEqual(found, { sessionId: session.id, seq: 2 });
    const place = { type: 'after', sessionId: session.id, seq: 2 } as const;
    const next = await begin(store, 'more', { place });
    equal(next.session.id, session.id);
    const copy = await begin(store, 'something else', { place });
    deepEqual([copy.session.parent, copy.session.messages], [{ sessionId: session.id, kind: 'branch' }, 2]);
    deepEqual((await store.waiting(copy.session.id)).length, 1);
    deepEqual(await store.runs.findOwner(copy.session.id), { owner: 'main', facts: { system: 'Be brief.' } });
    await store.commit(claim, { turn: createPrepareState(session.id, 't2'), fates: [{ id: next.run.itemId, fate: 'turn' }], turnId: 't2' });
    ok((await begin(store, 'a third', { place })).session.id !== session.id);
  });

  test('a conversation of an owner is one session by its name', async () => {
    await using store = await open();
    const named = (owner: string): RunPlace => ({ type: 'conversation', name: 'trip', owner, session: API, facts: {} });
    const ids: string[] = [];
    for (const owner of ['main', 'main', 'phone']) ids.push((await begin(store, 'x', { owner, place: named(owner) })).session.id);
    deepEqual([ids[0] === ids[1], ids[0] === ids[2]], [true, false]);
    equal((await store.waiting(ids[0] ?? '')).length, 2);
    deepEqual([await store.runs.findNamed('phone', 'trip'), await store.runs.findNamed('phone', 'other')], [ids[2], undefined]);
  });
}

function testRunEvents(open: OpenStore): void {
  test('events are numbered in order and read again from anywhere, and a run that is over gets no more', async () => {
    await using store = await open();
    const one = await begin(store, 'one');
    const two = await begin(store, 'two');
    const told = await store.runs.append([
      { runId: one.run.id, events: deltas('a', 'b'), state: 'running' },
      { runId: two.run.id, events: deltas('x') },
      { runId: 'run_0', events: deltas('nobody hears this') },
    ]);
    deepEqual(told, [2, 1, 0]);
    deepEqual(await store.runs.append([{ runId: one.run.id, events: deltas('c') }]), [3]);
    const read = async (after: number, limit = 10) =>
      (await store.runs.events(one.run.id, after, limit)).map(({ seq, data }) => `${seq}${JSON.stringify(data['delta'])}`);
    deepEqual(
      [await read(0), await read(1), await read(0, 2), await read(3)],
      [['1"a"', '2"b"', '3"c"'], ['2"b"', '3"c"'], ['1"a"', '2"b"'], []],
    );
    equal((await store.runs.find(one.run.id))?.state, 'running');
    await end(store, one.run.id, 5);
    deepEqual(await store.runs.append([{ runId: one.run.id, events: deltas('late'), state: 'running' }]), [3]);
    const over = await store.runs.find(one.run.id);
    deepEqual([over?.state, over?.result, over?.endSeq, await read(3)], ['completed', { text: 'ok' }, 5, []]);
    deepEqual(
      (await store.runs.listOpen()).map(({ id }) => id),
      [two.run.id],
    );
    deepEqual([await store.runs.remove(two.run.id), await store.runs.remove(one.run.id)], [false, true]);
    deepEqual([await store.runs.find(one.run.id), await read(0)], [undefined, []]);
  });

  test('after a break no event has a number that one before it may have had', async () => {
    await using store = await open();
    const { run } = await begin(store, 'one');
    deepEqual(await store.runs.append([{ runId: run.id, events: deltas('a'), afterBreak: true }]), [1]);
    deepEqual(await store.runs.append([{ runId: run.id, events: deltas('b', 'c'), afterBreak: true }]), [1001]);
    deepEqual(await store.runs.append([{ runId: run.id, events: [], afterBreak: true }]), [1001]);
    deepEqual(await store.runs.append([{ runId: run.id, events: deltas('d'), afterBreak: true }]), [2000]);
  });

  test('a stop that was asked for stays until the run is over', async () => {
    await using store = await open();
    const { run } = await begin(store, 'one');
    equal(await store.runs.requestStop(run.id), true);
    await store.runs.append([{ runId: run.id, events: [], state: 'running' }]);
    equal((await store.runs.find(run.id))?.state, 'stopping');
    await store.runs.append([{ runId: run.id, events: [], end: { state: 'cancelled', result: {} } }]);
    deepEqual([await store.runs.requestStop(run.id), (await store.runs.find(run.id))?.state], [false, 'cancelled']);
  });
}

function testOwners(open: OpenStore): void {
  test('sessions belong to an owner, with their copies and children, until they are removed', async () => {
    await using store = await open();
    const mine = await store.runs.createSession({ owner: 'main', session: { ...API, title: 'Mine' }, facts: {} });
    const theirs = await store.runs.createSession({ owner: 'phone', session: API, facts: { system: 's' } });
    const parent = { sessionId: theirs.id, kind: 'child' } as const;
    const child = await store.create({ ...API, parent });
    const foreign = await store.create(API);
    const ids = async (owner?: string) =>
      new Set((await store.runs.listSessions({ limit: 9, ...(owner !== undefined && { owner }) })).map(({ id }) => id));
    deepEqual([mine.title, await ids('phone'), await ids()], ['Mine', new Set([theirs.id]), new Set([mine.id, theirs.id])]);
    equal((await store.runs.listSessions({ limit: 1, offset: 1 })).length, 1);
    equal((await store.runs.listSessions({ limit: 9, platform: 'cron' })).length, 0);
    deepEqual(await store.runs.findOwner(child.id), { owner: 'phone', facts: { system: 's' } });
    equal(await store.runs.findOwner(foreign.id), undefined);
    const { run } = await begin(store, 'hello', { owner: 'phone', place: { type: 'session', sessionId: theirs.id } });
    await store.runs.append([{ runId: run.id, events: deltas('a') }]);
    await store.remove(theirs.id);
    deepEqual(
      [await store.runs.findOwner(theirs.id), await ids('phone'), await store.runs.find(run.id)],
      [undefined, new Set(), undefined],
    );
    deepEqual(await store.runs.events(run.id, 0, 9), []);
  });

  test('what an owner has spent is counted with each call and stays when the sessions go', async () => {
    await using store = await open();
    const session = await store.runs.createSession({ owner: 'phone', session: API, facts: {} });
    const child = await store.create({ ...API, parent: { sessionId: session.id, kind: 'child' } });
    const usage = { ...NO_USAGE, input: 10, output: 5, cacheRead: 3, cacheWrite: 2, reasoning: 4 };
    for (const [index, { id }] of [session, child].entries()) {
      const claim = await store.claim(id);
      await store.commit(claim, { calls: [createCallRecord(id, `c${index}`, { usage, ...(index === 0 && { price: 0.25 }) })] });
      await store.release(claim);
    }
    const spent = { calls: 2, tokens: 40, price: 0.25, unpriced: 1 };
    deepEqual(await store.runs.spent('phone'), spent);
    await store.remove(session.id);
    deepEqual([await store.runs.spent('phone'), (await store.runs.spent('nobody')).calls], [spent, 0]);
  });
}
