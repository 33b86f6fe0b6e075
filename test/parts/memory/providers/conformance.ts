import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import type { ExportedFact, MemoryProvider, MemoryProviderOptions, MemoryScope } from '../../../../src/contracts/memory-provider.ts';
import { testMemoryProviderConformance } from '../../../../src/testing/conformance/memory-provider.ts';
import type { MemoryServer } from '../../../../src/testing/memory-servers/memory-server.ts';
import { never, GUEST, openHome, OTHER_GUEST, OWNER, OWNER_IN_CHAT, OWNER_IN_GROUP, turnOf } from './scene.ts';

/** What the common stories need to know of one provider. */
export interface ProviderCase<Server extends MemoryServer> {
  readonly name: string;
  readonly keyVariable: string;
  /** A server that takes this key and no other. */
  readonly openServer: (key: string) => Promise<Server>;
  /** Its file, with the address of the owner's server. */
  readonly file: (url: string) => JsonObject;
  readonly open: (options: MemoryProviderOptions) => MemoryProvider;
  /** Every text of a person that the server holds. */
  readonly stored: (server: Server) => readonly string[];
  /** Nothing is kept of a turn before the session ends. */
  readonly keepsAtEnd?: true;
  /** It has no notes beside a fact, so where foreign words came from is not told by it. */
  readonly forgetsSources?: true;
  /** A tool that finds something for a query. */
  readonly searchTool: string;
  /** A tool that stores a text, and the name of its parameter. */
  readonly storeTool: readonly [name: string, parameter: string];
  /** Names of all its tools, as the reference has them. */
  readonly tools: readonly string[];
}

const KEY = 'key-0123456789-abcdef';

