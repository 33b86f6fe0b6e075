import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { findCurrentBuild } from '../scripts/builds.ts';
import { startWireServer } from '../src/testing/wire-server/index.ts';
import { copyBuilt } from './built.ts';
import { noBubblewrap } from './parts/terminals/sandbox-stage.ts';

/** A package of our own: the launcher and the bundle, without a Node beside it. */
const PACKAGE = mkdtempSync(join(tmpdir(), 'hermes-startup-'));
const MAIN = join(PACKAGE, 'dist', 'main.cjs');
copyBuilt(join(PACKAGE, 'dist'));
const BUILD = join(PACKAGE, 'dist', findCurrentBuild(join(PACKAGE, 'dist')) ?? '');
mkdirSync(join(PACKAGE, 'bin'));
copyFileSync('bin/hermes', join(PACKAGE, 'bin', 'hermes'));
after(() => rmSync(PACKAGE, { recursive: true, force: true }));

interface Loaded {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Files in the order they were loaded. */
  readonly files: readonly string[];
  /** Node's own modules, as Node lists them. */
  readonly builtins: readonly string[];
}

async function load(main: string, args: readonly string[], home = mkdtempSync(join(PACKAGE, 'home-'))): Promise<Loaded> {
  const list = join(home, 'modules.json');
  const child = spawn(process.execPath, ['--require', resolve('test/loaded-modules.cjs'), main, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, HERMES_HOME: home, LOADED_MODULES: list },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  const { files, builtins } = JSON.parse(readFileSync(list, 'utf8')) as Pick<Loaded, 'files' | 'builtins'>;
  return { code, out, err, files, builtins };
}

const chatWith = (url: string, ...query: readonly string[]): string[] => ['chat', ...query, '--base-url', `${url}/v1`, '-m', 'test-model'];
const has = (names: readonly string[], part: string): boolean => names.some((name) => name.includes(part));

/** Of Node's own: fetch with WebSocket, HTTP/2, compression, and TLS for an address without it are what a chat has no use for. */
const UNWANTED = ['undici', 'http2', 'zlib', 'tls'];

test('the launcher answers --version without starting Node', () => {
  const said = execFileSync(join(PACKAGE, 'bin', 'hermes'), ['--version'], { env: { PATH: '/nowhere' }, encoding: 'utf8' });
  assert.match(said, /^hermes \d+\.\d+\.\d+\n$/);
});

test('the launcher says in one sentence that nothing is built yet', () => {
  const bare = mkdtempSync(join(PACKAGE, 'bare-'));
  mkdirSync(join(bare, 'bin'));
  copyFileSync('bin/hermes', join(bare, 'bin', 'hermes'));
  const { status, stderr } = spawnSync(join(bare, 'bin', 'hermes'), ['doctor'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /^hermes in \S+ is not built yet\. Run 'npm ci' in that folder and wait until it has ended\.\n$/);
});

test('the bundle answers --version from one file, to which another points', async () => {
  const { out, files, builtins } = await load(MAIN, ['--version']);
  assert.match(out, /^hermes \d/);
  assert.equal(files.length, 2, files.join('\n'));
  for (const name of ['http', 'crypto', 'sqlite', 'child_process']) assert.ok(!builtins.includes(`NativeModule ${name}`), name);
});

test('a chat from the bundle loads its own chunks and nothing else', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'hello' }) });
  const { code, out, err, files, builtins } = await load(MAIN, chatWith(server.url, '-q', 'hi'));
  assert.deepEqual([code, out], [0, 'hello\n'], err);
  assert.ok(files.length <= 34, `${files.length} files:\n${files.join('\n')}`);
  const texts = files.map((file) => readFileSync(new URL(file), 'utf8'));
  for (const library of ['node_modules/commander', 'node_modules/yaml', 'node_modules/zod', '@agentclientprotocol'])
    assert.ok(!has(texts, library), library);
  // Shell lines are read with the first command; the registry comes with a command line that needs a parser.
  for (const late of ['src/base/shell/', 'src/commands/registry.ts']) assert.ok(!has(texts, late), late);
  assert.deepEqual(
    UNWANTED.filter((name) => has(builtins, name)),
    [],
  );
});

