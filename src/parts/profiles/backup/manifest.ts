import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../../../base/errors.ts';
import { isObject, parseJson } from '../../../base/json.ts';

/** What a backup says of itself, so that a damaged one is recognized before anything is replaced by it. */
export interface Manifest {
  readonly format: number;
  readonly version: string;
  readonly madeAt: number;
  readonly sessions: number;
  /** The sha256 of each file, by its path. */
  readonly files: Readonly<Record<string, string>>;
}
export const MANIFEST_FILE = 'hermes-backup.json';
const FORMAT = 1;

export async function createManifest(folder: string, facts: Pick<Manifest, 'version' | 'madeAt' | 'sessions'>): Promise<Manifest> {
  return { format: FORMAT, ...facts, files: await hashFiles(folder) };
}

/** Reads it and compares every file with it. */
export async function verifyManifest(folder: string, file: string): Promise<Manifest> {
  const manifest = readManifest(join(folder, MANIFEST_FILE), file);
  const found = await hashFiles(folder);
  const names = new Set([...Object.keys(found), ...Object.keys(manifest.files)]);
  const wrong = [...names].filter((name) => found[name] !== manifest.files[name]);
  if (wrong.length > 0)
    throw new UsageError(
      `${file} is damaged: ${wrong.slice(0, 3).join(', ')}${wrong.length > 3 ? ` and ${wrong.length - 3} more` : ''} ${wrong.length === 1 ? 'differs' : 'differ'} from what was backed up. Nothing was restored.`,
    );
  return manifest;
}

function readManifest(path: string, file: string): Manifest {
  const read = statSync(path, { throwIfNoEntry: false })?.isFile() === true ? parseJson(readFileSync(path, 'utf8')) : undefined;
  if (!isObject(read)) throw new UsageError(`${file} is no backup of hermes. Nothing was restored.`);
  const { format, version, madeAt, sessions, files } = read;
  if (typeof format === 'number' && format > FORMAT)
    throw new UsageError(`${file} was made by a newer hermes. Update first: hermes update`);
  if (format !== FORMAT || typeof version !== 'string' || typeof madeAt !== 'number' || typeof sessions !== 'number' || !isObject(files))
    throw new UsageError(`${file} is no backup of hermes. Nothing was restored.`);
  const hashes = Object.entries(files).flatMap(([name, hash]) => (typeof hash === 'string' ? [[name, hash] as const] : []));
  return { format, version, madeAt, sessions, files: Object.fromEntries(hashes) };
}

async function hashFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const hashes: [string, string][] = [];
  for (const name of readdirSync(folder, { recursive: true }).map(String).toSorted()) {
    if (name === MANIFEST_FILE || !statSync(join(folder, name)).isFile()) continue;
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    hashes.push([name, hash.digest('hex')]);
  }
  return Object.fromEntries(hashes);
}
