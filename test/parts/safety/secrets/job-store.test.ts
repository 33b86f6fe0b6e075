import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyOwnProcess } from '../../../../src/base/process-identity.ts';
import type { JobStore, RunClaim } from '../../../../src/contracts/job-store.ts';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import { createRedactingJobs } from '../../../../src/parts/safety/secrets/job-store.ts';
import { openSqliteStore } from '../../../../src/parts/store/sqlite/store.ts';
import { createDelivery } from '../../../../src/testing/conformance/gateway-store-samples.ts';
import { createDefinition, LEASE_MS } from '../../../../src/testing/conformance/job-store-samples.ts';
import { SESSION } from '../../../../src/testing/conformance/session-store-samples.ts';
import { freshPath } from '../../store/places.ts';
import { secretsWith } from './setup.ts';
import { undecided } from './undecided.ts';

const VALUE = 'k9fJ2mQx7Lp0v';
const SECRETS = secretsWith({ MY_KEY: VALUE });
const TAKE = { leaseMs: LEASE_MS, limit: 9 };
const definition = createDefinition(`job ${VALUE}`, { prompt: `Use ${VALUE}.`, skills: [VALUE] });

interface Scene {
  readonly store: JobStore;
  readonly jobId: string;
  readonly claim: RunClaim;
  readonly sessionId: string;
}
/** A use of every method, with the secret wherever a text goes in. A method without a row does not compile. */
const USES: { readonly [Method in keyof Required<JobStore>]: (scene: Scene) => Promise<unknown> } = {
  now: ({ store }) => store.now(),
  add: ({ store }) => store.add({ definition, nextAt: 1 }),
  list: ({ store }) => store.list(),
  find: ({ store }) => store.find(`job ${VALUE}`),
  due: ({ store }) => store.due(9),
  pass: async ({ store }) => {
    const { id } = await store.add({ definition, nextAt: 5 });
    return store.pass({ jobId: id, version: 1, from: 5, run: 5 }, LEASE_MS);
  },
  advance: ({ store, jobId }) => store.advance(jobId, 1, 9, 8),
  ask: ({ store, jobId }) => store.ask(jobId),
  take: ({ store }) => store.take(TAKE),
  beginScript: ({ store, claim }) => store.beginScript(claim, identifyOwnProcess()),
  start: ({ store, claim, sessionId }) =>
    store.start(claim, { sessionId, content: [createTextBlock(VALUE, 'owner')], mode: 'queue', key: VALUE }),
  renew: ({ store, claim }) => store.renew([claim], LEASE_MS),
  release: async ({ store, claim }) => {
    await store.release(claim);
    await store.take({ ...TAKE, runId: claim.runId });
  },
  finish: async ({ store, claim: { runId, token } }) =>
    store.finish({ runId, token: token + 1 }, { state: 'failed', why: VALUE }, [createDelivery('7', VALUE)]),
  nextDue: ({ store }) => store.nextDue(),
  runs: ({ store }) => store.runs(),
  announce: ({ store }) => store.announce(VALUE, 1),
  withdraw: ({ store }) => store.withdraw(),
  tickers: ({ store }) => store.tickers(),
  change: ({ store, jobId }) => store.change(jobId, 1, { definition, pausedWhy: VALUE }),
  remove: ({ store, jobId }) => store.remove(jobId),
};

test('redaction has decided on every method a store of jobs has', async () => {
  await using store = await openSqliteStore({ path: freshPath() });
  assert.deepEqual(undecided(store.jobs, createRedactingJobs(store.jobs, SECRETS)), []);
});

test('whatever is asked of it, a store of jobs is told no secret and tells none, not even one it was told too early', async () => {
  await using inner = await openSqliteStore({ path: freshPath(), durability: 'process' });
  const heard: string[] = [];
  const listening: JobStore = new Proxy(inner.jobs, {
    get: (target, key, receiver) => {
      const method: unknown = Reflect.get(target, key, receiver);
      return typeof method === 'function'
        ? (...args: unknown[]): unknown => (heard.push(JSON.stringify(args)), Reflect.apply(method, target, args))
        : method;
    },
  });
  const store = createRedactingJobs(listening, SECRETS);
  const { id: jobId } = await inner.jobs.add({ definition, nextAt: 5 });
  const passed = await inner.jobs.pass({ jobId, version: 1, from: 5, run: 5, next: 9 }, LEASE_MS);
  assert.ok(passed?.taken !== undefined);
  const { id: sessionId } = await inner.create(SESSION);
  const scene = { store, jobId, claim: passed.taken.claim, sessionId };
  for (const use of Object.values(USES)) assert.ok(!JSON.stringify((await use(scene)) ?? '').includes(VALUE), String(use));
  assert.deepEqual(
    heard.filter((args) => args.includes(VALUE)),
    [],
  );
  assert.ok(heard.length >= Object.keys(USES).length, 'every method was asked for something');
});

test('what leads somewhere is kept without its secret and leads there again', async () => {
  await using inner = await openSqliteStore({ path: freshPath(), durability: 'process' });
  const store = createRedactingJobs(inner.jobs, SECRETS);
  const leads = {
    origin: { platform: 'webhook', account: 'main', chatId: `hook/${VALUE}` },
    deliver: [`webhook:hook/${VALUE}`],
    cwd: `/work/${VALUE}`,
    script: `${VALUE}.sh`,
  };
  const { id } = await store.add({ definition: createDefinition('leads', leads), nextAt: 1 });
  const { taken } = (await store.pass({ jobId: id, version: 1, from: 1, run: 1 }, LEASE_MS)) ?? {};
  const [job] = await store.find(id);
  for (const found of [job?.definition, taken?.run.job]) {
    const { origin, deliver, cwd, script } = found ?? {};
    assert.deepEqual({ origin, deliver, cwd, script }, leads);
  }
  assert.ok(!JSON.stringify(await inner.jobs.list()).includes(VALUE));
});
