import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject, parseJson, readPath } from '../base/json.ts';
import {
  MEMORY_PLUGIN_PRECEDENCE,
  PLUGIN_API,
  PLUGIN_PRECEDENCE,
  type PluginManifest,
  type PluginSource,
} from '../contracts/plugin-manifest.ts';
import { listDeprecated } from './deprecations.ts';
import { toPluginLine } from './words/plugin-words.ts';

/** Where plugins are looked for. */
export interface PluginPlaces {
  /** Folders of plugins that come with the program. */
  readonly bundled?: string;
  /** The profile's folder. */
  readonly home: string;
  /** A project the owner trusts. */
  readonly project?: string;
}
/** A folder that may hold a plugin; nothing in it has been read. */
export interface PluginCandidate {
  readonly name: string;
  readonly path: string;
  readonly source: PluginSource;
  /** What the folder it lies in says it brings. */
  readonly kind?: 'memory' | 'context_engine';
}

export const KINDS = ['memory', 'context_engine'] as const;
/** No plugin has these names: Node.js looks for packages of other plugins in one, and every table has a member of the other. */
export const RESERVED_NAMES: readonly string[] = [...KINDS, 'node_modules', 'constructor'];
export const MANIFEST_FILE = 'plugin.yaml';

/** Every candidate, those that win first. Without a folder of plugins this is a look at three paths. */
export function findCandidates({ bundled, home, project }: PluginPlaces): readonly PluginCandidate[] {
  return [
    ...inFolder(join(home, 'plugins'), 'home'),
    ...(project === undefined ? [] : inFolder(join(project, '.hermes', 'plugins'), 'project')),
    ...inPackages(home),
    ...(bundled === undefined ? [] : inFolder(bundled, 'bundled')),
  ];
}

function inFolder(folder: string, source: PluginSource): readonly PluginCandidate[] {
  const plain = listFolders(folder)
    .filter((name) => !RESERVED_NAMES.includes(name))
    .map((name) => ({ name, path: join(folder, name), source }));
  const kinds = KINDS.flatMap((kind) =>
    listFolders(join(folder, kind)).map((name) => ({ name, path: join(folder, kind, name), source, kind })),
  );
  return [...plain, ...kinds];
}

export const PACKAGE_KEYWORD = 'hermes-plugin';
/** Only packages that the home itself depends on: what they bring along is theirs. */
function inPackages(home: string): readonly PluginCandidate[] {
  const named = readPath(readJson(join(home, 'package.json')), 'dependencies');
  if (!isObject(named)) return [];
  return Object.keys(named).flatMap((name) => {
    const path = join(home, 'node_modules', name);
    const keywords = readPath(readJson(join(path, 'package.json')), 'keywords');
    const isPlugin = Array.isArray(keywords) && keywords.includes(PACKAGE_KEYWORD);
    return isPlugin ? [{ name: basename(name).replace(/^hermes-plugin-/, ''), path, source: 'npm' as const }] : [];
  });
}

/**
 * Of several of one name the one that counts, and those it hides. The order is one of two tables: a memory provider that comes
 * with the program cannot be replaced by a folder of the same name.
 */
export function rankCandidates(candidates: readonly PluginCandidate[]): {
  readonly standing: readonly PluginCandidate[];
  readonly shadowed: readonly PluginCandidate[];
} {
  const groups = [...Map.groupBy(candidates, ({ name }) => name).values()].map((group) => {
    const order = group.some(({ kind, source }) => kind === 'memory' && source === 'bundled')
      ? MEMORY_PLUGIN_PRECEDENCE
      : PLUGIN_PRECEDENCE;
    return group.toSorted((one, other) => order.indexOf(one.source) - order.indexOf(other.source));
  });
  return { standing: groups.flatMap((group) => group.slice(0, 1)), shadowed: groups.flatMap((group) => group.slice(1)) };
}

export type FolderReading =
  | { readonly ok: true; readonly manifest: PluginManifest; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** The manifest of a candidate. None of its code runs. */
export async function readCandidate({ name, path, source, kind }: PluginCandidate): Promise<FolderReading> {
  try {
    const file = join(path, MANIFEST_FILE);
    if (!existsSync(file)) {
      const plain = kind === 'context_engine' ? readPlainEngine(name, path) : undefined;
      if (plain === undefined) throw new Error(`it has no ${MANIFEST_FILE}. docs/plugins.md says what goes into it.`);
      return { ok: true, manifest: plain, warnings: listDeprecated({ manifest: plain, hasManifest: false }) };
    }
    const { parseManifest } = await import('./manifest/parse-manifest.ts');
    const { manifest, warnings } = parseManifest(readFileSync(file, 'utf8'));
    if (manifest.name !== name)
      throw new Error(`its folder is called ${name}, but plugin.yaml says name: ${manifest.name}. Give both the same name.`);
    const { entry } = manifest;
    if (entry !== undefined && statSync(join(path, entry), { throwIfNoEntry: false })?.isFile() !== true)
      throw new Error(`its entry ${entry} is not there.`);
    if (source === 'npm' && entry?.endsWith('ts') === true)
      throw new Error(`its entry ${entry} is TypeScript. A package must bring JavaScript.`);
    if (kind === 'memory' && manifest.memoryProvider === undefined)
      throw new Error('it is in plugins/memory, but plugin.yaml names no memory_provider.');
    return { ok: true, manifest, warnings: [...warnings, ...listDeprecated({ manifest, hasManifest: true })] };
  } catch (error) {
    return { ok: false, why: toPluginLine(error) };
  }
}

/** An engine as earlier versions had it: one file that exports `contextEngine`. */
function readPlainEngine(name: string, path: string): PluginManifest | undefined {
  const entry = 'index.mjs';
  if (!existsSync(join(path, entry)) || !/^[\w-]+$/.test(name)) return undefined;
  return {
    name,
    version: '0',
    description: `the context engine ${name}`,
    api: PLUGIN_API,
    entry,
    capabilities: { network: [], exec: false, secrets: [], prompt: false },
    tools: [],
    hooks: [],
    commands: [],
    cli: [],
    slots: [],
    contextEngine: name,
    platforms: [],
    terminals: [],
    providers: [],
    widgets: false,
    settings: {},
  };
}

function listFolders(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter(
      (entry) => !entry.name.startsWith('.') && (entry.isDirectory() || isLinkedFolder(join(path, entry.name), entry.isSymbolicLink())),
    )
    .map(({ name }) => name)
    .toSorted();
}
/** Whoever writes a plugin links to the folder they work in. */
const isLinkedFolder = (path: string, isLink: boolean): boolean =>
  isLink && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function readJson(path: string): unknown {
  try {
    return parseJson(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
