import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, relative, resolve } from 'node:path';
import { isWithin } from '../base/within.ts';

/** More is not looked at, and so not trusted. Dependencies lie inside of a plugin's folder and count too. */
const MAX_FILES = 20_000;
const MAX_BYTES = 300_000_000;

interface ContentFile {
  readonly path: string;
  /** Where it leads, for a link; links lead nowhere but inside. */
  readonly link?: string;
  readonly stat: { readonly size: bigint; readonly mtimeNs: bigint; readonly ctimeNs: bigint; readonly ino: bigint };
}

/**
 * What tells one state of a folder from another without reading its files: a change of a byte changes the time of its file, which
 * nobody but the system's owner can set back. Cheap enough for every start.
 */
export function stampContent(folder: string): string {
  const stamp = createHash('sha256');
  for (const { path, link, stat } of listContent(folder))
    stamp.update(`${JSON.stringify([path, link])} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}\n`);
  return stamp.digest('hex');
}

/** The name and the bytes of every file. What cannot be looked at as a whole is refused. */
export function hashContent(folder: string): string {
  const hash = createHash('sha256');
  for (const { path, link } of listContent(folder)) {
    const bytes = link === undefined ? readFileSync(join(folder, path)) : Buffer.from(link);
    hash.update(`${JSON.stringify([path, link === undefined ? 'file' : 'link', bytes.length])}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** Every file below it, in an order that is always the same. */
function listContent(folder: string): readonly ContentFile[] {
  const root = realpathSync(folder);
  const files: ContentFile[] = [];
  let bytes = 0n;
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(root, below), { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        walk(path);
        continue;
      }
      const stat = lstatSync(join(root, path), { bigint: true });
      if (entry.isSymbolicLink()) files.push({ path, stat, link: checkLink(root, path) });
      else if (entry.isFile()) files.push({ path, stat });
      else throw new Error(`${path} is neither a file nor a folder. Remove it.`);
      bytes += stat.size;
      if (files.length > MAX_FILES || bytes > BigInt(MAX_BYTES))
        throw new Error(`its folder holds more than ${MAX_FILES} files or ${MAX_BYTES / 1_000_000} MB. Keep data in its data folder.`);
    }
  };
  walk('');
  return files;
}

/** Tools of packages are links to each other; one that leads out of the folder would be trusted unseen. */
function checkLink(root: string, path: string): string {
  const target = readlinkSync(join(root, path));
  const leads = resolve(join(root, path), '..', target);
  if (target.startsWith('/') || !isWithin(root, leads))
    throw new Error(`${path} is a link that leads out of the plugin's folder. Replace it with a copy.`);
  return relative(root, leads);
}
