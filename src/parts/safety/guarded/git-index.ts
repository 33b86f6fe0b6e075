import { createHash } from 'node:crypto';

/**
 * Folders that an index calls repositories of their own: git looks into them even where nothing else does. What cannot be read
 * as git writes it gives nothing more.
 */
export function listIndexedRepositories(index: Buffer): readonly string[] {
  if (index.length < HEAD || index.toString('latin1', 0, 4) !== 'DIRC' || !index.includes(LINK_MODE)) return [];
  return readIndex(index).flatMap(({ name, isLink }) => (isLink ? [name] : []));
}

/** Files that git is told not to look at (`--assume-unchanged`, `--skip-worktree`): its status says nothing of what becomes of them. */
export const listUnwatched = (index: Buffer): readonly string[] =>
  readIndex(index).flatMap(({ name, isUnwatched }) => (isUnwatched && !name.endsWith('/') ? [name] : []));

/** The index with git looking at these files again, or not any more. */
export function setWatched(index: Buffer, names: ReadonlySet<string>, isWatched: boolean): Buffer {
  const changed = Buffer.from(index);
  const found = readIndex(index);
  for (const { name, flagsAt } of found) {
    if (!names.has(name)) continue;
    const flags = changed.readUInt16BE(flagsAt);
    changed.writeUInt16BE(isWatched ? flags & ~ASSUME_VALID : flags | ASSUME_VALID, flagsAt);
    if (isWatched && (flags & EXTENDED) !== 0) changed.writeUInt16BE(changed.readUInt16BE(flagsAt + 2) & ~SKIP_WORKTREE, flagsAt + 2);
  }
  const length = found[0]?.hash ?? 20;
  const end = changed.length - length;
  // Zeros stand there where nobody wants it checked.
  if (changed.subarray(end).some((byte) => byte !== 0))
    createHash(length === 32 ? 'sha256' : 'sha1')
      .update(changed.subarray(0, end))
      .digest()
      .copy(changed, end);
  return changed;
}

/** Which hash it is made with stands in the repository's settings; only one of the two reads to its end. */
function readIndex(index: Buffer): readonly IndexEntry[] {
  if (index.length < HEAD || index.toString('latin1', 0, 4) !== 'DIRC') return [];
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  return readEntries(index, version, count, 20) ?? readEntries(index, version, count, 32) ?? [];
}
interface IndexEntry {
  readonly name: string;
  readonly isLink: boolean;
  readonly isUnwatched: boolean;
  readonly flagsAt: number;
  readonly hash: number;
}
const HEAD = 12;
const LINK_MODE = Buffer.from([0, 0, 0xe0, 0]);
/** Before the hash: times, device, number, mode, owner, group, size. */
const BEFORE_HASH = 40;
const MODE_AT = 24;
const EXTENDED = 0x40_00;
const ASSUME_VALID = 0x80_00;
/** Among the further flags of an extended entry. */
const SKIP_WORKTREE = 0x40_00;
const LENGTH = 0xf_ff;

function readEntries(index: Buffer, version: number, count: number, hash: number): readonly IndexEntry[] | undefined {
  const found: IndexEntry[] = [];
  let [at, previous] = [HEAD, ''];
  for (let entry = 0; entry < count; entry++) {
    const flagsAt = at + BEFORE_HASH + hash;
    if (flagsAt + 4 > index.length) return undefined;
    const isLink = index.readUInt32BE(at + MODE_AT) === 0xe0_00;
    const nameAt = flagsAt + ((index.readUInt16BE(flagsAt) & EXTENDED) === 0 ? 2 : 4);
    const name = version === 4 ? readShortened(index, nameAt, previous) : readPlain(index, nameAt);
    // The length stands before it, as far as it has room: where it does not fit, something else is being read.
    if (name === undefined || (index.readUInt16BE(flagsAt) & LENGTH) !== Math.min(name.text.length, LENGTH)) return undefined;
    const flags = index.readUInt16BE(flagsAt);
    const isUnwatched =
      (flags & ASSUME_VALID) !== 0 || ((flags & EXTENDED) !== 0 && (index.readUInt16BE(flagsAt + 2) & SKIP_WORKTREE) !== 0);
    found.push({ name: Buffer.from(name.text, 'latin1').toString(), isLink, isUnwatched, flagsAt, hash });
    previous = name.text;
    // Entries of the older forms are filled up to eight bytes.
    at = version === 4 ? name.end : at + Math.ceil((name.end - at) / 8) * 8;
  }
  return found;
}

interface IndexedName {
  readonly text: string;
  /** After the zero at its end. */
  readonly end: number;
}
function readPlain(index: Buffer, at: number): IndexedName | undefined {
  const end = index.indexOf(0, at);
  return end <= at ? undefined : { text: index.toString('latin1', at, end), end: end + 1 };
}

/** How much of the name before is left out at its end, and what follows. */
function readShortened(index: Buffer, start: number, previous: string): IndexedName | undefined {
  let at = start;
  let byte = index[at++] ?? 0;
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = index[at++] ?? 0;
    dropped = (dropped + 1) * 128 + (byte & 0x7f);
  }
  const end = index.indexOf(0, at);
  return end < at || dropped > previous.length
    ? undefined
    : { text: previous.slice(0, previous.length - dropped) + index.toString('latin1', at, end), end: end + 1 };
}
