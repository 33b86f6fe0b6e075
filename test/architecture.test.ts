import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAst } from 'rolldown/parseAst';
import { findStreamUses } from './stream-uses.ts';
import { cyclesIn, foldersOf, importGraph, importsIn, importsOf, placeOf, type Graph } from './import-graph.ts';

/** Who may import whom. A band with rooms (`parts`, `faces`, `platforms`) never imports a neighbouring room. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  contracts: ['base'],
  agent: ['base', 'contracts'],
  parts: ['base', 'contracts'],
  platforms: ['base', 'contracts'],
  commands: ['base', 'contracts'],
  plugins: ['base', 'contracts'],
  testing: ['base', 'contracts'],
  faces: ['base', 'contracts', 'agent', 'commands'],
  app: ['base', 'contracts', 'agent', 'parts', 'platforms', 'commands', 'plugins', 'faces', 'testing'],
  'main.ts': ['base', 'app'],
  'cli.ts': ['contracts', 'app'],
  'index.ts': ['base', 'contracts', 'agent', 'parts', 'testing', 'app'],
  'plugin.ts': ['base', 'contracts'],
};

const FILES = globSync('src/**/*.ts');

test('imports only point down', () => {
  const wrong = FILES.flatMap((file) => {
    const from = placeOf(file);
    const allowed = (target: string) => {
      const to = placeOf(target);
      return to.band === from.band ? to.room === from.room : (MAY_IMPORT[from.band]?.includes(to.band) ?? false);
    };
    return importsOf(file)
      .filter((target) => !allowed(target))
      .map((target) => `${file} -> ${target}`);
  });
  assert.deepEqual(wrong, []);
});

const GRAPH = importGraph(FILES);

test('no file imports itself by a detour, not even for a type or later on', () => {
  assert.deepEqual(cyclesIn(GRAPH), []);
});

test('no folder of a room imports itself by a detour', () => {
  assert.deepEqual(cyclesIn(foldersOf(GRAPH)), []);
});

test('a cycle is found where there is one, and only there', () => {
  const files: Graph = new Map([
    ['src/agent/loop.ts', ['src/agent/words.ts', 'src/contracts/turn.ts']],
    ['src/agent/words.ts', ['src/agent/tables/all.ts']],
    ['src/agent/tables/all.ts', ['src/agent/tables/one.ts']],
    ['src/agent/tables/one.ts', ['src/agent/tables/two.ts', 'src/agent/state.ts']],
    ['src/agent/tables/two.ts', ['src/agent/tables/all.ts']],
    ['src/agent/state.ts', ['src/contracts/turn.ts']],
    ['src/parts/store/open.ts', ['src/parts/store/files/read.ts']],
    ['src/parts/store/files/read.ts', ['src/parts/tools/open.ts', 'src/parts/store/files/write.ts']],
    ['src/parts/tools/open.ts', ['src/parts/store/open.ts']],
    ['src/contracts/turn.ts', []],
  ]);
  const round = ['src/parts/store/files/read.ts', 'src/parts/store/open.ts', 'src/parts/tools/open.ts'];
  const tables = ['all', 'one', 'two'].map((name) => `src/agent/tables/${name}.ts`);
  assert.deepEqual(cyclesIn(files), [tables.join(' '), round.join(' ')]);
  // The way round through another room is no cycle of folders: rooms never import each other.
  assert.deepEqual(cyclesIn(foldersOf(files)), ['src/agent src/agent/tables']);
});

test('imports of every kind are seen', () => {
  const found = importsIn(
    'src/agent/loop.ts',
    `import { a } from './a.ts';
import type { B } from '../contracts/b.ts';
import {
  c,
} from './c.ts';
export * from './d.ts';
const e = () => import('./e.ts');
let f: typeof import('./f.ts');
import './g.ts';
import { sep } from 'node:path';`,
  );
  assert.deepEqual(
    found,
    ['a', '../contracts/b', 'c', 'd', 'e', 'f', 'g'].map((name) => join('src/agent', `${name}.ts`)),
  );
});

test('only main.ts, index.ts and cli.ts import the app', () => {
  const wrong = FILES.filter(
    (file) =>
      !['app', 'main.ts', 'index.ts', 'cli.ts'].includes(placeOf(file).band) &&
      importsOf(file).some((target) => placeOf(target).band === 'app'),
  );
  assert.deepEqual(wrong, []);
});

test('nothing in the core knows a global event emitter or writes the environment', () => {
  const wrong = FILES.filter((file) => ['agent', 'parts', 'contracts', 'base'].includes(placeOf(file).band)).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const bad = [/process\.env\[[^\]]+\]\s*=[^=]/, /process\.env\.\w+\s*=[^=]/, /new EventEmitter/].filter((pattern) => pattern.test(text));
    return bad.map((pattern) => `${file}: ${pattern}`);
  });
  assert.deepEqual(wrong, []);
});

