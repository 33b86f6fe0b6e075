import { constants } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readErrorCode } from '../../../base/errors.ts';
import { randomHex } from '../../../base/ids.ts';
import { sha256 } from '../../../base/sha256.ts';
import { nameReceived } from '../../../contracts/received-files.ts';

const MAX_STEM = 60;

/**
 * Keeps bytes that somebody sent in the folder for them, and gives the path. Commands of the session may have put anything
 * there: nothing is written through a link, and nothing of theirs is overwritten. The same file has the same name.
 */
export async function keepReceived(folder: string, name: string, bytes: Buffer): Promise<string> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (readErrorCode(error) !== 'EEXIST') throw error;
  });
  await using held = await openReceived(folder);
  const [stem, ending] = splitName(name);
  const usual = nameReceived(stem, sha256(bytes).slice(0, 8), ending);
  if (await writeNew(join(held.inside, usual), bytes)) return join(folder, usual);
  const other = nameReceived(stem, randomHex(12), ending);
  if (!(await writeNew(join(held.inside, other), bytes))) throw new Error(`${other} is there already`);
  return join(folder, other);
}
/** Opens the folder itself, never one that a link leads to. Below `inside` lies what was opened, whatever takes its place. */
export async function openReceived(folder: string): Promise<AsyncDisposable & { readonly inside: string }> {
  const held: FileHandle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const inside = process.platform === 'linux' ? `/proc/self/fd/${held.fd}` : folder;
  return { inside, [Symbol.asyncDispose]: () => held.close() };
}

/** Whether the file is there with these bytes. */
async function writeNew(path: string, bytes: Buffer): Promise<boolean> {
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return holds(path, bytes);
    await rm(path, { force: true });
    throw error;
  }
}

async function holds(path: string, bytes: Buffer): Promise<boolean> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = await file.stat();
    if (size !== bytes.length || !bytes.equals(await readFile(file))) return false;
    // It was sent again: from now on it counts as new.
    const now = new Date();
    await file.utimes(now, now);
    return true;
  } catch {
    return false;
  }
}

/** What is left of a name that somebody chose: letters, digits and a few signs, never a dot in front. */
function splitName(name: string): readonly [stem: string, ending: string] {
  const plain = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const ending = extname(plain)
    .toLowerCase()
    .replaceAll(/[^.a-z0-9]/g, '')
    .slice(0, 12);
  const stem = plain
    .slice(0, plain.length - extname(plain).length)
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_STEM);
  return [stem === '' ? 'file' : stem, ending === '.' ? '' : ending];
}
