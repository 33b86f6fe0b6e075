/** One ref that a push changes: all zeros stand for none. */
export interface RefUpdate {
  readonly old: string;
  readonly new: string;
  readonly ref: string;
}
/** What git says before it sends a pack. */
export interface PushRequest {
  readonly updates: readonly RefUpdate[];
  readonly capabilities: ReadonlySet<string>;
  /** The bytes read up to the pack, as they came: the updates, and options for the remote. */
  readonly bytes: Buffer;
  /** What came after them. */
  readonly rest: Buffer;
}
export type ReadPush = { readonly type: 'more' } | { readonly type: 'bad' } | ({ readonly type: 'push' } & PushRequest);

/** Room for some ten thousand refs. */
const MAX_BYTES = 4 * 1024 * 1024;
const MORE: ReadPush = { type: 'more' };
const BAD: ReadPush = { type: 'bad' };

/**
 * Reads the ref updates at the beginning of what a client sends to git-receive-pack (gitprotocol-pack). Only what can be read
 * in one way is a push: a line that another reader could take otherwise is bad, and so are signed pushes, whose updates stand
 * in a certificate. Takes piece after piece, and looks at each byte once however small they are.
 */
export function createPushReader(): (piece: Buffer) => ReadPush {
  const append = createStore();
  const updates: RefUpdate[] = [];
  let capabilities: readonly string[] = [];
  let at = 0;
  let areOptions = false;
  const readLine = (bytes: Buffer): ReadPush | undefined => {
    const head = bytes.toString('latin1', at, at + 4);
    if (head.length < 4) return bytes.length > MAX_BYTES ? BAD : MORE;
    if (!/^[\da-f]{4}$/.test(head)) return BAD;
    const length = Number.parseInt(head, 16);
    if (length === 0 && !areOptions && capabilities.includes('push-options')) {
      areOptions = true;
      at += 4;
      return undefined;
    }
    if (length === 0)
      return { type: 'push', updates, capabilities: new Set(capabilities), bytes: bytes.subarray(0, at + 4), rest: bytes.subarray(at + 4) };
    if (length <= 4 || at > MAX_BYTES) return BAD;
    if (bytes.length < at + length) return MORE;
    const line = bytes.toString('latin1', at + 4, at + length).replace(/\n$/, '');
    at += length;
    if (areOptions) return undefined;
    if (SHALLOW.test(line)) return undefined;
    const [command = '', words, ...more] = line.split('\0');
    // Capabilities stand behind the first command, and behind no other.
    if (more.length > 0 || (words !== undefined && updates.length > 0)) return BAD;
    const update = parseUpdate(command);
    if (update === undefined) return BAD;
    capabilities = words?.split(' ') ?? capabilities;
    updates.push(update);
    return undefined;
  };
  return (piece) => {
    const bytes = append(piece);
    for (;;) {
      const read = readLine(bytes);
      if (read !== undefined) return read;
    }
  };
}

/** All pieces so far in one: with room for as much again, so that most are copied once. */
function createStore(): (piece: Buffer) => Buffer {
  let [room, length] = [Buffer.alloc(4_096), 0];
  return (piece) => {
    if (length + piece.length > room.length) room = Buffer.concat([room.subarray(0, length)], 2 * (length + piece.length));
    length += piece.copy(room, length);
    return room.subarray(0, length);
  };
}

const SHALLOW = /^shallow (?:[\da-f]{40}|[\da-f]{64})$/;
const COMMAND = /^([\da-f]{40}|[\da-f]{64}) ([\da-f]{40}|[\da-f]{64}) (refs\/[^\0- ~^:?*[\\\x7f]+)$/;

function parseUpdate(command: string): RefUpdate | undefined {
  const [, old = '', wanted = '', ref = ''] = COMMAND.exec(command) ?? [];
  if (ref === '' || old.length !== wanted.length) return undefined;
  return { old, new: wanted, ref: Buffer.from(ref, 'latin1').toString('utf8') };
}

export const isNoCommit = (hash: string): boolean => /^0+$/.test(hash);

const packet = (content: Buffer): Buffer => Buffer.concat([Buffer.from((content.length + 4).toString(16).padStart(4, '0')), content]);
const FLUSH = Buffer.from('0000');
/** Most of a side band's packet, below the 65,520 bytes there are. */
const MAX_BAND = 60_000;

/** The answer of a remote that takes none of the updates; nothing for a client that wants no answer. */
export function createRejection({ updates, capabilities }: PushRequest, why: (update: RefUpdate) => string): Buffer {
  if (!['report-status', 'report-status-v2'].some((name) => capabilities.has(name))) return Buffer.alloc(0);
  const lines = ['unpack ok', ...updates.map((update) => `ng ${update.ref} ${why(update)}`)];
  const report = Buffer.concat([...lines.map((line) => packet(Buffer.from(`${line}\n`))), FLUSH]);
  if (!capabilities.has('side-band-64k')) return report;
  const pieces = Array.from({ length: Math.ceil(report.length / MAX_BAND) }, (_, at) =>
    packet(Buffer.concat([Buffer.from([1]), report.subarray(at * MAX_BAND, (at + 1) * MAX_BAND)])),
  );
  return Buffer.concat([...pieces, FLUSH]);
}
