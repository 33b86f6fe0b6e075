import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../../src/app/config/config.ts';
import type { Env } from '../../../src/base/env.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { connect, resolveRoute, type KeptRoute } from '../../../src/parts/providers/connect.ts';
import type { Outcome } from '../../../src/contracts/event.ts';
import type { Usage } from '../../../src/contracts/message.ts';
import type { CredentialPool } from '../../../src/contracts/provider.ts';
import type { Runtime } from '../../../src/contracts/runtime.ts';
import { createAgent } from '../../../src/agent/agent.ts';
import type { ModelSelection } from '../../../src/contracts/host.ts';
import { createRoutes, createRouteMemory, type RouteParts } from '../../../src/parts/providers/routes.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { faults, startWireServer, type WireServer } from '../../../src/testing/wire-server/index.ts';
import { collect, says, setup, tempFolder } from '../../agent/setup.ts';
import { runtimeOf } from './setup.ts';

const AUTH = { headers: async () => ({}), refresh: async () => false };
const NO_POOL: CredentialPool = { next: async () => undefined, rest: async () => {} };
const NO_FACTS = { fact: async () => undefined, learn: async () => {} };
const routesOf = (parts: Partial<RouteParts>) => createRoutes({ auth: AUTH, pool: NO_POOL, chain: [], facts: NO_FACTS, ...parts });
const to = (model: string): Runtime => runtimeOf('openai-chat', { model });

test('the chain is walked once, past rows without a key, twins and the route at hand', async () => {
  const chain = ['keyless', 'also keyless', 'a', 'a', 'b', 'c'].map((model) => () => to(model));
  const routes = routesOf({ chain, usable: ({ model }) => !model.includes('keyless') });
  const walked: (string | undefined)[] = [];
  for (let tried = 0, here: Runtime | undefined = to('primary'); here !== undefined; tried++) {
    here = await routes.fallback(here, tried);
    walked.push(here?.model);
  }
  assert.deepEqual(walked, ['a', 'b', 'c', undefined]);
  assert.equal((await routes.fallback(to('a'), 0))?.model, 'b');
});

test('a key that was refused rests, and the next comes from the pool the route may use', async () => {
  const rested: unknown[] = [];
  const pool: CredentialPool = {
    next: async (provider, except) => `${provider} after ${except}`,
    rest: async (credential, ms) => void rested.push([credential, ms]),
  };
  const routes = routesOf({ pool, poolOf: () => 'key:MINE' });
  const route = runtimeOf('openai-chat', { credential: 'MINE' });
  assert.equal((await routes.rotate(route, 'unauthorized'))?.credential, 'key:MINE after MINE');
  await routes.rotate(route, 'rate_limited', 7_000);
  assert.deepEqual(rested, [
    ['MINE', 300_000],
    ['MINE', 7_000],
  ]);
});

test('a window learnt from an error text is not kept for good', async () => {
  const kept = new Map<string, string>();
  let now = 1_000;
  const facts = { fact: async (key: string) => kept.get(key), learn: async (key: string, value: string) => void kept.set(key, value) };
  const memory = createRouteMemory(facts, () => now);
  await memory.learn(to('a'), { stream: false, window: 8_192 });
  now += 20 * 3_600_000;
  await memory.learn(to('a'), { without: ['top_k'] });
  assert.deepEqual(await memory.learnt(to('a')), { stream: false, window: 8_192, without: ['top_k'] });
  now += 5 * 3_600_000;
  assert.deepEqual(await memory.learnt(to('a')), { stream: false, without: ['top_k'] });
  kept.set([...kept.keys()][0] ?? '', JSON.stringify({ window: 120 }));
  assert.deepEqual(await memory.learnt(to('a')), {}, 'nor are those of earlier versions, which have no date');
});

test('facts about a route are joined and kept apart from those of others', async () => {
  const kept = new Map<string, string>();
  const routes = routesOf({ facts: { fact: async (key) => kept.get(key), learn: async (key, value) => void kept.set(key, value) } });
  await routes.learn(to('a'), { stream: false });
  await routes.learn(to('a'), { window: 5 });
  assert.deepEqual([await routes.learnt(to('a')), await routes.learnt(to('b'))], [{ stream: false, window: 5 }, {}]);
});

