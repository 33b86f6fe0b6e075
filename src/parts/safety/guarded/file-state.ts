import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync, type BigIntStats } from 'node:fs';

/** What stands at a name, its last link not followed. */
export interface FileState {
  readonly kind: 'file' | 'link' | 'folder' | 'other';
  /** Another one whenever the file is another, short of two changes within one tick of the disk's clock. */
  readonly stamp: string;
  /** Nobody can set this back. */
  readonly changedAt: number;
  readonly mode: number;
  /** Of a file its bytes, of a link where it leads; empty for what is neither, and for a file that is too large to be kept. */
  readonly content: Buffer;
  readonly isTooLarge?: true;
}

/** No file of this kind is that large; one that is can be set aside, not shown. */
const MAX_BYTES = 16 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

export const tryLstat = (path: string): BigIntStats | undefined => {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};
export const toStamp = ({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${dev}.${ino}.${mode}.${size}.${mtimeNs}.${ctimeNs}`;

/** Tells a folder from another one under its name, or with its number after it was deleted; empty when there is none. */
export const identifyFolder = (path: string): string => {
  const found = tryLstat(path);
  return found?.isDirectory() === true ? `${found.dev}:${found.ino}:${found.birthtimeNs}` : '';
};

/** Reads what is there, unless it is what was known: then that. `since` is the time from which a stamp alone is not believed. */
export function readState(path: string, known: FileState | undefined, since: number): FileState | undefined {
  const found = tryLstat(path);
  if (found === undefined) return undefined;
  // A file that is mapped into memory can change again without a new time, so young ones are read each time.
  if (known?.stamp === toStamp(found) && known.changedAt < since) return known;
  const about = { stamp: toStamp(found), changedAt: Number(found.ctimeMs), mode: Number(found.mode) & 0o777 };
  if (found.isSymbolicLink()) return { ...about, kind: 'link', content: tryRead(() => Buffer.from(readlinkSync(path))) ?? NOTHING };
  if (found.isDirectory()) return { ...about, kind: 'folder', content: NOTHING };
  if (!found.isFile()) return { ...about, kind: 'other', content: NOTHING };
  if (found.size > MAX_BYTES) return { ...about, kind: 'file', content: NOTHING, isTooLarge: true };
  const content = tryRead(() => readPlainFile(path));
  return content === undefined ? { ...about, kind: 'other', content: NOTHING } : { ...about, kind: 'file', content };
}

/** Neither a link nor a pipe that took the file's place meanwhile leads elsewhere or keeps us waiting. */
function readPlainFile(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return fstatSync(file).isFile() ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

const tryRead = <Value>(read: () => Value): Value | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** The same to whoever runs or reads it. */
export const isSameState = (one: FileState | undefined, other: FileState | undefined): boolean =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    one.kind === other.kind &&
    one.content.equals(other.content) &&
    (one.isTooLarge === undefined ? other.isTooLarge === undefined : one.stamp === other.stamp) &&
    (one.mode & 0o111) === (other.mode & 0o111));
