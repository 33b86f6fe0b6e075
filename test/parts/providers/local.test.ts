import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { after, test } from 'node:test';
import { findLocal, withTrueWindow } from '../../../src/parts/providers/local-route.ts';
import { fetchLocalWindow, probeLocal, resolveLocalOrigins, type LocalServer } from '../../../src/parts/providers/local.ts';
import type { FactStore } from '../../../src/parts/providers/routes.ts';
import { runtimeOf } from './setup.ts';

function portOf(server: net.Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : assert.fail('the server does not listen');
}

type Answers = Readonly<Record<string, unknown>>;

/** A server that knows a few paths; a POST is looked up by path and the model it asks for. Keeps what it was asked. */
async function fake(answers: Answers, asked: http.IncomingMessage[] = []): Promise<string> {
  const server = http.createServer((request, response) => {
    asked.push(request);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const model = body === '' ? '' : ` ${(JSON.parse(body) as { model: string }).model}`;
      const answer = answers[`${request.url}${model}`];
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
    });
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  after(() => server.close());
  return `http://127.0.0.1:${portOf(server)}`;
}

/** Takes connections and never says a word. */
async function blackHole(): Promise<string> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${portOf(server)}`;
}
/** A port nobody listens on. */
async function nobody(): Promise<string> {
  const server = net.createServer();
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const port = portOf(server);
  await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${port}`;
}

const OLLAMA: Answers = {
  '/api/tags': { models: [{ name: 'qwen3:8b' }, { name: 'llama3.2:3b' }, { name: 'gemma:2b' }] },
  '/api/ps': { models: [{ name: 'gemma:2b', context_length: 4096 }] },
  '/api/show qwen3:8b': {
    parameters: 'temperature 0.6\nnum_ctx                        32768\n',
    model_info: { 'qwen3.context_length': 40_960 },
  },
  '/api/show llama3.2:3b': { parameters: 'stop "x"', model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 } },
  '/api/show gemma:2b': { model_info: { 'gemma.context_length': 8192 } },
};
const LMSTUDIO: Answers = {
  '/api/v0/models': {
    data: [
      { id: 'qwen/qwen3-8b', type: 'llm', state: 'not-loaded', max_context_length: 40_960 },
      { id: 'gpt-oss-20b', type: 'llm', state: 'loaded', loaded_context_length: 70_000, max_context_length: 131_072 },
      { id: 'nomic-embed', type: 'embeddings', state: 'loaded' },
    ],
  },
};
const LLAMA: Answers = { '/props': { default_generation_settings: { n_ctx: 16_384 } }, '/v1/models': { data: [{ id: 'model.gguf' }] } };
const VLLM: Answers = { '/v1/models': { data: [{ id: 'Qwen/Qwen3-8B', max_model_len: 65_536 }] } };

test('all four kinds of server tell their models and windows', async () => {
  const places = { ollama: await fake(OLLAMA), lmstudio: await fake(LMSTUDIO), 'llama.cpp': await fake(LLAMA), vllm: await fake(VLLM) };
  const expected: LocalServer[] = [
    {
      provider: 'ollama',
      baseUrl: `${places.ollama}/v1`,
      models: [
        { id: 'qwen3:8b', window: 32_768 },
        { id: 'llama3.2:3b', window: 131_072 },
        { id: 'gemma:2b', window: 4096, loaded: true },
      ],
    },
    {
      provider: 'lmstudio',
      baseUrl: `${places.lmstudio}/v1`,
      models: [
        { id: 'qwen/qwen3-8b', window: 40_960 },
        { id: 'gpt-oss-20b', window: 70_000, loaded: true },
      ],
    },
    { provider: 'llama.cpp', baseUrl: `${places['llama.cpp']}/v1`, models: [{ id: 'model.gguf', window: 16_384, loaded: true }] },
    { provider: 'vllm', baseUrl: `${places.vllm}/v1`, models: [{ id: 'Qwen/Qwen3-8B', window: 65_536, loaded: true }] },
  ];
  assert.deepEqual(await probeLocal({}, 3_000, places), expected);
});

// alone: deadlines of 200 ms that must hold.
test('nobody there, another web server there, a black hole there: nothing is found, and nobody waits for them', async () => {
  const other = await fake({ '/v1/models': { data: [{ id: 'a-gateway' }] }, '/props': { hello: 'world' } });
  assert.deepEqual(await probeLocal({}, 200, { ollama: await nobody(), lmstudio: other, 'llama.cpp': other, vllm: await blackHole() }), []);
});

test('one that is silent does not hide one that answers', async () => {
  const ollama = await fake(OLLAMA);
  const found = await probeLocal({}, 1_000, { ollama, lmstudio: await blackHole(), vllm: await nobody() });
  assert.deepEqual(
    found.map(({ provider }) => provider),
    ['ollama'],
  );
});

test('no key is shown to whoever listens', async () => {
  const asked: http.IncomingMessage[] = [];
  await probeLocal({ LM_API_KEY: 'secret', OPENAI_API_KEY: 'secret' }, 1_000, { lmstudio: await fake(LMSTUDIO, asked) });
  assert.equal(asked.length, 1);
  assert.doesNotMatch(JSON.stringify(asked[0]?.rawHeaders), /secret|authorization/i);
});

