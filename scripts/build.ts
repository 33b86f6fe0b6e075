/**
 * Builds the bundle that `hermes` runs: one entry, code split at the dynamic imports, dependencies inside; and beside it the
 * library (`library/`, ES modules) with its types (`types/`).
 *   node scripts/build.ts [DIST]   (dist when left out)
 * Everything is written to a folder of its own below DIST, and started from the moment when that is whole (scripts/builds.ts).
 *
 * CommonJS, although the sources are ES modules: an `import` of one of Node's own modules reads every one of its exports, and
 * `node:http` then loads all of fetch and WebSocket for three names nobody uses. `require` leaves them alone: 45 ms less to start.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { rolldown, type InputOptions } from 'rolldown';
import { keepRuntime, makeBuildFolder, publishBuild, sweepBuilds } from './builds.ts';
import { hashFile, hashSources } from './suite/bundle.ts';

const { version, ...packages } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};

/** What a text was judged by: another scanner judges it anew. */
const scanner = createHash('sha256');
for (const file of globSync('src/parts/safety/scan/**/*.ts').toSorted()) scanner.update(readFileSync(file));
const DEFINED = {
  __HERMES_VERSION__: JSON.stringify(version),
  __SCANNER_BUILD__: JSON.stringify(scanner.digest('hex').slice(0, 16)),
};

/** What runs beside the main thread: pages are turned into text, chat platforms are spoken to. Each is a file of its own. */
const PAGE_WORKER = { 'page-worker': './src/parts/tools/builtin/web/page/worker.ts' };
const ADAPTER_WORKER = { 'adapter-worker': './src/app/gateway/adapter-worker.ts' };
const WORKERS = { ...PAGE_WORKER, ...ADAPTER_WORKER };
/** Found beside the bundle, when they are needed. What only developers install is inside. */
const EXTERNAL = [
  /^node:/,
  ...Object.keys({ ...packages.dependencies, ...packages.optionalDependencies, ...packages.peerDependencies }).map(
    (name) => new RegExp(`^${name}(?:/|$)`),
  ),
];

const PONYFILL = resolve('scripts/ponyfills.ts');
const PONYFILLS = {
  AsyncDisposableStack: [PONYFILL, 'AsyncDisposableStack'],
  'Promise.try': [PONYFILL, 'tryPromise'],
  'RegExp.escape': [PONYFILL, 'escapeRegExp'],
} satisfies Record<string, [string, string]>;

const dist = process.argv[2] ?? 'dist';
const sources = hashSources();
const build = makeBuildFolder(dist, sources);
const folder = join(dist, build);
const PROGRAM = {
  platform: 'node',
  // ES modules where a package has both: CommonJS inside would make `--version` read the file with the bundler's helpers.
  resolve: { mainFields: ['module', 'main'] },
  // Types of a package are looked up elsewhere (tsconfig paths); its code is not.
  tsconfig: false,
  external: EXTERNAL,
  transform: { define: DEFINED },
  logLevel: 'warn',
  // A style sheet library picks the class of an error by its name so.
  // Some lazy imports matter to the sources alone: in the bundle what they name comes with a group.
  checks: { eval: false, ineffectiveDynamicImport: false },
} satisfies InputOptions;
const FILES = {
  dir: folder,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  minify: { compress: true, mangle: false, codegen: false },
} as const;
/** Adapters of chat platforms, with the libraries they need, are only ever opened in their workers. */
const ADAPTERS = /src[\\/]platforms[\\/][a-z]+[\\/]adapter\.ts$/;
const bundle = await rolldown({ ...PROGRAM, external: [...EXTERNAL, ADAPTERS], input: { main: 'src/main.ts', ...PAGE_WORKER } });
await bundle.write({
  ...FILES,
  // What every command shares is one file: opening twenty small ones costs more than reading a little too much. What only
  // running a command needs are others, or they would be read before the first request.
  codeSplitting: {
    groups: [
      // Closures of the groups below would take these along, and `--version` would need a second file.
      { name: 'main', test: /src[\\/](?:main|base[\\/](?:home|version|compile-cache))\.ts/ },
      {
        name: 'shell',
        test: /src[\\/](?:base[\\/]shell[\\/]|parts[\\/]tools[\\/]builtin[\\/]terminal[\\/](?:shell-line|foreground|exit-meaning)\.ts)/,
      },
      // What a question needs of the commands, and small files every command line needs, are shared as well: a group takes along whatever its files import, and the one of
      // the commands, which comes with the registry, would take these.
      {
        name: 'shared',
        test: /src[\\/](?:base[\\/](?!(?:home|version|compile-cache)\.ts)|contracts[\\/]|commands[\\/](?:chat|chat-session|agent-forbidden|usage-line|usage-sums|find-session|describe|session-rows|settings|tool-words)\.ts|agent[\\/]nudge\.ts|faces[\\/]cli[\\/](?:exit-codes|json-events|progress|piped-input)\.ts|faces[\\/]tui[\\/]settings\.ts|parts[\\/](?:config[\\/]environment|safety[\\/]approval[\\/]classes)\.ts)/,
      },
      // Pages are made by few commands and need much: each is loaded with the command that writes it.
      { name: 'commands', test: /src[\\/]commands[\\/](?!page-)/ },
      // With all they lean on: every session and nearly every command reads the lists of what there is.
      { name: 'registries', test: /src[\\/]app[\\/](?:config[\\/]config|tools[\\/]registries)\.ts/ },
      { name: 'cli', test: /src[\\/]app[\\/]cli\.ts/ },
      // What every session opens, by room: a command that needs one of them does not read the others.
      { name: 'store', test: /src[\\/]parts[\\/]store[\\/](?:home-store|sqlite[\\/]store)\.ts/ },
      { name: 'providers', test: /src[\\/]parts[\\/]providers[\\/](?:connect|keys|models|thinking-room)\.ts/ },
      { name: 'skills', test: /src[\\/]parts[\\/]skills[\\/](?:open|shelf|tools[\\/][a-z-]+)\.ts/ },
      { name: 'session', test: /src[\\/]app[\\/](?:host[\\/]host|open-host)\.ts/ },
      // Judging is loaded with the first call; who loads it comes with the session.
      { name: 'judge', test: /src[\\/]parts[\\/]safety[\\/](?:command|provenance[\\/](?!session-provenance\.ts))/ },
    ],
  },
});
await bundle.close();
// One runs for each account, as long as the gateway does: by itself it reads a few kilobytes, and with what commands share 3 MB more.
const adapters = await rolldown({ ...PROGRAM, input: ADAPTER_WORKER });
await adapters.write(FILES);
await adapters.close();
// What runs a plugin sees this folder and nothing else of ours.
const runner = await rolldown({ ...PROGRAM, input: { runner: 'src/plugins/isolated/runner.ts', plugin: 'src/plugin.ts' } });
await runner.write({
  dir: join(folder, 'plugin-runner'),
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'chunks/[name]-[hash].mjs',
});
await runner.close();
await buildLibrary();
// Tables and programs lie beside the code that reads or starts them.
for (const table of globSync(['src/**/*.json', 'src/**/launcher-*']))
  for (const chunks of ['chunks', join('library', 'chunks')]) copyFileSync(table, join(folder, chunks, basename(table)));
