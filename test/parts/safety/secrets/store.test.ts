import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import type { PromptEpoch } from '../../../../src/contracts/prompt.ts';
import type { SessionStore } from '../../../../src/contracts/session-store.ts';
import { createRedactingStore } from '../../../../src/parts/safety/secrets/store.ts';
import { openSqliteStore } from '../../../../src/parts/store/sqlite/store.ts';
import { testSessionStoreConformance } from '../../../../src/testing/conformance/session-store.ts';
import { testGatewayStoreConformance } from '../../../../src/testing/conformance/gateway-store.ts';
import { testJobStoreConformance } from '../../../../src/testing/conformance/job-store.ts';
import { DEAD, freshPath } from '../../store/places.ts';
import { stageGatewayStore } from '../../store/stage.ts';
import { secretsWith } from './setup.ts';

const VALUE = 'k9fJ2mQx7Lp0v';
const SECRETS = secretsWith({ MY_KEY: VALUE });
const HIDDEN = SECRETS.redact(VALUE);

const paths = new WeakMap<SessionStore, string>();
const pathOf = (store: SessionStore): string => paths.get(store) ?? freshPath();
async function open(path = freshPath()): Promise<SessionStore> {
  const store = createRedactingStore(await openSqliteStore({ path, durability: 'process' }), SECRETS);
  paths.set(store, path);
  return store;
}

testSessionStoreConformance('A store that is told no secrets', () => open(), {
  again: (store) => open(pathOf(store)),
  orphan: async (store, sessionId) => (await openSqliteStore({ path: pathOf(store), holder: DEAD })).claim(sessionId),
  backup: { path: freshPath, open },
});

testJobStoreConformance('A store that is told no secrets', () => stageGatewayStore((store) => createRedactingStore(store, SECRETS)));
testGatewayStoreConformance('A store that is told no secrets', () => stageGatewayStore((store) => createRedactingStore(store, SECRETS)));

const bytesOf = (path: string): string =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(basename(path)))
    .map((name) => readFileSync(join(dirname(path), name)).toString('latin1'))
    .join('');

test('nothing that is handed in reaches the disk with a secret, and what comes back is what is on disk', async () => {
  await using store = await open();
  const session = await store.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p', title: `About ${VALUE}` });
  const claim = await store.claim(session.id);
  const message = { role: 'user', content: [createTextBlock(`Use ${VALUE}`, 'owner')] } as const;
  const [entry] = await store.commit(claim, { append: [{ type: 'message', origin: 'user', message }] });
  const item = await store.post({
    sessionId: session.id,
    content: [createTextBlock(`And ${VALUE}`, 'owner')],
    mode: 'queue',
    replyTo: { url: `http://hook/${VALUE}` },
  });
  await store.learn(`route ${VALUE}`, VALUE);
  assert.equal(session.title, `About ${HIDDEN}`);
  assert.deepEqual(await store.entries(session.id), [entry]);
  assert.ok(entry?.type === 'message' && entry.message.content[0]?.type === 'text' && entry.message.content[0].text === `Use ${HIDDEN}`);
  assert.deepEqual(item.content, [createTextBlock(`And ${HIDDEN}`, 'owner')]);
  assert.deepEqual([item.replyTo, (await store.waiting(session.id))[0]], [{ url: `http://hook/${VALUE}` }, item]);
  assert.equal(await store.fact(`route ${VALUE}`), HIDDEN);
  assert.deepEqual(
    (await store.find(`About ${VALUE}`)).map(({ id }) => id),
    [session.id],
  );
  assert.ok(!bytesOf(pathOf(store)).includes(VALUE));
});

test('an address with a password in it is kept without and leads there again', async () => {
  await using store = await open();
  const baseUrl = `http://me:${VALUE}@127.0.0.1:8080/v1`;
  const session = await store.create({ source: 'cli', cwd: '/', model: 'm', provider: 'custom' });
  const claim = await store.claim(session.id);
  const epoch: PromptEpoch = {
    slots: [],
    tools: [],
    toolsets: [],
    model: 'm',
    provider: 'custom',
    route: { baseUrl, protocol: 'openai-chat' },
  };
  await store.commit(claim, { append: [{ type: 'epoch', origin: 'system', cause: 'start', epoch }] });
  const [entry] = await store.entries(session.id);
  assert.ok(entry?.type === 'epoch' && entry.epoch.route?.baseUrl === baseUrl);
  assert.ok(!bytesOf(pathOf(store)).includes(VALUE));
});

test('what was logged before its secret was known is redacted when it is read', async () => {
  const path = freshPath();
  await using raw = await openSqliteStore({ path, durability: 'process' });
  const session = await raw.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p' });
  const message = { role: 'user', content: [createTextBlock(VALUE, 'owner')] } as const;
  await raw.commit(await raw.claim(session.id), { append: [{ type: 'message', origin: 'user', message }] });
  await using store = await open(path);
  assert.ok(!JSON.stringify(await store.entries(session.id)).includes(VALUE));
});
