import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { findCurrentBuild, keepRuntime, makeBuildFolder, publishBuild, sweepBuilds } from '../../scripts/builds.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-builds-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const LATER = Date.now() + 3_600_000;
const listBuilds = (dist: string): string[] => readdirSync(dist).filter((name) => name.startsWith('build-'));

/** A program that loads a part of itself only when it is asked, and says which version that was of. */
function makeBuild(dist: string, version: string): string {
  const build = makeBuildFolder(dist, '0123456789abcdef');
  const at = (name: string): string => join(dist, build, name);
  for (const name of ['library', 'types']) mkdirSync(at(name));
  writeFileSync(at('VERSION'), `hermes ${version}\n`);
  writeFileSync(at('part.cjs'), `module.exports = '${version}';`);
  writeFileSync(at('library/index.js'), `export const version = '${version}';\n`);
  writeFileSync(
    at('main.cjs'),
    `import(${JSON.stringify(resolve('src/base/build-in-use.ts'))}).then(({ markBuildInUse }) => {
      markBuildInUse(__dirname);
      console.log('runs');
      process.stdin.on('data', () => console.log(require('./part.cjs')));
      process.stdin.on('end', () => process.exit());
    });`,
  );
  return build;
}

async function startProgram(dist: string) {
  const child = spawn(process.execPath, [join(dist, 'main.cjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8');
  const hear = async (): Promise<string> => {
    const [words]: unknown[] = await once(child.stdout, 'data');
    return String(words).trim();
  };
  assert.equal(await hear(), 'runs');
  return {
    ask: (): Promise<string> => {
      child.stdin.write('which?\n');
      return hear();
    },
    end: async (signal?: NodeJS.Signals): Promise<void> => {
      const ended = once(child, 'close');
      if (signal === undefined) child.stdin.end();
      else child.kill(signal);
      await ended;
    },
  };
}

for (const end of ['by itself', 'by SIGKILL'] as const)
  test(`a program that runs keeps its build when another takes over, until it ends ${end}`, async () => {
    const dist = join(mkdtempSync(join(folder, 'case-')), 'dist');
    const [first, second] = [makeBuild(dist, '1.0.0'), makeBuild(dist, '2.0.0')];
    publishBuild(dist, first);
    const program = await startProgram(dist);
    publishBuild(dist, second);
    sweepBuilds(dist, LATER);
    assert.equal(await program.ask(), '1.0.0');
    const later = await startProgram(dist);
    assert.equal(await later.ask(), '2.0.0');
    await later.end();
    await program.end(end === 'by itself' ? undefined : 'SIGKILL');
    assert.deepEqual(listBuilds(dist).toSorted(), [first, second].toSorted());
    sweepBuilds(dist, LATER);
    assert.deepEqual(listBuilds(dist), [second]);
    assert.deepEqual(readdirSync(join(dist, '.in-use')), []);
  });

test('who did not build may load every pointer', () => {
  const dist = join(mkdtempSync(join(folder, 'case-')), 'dist');
  publishBuild(dist, makeBuild(dist, '1.0.0'));
  for (const name of ['library', 'types', 'types/testing']) assert.equal(statSync(join(dist, name)).mode & 0o055, 0o055, name);
});

test('a build that was just replaced stays, for programs that have no mark yet', () => {
  const dist = join(mkdtempSync(join(folder, 'case-')), 'dist');
  const [first, second, third] = [makeBuild(dist, '1.0.0'), makeBuild(dist, '2.0.0'), makeBuild(dist, '3.0.0')];
  publishBuild(dist, first);
  publishBuild(dist, second);
  sweepBuilds(dist);
  assert.deepEqual(listBuilds(dist).toSorted(), [first, second, third].toSorted());
  assert.equal(findCurrentBuild(dist), second);
  assert.equal(readFileSync(join(dist, 'VERSION'), 'utf8'), 'hermes 2.0.0\n');
});

test('a build of the former layout is gone with the second build, and pointers that were never put in place are swept', () => {
  const dist = join(mkdtempSync(join(folder, 'case-')), 'dist');
  mkdirSync(join(dist, 'chunks'), { recursive: true });
  writeFileSync(join(dist, 'main.cjs'), '// the former program');
  writeFileSync(join(dist, 'VERSION.1.new'), 'hermes 9');
  publishBuild(dist, makeBuild(dist, '1.0.0'));
  assert.ok(existsSync(join(dist, 'chunks')), 'a program of that time may run');
  publishBuild(dist, makeBuild(dist, '2.0.0'));
  sweepBuilds(dist, LATER);
  assert.deepEqual(
    readdirSync(dist).filter((name) => !name.startsWith('build-')),
    ['.in-use', '.npmignore', 'VERSION', 'library', 'main.cjs', 'types'],
  );
});

test('a build keeps the packages it needs and Node while npm installs anew', () => {
  const root = mkdtempSync(join(folder, 'case-'));
  const [dist, modules] = [join(root, 'dist'), join(root, 'node_modules')];
  const add = (name: string, facts: object): void => {
    mkdirSync(join(modules, name), { recursive: true });
    writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, ...facts }));
  };
  add('search', { dependencies: { '@parts/engine': '1' }, optionalDependencies: { 'engine-for-others': '1' } });
  add('@parts/engine', {});
  add('not-asked-for', {});
  add('node-here', {});
  mkdirSync(join(modules, '.bin'));
  writeFileSync(join(modules, '.bin', 'node'), '#!/bin/sh\necho here\n', { mode: 0o755 });
  const build = makeBuild(dist, '1.0.0');
  keepRuntime(dist, build, modules, ['search', 'node-here']);
  rmSync(modules, { recursive: true });
  assert.deepEqual(readdirSync(join(dist, build, 'node_modules')), ['@parts', 'search']);
  assert.equal(readFileSync(join(dist, build, 'node_modules', '@parts', 'engine', 'package.json'), 'utf8'), '{"name":"@parts/engine"}');
  assert.equal(execFileSync(join(dist, 'bin', 'node'), { encoding: 'utf8' }), 'here\n');
  // Without one, none is left over from before.
  keepRuntime(dist, build, modules, []);
  assert.ok(!existsSync(join(dist, 'bin', 'node')));
});

test('a package has the build it starts and no other, and neither Node nor packages of others', () => {
  const root = mkdtempSync(join(folder, 'case-'));
  const dist = join(root, 'dist');
  const [first, second] = [makeBuild(dist, '1.0.0'), makeBuild(dist, '2.0.0')];
  for (const path of [join(second, 'node_modules', 'search'), 'bin', '.in-use']) mkdirSync(join(dist, path), { recursive: true });
  for (const path of [join(second, 'node_modules', 'search', 'index.js'), join('bin', 'node'), join('.in-use', 'mark')])
    writeFileSync(join(dist, path), '');
  publishBuild(dist, first);
  publishBuild(dist, second);
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'packed', version: '2.0.0', files: ['dist'] }));
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' }));
  const files: string[] = packed.files.map(({ path }: { readonly path: string }) => path).toSorted();
  assert.deepEqual(
    files,
    [
      'dist/VERSION',
      'dist/main.cjs',
      ...['VERSION', 'library/index.js', 'main.cjs', 'part.cjs'].map((name) => `dist/${second}/${name}`),
      ...['cli', 'index', 'plugin', 'testing'].map((name) => `dist/library/${name}.js`),
      ...['cli', 'index', 'plugin', 'testing/index'].map((name) => `dist/types/${name}.d.ts`),
      'package.json',
    ].toSorted(),
  );
});