writeFileSync(join(folder, 'VERSION'), `hermes ${version}\n`);
keepRuntime(dist, build, 'node_modules', Object.keys({ ...packages.dependencies, ...packages.optionalDependencies }));
// One that does not start must not take the place of one that does.
execFileSync(process.execPath, [join(folder, 'main.cjs'), 'help'], { stdio: ['ignore', 'ignore', 'inherit'] });
chmodSync('bin/hermes', 0o755);
publishBuild(dist, build);
// After everything else, so that a build that broke off counts as none.
writeFileSync(hashFile(dist), `${sources}\n`);
sweepBuilds(dist);

/**
 * What `import … from 'hermes-ts'`, `'hermes-ts/cli'`, `'hermes-ts/plugin'` and `'hermes-ts/testing'` find: readable modules for Node 22 and later,
 * types from the sources.
 */
async function buildLibrary(): Promise<void> {
  const library = await rolldown({
    input: { index: 'src/index.ts', cli: 'src/cli.ts', plugin: 'src/plugin.ts', testing: 'src/testing/index.ts', ...WORKERS },
    platform: 'node',
    // Types of a package are looked up elsewhere (tsconfig paths); its code is not.
    tsconfig: false,
    external: EXTERNAL,
    transform: { define: DEFINED, target: 'node22', inject: PONYFILLS },
    logLevel: 'warn',
    checks: { eval: false },
  });
  const { output } = await library.write({
    dir: join(folder, 'library'),
    format: 'esm',
    entryFileNames: ({ name }) => (name in WORKERS ? '[name].js' : 'entries/[name].js'),
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await library.close();
  for (const { fileName, exports } of output.filter((part) => part.type === 'chunk'))
    if (fileName.startsWith('entries/')) writeFileSync(join(folder, 'library', basename(fileName)), guardedEntry(fileName, exports));
  const typescript = join('node_modules', 'typescript', 'bin', 'tsc');
  const types = join(folder, 'types');
  execFileSync(process.execPath, [typescript, '-p', 'scripts/declarations.json', '--outDir', types], { stdio: 'inherit' });
  const wanted = new Set<string>();
  for (const entry of ['index', 'cli', 'plugin', join('testing', 'index')]) addDeclarations(join(types, `${entry}.d.ts`), wanted);
  for (const file of globSync(`${types}/**/*.d.ts`)) if (!wanted.has(file)) rmSync(file);
}

/** Loads the library only on a Node that has what it needs: an older one would stop at an import or a line it cannot read. */
function guardedEntry(file: string, names: readonly string[]): string {
  return `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 16))
  throw new Error(\`hermes-ts needs Node 22.16 or newer as a library; this is Node \${process.versions.node}. Install a newer Node, or use the hermes command, which brings its own.\`);
export const { ${names.join(', ')} } = await import('./${file}');
`;
}

/** A declaration and all it names: the compiler writes one for every source, and nine in ten say nothing about the library. */
function addDeclarations(file: string, wanted: Set<string>): void {
  if (wanted.has(file)) return;
  wanted.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)\.ts'/g))
    addDeclarations(join(dirname(file), `${path}.d.ts`), wanted);
}
