import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { ENVIRONMENT_TEMPLATE } from '../src/faces/environments/template.ts';
import { copyBuilt } from './built.ts';

/** Somebody else's project: the package is installed in its node_modules, nothing of this repository is near. */
const PROJECT = mkdtempSync(join(tmpdir(), 'hermes-library-'));
after(() => rmSync(PROJECT, { recursive: true, force: true }));
const INSTALLED = join(PROJECT, 'node_modules', 'hermes-ts');
mkdirSync(INSTALLED, { recursive: true });
copyFileSync('package.json', join(INSTALLED, 'package.json'));
copyBuilt(join(INSTALLED, 'dist'));

test('the library is built beside the program', () => {
  for (const file of ['main.cjs', 'library/index.js', 'types/index.d.ts']) assert.ok(existsSync(join(INSTALLED, 'dist', file)), file);
});

test('a program that knows the package by name runs turns, and its store keeps the promises of the exported suite', () => {
  cpSync('test/fixtures/library', PROJECT, { recursive: true });
  // One promise of the store is enough here: the whole suite runs on the sources in test/parts/store.
  const chosen = '--test-name-pattern=a turn|every fate is given exactly once';
  const { status, stdout } = run(['--test', '--test-reporter=tap', chosen, 'consumer.test.mjs']);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /ok \d+ - every fate is given exactly once/);
  assert.match(stdout, /ok \d+ - a turn of a scripted model/);
});

test('the package brings the examples that the pages on plugins name', () => {
  const facts: unknown = JSON.parse(readFileSync(join(INSTALLED, 'package.json'), 'utf8'));
  assert.ok(String(Object(facts).files).split(',').includes('examples/plugins'));
});

test('both surfaces carry their types', () => {
  mkdirSync(join(PROJECT, 'node_modules', '@types'));
  symlinkSync(resolve('node_modules/@types/node'), join(PROJECT, 'node_modules', '@types', 'node'));
  writeFileSync(
    join(PROJECT, 'typed.mts'),
    `import { createAgent, type ExitReason, type SessionStore } from 'hermes-ts';
import { createSeededRandom, scriptedProvider, testSessionStoreConformance, startWireServer } from 'hermes-ts/testing';
export const reason: ExitReason = 'answered';
export const names: (open: () => Promise<SessionStore>) => void = (open) => testSessionStoreConformance('mine', open);
export const draw: number = createSeededRandom('1').next();
// @ts-expect-error -- no such reason: the types are real ones, not any
export const wrong: ExitReason = 'no such reason';
// @ts-expect-error -- a script is not a number
scriptedProvider(7);
void [createAgent, startWireServer];
`,
  );
  // What `hermes env new` writes is somebody's first line of code with them.
  writeFileSync(join(PROJECT, 'environment.mts'), ENVIRONMENT_TEMPLATE);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--types', 'node', '--skipLibCheck'];
  const { status, stdout } = run([resolve('node_modules/typescript/bin/tsc'), ...options, 'typed.mts', 'environment.mts']);
  assert.equal(status, 0, stdout);
});

test('a program of its own runs the command line with a command of its own beside ours', () => {
  cpSync('skills', join(INSTALLED, 'skills'), { recursive: true });
  writeFileSync(
    join(PROJECT, 'wrapper.mjs'),
    `import { defineCommand, runCli } from 'hermes-ts/cli';
const greet = defineCommand({
  name: 'greet',
  category: 'help',
  summary: 'say hello',
  arguments: { who: { kind: 'text', required: true, description: 'whom' } },
  where: ['shell', 'terminal'],
  whileBusy: 'run',
  json: 'as JSON',
  examples: ['wrapper greet you'],
  needs: ['store'],
  run: async ({ who }, { store }) => ({ hello: who, sessionsSoFar: (await store.list()).length }),
});
process.exitCode = await runCli(process.argv.slice(2), { commands: [greet] });
`,
  );
  const wrapped = (...args: readonly string[]) => run(['wrapper.mjs', ...args]);
  assert.deepEqual(JSON.parse(wrapped('greet', 'you', '--json').stdout), { hello: 'you', sessions_so_far: 0 });
  assert.match(wrapped('--help').stdout, /greet \[options\] <who> +say hello/);
  assert.equal(wrapped('greet').status, 2);
  assert.match(wrapped('chat', '-q', '/greet you').stdout, /"hello": "you"/);
  assert.match(wrapped('chat', '-q', '/help').stdout, /\/greet <who> +say hello/);
  assert.match(wrapped('skills', 'list').stdout, /\n\d+ skills\n$/);
  // The bundle finds them from elsewhere.
  assert.match(run([join(INSTALLED, 'dist', 'main.cjs'), 'skills', 'list']).stdout, /systematic-debugging +bundled/);
});

/** The first example of docs/library.md and what the page says it prints. */
const [, EXAMPLE = '', PRINTED = ''] = /```js\n(.*?)```.*?It prints:\n\n```\n(.*?)```/s.exec(readFileSync('docs/library.md', 'utf8')) ?? [];

test('the example of the library page prints what the page says', () => {
  writeFileSync(join(PROJECT, 'example.mjs'), EXAMPLE);
  assert.deepEqual(run(['example.mjs']), { status: 0, stdout: PRINTED, stderr: '' });
  assert.ok(EXAMPLE.trim().split('\n').length <= 20, 'it stays short');
});

test('the tool and the settings of the library page work as the page says', () => {
  const fences = [...readFileSync('docs/library.md', 'utf8').matchAll(/```js\n(.*?)```(?:\n\nIt prints:\n\n```\n(.*?)```)?/gs)];
  const shown = fences.filter(([, code = '']) => /const add|settings:/.test(code));
  assert.equal(shown.length, 2);
  for (const [, code = '', printed = ''] of shown) {
    writeFileSync(join(PROJECT, 'shown.mjs'), code);
    assert.deepEqual(run(['shown.mjs']), { status: 0, stdout: printed, stderr: '' });
  }
});

test('the library needs nothing that Node 22 does not have', () => {
  const without = `for (const [owner, name] of [[globalThis, 'AsyncDisposableStack'], [globalThis, 'DisposableStack'], [Promise, 'try'], [RegExp, 'escape'],
    [Object.getPrototypeOf(Object.getPrototypeOf((async function* () {}).prototype)), Symbol.asyncDispose]])
    if (!delete owner[name] || name in owner) throw new Error(String(name));`;
  writeFileSync(join(PROJECT, 'node22.mjs'), without);
  const { status, stdout, stderr } = run(['--import', './node22.mjs', 'example.mjs']);
  assert.deepEqual([status, stdout], [0, PRINTED], stderr);
  for (const file of globSync(`${INSTALLED}/dist/library/**/*.js`))
    assert.doesNotMatch(readFileSync(file, 'utf8'), /^\s*(?:await )?using \w+ = /m, file);
});

test('on a Node that is too old, the library says what it needs', () => {
  writeFileSync(join(PROJECT, 'node20.mjs'), `Object.defineProperty(process.versions, 'node', { value: '22.4.1' });`);
  for (const entry of ['hermes-ts', 'hermes-ts/cli', 'hermes-ts/testing']) {
    const { status, stderr } = run(['--import', './node20.mjs', '--input-type=module', '-e', `import '${entry}';`]);
    assert.equal(status, 1);
    assert.match(stderr, /hermes-ts needs Node 22\.16 or newer as a library; this is Node 22\.4\.1\./);
  }
});

function run(args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  // A test runner inside a test runner would hand its results to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: PROJECT,
    env: { ...env, HERMES_HOME: join(PROJECT, 'home') },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}
