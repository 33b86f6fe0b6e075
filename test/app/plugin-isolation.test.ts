import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSpawn } from '../../src/app/plugins/spawn-plugin.ts';
import type { JsonObject } from '../../src/base/json-types.ts';
import type { MemoryProvider } from '../../src/contracts/memory-provider.ts';
import { OutboundRefusal, type OutboundRoutes } from '../../src/contracts/reach.ts';
import { createProviderTools } from '../../src/parts/memory/provider-tools.ts';
import { parseManifest } from '../../src/plugins/manifest/parse-manifest.ts';
import { openPluginProcess, type PluginProcess } from '../../src/plugins/process/plugin-process.ts';
import { openRemoteMemory } from '../../src/plugins/wrap/memory.ts';
import { never } from './host-scene.ts';
import type { SandboxTools } from '../../src/parts/terminals/sandbox/tools.ts';
import { noSandbox, tiers } from '../parts/terminals/sandbox-stage.ts';
import type { ProgramOptions } from './plugin-program.ts';
import { createPluginHome, entryOf, manifestOf } from './plugin-home.ts';

const NO_ROUTES: OutboundRoutes = { findObjection: () => 'no', connect: () => Promise.reject(new Error('no')) };

interface StartOptions {
  readonly routes?: OutboundRoutes;
  readonly maxDataBytes?: number;
}
interface StartedPlugin extends PluginProcess {
  readonly root: string;
  readonly told: string[];
  /** How it is started, for another process that does. */
  readonly spawnOptions: ProgramOptions;
  /** Where the plugin finds its code and its data. */
  readonly code: string;
  readonly data: string;
}
/** A plugin in the real sandbox, with this manifest and this setup. */
function startBehind(
  tools: SandboxTools,
  rest: string,
  setup: string,
  { routes = NO_ROUTES, maxDataBytes = 1e9 }: StartOptions = {},
): StartedPlugin {
  const { home, write } = createPluginHome();
  const folder = write('probe', { 'plugin.yaml': manifestOf('probe', rest), 'index.js': entryOf('probe', setup) });
  for (const [path, text] of [
    ['.env', 'SECRET=owner'],
    ['plugin-data/other/notes', 'of another'],
  ] as const) {
    mkdirSync(join(home.root, path, '..'), { recursive: true });
    writeFileSync(join(home.root, path), text);
  }
  const { manifest } = parseManifest(manifestOf('probe', rest));
  const told: string[] = [];
  const notice = (words: string): void => void told.push(words);
  const data = join(home.root, 'plugin-data', 'probe');
  const spawnOptions = { folder, data, tools, manifest, home: home.root };
  const spawn = createSpawn({ ...spawnOptions, maxDataBytes, env: {}, routes: async () => routes, notice });
  return Object.assign(openPluginProcess({ manifest, settings: {}, secrets: { PROBE_KEY: 'v' }, spawn, notice }), {
    root: home.root,
    told,
    spawnOptions,
    ...(tools.tier === 'floor' ? { code: folder, data } : { code: '/plugin', data: '/data' }),
  });
}
type Start = (rest: string, setup: string, options?: StartOptions) => StartedPlugin;

if (tiers.length === 0) test('plugins behind a wall', { skip: noSandbox ?? 'there is no sandbox here' }, () => {});
/** The same story behind every wall that works here. */
function behindEach(what: string, story: (start: Start) => Promise<void>): void {
  for (const tools of tiers)
    test(`${what}, behind ${tools.tier}`, () => story((rest, setup, options) => startBehind(tools, rest, setup, options)));
}
const RUN = `host.tools.add({ name: 'run', run: async ({ code }) => String(await new (Object.getPrototypeOf(async () => {}).constructor)('imp', code)((name) => import(name))) });`;
const TOOL = 'tools: [{ name: run, description: Runs, input: { type: object } }]\n';
const attempt = (plugin: PluginProcess, code: string): Promise<string> =>
  plugin.call({ method: 'tool', params: { name: 'run', input: { code } } }, { timeoutMs: 20_000 }).then(
    (answer) => `open: ${typeof answer === 'string' ? answer : JSON.stringify(answer)}`,
    (error: unknown) => `shut: ${String(error)}`,
  );