test('the places to look at follow the owner’s variables', () => {
  assert.deepEqual(resolveLocalOrigins({}), {
    'llama.cpp': 'http://127.0.0.1:8080',
    lmstudio: 'http://127.0.0.1:1234',
    ollama: 'http://127.0.0.1:11434',
    vllm: 'http://127.0.0.1:8000',
  });
  assert.equal(resolveLocalOrigins({ OLLAMA_HOST: '0.0.0.0:7777' })['ollama'], 'http://127.0.0.1:7777');
  assert.equal(resolveLocalOrigins({ LM_BASE_URL: 'http://box:5/v1' })['lmstudio'], 'http://box:5');
});

const WISH = { provider: 'auto', model: '', baseUrl: '', apiMode: 'auto', contextLength: 0, maxTokens: 0 } as const;
const server = (provider: string, ...models: readonly (string | { id: string; loaded: true })[]): LocalServer => ({
  provider,
  baseUrl: `http://127.0.0.1:1/v1`,
  models: models.map((model) => (typeof model === 'string' ? { id: model } : model)),
});
const choose = async (servers: readonly LocalServer[], model = '') => {
  const said: string[] = [];
  const { provider, model: chosen } = await findLocal(
    { ...WISH, model },
    { env: {}, notice: (words) => said.push(words) },
    Promise.resolve([...servers]),
  );
  return { route: `${provider} ${chosen}`, said };
};

test('exactly one server with a model is used, and that is said', async () => {
  const { route, said } = await choose([server('ollama', 'a', 'b'), server('vllm')]);
  assert.equal(route, 'ollama a');
  assert.match(
    said.join(),
    /no model is configured, so Hermes uses a of ollama .* hermes config set model\.provider ollama && hermes config set model\.default a/,
  );
  assert.equal((await choose([server('ollama', 'a', { id: 'b', loaded: true })])).route, 'ollama b', 'the one that is loaded');
  assert.equal((await choose([server('ollama', 'a', 'b'), server('vllm', 'c')], 'c')).route, 'vllm c', 'the one that has the named model');
});

test('otherwise the next step is named exactly', async () => {
  await assert.rejects(choose([]), /no model is configured, and no model server was found.*hermes config set OPENROUTER_API_KEY --secret/);
  await assert.rejects(choose([server('ollama')]), /Found ollama at .* \(no model\).*ollama pull/);
  await assert.rejects(
    choose([server('ollama', 'a'), server('vllm', 'c')]),
    /more than one model server.*hermes chat --provider ollama -m a -q/,
  );
  await assert.rejects(choose([server('ollama', 'a')], 'zzz'), /no single server on this machine has zzz.*--provider ollama -m a/);
});

function memory(): FactStore & { readonly facts: Map<string, string> } {
  const facts = new Map<string, string>();
  return { facts, fact: async (key) => facts.get(key), learn: async (key, value) => void facts.set(key, value) };
}
const ask = async (baseUrl: string, model: string, store = memory(), provider = 'ollama') => {
  const said: string[] = [];
  const route = await withTrueWindow(runtimeOf('openai-chat', { provider, model, baseUrl: `${baseUrl}/v1` }), {
    env: {},
    store,
    notice: (words) => said.push(words),
  });
  return { window: route.limits.window, said, store };
};

test('the true window of a local model is asked for, kept, and told once when it is small', async () => {
  const ollama = await fake(OLLAMA);
  const first = await ask(ollama, 'qwen3:8b');
  assert.equal(first.window, 32_768);
  assert.match(first.said.join(), /qwen3:8b has a context window of only 32768 tokens.*To raise it: .*num_ctx/);
  assert.match([...first.store.facts.values()].join(), /^{"window":32768,/);
  assert.deepEqual((await ask(ollama, 'qwen3:8b', first.store)).said, [], 'not a second time');
  assert.deepEqual((await ask(ollama, 'llama3.2:3b')).said, []);
});

const windowAt = async (provider: string, answers: Answers, model: string) =>
  fetchLocalWindow(runtimeOf('openai-chat', { provider, model, baseUrl: `${await fake(answers)}/v1` }), 3_000);

test('each kind is asked in its own way', async () => {
  assert.equal(await windowAt('ollama', OLLAMA, 'gemma:2b'), 4096);
  assert.equal(await windowAt('lmstudio', LMSTUDIO, 'gpt-oss-20b'), 70_000);
  assert.equal(await windowAt('llama.cpp', LLAMA, 'anything'), 16_384);
  assert.equal(await windowAt('vllm', VLLM, 'Qwen/Qwen3-8B'), 65_536);
  assert.equal(await windowAt('vllm', VLLM, 'other'), undefined);
});

test('a silent server costs no more than the deadline, and the window stays', async () => {
  assert.equal((await ask(await blackHole(), 'm')).window, 100_000);
});

test('a server named by address on some other port is not asked at all', async () => {
  const asked: http.IncomingMessage[] = [];
  assert.equal((await ask(await fake(OLLAMA, asked), 'qwen3:8b', memory(), 'custom')).window, 100_000);
  assert.equal(asked.length, 0);
});