/** One question through real settings, routes, keys and HTTP; only waiting is skipped. */
async function run(
  yaml: string,
  env: Env,
  folder = tempFolder(),
): Promise<{
  readonly outcome: Outcome | undefined;
  readonly price: (route: Runtime, usage: Usage) => number | undefined;
  readonly runtime: Runtime;
}> {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, yaml);
  const config = await loadConfig(path, env, () => {});
  await using store = await openSqliteStore({ path: join(folder, 'facts.db') });
  const runtime = await resolveRoute({ selection: {}, config, env, kept: undefined, store, notice: () => {} });
  const { provider, routes, price } = connect({ config, env, store, runtime, transport: httpSse() });
  const scene = await setup(provider, { routes });
  const { outcome } = await collect(
    createAgent(scene.store, scene.deps, runtime).send(scene.session, says('hello'), new AbortController().signal),
  );
  return { outcome, price, runtime };
}
const headersOf = (server: WireServer): string => JSON.stringify(server.requests.map(({ headers, path }) => ({ headers, path })));

test('a fallback has its own key; the first provider’s never reaches its host', async () => {
  await using first = await startWireServer({ answer: () => ({ fault: faults.serverError() }) });
  await using second = await startWireServer({ answer: () => ({ text: 'from the second' }) });
  const yaml = `fallback_providers:\n  - {provider: custom, model: m2, base_url: ${second.url}/v1, key_env: SECOND_KEY}\n`;
  const { outcome } = await run(yaml, { OPENAI_API_KEY: 'sk-primary', OPENAI_BASE_URL: `${first.url}/v1`, SECOND_KEY: 'sk-second' });
  assert.deepEqual([outcome?.type, outcome?.text], ['answered', 'from the second']);
  assert.match(headersOf(first), /Bearer sk-primary/);
  assert.match(headersOf(second), /Bearer sk-second/);
  assert.doesNotMatch(headersOf(second), /sk-primary/);
  assert.doesNotMatch(headersOf(first), /sk-second/);
});

test('a fallback that names no key gets none', async () => {
  await using first = await startWireServer({ answer: () => ({ fault: faults.unauthorized() }) });
  await using second = await startWireServer({ answer: () => ({ text: 'without a key' }) });
  const yaml = `fallback_providers:\n  - {model: m2, base_url: ${second.url}/v1}\n`;
  const { outcome } = await run(yaml, { OPENAI_API_KEY: 'sk-primary,sk-spare', OPENAI_BASE_URL: `${first.url}/v1` });
  assert.equal(outcome?.text, 'without a key');
  assert.match(headersOf(first), /sk-primary.*sk-spare/, 'the spare key is tried first');
  assert.doesNotMatch(headersOf(second), /sk-|authorization/);
});

test('a refused key of a fallback is changed for another of the same variable only', async () => {
  await using first = await startWireServer({ answer: () => ({ fault: faults.unauthorized() }) });
  await using second = await startWireServer({ replies: [{ fault: faults.unauthorized() }], answer: () => ({ text: 'with the other' }) });
  const yaml = `model: {base_url: "${first.url}/v1", default: m1}\nfallback_providers:\n  - {provider: custom, model: m2, base_url: ${second.url}/v1, key_env: SECOND_KEY}\n`;
  const { outcome } = await run(yaml, {
    OPENAI_API_KEY: 'sk-primary',
    OPENAI_API_KEY_2: 'sk-primary-two',
    SECOND_KEY: 'sk-second',
    SECOND_KEY_2: 'sk-second-two',
  });
  assert.equal(outcome?.text, 'with the other');
  assert.deepEqual(
    first.requests.map(({ headers }) => headers.authorization),
    ['Bearer sk-primary', 'Bearer sk-primary-two'],
  );
  assert.deepEqual(
    second.requests.map(({ headers }) => headers.authorization),
    ['Bearer sk-second', 'Bearer sk-second-two'],
  );
});

const keysAt = (server: WireServer): (string | undefined)[] => server.requests.map(({ headers }) => headers['authorization']);

test('the next run does not meet a key that was refused', async () => {
  await using server = await startWireServer({
    answer: ({ headers }) => (headers['authorization'] === 'Bearer sk-dead' ? { fault: faults.unauthorized() } : { text: 'ok' }),
  });
  const folder = tempFolder();
  const env = { OPENAI_API_KEY: 'sk-dead,sk-live', OPENAI_BASE_URL: `${server.url}/v1` };
  for (const _ of [1, 2]) assert.equal((await run('', env, folder)).outcome?.text, 'ok');
  assert.deepEqual(keysAt(server), ['Bearer sk-dead', 'Bearer sk-live', 'Bearer sk-live']);
  await run('', { ...env, OPENAI_API_KEY: 'sk-mended,sk-live' }, folder);
  assert.equal(keysAt(server).at(-1), 'Bearer sk-mended', 'a new key under the old name is fresh');
});

test('each run begins with the key that is due', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'ok' }) });
  const folder = tempFolder();
  const env = { OPENAI_API_KEY: 'sk-one,sk-two', OPENAI_BASE_URL: `${server.url}/v1` };
  for (const _ of [1, 2, 3]) await run('credential_pool_strategy: round_robin\n', env, folder);
  assert.deepEqual(keysAt(server), ['Bearer sk-one', 'Bearer sk-two', 'Bearer sk-one']);
});