function openStage<Server extends MemoryServer>(one: ProviderCase<Server>) {
  const start = async () => {
    const server = await one.openServer(KEY);
    const { options, root } = openHome(one.name, one.file(server.url), { [one.keyVariable]: KEY });
    return { server, root, options, provider: one.open(options) };
  };
  /** A turn that is over, and whatever it takes until the service has it. */
  const tell = async (provider: MemoryProvider, scope: MemoryScope, key: string, words: string, foreign: readonly string[] = []) => {
    const turn = turnOf(scope, key, words, { foreign });
    await provider.syncTurn?.(turn, never);
    if (one.keepsAtEnd === true) await provider.sessionEnd?.({ ...scope, key: `${key} end`, reason: 'exit', turns: [turn] }, never);
  };
  const recall = async (provider: MemoryProvider, scope: MemoryScope, query: string) =>
    (await provider.recall?.(query, { ...scope, signal: never, maxChars: 6_000 })) ?? [];
  const texts = async (provider: MemoryProvider, scope: MemoryScope, query: string) =>
    (await recall(provider, scope, query)).map(({ text }) => text);
  const fails = async (work: Promise<unknown> | undefined): Promise<string> => {
    try {
      await work;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return 'no failure';
  };
  return { start, tell, recall, texts, fails };
}

export function describeProvider<Server extends MemoryServer>(one: ProviderCase<Server>): void {
  const { start } = openStage(one);
  testMemoryProviderConformance(one.name, async () => {
    const { server, root, options, provider } = await start();
    return { provider, home: root, reopen: async () => one.open(options), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  });

  describe(`the memory provider ${one.name}`, () => {
    describeKeeping(one);
    describePeople(one);
    describeMoving(one);
    describeFailures(one);
  });
}

function describeKeeping<Server extends MemoryServer>(one: ProviderCase<Server>): void {
  const { start, tell, recall } = openStage(one);
  it('is there without asking the network, and says what is missing when it is not', async () => {
    const { server, provider } = await start();
    await using _closed = server;
    assert.equal(provider.available(), true);
    assert.equal(provider.name, one.name);
    const without = one.open(openHome(one.name, undefined, {}).options);
    assert.equal(without.available(), false);
    assert.match(without.unavailableReason?.() ?? '', /needs (?:a key|the address of your server).* in \.env/);
    const broken = one.open(openHome(one.name, '{"a":', { [one.keyVariable]: KEY }).options);
    assert.equal(broken.available(), false);
    assert.match(broken.unavailableReason?.() ?? '', new RegExp(`${one.name}\\.json is not a JSON object`));
    const wrong = one.open(openHome(one.name, one.file('nowhere'), { [one.keyVariable]: KEY }).options);
    assert.match(wrong.unavailableReason?.() ?? '', /is not an address/);
    assert.equal(server.requests.length, 0);
  });

  it('asks at setup for what it cannot do without, and keeps no secret in its file', async () => {
    const { server, provider, root } = await start();
    await using _closed = server;
    const fields = provider.configFields?.() ?? [];
    assert.ok(fields.length > 0 && fields.length <= 2);
    for (const field of fields) assert.ok(field.secret !== true || field.env_var === one.keyVariable, field.key);
    await provider.saveConfig?.({ note: 'kept' }, root);
    const path = join(root, `${one.name}.json`);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { ...one.file(server.url), note: 'kept' });
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(provider.backupPaths?.(), [`${one.name}.json`]);
  });

  it('gives back what a person said, as words of a service', async () => {
    const { server, provider } = await start();
    await using _closed = server;
    await tell(provider, OWNER, 'k1', 'My cat is called Mimi');
    const found = await recall(provider, OWNER, 'what is my cat called');
    assert.ok(
      found.some(({ text }) => text.includes('My cat is called Mimi')),
      JSON.stringify(found),
    );
    for (const fact of found) assert.match(fact.foreign ?? '', new RegExp(`^memory provider ${one.name}`));
    assert.deepEqual(await recall(provider, OWNER, 'weather tomorrow'), []);
  });

  it('keeps a turn once, however often it is told', async () => {
    const { server, provider, options } = await start();
    await using _closed = server;
    await provider.syncTurn?.(turnOf(OWNER, 'k1', 'The gate code changed'), never);
    await provider.syncTurn?.(turnOf(OWNER, 'k1', 'The gate code changed'), never);
    await one.open(options).syncTurn?.(turnOf(OWNER, 'k1', 'The gate code changed'), never);
    await provider.syncTurn?.(turnOf(OWNER, 'k2', 'The gate is green'), never);
    const kept = one.stored(server).filter((text) => text.includes('gate'));
    assert.equal(kept.filter((text) => text.includes('The gate code changed')).length, 1, JSON.stringify(kept));
    assert.equal(kept.filter((text) => text.includes('The gate is green')).length, 1, JSON.stringify(kept));
  });
}

function describePeople<Server extends MemoryServer>(one: ProviderCase<Server>): void {
  const { start, tell, texts, fails } = openStage(one);
  it('keeps people apart: the owner is one everywhere, a guest is somebody else, and a group hears nothing private', async () => {
    const { server, provider } = await start();
    await using _closed = server;
    await tell(provider, OWNER, 'k1', 'My secret word is heron');
    await tell(provider, GUEST, 'k2', 'My secret word is otter');
    await tell(provider, OWNER_IN_GROUP, 'k3', 'Our secret word is badger');
    const query = 'secret word';
    const words = async (scope: MemoryScope) => (await texts(provider, scope, query)).join(' ').match(/heron|otter|badger/g) ?? [];
    assert.deepEqual(await words(OWNER), ['heron']);
    assert.deepEqual(await words(OWNER_IN_CHAT), ['heron']);
    assert.deepEqual(await words(GUEST), ['otter']);
    assert.deepEqual(await words(OTHER_GUEST), [], 'the same number on another platform is somebody else');
    assert.deepEqual(await words(OWNER_IN_GROUP), ['badger']);
    const asked = async (scope: MemoryScope) => (await provider.call?.(one.searchTool, { query }, { ...scope, signal: never })) ?? '';
    assert.match(await asked(OWNER), /heron/);
    assert.doesNotMatch(await asked(GUEST), /heron|badger/);
    assert.doesNotMatch(await asked(OWNER_IN_GROUP), /heron|otter/);
  });

  it('has the tools of the reference, and lets only sessions of people store something', async () => {
    const { server, provider } = await start();
    await using _closed = server;
    assert.deepEqual(
      provider.tools?.().map(({ name }) => name),
      one.tools,
    );
    const [tool, parameter] = one.storeTool;
    const store = (words: string, scope: MemoryScope) => provider.call?.(tool, { [parameter]: words }, { ...scope, signal: never });
    await provider.initialize?.({ ...OWNER, home: '/', profile: 'default', role: 'primary' });
    await store('The spare key hangs in the shed', OWNER);
    assert.ok(one.stored(server).some((text) => text.includes('spare key')));
    assert.match((await provider.call?.(one.searchTool, { query: 'spare key' }, { ...OWNER, signal: never })) ?? '', /hangs in the shed/);
    assert.match(await fails(provider.call?.(one.searchTool, {}, { ...OWNER, signal: never })), /query is missing/);
    const job = { ...OWNER, sessionId: 's-job' };
    await provider.initialize?.({ ...job, home: '/', profile: 'default', role: 'cron' });
    assert.match(await fails(store('written by a job', job)), /can read the memory but not change it/);
    await tell(provider, job, 'k9', 'said in a job');
    assert.deepEqual(
      one.stored(server).filter((text) => /job/.test(text)),
      [],
    );
  });

  it('mirrors the files of the built-in memory, also what is replaced and removed', async () => {
    const { server, provider } = await start();
    await using _closed = server;
    const write = (key: string, operation: Parameters<NonNullable<MemoryProvider['wrote']>>[0]['operation']) =>
      provider.wrote?.({ key, operation, target: 'memory' }, never);
    await write('w1', { action: 'add', content: 'Tests run with npm test' });
    await write('w1', { action: 'add', content: 'Tests run with npm test' });
    await write('w2', { action: 'add', content: 'Deploys happen on Friday' });
    const kept = () =>
      one
        .stored(server)
        .filter((text) => /Tests|Deploys/.test(text))
        .toSorted();
    assert.deepEqual(kept(), ['Deploys happen on Friday', 'Tests run with npm test']);
    await write('w3', { action: 'replace', oldText: 'on Friday', content: 'Deploys happen on Monday' });
    assert.deepEqual(kept(), ['Deploys happen on Monday', 'Tests run with npm test']);
    await write('w4', { action: 'remove', oldText: 'npm test' });
    await write('w4', { action: 'remove', oldText: 'npm test' });
    assert.deepEqual(kept(), ['Deploys happen on Monday']);
    assert.ok((await texts(provider, OWNER, 'deploys')).some((text) => text.includes('Deploys happen on Monday')));
    assert.deepEqual(await texts(provider, GUEST, 'deploys'), [], "the files are the owner's");
  });
}

function describeMoving<Server extends MemoryServer>(one: ProviderCase<Server>): void {
  const { start, tell, texts, fails } = openStage(one);
  const give = async (provider: MemoryProvider, facts: readonly ExportedFact[]) =>
    (await provider.importFacts?.(
      (async function* () {
        yield* facts;
      })(),
    )) ?? -1;
  const read = async (provider: MemoryProvider) => Array.fromAsync(provider.exportFacts?.() ?? []);

  it('gives everything it knows of the owner, page by page, and another takes it word for word, once', async () => {
    const [from, to] = [await start(), await start()];
    await using _closed = {
      [Symbol.asyncDispose]: async () => void (await Promise.all([from, to].map(({ server }) => server[Symbol.asyncDispose]()))),
    };
    const facts = Array.from({ length: 120 }, (_, index) => ({ text: `Box ${index} is in the cellar` }));
    assert.equal(await give(from.provider, [...facts, { text: 'The cellar floods', validTo: 1 }]), 120);
    assert.equal(await give(from.provider, facts), 0, 'what it has is not taken again');
    await tell(from.provider, GUEST, 'k1', 'My secret word is otter');
    const exported = await read(from.provider);
    const sorted = (all: readonly ExportedFact[]) => all.map(({ text }) => text).toSorted();
    assert.deepEqual(sorted(exported), sorted(facts));
    assert.ok(exported.every(({ source }) => source === one.name));
    assert.equal(await give(to.provider, exported), 120);
    assert.deepEqual(sorted(await read(to.provider)), sorted(facts));
  });

  it('gives a fact to the person who said it, and says what may hold foreign words', async () => {
    const { server, provider } = await start();
    await using _closed = server;
    const said = { text: 'My secret word is otter', scope: { platform: 'telegram', userId: '77', chatId: '77' }, author: '77' };
    const inGroup = {
      text: 'The secret word is heron',
      scope: { platform: 'telegram', chatId: '-5', isGroup: true, isOwner: false },
    } as const;
    await give(provider, [said, inGroup, { text: 'The page says heron', foreign: 'example.org' }, { text: 'Tea is at five' }]);
    assert.deepEqual(await texts(provider, GUEST, 'secret word otter'), ['My secret word is otter']);
    assert.deepEqual(await texts(provider, OWNER, 'secret word otter'), []);
    const group = { ...GUEST, sessionId: 's-later', chatId: '-5', isGroup: true } as const;
    assert.deepEqual(await texts(provider, group, 'secret word heron'), ['The secret word is heron']);
    const labels = Object.fromEntries((await read(provider)).map(({ text, foreign }) => [text, foreign]));
    assert.deepEqual(Object.keys(labels).toSorted(), ['Tea is at five', 'The page says heron']);
    assert.match(labels['The page says heron'] ?? '', one.forgetsSources === true ? /^memory provider / : /^example\.org$/);
  });

  it('says in one line that a server cannot list what it knows', async () => {
    const { server, provider } = await start();
    await using _closed = server;
    // OpenViking is asked first who the owner is.
    await provider.status?.(never);
    server.faults.push({ status: 405 });
    assert.match(await fails(read(provider)), /^\w+ cannot list what it knows \(405\), so nothing can be moved\.$/);
  });
}

function describeFailures<Server extends MemoryServer>(one: ProviderCase<Server>): void {
  const { start, recall, fails } = openStage(one);
  it('never sends its key after a redirect, not even within the same host', async () => {
    const { server, provider } = await start();
    await using _closed = server;
    await using elsewhere = await one.openServer(KEY);
    for (const location of [`${elsewhere.url}/v1/`, '/other']) {
      server.faults.push({ status: 307, headers: { location } });
      const words = await fails(recall(provider, OWNER, 'anything'));
      assert.match(words, /redirects to .* which is not followed, because the key is only for 127\.0\.0\.1:\d+\./);
    }
    assert.equal(elsewhere.requests.length, 0);
    assert.equal(server.requests.length, 2);
  });

  it('reaches a private address only because the owner named it', async () => {
    const { server, options } = await start();
    await using _closed = server;
    const { reachOwnServer: _named, ...plain } = options;
    assert.match(await fails(recall(one.open(plain), OWNER, 'anything')), /was not asked: Refused: 127\.0\.0\.1/);
    assert.equal(server.requests.length, 0);
  });

  it('says in plain words what went wrong, and never the key', async () => {
    const { server, provider, options } = await start();
    await using _closed = server;
    const table = [
      [
        { status: 401, body: { detail: `bad key ${KEY}` } },
        /answered 401: it does not take the key in \w+_API_KEY\. Put a valid one in \.env\. It says: bad key/,
      ],
      [{ status: 429, headers: { 'retry-after': '7' } }, /answered 429: it was asked too often; it asks to wait 7 s\./],
      [{ status: 500, body: { error: { message: 'oh' } } }, /answered 500: it has a problem of its own\. It says: oh/],
      [{ text: '<html>not here</html>' }, /gave an answer that is not JSON\./],
      ['cut', /did not answer: The request failed/],
    ] as const;
    for (const [fault, expected] of table) {
      server.faults.push(fault);
      const words = await fails(recall(provider, OWNER, 'anything'));
      assert.match(words, expected);
      assert.ok(!words.includes(KEY), words);
    }
    const other = one.open({ ...options, env: { [one.keyVariable]: 'another-key-000000' } });
    assert.match(await fails(other.recall?.('anything', { ...OWNER, signal: never, maxChars: 100 })), /answered 401/);
  });

  it('gives up when its time is over', async () => {
    const { server, provider } = await start();
    await using _closed = server;
    server.faults.push('silence');
    const words = await fails(provider.recall?.('anything', { ...OWNER, signal: AbortSignal.timeout(20), maxChars: 100 }));
    assert.match(words, /did not answer: The request was stopped/);
  });

  it('tells how things are', async () => {
    const { server, provider } = await start();
    await using _closed = server;
    assert.match((await provider.status?.(never)) ?? '', /^connected to 127\.0\.0\.1:\d+/);
    server.faults.push({ status: 503 });
    assert.match(await fails(provider.status?.(never)), /answered 503/);
  });
}