test('the first frame of the terminal UI is drawn from a few chunks, without settings, store, models and agent', () => {
  const first = readdirSync(join(BUILD, 'chunks')).find((name) => name.startsWith('terminal-start-')) ?? '';
  const needed = new Set<string>();
  const add = (path: string): void => {
    if (needed.has(path)) return;
    needed.add(path);
    // What is required at the top of a file is there before its first line runs; the rest is asked for later, inside functions.
    const [head = ''] = readFileSync(path, 'utf8').split('\n');
    for (const [, file = ''] of head.matchAll(/require\("(\.[^"]+\.cjs)"\)/g)) add(join(path, '..', file));
  };
  add(join(BUILD, 'chunks', first));
  const names = [...needed].map((path) => basename(path).replace(/(?:-.{8})?\.cjs$/, ''));
  assert.deepEqual(names.toSorted(), [
    'cli',
    'editor',
    'leave-session',
    'main',
    'rolldown-runtime',
    'shared',
    'status-bar',
    'terminal-start',
    'turn-runner',
  ]);
});

test('a chat from the sources loads no library but the event-stream reader', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'hello' }) });
  const { code, err, files } = await load(resolve('src/main.ts'), chatWith(server.url, '-q', 'hi'));
  assert.equal(code, 0, err);
  const libraries = new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));
  assert.deepEqual([...libraries], ['eventsource-parser']);
  // Where bubblewrap is missing, it is found out first what else contains commands.
  assert.ok(files.length <= (noBubblewrap === undefined ? 745 : 775), `${files.length} files`);
  assert.ok(!has(files, 'src/base/shell/'));
});

test('settings in a file cost the YAML reader, an unusual command line costs commander', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'hello' }) });
  const home = mkdtempSync(join(PACKAGE, 'home-'));
  writeFileSync(join(home, 'config.yaml'), 'agent:\n  max_turns: 5\n');
  const { code, out, err, files } = await load(MAIN, chatWith(server.url, '--query=hi'), home);
  assert.deepEqual([code, out], [0, 'hello\n'], err);
  const texts = files.map((file) => readFileSync(new URL(file), 'utf8'));
  for (const library of ['node_modules/commander', 'node_modules/yaml']) assert.ok(has(texts, library), library);
});

test('a completion is answered without parser, settings and store, and the name of a profile without the commands too', async () => {
  const profile = await load(MAIN, ['__complete', 'bash', 'hermes -p d', 'd']);
  assert.equal(profile.out, 'default\n', profile.err);
  const command = await load(MAIN, ['__complete', 'zsh', 'hermes sess']);
  assert.match(command.out, /^sessions\t/);
  const textsOf = ({ files }: Loaded) => files.map((file) => readFileSync(new URL(file), 'utf8'));
  for (const late of ['src/commands/registry.ts', 'node_modules/commander', 'src/app/config/config.ts'])
    assert.ok(!has(textsOf(profile), late), late);
  for (const late of ['node_modules/commander', 'src/app/config/config.ts', 'src/parts/store/'])
    assert.ok(!has(textsOf(command), late), late);
  for (const { builtins } of [profile, command]) assert.ok(!has(builtins, 'NativeModule sqlite'));
});

test('compiled code is kept in the package, outside its builds, or in the home when that cannot be', async () => {
  const cache = join(PACKAGE, '.cache');
  await load(MAIN, ['config', 'path']);
  assert.ok(readdirSync(cache, { recursive: true }).length > 1, 'nothing in the package');
  assert.deepEqual(
    readdirSync(join(PACKAGE, 'dist'), { recursive: true }).filter((name) => String(name).endsWith('cache')),
    [],
  );
  rmSync(cache, { recursive: true });
  writeFileSync(cache, 'in the way');
  const home = mkdtempSync(join(PACKAGE, 'home-'));
  await load(MAIN, ['config', 'path'], home);
  assert.ok(readdirSync(join(home, 'cache', 'compiled'), { recursive: true }).length > 1, 'nothing in the home');
  rmSync(cache);
});

test('a megabyte of answer arrives whole through a pipe, and nothing keeps the process afterwards', async () => {
  const text = Array.from({ length: 100_000 }, (_, index) => `all of it ${index}. `).join('');
  await using server = await startWireServer({ answer: () => ({ text, chunk: 100_000 }) });
  const { code, out, err } = await load(MAIN, chatWith(server.url, '-q', 'hi'));
  assert.equal(code, 0, err);
  assert.equal(out.length, text.length + 1);
});

test('our own words in a request are Latin-1, so that V8 keeps its body at one byte a character', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'hello' }) });
  await load(MAIN, chatWith(server.url, '-q', 'hi'));
  // oxlint-disable-next-line no-control-regex -- the range is what is meant
  assert.deepEqual(server.requests[0]?.text.match(/[^\u0000-\u00ff]/g) ?? [], []);
});