test('a fallback begins with a key that does not rest', async () => {
  const pool: CredentialPool = { next: async (name) => (name === 'custom' ? 'SPARE' : undefined), rest: async () => {} };
  const routes = routesOf({ pool, chain: [() => to('a')] });
  assert.equal((await routes.fallback(to('primary'), 0))?.credential, 'SPARE');
});

test('a redirect to another host is not followed', async () => {
  await using second = await startWireServer({ answer: () => ({ text: 'lured' }) });
  await using first = await startWireServer({
    answer: () => ({ fault: faults.status(307, { headers: { location: `${second.url}/v1/chat/completions` } }) }),
  });
  const { outcome } = await run('', { OPENAI_API_KEY: 'sk-primary', OPENAI_BASE_URL: `${first.url}/v1` });
  assert.equal(outcome?.type, 'failed');
  assert.equal(second.requests.length, 0);
});

test('a fallback row whose key is not there is passed over', async () => {
  await using first = await startWireServer({ answer: () => ({ fault: faults.billing() }) });
  await using second = await startWireServer({ answer: () => ({ text: 'reached' }) });
  const yaml = `fallback_providers:\n  - {provider: anthropic, model: claude-x}\n  - {provider: deepseek, model: m, key_env: NOT_SET}\n  - {model: m2, base_url: ${second.url}/v1}\n`;
  assert.equal((await run(yaml, { OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: `${first.url}/v1` })).outcome?.text, 'reached');
});

test('a provider of the settings is reached by name, with the key its entry names', async () => {
  await using mine = await startWireServer({ answer: () => ({ text: 'mine' }) });
  const yaml = `model: {provider: mine}\nproviders:\n  mine: {base_url: "${mine.url}/v1", key_env: MINE_KEY, api_mode: anthropic_messages, models: [big]}\n`;
  const { outcome, runtime } = await run(yaml, { MINE_KEY: 'sk-mine', OPENAI_API_KEY: 'sk-other', ANTHROPIC_API_KEY: 'sk-other' });
  assert.equal(outcome?.text, 'mine');
  assert.deepEqual([runtime.provider, runtime.model, runtime.credential], ['mine', 'big', 'MINE_KEY']);
  assert.match(headersOf(mine), /"x-api-key":"sk-mine"/);
  assert.doesNotMatch(headersOf(mine), /sk-other/);
});

test('a call is priced at the rates of its provider and the session’s cache time', async () => {
  await using first = await startWireServer({ answer: () => ({ text: 'ok' }) });
  const { price, runtime } = await run('prompt_caching: {cache_ttl: 1h}\n', { ANTHROPIC_API_KEY: 'sk', ANTHROPIC_BASE_URL: first.url });
  const usage: Usage = { input: 1_000_000, output: 100_000, cacheRead: 1_000_000, cacheWrite: 1_000_000, reasoning: 50_000 };
  assert.equal(runtime.model, 'claude-sonnet-4-6');
  // 3 + 1.5 + 0.3 + 6
  assert.ok(Math.abs((price(runtime, usage) ?? 0) - 10.8) < 1e-9);
  assert.equal(price({ ...runtime, model: 'nobody-knows' }, usage), undefined);
  assert.equal(price({ ...runtime, provider: 'custom' }, usage), undefined);
  assert.equal(price({ ...runtime, provider: 'ollama', model: 'x' }, usage), 0);
});

