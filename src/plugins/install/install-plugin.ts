import { chmodSync, existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '../../base/env.ts';
import { isUsageError, UsageError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { isObject, parseJson } from '../../base/json.ts';
import type { PluginManifest } from '../../contracts/plugin-manifest.ts';
import { hashContent } from '../content.ts';
import { MANIFEST_FILE, PACKAGE_KEYWORD, readCandidate, RESERVED_NAMES } from '../discover.ts';
import { toPluginLine } from '../words/plugin-words.ts';
import { findDependencyLock, installDependencies } from './dependencies.ts';
import { fetchPlugin, findOrigin, type FetchedPlugin, type PluginOrigin } from './fetch-plugin.ts';
import { ORIGIN_FILE, readPluginText } from './plugin-files.ts';
import { changeFolders, removeFolder, replaceFolder } from './staging.ts';

export interface PluginInstallOptions {
  /** The folder `plugins` of the profile. */
  readonly plugins: string;
  readonly cwd: string;
  readonly env: Env;
}
export interface PlacedPlugin {
  readonly name: string;
  readonly version: string;
  /** Below the folder `plugins`. */
  readonly path: string;
  /** `false` when the same bytes were there already. */
  readonly isNew: boolean;
}

/** Puts a plugin that is not there yet into the home. None of its code runs. */
export async function installPlugin(source: string, options: PluginInstallOptions): Promise<PlacedPlugin> {
  const fetched = await fetchPlugin(findOrigin(source, options.cwd), options);
  const manifest = await readManifest(fetched, source);
  const { name } = manifest;
  return changeFolders(options.plugins, async () => {
    if (lstatSync(join(options.plugins, name), { throwIfNoEntry: false }) !== undefined)
      throw new UsageError(`the plugin ${name} is there already. To replace it, type: hermes plugins update ${name} ${source}`);
    return placePlugin(name, fetched, manifest, options);
  });
}

/** Replaces an installed plugin with what its origin, or `source`, holds now. `path` is the folder below `plugins`. */
export async function updatePlugin(
  name: string,
  path: string,
  source: string | undefined,
  options: PluginInstallOptions,
): Promise<PlacedPlugin> {
  const folder = join(options.plugins, path);
  if (lstatSync(folder).isSymbolicLink())
    throw new UsageError(`the plugin ${name} is a link to a folder of yours. It is always as that folder is; there is nothing to update.`);
  const origin = source === undefined ? readOrigin(folder)?.origin : findOrigin(source, options.cwd);
  if (origin === undefined)
    throw new UsageError(`it is not known where the plugin ${name} came from. Say it: hermes plugins update ${name} SOURCE`);
  const fetched = await fetchPlugin(source === undefined ? toNewest(origin) : origin, options);
  const manifest = await readManifest(fetched, origin.from);
  if (manifest.name !== name) throw new UsageError(`${origin.from} holds the plugin ${manifest.name}, not ${name}. Nothing was changed.`);
  return changeFolders(options.plugins, () => placePlugin(path, { ...fetched, origin }, manifest, options));
}

/** Its data and the owner's settings stay. */
export const removePlugin = (path: string, plugins: string): Promise<void> =>
  changeFolders(plugins, async () => removeFolder(plugins, path));

/** Where an installed plugin came from, and the hash of the lock its dependencies were installed from. */
export function readOrigin(folder: string): { readonly origin: PluginOrigin; readonly lock?: string } | undefined {
  const file = join(folder, ORIGIN_FILE);
  const kept = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : undefined;
  if (!isObject(kept)) return undefined;
  const { kind, from, lock } = kept;
  if ((kind !== 'folder' && kind !== 'archive' && kind !== 'package') || typeof from !== 'string') return undefined;
  return { origin: { kind, from }, ...(typeof lock === 'string' && { lock }) };
}

/** An update of a package that was installed at one version asks for the newest. */
const toNewest = (origin: PluginOrigin): PluginOrigin =>
  origin.kind === 'package' ? { kind: 'package', from: origin.from.replace(/(?<=.)@[\d.^~][\w.^~+-]*$/, '') } : origin;

async function readManifest({ files, origin }: FetchedPlugin, source: string): Promise<PluginManifest> {
  const text = readPluginText(files, MANIFEST_FILE);
  if (text === undefined)
    throw new UsageError(`${source} has no ${MANIFEST_FILE}, so it is not a plugin. docs/plugins.md says what goes into it.`);
  const { parseManifest } = await import('../manifest/parse-manifest.ts');
  const manifest = inWords(source, () => parseManifest(text).manifest);
  if (RESERVED_NAMES.includes(manifest.name)) throw new UsageError(`a plugin cannot be called ${manifest.name}. Nothing was installed.`);
  if (origin.kind === 'package') {
    const facts = parseJson(readPluginText(files, 'package.json') ?? '');
    const keywords = isObject(facts) ? facts['keywords'] : undefined;
    if (!Array.isArray(keywords) || !keywords.includes(PACKAGE_KEYWORD))
      throw new UsageError(`the package ${source} does not have the keyword ${PACKAGE_KEYWORD}, so it is not meant as a plugin.`);
  }
  return manifest;
}

function inWords<Value>(source: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw isUsageError(error) ? error : new UsageError(`${source} cannot be installed: ${toPluginLine(error)}`, { cause: error });
  }
}

async function placePlugin(
  path: string,
  { files, origin }: FetchedPlugin,
  { name, version }: PluginManifest,
  options: PluginInstallOptions,
): Promise<PlacedPlugin> {
  const lock = findDependencyLock(files);
  const target = join(options.plugins, path);
  const isNew = await replaceFolder(options.plugins, path, async (folder) => {
    for (const { path: file, bytes } of files) {
      makeFolder(dirname(join(folder, file)));
      writeFileSync(join(folder, file), bytes, { mode: 0o600, flag: 'wx' });
    }
    if (lock !== undefined) await installDependencies(folder, options.env);
    const kept = { ...origin, ...(lock !== undefined && { lock: lock.sha256 }) };
    writeFileSync(join(folder, ORIGIN_FILE), `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    chmodSync(folder, 0o700);
    const reading = await readCandidate({ name, path: folder, source: origin.kind === 'package' ? 'npm' : 'home' });
    if (!reading.ok) throw new UsageError(`${origin.from} cannot be installed: ${reading.why}`);
    const hash = inWords(origin.from, () => hashContent(folder));
    return !existsSync(target) || hash !== hashOrNothing(target);
  });
  return { name, version, path, isNew };
}

/** What lies there may be broken: that is what an update is for. */
function hashOrNothing(folder: string): string {
  try {
    return hashContent(folder);
  } catch {
    return '';
  }
}