const LACKS: Readonly<Record<string, RegExp>> = {
  'a program': /It needs: capabilities: \{ exec: true \}/,
  'the network': /It needs: capabilities: \{ network: \[example\.com\] \}/,
};

behindEach('an entry that is no script is told with its file', async (start) => {
  await using plugin = start('', ') no script');
  await assert.rejects(plugin.setUp(), /index\.js or a file it imports cannot be read: Unexpected token/);
});

behindEach('a plugin that declares nothing reaches nothing', async (start) => {
  await using plugin = start(TOOL, RUN);
  const fs = `const fs = await imp('node:fs');`;
  const file = join(plugin.root, '.env');
  const attempts: Readonly<Record<string, string>> = {
    'a file of the owner': `${fs} return fs.readFileSync(${JSON.stringify(file)}, 'utf8')`,
    'data of another plugin': `${fs} return fs.readFileSync(${JSON.stringify(join(plugin.root, 'plugin-data', 'other', 'notes'))}, 'utf8')`,
    'a database of the owner': `const { DatabaseSync } = await imp('node:sqlite'); return new DatabaseSync(${JSON.stringify(join(plugin.root, 'sessions.db'))})`,
    'a new database in its own folder': `const { DatabaseSync } = await imp('node:sqlite'); new DatabaseSync('${plugin.code}/x.db').exec('create table t (x)'); return 1`,
    'its own code': `${fs} fs.writeFileSync('${plugin.code}/index.js', 'x'); return 1`,
    'a link out of its data': `${fs} fs.symlinkSync(${JSON.stringify(file)}, '${plugin.data}/link'); return fs.readFileSync('${plugin.data}/link', 'utf8')`,
    'a program': `return (await imp('node:child_process')).execFileSync('/bin/id')`,
    'a program, past the flags of Node': `return process.binding('spawn_sync').spawn({ file: '/bin/id', args: ['id'], stdio: [] }).status`,
    'the network': `return (await fetch('http://example.com')).status`,
    'the environment of the owner': `if (Object.keys(process.env).some((name) => /HERMES|SSH|USER/.test(name))) return 1; throw new Error('none')`,
    'processes of others': `${fs} return fs.readdirSync('/proc').filter((name) => Number(name) > 50)`,
    'two gigabytes': `return Buffer.alloc(2e9, 1).length`,
    'a thousand files': `${fs} const all = []; for (let i = 0; i < 1000; i++) all.push(fs.openSync('${plugin.data}/x', 'w')); return all.length`,
  };
  const own = `${fs} fs.writeFileSync('${plugin.data}/mine', 'kept'); return fs.readFileSync('${plugin.data}/mine', 'utf8') + process.env.PROBE_KEY`;
  assert.equal(await attempt(plugin, own), 'open: keptv', 'its data and its secrets are there');
  const open: string[] = [];
  for (const [what, code] of Object.entries(attempts)) {
    const answer = await attempt(plugin, code);
    if (answer.startsWith('open: ')) open.push(`${what}: ${answer}`);
    if (what in LACKS) assert.match(answer, LACKS[what] ?? /^$/, 'its author hears what is missing');
  }
  assert.deepEqual(open, []);
});