/** Flags, variables that name a setting, the file: who wins. */
const PRECEDENCE: readonly (readonly [what: string, selection: ModelSelection, yaml: string, env: Env, route: string])[] = [
  [
    'a flag beats variable, file and key',
    { provider: 'xai', model: 'f' },
    'model: {provider: anthropic, default: y}',
    { HERMES_PROVIDER: 'deepseek', HERMES_MODEL: 'v', OPENROUTER_API_KEY: 'k' },
    'xai f https://api.x.ai/v1',
  ],
  [
    'a variable that names a setting beats the file',
    {},
    'model: {provider: anthropic, default: y}',
    { HERMES_PROVIDER: 'deepseek', HERMES_MODEL: 'v' },
    'deepseek v https://api.deepseek.com/v1',
  ],
  [
    'the file beats a key that is there',
    {},
    'model: {provider: anthropic, default: y}',
    { OPENROUTER_API_KEY: 'k' },
    'anthropic y https://api.anthropic.com',
  ],
  ['a key enables, and nothing more', {}, 'model: {default: y}', { OPENROUTER_API_KEY: 'k' }, 'openrouter y https://openrouter.ai/api/v1'],
  [
    'an address by flag leaves the file’s provider aside',
    { baseUrl: 'http://127.0.0.1:9/v1' },
    'model: {provider: anthropic, default: y}',
    { ANTHROPIC_API_KEY: 'k' },
    'custom y http://127.0.0.1:9/v1',
  ],
  [
    'an address in the file belongs to the file’s provider',
    { provider: 'xai' },
    'model: {provider: anthropic, default: y, base_url: "http://127.0.0.1:9"}',
    {},
    'xai y https://api.x.ai/v1',
  ],
  [
    '…and holds when the flag names the same',
    { provider: 'anthropic' },
    'model: {provider: anthropic, default: y, base_url: "http://127.0.0.1:9"}',
    {},
    'anthropic y http://127.0.0.1:9',
  ],
  [
    'the provider’s address variable beats the file',
    {},
    'model: {provider: openai, default: y, base_url: "http://127.0.0.1:9/file"}',
    { OPENAI_BASE_URL: 'http://127.0.0.1:9/variable' },
    'openai-api y http://127.0.0.1:9/variable',
  ],
  [
    '…and so does the other’s',
    { provider: 'anthropic' },
    'model: {default: y, base_url: "http://127.0.0.1:9/file"}',
    { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/variable', OPENAI_BASE_URL: 'http://127.0.0.1:9/other' },
    'anthropic y http://127.0.0.1:9/variable',
  ],
  [
    '…also where the environment picks the provider',
    {},
    'model: {default: y, base_url: "http://127.0.0.1:9/file"}',
    { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/variable' },
    'openai-api y http://127.0.0.1:9/variable',
  ],
  [
    '…but not when another provider is chosen',
    {},
    'model: {provider: anthropic, default: y, base_url: "http://127.0.0.1:9/file"}',
    { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/variable' },
    'anthropic y http://127.0.0.1:9/file',
  ],
  [
    'an address by flag beats variable and file',
    { provider: 'openai', baseUrl: 'http://127.0.0.1:9/flag' },
    'model: {provider: openai, default: y, base_url: "http://127.0.0.1:9/file"}',
    { OPENAI_BASE_URL: 'http://127.0.0.1:9/variable' },
    'openai-api y http://127.0.0.1:9/flag',
  ],
  [
    '…also without a provider',
    { baseUrl: 'http://127.0.0.1:9/flag' },
    'model: {default: y, base_url: "http://127.0.0.1:9/file"}',
    { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/variable' },
    'custom y http://127.0.0.1:9/flag',
  ],
];
for (const [what, selection, yaml, env, route] of PRECEDENCE) {
  test(what, async () => {
    const path = join(tempFolder(), 'config.yaml');
    writeFileSync(path, yaml);
    const { provider, model, baseUrl } = await resolveRoute({
      selection,
      config: await loadConfig(path, env, () => {}),
      env,
      kept: undefined,
      notice: () => {},
    });
    assert.equal(`${provider} ${model} ${baseUrl}`, route);
  });
}

test('a session stays where it was: at its provider, whatever address the settings name now; one’s own server may move', async () => {
  const path = join(tempFolder(), 'config.yaml');
  writeFileSync(path, 'model:\n  default: mine\n  base_url: http://127.0.0.1:1/v1\n  context_length: 1000\n');
  const env = { OPENROUTER_API_KEY: 'sk-or-0000', OPENAI_API_KEY: 'sk-0000' };
  const config = await loadConfig(path, env, () => {});
  const routeOf = async (kept: KeptRoute, selection: ModelSelection = {}) => {
    const { provider, model, baseUrl } = await resolveRoute({ selection, config, env, kept, notice: () => {} });
    return [provider, model, baseUrl];
  };
  const elsewhere = { provider: 'openrouter', model: 'foo/bar' };
  assert.deepEqual(await routeOf(elsewhere), ['openrouter', 'foo/bar', 'https://openrouter.ai/api/v1']);
  assert.deepEqual(await routeOf(elsewhere, { model: 'foo/other' }), ['openrouter', 'foo/other', 'https://openrouter.ai/api/v1']);
  assert.deepEqual(await routeOf(elsewhere, { provider: 'custom' }), ['custom', 'foo/bar', 'http://127.0.0.1:1/v1']);
  const unknown = { provider: 'of-another-program', model: 'old' };
  assert.deepEqual(await routeOf(unknown), ['custom', 'old', 'http://127.0.0.1:1/v1']);
  const own = { provider: 'custom', model: 'old', route: { baseUrl: 'http://127.0.0.1:2/v1', protocol: 'openai-chat' } } as const;
  assert.deepEqual(await routeOf(own), ['custom', 'old', 'http://127.0.0.1:1/v1']);
});
