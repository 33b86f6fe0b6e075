import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { join } from 'node:path';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { openHost } from '../../src/app/open-host.ts';
import { openHookService } from '../../src/app/services/hooks.ts';
import { createRegistries, snapshotRegistries } from '../../src/app/tools/registries.ts';
import type { Clock } from '../../src/base/clock.ts';
import { resolveHome } from '../../src/base/home.ts';
import { createRegistry } from '../../src/base/registry.ts';
import type { HookRegistration } from '../../src/contracts/hooks.ts';
import type { FetchResult } from '../../src/contracts/reach.ts';
import type { OutboundFacts } from '../../src/parts/hooks/outbound/outbound-queue.ts';
import { openOutbound } from '../../src/parts/hooks/outbound/open-outbound.ts';
import { folder, never, talk, tell } from './host-scene.ts';

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
/** An address on this computer that answers so. */
async function openReceiver(answers: readonly number[] = []) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      received.push({ headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])), body });
      response.writeHead(answers[received.length - 1] ?? 204).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1ob29rcy0wMTIzNDU2Nzg5';

test('an address gets signed events of a turn, in their order; it is asked for no consent and delays nobody', async () => {
  await using receiver = await openReceiver();
  const root = mkdtempSync(join(folder, 'outbound-'));
  const target = { url: receiver.url, events: ['on_session_start', 'turn_outcome'], secret_env: 'HOOK_SECRET' };
  writeFileSync(join(root, 'config.yaml'), JSON.stringify({ hooks: { outbound: [target, { ...target, secret_env: 'NOT_SET' }] } }));
  const env = { HERMES_HOME: root, HOOK_SECRET: SECRET };
  const notices: string[] = [];
  {
    await using host = await openHost({ env, home: resolveHome(env) });
    void (async () => {
      for await (const { text } of host.notices(never)) notices.push(text);
    })();
    await using session = await host.openSession(talk([{ text: 'one' }]));
    await tell(session, 'first');
    while (receiver.received.length < 2) await new Promise(setImmediate);
  }
  const verified = receiver.received.map(({ headers, body }) => new Webhook(SECRET).verify(body, headers));
  assert.deepEqual(
    verified.map((event) => (event as { readonly type: string }).type),
    ['on_session_start', 'turn_outcome'],
  );
  const { data } = verified[1] as { readonly data: Readonly<Record<string, unknown>> };
  assert.deepEqual([data['outcome'], data['exit_reason'], data['platform']], ['answered', 'answered', 'cli']);
  assert.ok(notices.includes('hooks.outbound/2 in config.yaml is not used: NOT_SET is not set. Set it in .env; nothing is sent unsigned.'));
  const registered = snapshotRegistries(createRegistries());
  await using host = await openHost({ env, home: resolveHome(env) });
  const service = await openHookService({ processEnv: env, notice: () => {}, registered }, host.store);
  const tested = await service.test('outbound/1', 'turn_outcome', never);
  assert.deepEqual([tested.ok, tested.output, receiver.received.length], [true, 'The receiver answered 204.', 3]);
  await assert.rejects(service.trust('outbound/1'), /outbound\/1 is an address and runs nothing, so it needs no trust/);
});

/** Facts as the store keeps them. */
function createFacts(): OutboundFacts & { readonly known: Map<string, string> } {
  const known = new Map<string, string>();
  return {
    known,
    fact: async (key) => known.get(key),
    learn: async (key, value, expected) => {
      if (expected !== undefined && (known.get(key) ?? null) !== expected) return false;
      if (value === undefined) known.delete(key);
      else known.set(key, value);
      return true;
    },
  };
}