behindEach('declared hosts are reached through the proxy, others are not', async (start) => {
  const server = createServer((_request, response) => response.end('from outside'));
  using opened = new DisposableStack();
  opened.defer(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Also where something below fails: a server that listens keeps this process alive.
  using _closed = { [Symbol.dispose]: () => server.close() };
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const asked: string[] = [];
  const routes: OutboundRoutes = {
    findObjection: () => undefined,
    connect: async ({ host }) => {
      asked.push(host);
      return connect(port, '127.0.0.1');
    },
  };
  {
    await using plugin = start(`capabilities: { network: [api.example.com] }\n${TOOL}`, RUN, { routes });
    assert.equal(await attempt(plugin, `return (await fetch('http://api.example.com/x')).text()`), 'open: from outside');
    const other = await attempt(
      plugin,
      `const answer = await fetch('http://evil.example/x'); return answer.status + ' ' + await answer.text()`,
    );
    assert.match(
      other,
      /^open: 403 Blocked by the sandbox: the plugin probe does not list evil\.example(?::80)? under capabilities\.network/,
    );
    await attempt(plugin, `return (await fetch('http://192.168.7.7/x')).status`);
    assert.equal(plugin.told.length, 2, plugin.told.join('\n'));
    for (const words of plugin.told) {
      assert.match(
        words,
        /^The plugin probe tried to connect to (?:evil\.example|192\.168\.7\.7)(?::80)? and was refused: its plugin\.yaml/,
      );
      assert.doesNotMatch(words, /A command|terminal\.allowed_hosts/);
    }
    assert.match(await attempt(plugin, `return (await fetch('http://127.0.0.1:${port}/')).status`), /^shut/);
  }
  {
    const shut: OutboundRoutes = {
      findObjection: ({ host }) => (host === 'blocked.example.com' ? 'the list of blocked sites names it.' : undefined),
      connect: async () => {
        throw new OutboundRefusal('it leads to this machine.');
      },
    };
    const network = 'capabilities: { network: [blocked.example.com, inward.example.com] }';
    await using plugin = start(`${network}\n${TOOL}`, RUN, { routes: shut });
    for (const host of ['blocked', 'inward', 'blocked', 'inward'])
      await attempt(plugin, `return (await fetch('http://${host}.example.com/x')).status`);
    assert.deepEqual(plugin.told, [
      'The plugin probe tried to connect to blocked.example.com and was refused: the list of blocked sites names it.',
      'The plugin probe tried to connect to inward.example.com and was refused: it leads to this machine.',
    ]);
  }
  assert.deepEqual(asked, ['api.example.com']);
});

behindEach('programs can be started where that is declared, inside of the same walls', async (start) => {
  await using plugin = start(`capabilities: { exec: true }\n${TOOL}`, RUN);
  const run = (line: string): string =>
    `return (await imp('node:child_process')).execFileSync('/bin/sh', ['-c', ${JSON.stringify(line)}]).toString().trim()`;
  assert.equal(await attempt(plugin, run('echo hello')), 'open: hello');
  assert.match(await attempt(plugin, run(`cat ${join(plugin.root, '.env')}`)), /^shut/);
});

behindEach('what hangs is ended and starts anew; what dies again and again is left alone; floods and long words are cut', async (start) => {
  await using plugin = start(TOOL, RUN);
  const call = (code: string, timeoutMs: number): Promise<unknown> =>
    plugin.call({ method: 'tool', params: { name: 'run', input: { code } } }, { timeoutMs });
  await assert.rejects(call('for (;;);', 300), /did not answer within 0\.3 s/);
  assert.equal(await attempt(plugin, 'return 1'), 'open: 1', 'a fresh one answers');
  assert.match(await attempt(plugin, `return 'x'.repeat(5e6)`), /longer than 4 MB/);
  assert.match(
    await attempt(plugin, `const fs = await imp('node:fs'); for (;;) try { fs.writeSync(1, 'x'.repeat(1e5)); } catch {}`),
    /more than 4 MB and was ended/,
  );
  const stop = new AbortController();
  const waiting = plugin.call(
    { method: 'tool', params: { name: 'run', input: { code: 'await new Promise(() => {})' } } },
    { timeoutMs: 60_000, signal: stop.signal },
  );
  stop.abort(new Error('stopped'));
  await assert.rejects(waiting, /stopped/);
  for (let each = 0; each < 3; each++) await attempt(plugin, 'process.exit(1)');
  assert.match(await attempt(plugin, 'return 1'), /ended 4 times within a minute, so it is left alone/);
  assert.equal(plugin.told.length, 1, plugin.told.join('\n'));
});

behindEach('one whose programs hold too much together is ended with all of them, and starts anew', async (start) => {
  await using plugin = start(`capabilities: { exec: true }\n${TOOL}`, RUN);
  const line = 'i=0; while [ $i -lt 300 ]; do sleep 20 & i=$((i+1)); done; wait';
  const code = `return (await imp('node:child_process')).execFileSync('/bin/sh', ['-c', '${line}'])`;
  assert.match(await attempt(plugin, code), /it was ended: it ran \d+ programs and threads; 256 is the most/);
  assert.match(plugin.told.join('\n'), /^The plugin probe does not work: it was ended: it ran \d+ programs and threads; .+$/);
  assert.equal(await attempt(plugin, 'return 1'), 'open: 1');
});

behindEach('one whose data folder is too full is ended, and does not start again before somebody made room', async (start) => {
  await using plugin = start(TOOL, RUN, { maxDataBytes: 2e6 });
  const data = join(plugin.root, 'plugin-data', 'probe');
  const write = (open: string): string =>
    `const fs = await imp('node:fs'); for (let i = 0; i < 3000; i++) { ${open}; fs.writeSync(fd, Buffer.alloc(1e6)); await new Promise((done) => setTimeout(done, 30)); }`;
  const gone = write(
    `fs.writeFileSync('${plugin.data}/gone', ''); globalThis.fd ??= fs.openSync('${plugin.data}/gone', 'w'); fs.rmSync('${plugin.data}/gone')`,
  );
  assert.match(await attempt(plugin, gone), /it was ended: files that it deleted and still has open take more room/);
  const full = `its data folder ${data} holds more than 2 MB. Delete what it does not need there, or raise plugins.data_mb`;
  const shut = await attempt(plugin, write(`const fd = fs.openSync('${plugin.data}/' + i, 'w')`));
  assert.equal(shut, `shut: Error: it was ended: ${full}`);
  for (let each = 0; each < 5; each++) assert.equal(await attempt(plugin, 'return 1'), `shut: Error: ${full}`);
  assert.equal(plugin.told.length, 1, plugin.told.join('\n'));
  rmSync(data, { recursive: true });
  assert.equal(await attempt(plugin, 'return 1'), 'open: 1');
});

behindEach('its folder for temporary files has a size', async (start) => {
  await using plugin = start(`capabilities: { exec: true }\n${TOOL}`, RUN);
  const line = 'for i in 1 2 3 4 5 6 7 8; do head -c 50000000 /dev/zero > $TMPDIR/fill-$i || exit 1; sleep 0.2; done; echo FILLED';
  const code = `return (await imp('node:child_process')).execFileSync('/bin/sh', ['-c', '${line}']).toString()`;
  assert.match(await attempt(plugin, code), /No space left on device|it was ended: its folder for temporary files holds more than 64 MB/);
  assert.equal(await attempt(plugin, 'return 1'), 'open: 1');
});

/** Starts a program that leaves its parent and its group behind. */
const leave = (mark: string): string =>
  `(await imp('node:child_process')).execFileSync('/bin/sh', ['-c', 'setsid -f sh -c "sleep 60; : ${mark}"'], { stdio: 'ignore' }); return 'left'`;
const countLeft = (mark: string): number =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readIfThere(`/proc/${name}/cmdline`).includes(mark)).length;
/** Processes that were killed are there a moment longer. What stays keeps the test from ending. */
const allGone = async (mark: string): Promise<void> => {
  while (countLeft(mark) > 0) await sleep(20);
};
const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};
const own = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith(`hermes-plugin-${process.pid}-`));

