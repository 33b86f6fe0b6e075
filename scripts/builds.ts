/**
 * Builds side by side in `dist`. Each is a folder of its own with all it needs; small files with fixed names point to the one that
 * is started. A program that runs keeps the build it began with: the folder stays until its last process has ended.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { clearMarks, IN_USE, isInUse } from '../src/base/build-in-use.ts';
import { randomHex } from '../src/base/ids.ts';
import { replaceFile } from '../src/base/replace-file.ts';

const BUILD = /^build-[0-9a-f]{8}-[0-9a-f]{8}$/;
/** A process marks its build a second after it has started, and a folder that is still being built has no mark. */
const MIN_AGE_MS = 600_000;
const LIBRARY = ['index', 'cli', 'plugin', 'testing'];
const TYPES = ['index', 'cli', 'plugin', 'testing/index'];
const POINTERS = ['.', 'bin', 'library', 'types', 'types/testing'];
/** Where builds lay before each had a folder of its own. */
const FORMER = ['cache', 'chunks', 'plugin-runner', 'adapter-worker.cjs', 'page-worker.cjs', 'library/chunks', 'library/entries'];

/** Makes the folder of a build, which nothing points to yet. */
export function makeBuildFolder(dist: string, sources: string): string {
  const name = `build-${sources.slice(0, 8)}-${randomHex(8)}`;
  mkdirSync(join(dist, name), { recursive: true });
  mkdirSync(join(dist, IN_USE), { recursive: true });
  return name;
}

/** The build that is started from now on, if there is one. */
export function findCurrentBuild(dist: string): string | undefined {
  const main = join(dist, 'main.cjs');
  return existsSync(main) ? /^require\("\.\/(build-[^/]+)\/main\.cjs"\);$/m.exec(readFileSync(main, 'utf8'))?.[1] : undefined;
}

/** Has everything point to this build. The program changes over with the last rename; each pointer is whole at every moment. */
export function publishBuild(dist: string, build: string): void {
  const former = findCurrentBuild(dist);
  // Whoever may read the pointers may come to them.
  for (const folder of POINTERS.filter((name) => name !== 'bin').map((name) => join(dist, name))) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
  }
  // After a power failure a pointer must not be newer than the files it points to. Not every system can do this.
  spawnSync('sync', ['-f', dist]);
  for (const name of LIBRARY) replaceFile(join(dist, `library/${name}.js`), `export * from '../${build}/library/${name}.js';\n`, 0o644);
  for (const name of TYPES) {
    const target = posix.relative(dirname(`types/${name}`), `${build}/types/${name}.js`);
    replaceFile(join(dist, `types/${name}.d.ts`), `export * from '${target}';\n`, 0o644);
  }
  const others = readdirSync(dist).filter((name) => BUILD.test(name) && name !== build);
  const left = ['.*', 'bin', 'proofs', `${build}/node_modules`, ...others];
  replaceFile(join(dist, '.npmignore'), left.map((name) => `/${name}\n`).join(''), 0o644);
  // The time at which a build was replaced says how long it has to stay.
  if (former !== undefined && former !== build) touch(join(dist, former));
  replaceFile(join(dist, 'VERSION'), readFileSync(join(dist, build, 'VERSION'), 'utf8'), 0o644);
  replaceFile(join(dist, 'main.cjs'), `require("./${build}/main.cjs");\n`, 0o644);
  if (former !== undefined) for (const name of FORMER) rmSync(join(dist, name), { recursive: true, force: true });
}

function touch(folder: string): void {
  const now = new Date();
  if (existsSync(folder)) utimesSync(folder, now, now);
}

/** Removes builds that no process uses, replaced ones and those that broke off, and pointers that were never put in place. */
export function sweepBuilds(dist: string, now = Date.now()): void {
  for (const folder of POINTERS.map((name) => join(dist, name)).filter((path) => existsSync(path)))
    for (const path of readdirSync(folder).flatMap((name) => (/\.\d+\.new$/.test(name) ? join(folder, name) : [])))
      if (now - statSync(path).ctimeMs >= MIN_AGE_MS) rmSync(path, { force: true });
  const current = findCurrentBuild(dist);
  for (const name of readdirSync(dist).filter((each) => BUILD.test(each) && each !== current)) {
    const folder = join(dist, name);
    if (now - statSync(folder).mtimeMs < MIN_AGE_MS || isInUse(folder)) continue;
    rmSync(folder, { recursive: true, force: true });
    clearMarks(folder);
    rmSync(join(dist, '..', '.cache', 'compiled', name), { recursive: true, force: true });
  }
}

/**
 * Gives a build its own packages and `dist` its own Node, as hard links: `npm ci` removes node_modules before it installs anew, and
 * until it is done, programs that run and those that are started need both.
 */
export function keepRuntime(dist: string, build: string, modules: string, names: readonly string[]): void {
  const wanted = new Set<string>();
  for (const name of names) if (!name.startsWith('node-')) addPackage(name, modules, wanted);
  for (const name of wanted) linkTree(join(modules, name), join(dist, build, 'node_modules', name));
  const node = join(modules, '.bin', 'node');
  const kept = join(dist, 'bin', 'node');
  if (!existsSync(node)) return rmSync(kept, { force: true });
  const fresh = `${kept}.${process.pid}.new`;
  mkdirSync(dirname(kept), { recursive: true });
  // Where the system has no libatomic, the program looks for it in a folder beside its own.
  const library = join(dirname(realpathSync(node)), '..', 'lib', 'libatomic.so.1');
  try {
    if (existsSync(library)) {
      mkdirSync(join(dist, 'lib'), { recursive: true });
      copyFileSync(library, fresh);
      renameSync(fresh, join(dist, 'lib', 'libatomic.so.1'));
    }
    linkFile(realpathSync(node), fresh);
    renameSync(fresh, kept);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** A package and those it needs, as far as they are installed. */
function addPackage(name: string, modules: string, wanted: Set<string>): void {
  const facts = join(modules, name, 'package.json');
  if (wanted.has(name) || !existsSync(facts)) return;
  wanted.add(name);
  const { dependencies, optionalDependencies }: Record<string, object | undefined> = JSON.parse(readFileSync(facts, 'utf8'));
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) addPackage(each, modules, wanted);
}

function linkTree(from: string, to: string): void {
  if (!statSync(from).isDirectory()) return linkFile(from, to);
  mkdirSync(to, { recursive: true });
  // Packages have no links but those that npm makes to their programs.
  for (const entry of readdirSync(from, { withFileTypes: true }))
    if (!entry.isSymbolicLink()) linkTree(join(from, entry.name), join(to, entry.name));
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Another file system, or one without hard links.
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}