/** Events of one name through a line of its own, with a network and a clock of the test's. */
function openLine(fetch: (attempt: number) => Promise<FetchResult>, store = createFacts()) {
  const registry = createRegistry<HookRegistration>();
  const [notices, waits, ids]: [string[], number[], string[]] = [[], [], []];
  const clock: Clock = { now: () => 1_000, sleep: async (ms) => void waits.push(ms) };
  const table = { outbound: [{ url: 'https://example.org/', events: ['on_stream_start'], secret_env: 'S' }] };
  const line = openOutbound(table, registry, {
    env: { S: SECRET },
    notice: (words) => void notices.push(words),
    clock,
    store,
    networkTo: () => ({
      fetch: ({ headers = {} }) => {
        ids.push(headers['webhook-id'] ?? '');
        return fetch(ids.length);
      },
    }),
  });
  const hook = registry.get('hooks.outbound/1: on_stream_start');
  const push = async (): Promise<void> => {
    if (hook?.hook !== 'on_stream_start') assert.fail();
    await hook.run({ sessionId: 's', platform: 'cli', model: 'm' });
  };
  return { line, push, notices, waits, ids, known: store.known };
}
const status = (code: number): FetchResult => ({ ok: true, url: '', status: code, headers: {}, body: Buffer.alloc(0), cut: false });

test('a receiver that is not able now is tried again with the same id, later each time; one that says no is not, and that is told once', async () => {
  const later = openLine(async (attempt) => (attempt < 4 ? status(503) : status(200)));
  await later.push();
  while (later.ids.length < 4) await new Promise(setImmediate);
  await later.line[Symbol.asyncDispose]();
  assert.deepEqual([later.waits, new Set(later.ids).size, later.notices], [[1_000, 5_000, 30_000], 1, []]);

  const refused = openLine(async () => status(404));
  await refused.push();
  await refused.push();
  while (refused.ids.length < 2) await new Promise(setImmediate);
  await refused.line[Symbol.asyncDispose]();
  assert.deepEqual([refused.ids.length, refused.waits], [2, []]);
  assert.deepEqual(
    [...refused.known.keys()].filter((key) => key.startsWith('hook-event:')),
    [],
    'what was refused is not kept',
  );
  assert.deepEqual(refused.notices, ['hooks.outbound/1: an event was not taken and is dropped: the receiver answered 404']);
});

test('what waits for a slow receiver is bounded, and told once', async () => {
  const stuck = Promise.withResolvers<FetchResult>();
  const slow = openLine(() => stuck.promise);
  const kept = Array.from({ length: 700 }, () => slow.push());
  assert.deepEqual(slow.notices, ['hooks.outbound/1 is too slow: 500 events wait for it, and new ones are dropped.']);
  await Promise.all(kept);
  stuck.resolve(status(200));
  while (slow.ids.length < 500) await new Promise(setImmediate);
  await slow.line[Symbol.asyncDispose]();
  assert.equal(slow.ids.length, 500);
  assert.deepEqual(
    [...slow.known.keys()].filter((key) => key.startsWith('hook-event:')),
    [],
    'neither what was taken nor what was dropped is kept',
  );
});

test('what cannot be sent now is kept for the next start, under the same id and in its order; an end waits for nobody', async () => {
  const store = createFacts();
  const stuck = Promise.withResolvers<FetchResult>();
  const first = openLine(() => stuck.promise, store);
  for (let count = 0; count < 3; count++) await first.push();
  await first.line[Symbol.asyncDispose]();
  assert.equal(first.ids.length, 1, 'one was on its way');
  const next = openLine(async () => status(200), store);
  while (next.ids.length < 3) await new Promise(setImmediate);
  await next.line[Symbol.asyncDispose]();
  assert.deepEqual([next.ids[0], new Set(next.ids).size], [first.ids[0], 3]);
  assert.deepEqual(
    [...store.known.keys()].filter((key) => key.startsWith('hook-event:')),
    [],
    'what was taken is not kept',
  );
  assert.deepEqual([first.notices, next.notices], [[], []]);
});

test('a receiver that is away for long is told of, and loses nothing', async () => {
  const away = openLine(async (attempt) => (attempt < 9 ? status(503) : status(200)));
  await away.push();
  while (away.ids.length < 9) await new Promise(setImmediate);
  await away.line[Symbol.asyncDispose]();
  assert.deepEqual(away.waits.slice(3), [120_000, 120_000, 120_000, 120_000, 120_000]);
  assert.deepEqual(away.notices, [
    'hooks.outbound/1 takes no events: the receiver answered 503. They are kept, and tried again for a day.',
  ]);
});