behindEach('what it left running ends with it, whoever ends it', async (start) => {
  for (const [index, ending] of ['disabled', 'process.exit(0)', `process.kill(process.pid, 'SIGKILL')`].entries()) {
    const mark = `left-${process.pid}-${index}`;
    const plugin = start(`capabilities: { exec: true }\n${TOOL}`, RUN);
    assert.equal(await attempt(plugin, leave(mark)), 'open: left');
    assert.notEqual(countLeft(mark), 0);
    if (ending !== 'disabled') assert.match(await attempt(plugin, ending), /it ended \((?:exit code \d+|SIGKILL)\)/);
    await plugin[Symbol.asyncDispose]();
    await allGone(mark);
  }
  assert.deepEqual(own(), [], 'its folder for temporary files goes as well');
});

behindEach('it ends with Hermes, and so does what it left running', async (start) => {
  const { spawnOptions } = start(`capabilities: { exec: true }\n${TOOL}`, RUN);
  const mark = `orphan-${process.pid}`;
  const hermes = fork(join(import.meta.dirname, 'plugin-program.ts'), [JSON.stringify({ ...spawnOptions, code: leave(mark) })]);
  const [answer] = await Promise.race([once(hermes, 'message'), once(hermes, 'exit')]);
  assert.equal(answer, 'left');
  assert.notEqual(countLeft(mark), 0);
  hermes.kill('SIGKILL');
  await once(hermes, 'exit');
  await allGone(mark);
});

