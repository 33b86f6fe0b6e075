import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { isMissing, isUsageError, toErrorMessage, UsageError } from './errors.ts';

/** Far more than a person writes; a YAML of this size is read in under a second. */
const MAX_BYTES = 1_048_576;

/**
 * The text of a file that a person keeps in the home; `undefined` when there is none. Anything that is no text is refused in words: a
 * folder, a pipe that would never end, a link that leads nowhere, a file in another encoding.
 */
export function readOwnText(path: string): string | undefined {
  let bytes: Buffer;
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new UsageError(`it is a ${found.isDirectory() ? 'folder' : found.isFIFO() ? 'pipe' : 'device'}, not a file`);
    if (found.size > MAX_BYTES) throw new UsageError(`it has ${(found.size / 1_048_576).toFixed(1)} MB, and at most 1 MB is read`);
    bytes = readFileSync(path);
  } catch (error) {
    if (!isMissing(error)) throw isUsageError(error) ? error : new UsageError(toErrorMessage(error));
    const target = readLink(path);
    if (target !== undefined) throw new UsageError(`it is a link to ${target}, which does not exist`);
    return undefined;
  }
  return decode(bytes);
}

function readLink(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new UsageError('it is UTF-16 text. Save it as UTF-8');
  const bad = bytes
    .toString('utf8')
    .split('\n')
    .findIndex((line) => line.includes('\0') || line.includes('\uFFFD'));
  if (bad < 0) return bytes.toString('utf8').replace(/^\uFEFF/u, '');
  throw new UsageError(`line ${bad + 1} contains bytes that are not text. Save the file as UTF-8`);
}
