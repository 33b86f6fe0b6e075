/**
 * Folders that an index calls repositories of their own: git looks into them even where nothing else does. What cannot be read
 * as git writes it gives nothing more.
 */
export function listIndexedRepositories(index: Buffer): readonly string[] {
  if (index.length < HEAD || index.toString('latin1', 0, 4) !== 'DIRC' || !index.includes(LINK_MODE)) return [];
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  // Which hash it is made with stands in the repository's settings; only one of the two reads to its end.
  return readEntries(index, version, count, 20) ?? readEntries(index, version, count, 32) ?? [];
}
const HEAD = 12;
const LINK_MODE = Buffer.from([0, 0, 0xe0, 0]);
/** Before the hash: times, device, number, mode, owner, group, size. */
const BEFORE_HASH = 40;
const MODE_AT = 24;
const EXTENDED = 0x40_00;
const LENGTH = 0xf_ff;

function readEntries(index: Buffer, version: number, count: number, hash: number): readonly string[] | undefined {
  const found: string[] = [];
  let [at, previous] = [HEAD, ''];
  for (let entry = 0; entry < count; entry++) {
    const flagsAt = at + BEFORE_HASH + hash;
    if (flagsAt + 4 > index.length) return undefined;
    const isLink = index.readUInt32BE(at + MODE_AT) === 0xe0_00;
    const nameAt = flagsAt + ((index.readUInt16BE(flagsAt) & EXTENDED) === 0 ? 2 : 4);
    const name = version === 4 ? readShortened(index, nameAt, previous) : readPlain(index, nameAt);
    // The length stands before it, as far as it has room: where it does not fit, something else is being read.
    if (name === undefined || (index.readUInt16BE(flagsAt) & LENGTH) !== Math.min(name.text.length, LENGTH)) return undefined;
    if (isLink) found.push(Buffer.from(name.text, 'latin1').toString());
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