const MEMORY = `const log = []; const facts = [{ text: 'likes tea', at: 5 }];
host.memoryProviders.add({
  name: 'probe_memory',
  available: () => true,
  initialize: async (scene) => void log.push(['initialize', scene.role, scene.home === host.dataFolder]),
  systemBlock: ({ sessionId }) => 'block of ' + sessionId,
  recall: async (query, { signal, maxChars }) => (log.push(['recall', query, signal instanceof AbortSignal, maxChars]), facts),
  syncTurn: async (turn, signal) => void log.push(['sync', turn.key, signal.aborted]),
  tools: () => [{ name: 'remember', description: 'Remembers', input: { type: 'object' } }],
  call: async (name, input) => name + JSON.stringify(input),
  readsOnly: (name, input) => { if (input.odd) throw new Error('odd'); return name === 'remember' && input.a === 1; },
  saveConfig: async (values, home) => (await import('node:fs')).writeFileSync(home + '/probe.json', JSON.stringify(values)),
  configFields: () => [{ key: 'url', description: 'Where' }],
  backupPaths: () => ['plugin-data/probe/facts.db'],
  exportFacts: async function* () { for (let i = 0; i < 450; i++) yield { text: 'fact ' + i }; },
  importFacts: async (given) => { let count = 0; for await (const fact of given) count += fact.text.length > 0 ? 1 : 0; return count; },
  status: async () => JSON.stringify(log),
  close: async () => {},
});`;
behindEach('a memory provider in its own process is one as any other', async (start) => {
  await using plugin = start('memory_provider: probe_memory\n', MEMORY);
  const provider: MemoryProvider = await openRemoteMemory('probe_memory', plugin);
  const scope = { sessionId: 's1', platform: 'cli', isOwner: true };
  assert.deepEqual([provider.available(), provider.beforeCompress], [true, undefined]);
  assert.equal(provider.systemBlock?.(scope), 'block of ', 'hermes prompt shows it, and begins no session');
  assert.equal(provider.systemBlock?.({ ...scope, isOwner: false }), undefined);
  await provider.initialize?.({ ...scope, home: '/x', profile: 'default', role: 'primary' });
  assert.equal(provider.systemBlock?.(scope), 'block of s1');
  assert.deepEqual(await provider.recall?.('tea?', { ...scope, signal: never, maxChars: 100 }), [{ text: 'likes tea', at: 5 }]);
  const turn = { ...scope, key: 'k1', turnId: 't1', at: 1, userMessage: 'hi', assistantResponse: 'ho', foreign: [] };
  await provider.syncTurn?.(turn, never);
  assert.equal(provider.tools?.()[0]?.name, 'remember');
  const input: JsonObject = { a: 1 };
  assert.equal(await provider.call?.('remember', input, { ...scope, signal: never }), 'remember{"a":1}');
  assert.deepEqual([provider.configFields?.()[0]?.key, provider.backupPaths?.()], ['url', ['plugin-data/probe/facts.db']]);
  const exported = await Array.fromAsync(provider.exportFacts?.() ?? []);
  assert.deepEqual([exported.length, exported[449]?.text], [450, 'fact 449']);
  const all = (async function* () {
    yield* exported;
  })();
  assert.equal(await provider.importFacts?.(all), 450);
  assert.deepEqual([await provider.readsOnly?.('remember', { a: 1 }), await provider.readsOnly?.('remember', { a: 2 })], [true, false]);
  const [tool] = createProviderTools({ provider, scope, isOpen: () => true, notice: () => {}, isTaken: () => false });
  const places = await Promise.all([{ a: 1 }, { a: 2 }, { odd: true }].map(async (given) => tool?.sink?.(given as never)));
  assert.deepEqual(places, [undefined, 'the memory probe_memory', 'the memory probe_memory'], 'one that fails counts as a write');
  await provider.saveConfig?.({ url: 'x' }, '/x');
  assert.equal(readFileSync(join(plugin.root, 'plugin-data/probe/probe.json'), 'utf8'), '{"url":"x"}');
  assert.equal(await provider.status?.(never), '[["initialize","primary",true],["recall","tea?",true,100],["sync","k1",false]]');
  await provider.close?.();
});
