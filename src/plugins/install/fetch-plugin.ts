import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Env } from '../../base/env.ts';
import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { readTar } from '../../base/read-tar.ts';
import { createFileCollector, INSTALL_LIMITS, isLeftOut, type PluginFile } from './plugin-files.ts';
import { runNpm } from './run-npm.ts';

/** Where a plugin comes from: a folder, a `.tgz` file, or an npm package as `name` or `name@version`. */
export interface PluginOrigin {
  readonly kind: 'folder' | 'archive' | 'package';
  /** A full path, or the name of the package as the owner typed it. */
  readonly from: string;
}
export interface FetchedPlugin {
  readonly origin: PluginOrigin;
  readonly files: readonly PluginFile[];
}
export interface FetchOptions {
  /** What a relative path is relative to. */
  readonly cwd: string;
  readonly env: Env;
}

/** Names of packages alone: what else npm would take (a URL, a git repository, an option) is refused. */
const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:@[\w.^~+-]+)?$/i;

/** Tells what the owner means by looking at the disk first. */
export function findOrigin(source: string, cwd: string): PluginOrigin {
  const path = resolve(cwd, source);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return { kind: 'folder', from: path };
  if (found?.isFile() === true && /\.(?:tgz|tar\.gz)$/i.test(path)) return { kind: 'archive', from: path };
  if (found === undefined && PACKAGE.test(source) && !/\.(?:tgz|tar\.gz)$/i.test(source)) return { kind: 'package', from: source };
  throw new UsageError(
    `${source} is not a folder, a .tgz or .tar.gz file, or the name of an npm package. Type for example: hermes plugins install ./my-plugin`,
  );
}

/** Reads all files of a plugin with limits. Nothing of it runs, and nothing is written but what npm fetches. */
export async function fetchPlugin(origin: PluginOrigin, options: FetchOptions): Promise<FetchedPlugin> {
  const files = await (origin.kind === 'folder'
    ? readFolder(origin.from)
    : origin.kind === 'archive'
      ? readArchive(origin.from)
      : fetchPackage(origin.from, options));
  return { origin, files };
}

function readFolder(root: string): readonly PluginFile[] {
  const { add, files } = createFileCollector();
  const walk = (below: string): void => {
    for (const { name } of readdirSync(join(root, below), { withFileTypes: true })) {
      const path = below === '' ? name : `${below}/${name}`;
      if (isLeftOut(path)) continue;
      const stat = lstatSync(join(root, path));
      if (stat.isDirectory()) walk(path);
      else if (!stat.isFile() || stat.size > INSTALL_LIMITS.bytes)
        throw new UsageError(
          `${join(root, path)} is ${stat.isSymbolicLink() ? 'a link' : 'no plain file of a plugin'}. Replace it with a copy, or remove it.`,
        );
      else add(path, readFileSync(join(root, path)));
    }
  };
  walk('');
  return files;
}

async function readArchive(file: string): Promise<readonly PluginFile[]> {
  if (statSync(file).size > INSTALL_LIMITS.archiveBytes)
    throw new UsageError(`${file} is larger than ${INSTALL_LIMITS.archiveBytes / 1_000_000} MB. Nothing was installed.`);
  const tar = await unzip(file);
  const found = [...readTar(tar)].map(({ path, bytes }) => ({ path: path.replace(/^\.\//, ''), bytes }));
  const top = findTop(found.map(({ path }) => path));
  const { add, files } = createFileCollector();
  for (const { path, bytes } of found) {
    const below = path.slice(top.length);
    if (!isLeftOut(below)) add(below, bytes);
  }
  return files;
}

async function unzip(file: string): Promise<Uint8Array> {
  try {
    // Headers and padding come on top of the files.
    return await promisify(gunzip)(readFileSync(file), { maxOutputLength: INSTALL_LIMITS.bytes + INSTALL_LIMITS.files * 2_048 });
  } catch (error) {
    throw new UsageError(`${file} cannot be unpacked: ${toErrorMessage(error)}. Nothing was installed.`, { cause: error });
  }
}

/** The one folder that everything lies in, as npm and GitHub pack it; empty when there is none. */
function findTop(paths: readonly string[]): string {
  const top = `${paths[0]?.split('/')[0] ?? ''}/`;
  return !paths.includes('plugin.yaml') && paths.every((path) => path.startsWith(top)) && top !== '../' ? top : '';
}

async function fetchPackage(name: string, { env }: FetchOptions): Promise<readonly PluginFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-plugin-'));
  try {
    await runNpm(['pack', name, '--pack-destination', folder], folder, env);
    const [packed] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
    if (packed === undefined) throw new UsageError(`npm pack ${name} gave no package. Nothing was installed.`);
    return await readArchive(join(folder, packed));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