/** Code that another process runs: the script side of `execute_code` is read as text and speaks over its own streams. */
const FOR_OTHER_PROCESSES: ReadonlySet<string> = new Set([
  join('src', 'parts', 'tools', 'builtin', 'execute-code', 'javascript.ts'),
  join('src', 'plugins', 'isolated', 'runner.ts'),
]);

test('nothing below a face touches the streams of the process', () => {
  const wrong = FILES.filter((file) => !['faces', 'main.ts'].includes(placeOf(file).band) && !FOR_OTHER_PROCESSES.has(file)).flatMap(
    (file) => findStreamUses(readFileSync(file, 'utf8')).map((use) => `${file}: ${use}`),
  );
  assert.deepEqual(wrong, []);
});

test('every way to the streams of the process is seen, and words about them are not', () => {
  const uses = [
    'process.stdout.write("a")',
    'process["stderr"].write("a")',
    'globalThis.process.stdin.resume()',
    'const { stdout } = process',
    'const { stderr: err } = globalThis.process',
    'const own = process',
    'console.log("a")',
    'const { log } = console',
    'import { stdout } from "node:process"',
    'import console from "node:console"',
  ];
  for (const use of uses) assert.equal(findStreamUses(use).length, 1, use);
  const words = [
    'child.stdout.on("data", f)',
    '"process.stdout"',
    '`console.log(1)`',
    '// console.log',
    'process.once("exit", f)',
    'f({ console: 1 })',
  ];
  for (const text of words) assert.deepEqual(findStreamUses(text), [], text);
});

test('what starts the app loads it when it is needed', () => {
  const wrong = ['main.ts', 'index.ts', 'cli.ts'].flatMap((name) =>
    parseAst(readFileSync(join('src', name), 'utf8'), { lang: 'ts' }).body.flatMap((statement) =>
      'source' in statement && statement.source?.value.startsWith('./app/') === true && !isTypesOnly(statement)
        ? [`${name}: ${statement.source.value}`]
        : [],
    ),
  );
  assert.deepEqual(wrong, []);
});
const isTypesOnly = (statement: object): boolean =>
  ('importKind' in statement && statement.importKind === 'type') || ('exportKind' in statement && statement.exportKind === 'type');

/** A room is what `app` joins. `base` and `contracts` are everybody's, and what tests use is no room. */
const roomOf = (path: string): string | undefined => {
  const { band, room } = placeOf(path);
  if (['base', 'contracts', 'app', 'testing'].includes(band)) return undefined;
  return room === '' ? band : `${band}/${room}`;
};

/** The entry of a thread: it joins what the table joins that it picks from. */
const THREADS: ReadonlySet<string> = new Set([join('src', 'app', 'gateway', 'adapter-worker.ts')]);

test('every file of app joins at least two rooms', () => {
  const lonely = FILES.filter((file) => placeOf(file).band === 'app').flatMap((file) => {
    const imports = importsOf(file).flatMap((target) => (THREADS.has(file) ? [target, ...importsOf(target)] : [target]));
    const rooms = new Set(imports.flatMap((target) => roomOf(target) ?? []));
    return rooms.size < 2 ? [`${file}: ${[...rooms].join(', ')}`] : [];
  });
  assert.deepEqual(lonely, []);
});

const TYPES: ReadonlySet<string> = new Set(['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'TSEnumDeclaration', 'ClassDeclaration']);

/** The types and classes a file declares at its top level. */
function typeNamesIn(code: string): readonly string[] {
  return parseAst(code, { lang: 'ts' }).body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return declared != null && TYPES.has(declared.type) && 'id' in declared && declared.id !== null && 'name' in declared.id
      ? [declared.id.name]
      : [];
  });
}

/** One word, one meaning: names that more than one file declares, each with its files. */
function declaredTwice(sources: ReadonlyMap<string, string>): readonly string[] {
  const byName = Map.groupBy(
    [...sources].flatMap(([file, code]) => [...new Set(typeNamesIn(code))].map((name) => ({ name, file }))),
    ({ name }) => name,
  );
  return [...byName].flatMap(([name, found]) => (found.length > 1 ? [`${name}: ${found.map(({ file }) => file).join(' ')}`] : []));
}

test('the name of a type is declared in one file only', () => {
  assert.deepEqual(declaredTwice(new Map(FILES.map((file) => [file, readFileSync(file, 'utf8')]))), []);
});

test('a type name that two files declare is found, whatever it is declared as', () => {
  const sources = new Map([
    ['a.ts', 'export interface Row { a: 1 }\ntype Own = 1;\nconst text = `\nclass Quoted {}\n`;'],
    ['b.ts', 'type Row = 2;\nexport class Hit {}\nfunction f() {\n  type Own = 2;\n}\nclass Quoted {}'],
    ['c.ts', 'export type { Row } from "./a.ts";\nexport abstract class Hit {}'],
  ]);
  assert.deepEqual(declaredTwice(sources), ['Row: a.ts b.ts', 'Hit: b.ts c.ts']);
});
