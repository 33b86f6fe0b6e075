import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { parseManifest } from '../../../src/plugins/manifest/parse-manifest.ts';
import type { PluginChild, SpawnPlugin } from '../../../src/plugins/process/plugin-child.ts';
import { openPluginProcess, type PluginProcess } from '../../../src/plugins/process/plugin-process.ts';

const { manifest } = parseManifest('name: probe\nversion: 1.0.0\ndescription: x\napi: 1\nentry: index.js\n');
const open = (spawn: SpawnPlugin): PluginProcess => openPluginProcess({ manifest, settings: {}, secrets: {}, spawn, notice: () => {} });

interface Child extends PluginChild {
  readonly killed: Promise<void>;
  readonly stderr: PassThrough;
  end(): void;
}
/** A process that answers what it is asked, or nothing, and ends when the test says so. */
function createChild(answer: (method: string) => object | undefined): Child {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const [killed, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  stdin.on('data', (bytes: Buffer) => {
    for (const line of bytes.toString('utf8').trim().split('\n')) {
      const { id, method = '' } = JSON.parse(line) as { readonly id?: number; readonly method?: string };
      const said = answer(method);
      if (said !== undefined) stdout.write(`${JSON.stringify({ id, ...said })}\n`);
    }
  });
  return {
    stdin,
    stdout,
    stderr,
    ended: ended.promise,
    paths: { folder: '/plugin', data: '/data' },
    look: async () => ({ activity: '' }),
    kill: killed.resolve,
    killed: killed.promise,
    end: () => ended.resolve('SIGKILL'),
  };
}
const healthy = (method: string): object => ({ result: method === 'setup' ? { tools: [], hooks: [] } : 'here' });
const call = (plugin: PluginProcess) => plugin.call({ method: 'tool', params: {} }, { timeoutMs: 60_000 });

test('a process whose setup never ends is ended at once when it is closed', async () => {
  const child = createChild(() => undefined);
  void child.killed.then(child.end);
  const spawned = Promise.withResolvers<void>();
  const plugin = open(async () => (setImmediate(spawned.resolve), child));
  const refused = assert.rejects(plugin.setUp(), /it ended \(SIGKILL\)/);
  await spawned.promise;
  const closing = plugin[Symbol.asyncDispose]();
  await child.killed;
  await Promise.all([closing, refused]);
});

test('a start that is under way is told when it is closed, and what it started is ended', async () => {
  const child = createChild(() => undefined);
  void child.killed.then(child.end);
  const begun = Promise.withResolvers<void>();
  const plugin = open(async (stop) => {
    begun.resolve();
    await once(stop, 'abort');
    return child;
  });
  const refused = assert.rejects(plugin.setUp());
  await begun.promise;
  await plugin[Symbol.asyncDispose]();
  await Promise.all([child.killed, refused]);
});

test('an earlier process that ends late takes nothing from the one that runs by then', async () => {
  const [failing, running] = [createChild(() => ({ error: 'not yet' })), createChild(healthy)];
  const left = [failing, running];
  const plugin = open(async () => left.shift() ?? assert.fail('started once more'));
  await assert.rejects(plugin.setUp(), /not yet/);
  await failing.killed;
  assert.equal(await call(plugin), 'here');
  failing.end();
  await failing.ended;
  await new Promise(setImmediate);
  assert.equal(await call(plugin), 'here');
  const closing = plugin[Symbol.asyncDispose]();
  await running.killed;
  running.end();
  await closing;
});

/** What a process prints before it ends, and the reason that its callers are told. */
const LAST_WORDS: readonly (readonly [printed: string, reason: string])[] = [
  ['', 'it ended (SIGKILL)'],
  [
    'loading\nnode:timers:1\n  x\n  ^\n\nError: boom from a timer\n    at f (a.js:1:2)\n\nNode.js v26\n',
    'it ended (SIGKILL): Error: boom from a timer',
  ],
  ['a.js:3\n  throw w\n  ^\nsome words\n(Use `node --trace-uncaught ...`)\n\nNode.js v26\n', 'it ended (SIGKILL): some words'],
  ['a.js:3\n  x\n  ^\n\nTrouble: outer\n  at f {\n  [cause]: Error: inner\n}\n', 'it ended (SIGKILL): Trouble: outer'],
  ['Error: no such file\n    at f (a.js:1:2)\n', 'it ended (SIGKILL): Error: no such file'],
  ['FATAL ERROR: heap limit\n----- Native stack trace -----\n', 'it ended (SIGKILL): FATAL ERROR: heap limit'],
  ['ready\ncannot open the database\n\n', 'it ended (SIGKILL); the last line it printed: cannot open the database'],
];
for (const [printed, reason] of LAST_WORDS)
  test(`a process that dies says why: ${reason}`, async () => {
    const child = createChild((method) => (method === 'setup' ? healthy(method) : undefined));
    await using plugin = open(async () => child);
    await plugin.setUp();
    const refused = assert.rejects(call(plugin), new Error(reason));
    child.stderr.write(printed);
    child.end();
    await refused;
  });
