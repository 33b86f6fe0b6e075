import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from '../install/sources.ts';
import type { ArchiveEntry, Attempt } from './row.ts';
import { DECLARED_HOST, SECRET_NAME, type Stage } from './world.ts';

/** Rows that are one plugin, with the tool of each. */
export interface AttemptPlugin {
  readonly name: string;
  readonly rows: readonly { readonly row: Attempt; readonly tool: string }[];
}

/** As many as one manifest may list. */
const MOST_SHARED = 60;
const TOOL_SECONDS = 8;
/** Everything that can be declared. */
const EVERYTHING = `capabilities: { network: [${DECLARED_HOST}], exec: true, secrets: [${SECRET_NAME}], prompt: true }`;

const needsOwn = (row: Attempt): boolean =>
  row.process === 'own' || [row.manifest, row.setup, row.files, row.archive, row.calls, row.declares].some((part) => part !== undefined);

/** Rows that share a process come first. */
export function toPlugins(rows: readonly Attempt[]): readonly AttemptPlugin[] {
  const numbered = rows.map((row, index) => ({ row, tool: `attempt_${index + 1}` }));
  const shared = numbered.filter(({ row }) => !needsOwn(row));
  const plugins: AttemptPlugin[] = [];
  for (let from = 0; from < shared.length; from += MOST_SHARED)
    plugins.push({ name: `shared-${plugins.length + 1}`, rows: shared.slice(from, from + MOST_SHARED) });
  return [...plugins, ...numbered.filter(({ row }) => needsOwn(row)).map((each) => ({ name: each.tool.replace('_', '-'), rows: [each] }))];
}

export type FillText = (text: string) => string;
/** Puts what is on the stage in place of `{{words}}`. A word that nobody knows is a mistake of the row. */
export const fillWith =
  (stage: Stage, more: Readonly<Record<string, string>>): FillText =>
  (text) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (all, word: string) => {
      const value = { ...stage, ...more }[word as keyof Stage];
      if (value === undefined) throw new Error(`a row says ${all}, and there is nothing of that name on the stage`);
      return value;
    });

/** The body of a row as a module: a mistake in one is not a mistake in all. */
export const toModule = (code: string): string => `export default async (host, input, context) => {\n${code}\n};\n`;

function toManifest({ name, rows }: AttemptPlugin, isDeclared: boolean): string {
  const tools = rows.map(
    ({ tool }) => `  - { name: ${tool}, description: An attempt, effects: read, timeout: ${TOOL_SECONDS}, input: { type: object } }\n`,
  );
  const [only] = rows;
  const { manifest = `tools:\n${tools.join('')}`, declares = EVERYTHING } = rows.length === 1 && only !== undefined ? only.row : {};
  return `name: ${name}\nversion: 1.0.0\ndescription: For an attempt\napi: 1\nentry: index.js\n${manifest}\n${isDeclared ? `${declares}\n` : ''}`;
}

function toEntry({ name, rows }: AttemptPlugin): string {
  const setup = rows
    .map(
      ({ row, tool }) =>
        row.setup ?? `host.tools.add({ name: '${tool}', run: (input, context) => tryOut(host, '${tool}', input, context) });`,
    )
    .join('\n');
  return `import { appendFileSync } from 'node:fs';
import { definePlugin } from 'hermes-ts/plugin';
/** What it found is kept where the judge looks: the program may take secrets out of answers. */
async function tryOut(host, tool, input, context) {
  const keep = (words) => { try { appendFileSync(host.dataFolder + '/answer-' + tool, words); } catch {} };
  try {
    const found = String(await (await import('./' + tool + '.js')).default(host, input, context));
    keep(found);
    return found;
  } catch (error) {
    keep('threw ' + (error?.stack ?? error));
    throw error;
  }
}
export default definePlugin({ name: '${name}', async setup(host, settings) {
${setup}
} });
`;
}

/** Writes the plugin as its author would give it away; gives where it lies. */
export function writePlugin(plugin: AttemptPlugin, isDeclared: boolean, fill: FillText, folder: string): string {
  const [only] = plugin.rows;
  const { files = {}, archive } = plugin.rows.length === 1 && only !== undefined ? only.row : {};
  const all: Readonly<Record<string, string>> = {
    'plugin.yaml': toManifest(plugin, isDeclared),
    'index.js': toEntry(plugin),
    'package.json': '{"type":"module"}',
    ...Object.fromEntries(plugin.rows.map(({ row, tool }) => [`${tool}.js`, toModule(row.code ?? '')])),
    ...files,
  };
  const filled = Object.entries(all).map(([path, text]) => ({ path: fill(path), text: fill(text) }));
  if (archive !== undefined)
    return writePacked([...filled, ...archive.map((entry) => fillEntry(entry, fill))], join(folder, `${plugin.name}.tgz`));
  for (const { path, text } of filled) {
    mkdirSync(dirname(join(folder, plugin.name, path)), { recursive: true });
    writeFileSync(join(folder, plugin.name, path), text);
  }
  return join(folder, plugin.name);
}

const fillEntry = ({ path, text = '', link = '', type = '0' }: ArchiveEntry, fill: FillText) => ({
  path: fill(path),
  text: fill(text),
  link: fill(link),
  type,
});
function writePacked(entries: Parameters<typeof packTar>[0], file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(packTar(entries)));
  return file;
}
