import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

const REPOSITORY = join(import.meta.dirname, '../../..');
const KEPT = join(import.meta.dirname, 'agent-run-tree.json.gz');
const TAKEN = ['src/base', 'src/contracts', 'src/parts/tools', 'src/parts/terminals', 'test/base', 'test/parts/tools'];
const SINGLE = ['package.json', 'tsconfig.json', 'AGENTS.md', 'CONTEXT.md'];
/** Tests of these reach into parts that are not taken along. */
const LEFT_OUT = /session-search|definitions\.test|sqlite/;

export type Tree = Readonly<Record<string, string>>;

/** The part of the repository the run works on, as it was when first taken: the transcript stays the same when the sources move on. */
export function frozenTree(): Tree {
  if (!existsSync(KEPT)) writeFileSync(KEPT, gzipSync(JSON.stringify(takeTree()), { level: 9 }));
  return JSON.parse(gunzipSync(readFileSync(KEPT)).toString('utf8')) as Tree;
}

const takeTree = (): Tree =>
  Object.fromEntries(
    [...SINGLE.map((name) => join(REPOSITORY, name)), ...TAKEN.flatMap((folder) => filesBelow(join(REPOSITORY, folder)))]
      .map((path) => [relative(REPOSITORY, path), path] as const)
      .filter(([name]) => !LEFT_OUT.test(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, path]) => [name, readFileSync(path, 'utf8')]),
  );

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

/** Writes the tree with fixed times: names are listed by time of change. */
export function plant(tree: Tree, folder: string): void {
  for (const [index, [name, content]] of Object.entries(tree).entries()) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    utimesSync(path, 1_760_000_000 + index, 1_760_000_000 + index);
  }
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['typescript', '@types', '@vscode', 'undici-types', 'yaml']) {
    const from = join(REPOSITORY, 'node_modules', name);
    if (existsSync(from)) symlinkSync(from, join(folder, 'node_modules', name));
  }
  cpSync(join(REPOSITORY, 'LICENSE'), join(folder, 'LICENSE'));
}
