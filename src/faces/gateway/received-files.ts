import { constants } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readErrorCode } from '../../base/errors.ts';
import { randomHex } from '../../base/ids.ts';
import { sha256 } from '../../base/sha256.ts';

const FOLDER = 'received';
const MAX_STEM = 60;

/**
 * Keeps bytes that somebody sent in the folder a session works in, and gives the path. Commands of the session may have put
 * anything there: nothing is written through a link, and nothing of theirs is overwritten. The same file has the same name.
 */
export async function keepReceived(workspace: string, name: string, bytes: Buffer): Promise<string> {
  const folder = join(workspace, FOLDER);
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (readErrorCode(error) !== 'EEXIST') throw error;
  });
  await using held = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  // Below this name lies the folder that was opened, whatever takes its place.
  const inside = process.platform === 'linux' ? `/proc/self/fd/${held.fd}` : folder;
  const [stem, ending] = splitName(name);
  const usual = `${stem}-${sha256(bytes).slice(0, 8)}${ending}`;
  if (await writeNew(join(inside, usual), bytes)) return join(folder, usual);
  const other = `${stem}-${randomHex(12)}${ending}`;
  if (!(await writeNew(join(inside, other), bytes))) throw new Error(`${other} is there already`);
  return join(folder, other);
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
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat();
      return size === bytes.length && bytes.equals(await readFile(file));
    } finally {
      await file.close();
    }
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
