import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import type { Claim, Session, SessionStore } from '../../../../src/contracts/session-store.ts';
import { createRedactingStore } from '../../../../src/parts/safety/secrets/store.ts';
import { openSqliteStore } from '../../../../src/parts/store/sqlite/store.ts';
import { createCallRecord, createPrepareState, createUserEntry } from '../../../../src/testing/conformance/session-store-samples.ts';
import { freshPath } from '../../store/places.ts';
import { secretsWith } from './setup.ts';
import { undecided } from './undecided.ts';

const VALUE = 'k9fJ2mQx7Lp0v';
const SECRETS = secretsWith({ MY_KEY: VALUE });

test('redaction has decided on every method a store has', async () => {
  await using store = await openSqliteStore({ path: freshPath() });
  assert.deepEqual(undecided(store, createRedactingStore(store, SECRETS)), []);
  const grown = { ...store, peek: () => {} };
  assert.deepEqual(undecided(grown, createRedactingStore(grown, SECRETS)), ['nobody decided what peek redacts']);
  const { changes: _, ...shrunk } = store;
  assert.deepEqual(undecided(shrunk, createRedactingStore(store, SECRETS)), ['changes is redacted and not there any more']);
});

interface Scene {
  readonly store: SessionStore;
  readonly session: Session;
  readonly claim: Claim;
}
/** A use of every method, with the secret wherever a text goes in. A method without a row does not compile. */
const USES: { readonly [Method in keyof Required<SessionStore>]: (scene: Scene) => Promise<unknown> } = {
  create: ({ store }) => store.create({ source: VALUE, platform: VALUE, cwd: '/', model: VALUE, provider: VALUE, title: `On ${VALUE}` }),
  find: ({ store }) => store.find(VALUE),
  list: ({ store }) => store.list({ cwd: '/' }),
  branch: ({ store, session }) => store.branch(session.id, { throughSeq: 1, title: `After ${VALUE}` }),
  adopt: ({ store }) =>
    store.adopt({
      id: '20250102_030405_abcdef',
      source: VALUE,
      cwd: '/',
      model: VALUE,
      provider: VALUE,
      title: `Of ${VALUE}`,
      startedAt: 1,
      updatedAt: 1,
      entries: [{ ...createUserEntry(`Earlier ${VALUE}`), id: 'e_1', at: 1 }],
      calls: [createCallRecord('20250102_030405_abcdef', 'm9', { bodyHash: VALUE })],
    }),
  retitle: ({ store, session }) => store.retitle(session.id, `About ${VALUE}`, 'user'),
  remove: async ({ store }) => store.remove((await store.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p' })).id),
  entries: ({ store, session }) => store.entries(session.id),
  claim: async ({ store }) => store.claim((await store.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p' })).id),
  release: ({ store, claim }) => store.release({ ...claim, token: -1 }),
  commit: ({ store, session, claim }) =>
    store.commit(claim, {
      append: [createUserEntry(`More of ${VALUE}`), { type: 'note', origin: 'system', text: VALUE }],
      turn: { ...createPrepareState(session.id, 't'), parts: [{ id: 'e', text: VALUE }] },
      calls: [createCallRecord(session.id, 'm1', { bodyHash: VALUE })],
    }),
  turn: ({ store, session }) => store.turn(session.id),
  pending: ({ store }) => store.pending(),
  post: ({ store, session }) =>
    store.post({
      sessionId: session.id,
      content: [createTextBlock(VALUE, 'owner')],
      overlay: [createTextBlock(VALUE, 'foreign')],
      mode: 'queue',
      key: VALUE,
    }),
  waiting: ({ store, session }) => store.waiting(session.id),
  inbox: ({ store, session }) => store.inbox(session.id),
  calls: ({ store }) => store.calls({}),
  spent: ({ store, session }) => store.spent(session.id),
  compactions: ({ store }) => store.compactions({}),
  activity: ({ store }) => store.activity({}),
  search: ({ store }) => store.search({ text: `${VALUE} OR words` }),
  fact: ({ store }) => store.fact(VALUE),
  learn: ({ store }) => store.learn(VALUE, VALUE),
  gateway: async () => {},
  jobs: async () => {},
  memory: async ({ store: { memory } }) => {
    await memory.follow({ provider: 'p', subject: 'writes', from: 0 });
    const [taken] = await memory.take('p', { subject: 'writes', limit: 1, leaseMs: 1 });
    assert.ok(taken);
    await memory.move(taken, { told: 1, seen: 1 });
    await memory.release(taken, { delayMs: 0, why: VALUE });
    return [await memory.backlog('p'), await memory.nextDue('p')];
  },
  processes: async ({ store: { processes } }) => {
    const trace = { backend: 'local', pid: 1, command: VALUE, startedAt: 1, log: '/l', exit: '/e', identity: { pid: 1 } };
    await processes.add({ id: 'p', sessionId: 's', trace, watch: { patterns: [VALUE], seen: 0 } });
    await processes.change('p', { watch: { patterns: [VALUE], seen: 1 } });
    await processes.keep('p');
    return [await processes.list(), await processes.remove('p')];
  },
  questions: async ({ store: { questions } }) => {
    const question = { id: 'q', act: VALUE, action: { tool: 'terminal', summary: VALUE, reason: VALUE } };
    await questions.begin(question);
    await questions.grant({ sessionId: 's' }, [{ at: VALUE }]);
    await questions.adopt([{ ...question, at: 1, state: 'open' }]);
    const rows = [await questions.keep(question, 1e15), await questions.list(1e15), await questions.decide('q', 'allowed', 1e15)];
    return [...rows, await questions.use(VALUE, 1e15), await questions.granted({ sessionId: 's' })];
  },
  runs: async ({ store: { runs } }) => {
    const session = { source: VALUE, cwd: '/', model: VALUE, provider: VALUE, title: VALUE };
    const owned = { owner: VALUE, session, facts: { system: VALUE }, seed: [createUserEntry(VALUE)] };
    const [content, idempotency] = [[createTextBlock(VALUE, 'owner')], { key: VALUE, bodyHash: 'h' }];
    const asked = { owner: VALUE, kind: VALUE, request: { input: VALUE }, item: { content }, idempotency, maxOpen: 9 };
    const begun = await runs.begin({ ...asked, place: { type: 'new', ...owned } });
    const named = await runs.begin({
      ...asked,
      idempotency: { key: 'n', bodyHash: 'h' },
      place: { type: 'conversation', name: VALUE, ...owned },
    });
    const id = 'run' in begun ? begun.run.id : '';
    const event = { type: 'message.delta', data: { delta: VALUE } };
    await runs.append([{ runId: id, events: [event], end: { state: 'completed', result: { text: VALUE }, seq: 1, prefixes: ['h'] } }]);
    const made = await runs.createSession(owned);
    const told = [await runs.find(id), await runs.events(id, 0, 9), await runs.listOpen(), await runs.findOwner(made.id), named];
    const more = [await runs.listSessions({ owner: VALUE, limit: 9 }), await runs.findPrefix(VALUE, ['h'])];
    await runs.findNamed(VALUE, VALUE);
    return [begun, ...told, ...more, await runs.spent(VALUE), await runs.requestStop(id), await runs.remove(id)];
  },
  changes: async ({ store }) => void store.changes(AbortSignal.abort()),
  care: async ({ store }) => [
    await store.care?.check(),
    await store.care?.repair(),
    await store.care?.backup(freshPath()),
    await store.care?.settleCopy({ keepCursors: true }),
  ],
  [Symbol.asyncDispose]: async () => {},
};

test('whatever is asked of it, a store is told no secret and tells none, not even one it was told too early', async () => {
  await using inner = await openSqliteStore({ path: freshPath(), durability: 'process' });
  const heard: string[] = [];
  const listening: SessionStore = new Proxy(inner, {
    get: (target, key, receiver) => {
      const method: unknown = Reflect.get(target, key, receiver);
      return typeof method === 'function'
        ? (...args: unknown[]): unknown => (heard.push(JSON.stringify(args)), Reflect.apply(method, target, args))
        : method;
    },
  });
  const store = createRedactingStore(listening, SECRETS);
  const session = await inner.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p' });
  const claim = await inner.claim(session.id);
  await inner.commit(claim, { append: [createUserEntry(`words and ${VALUE}`)] });
  await inner.post({ sessionId: session.id, content: [createTextBlock(VALUE, 'owner')], mode: 'queue' });
  for (const use of Object.values(USES))
    assert.ok(!JSON.stringify((await use({ store, session, claim })) ?? '').includes(VALUE), String(use));
  assert.deepEqual(
    heard.filter((args) => args.includes(VALUE)),
    [],
  );
  assert.ok(heard.length >= Object.keys(USES).length - 5, 'every method was asked for something');
});
