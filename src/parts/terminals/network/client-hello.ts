/**
 * Whom the first bytes of an encrypted connection are for. A tunnel to one name can be used to talk to another behind the
 * same address (large networks serve millions of names from one), so the name that was asked about must be the one inside.
 */
export type HelloName =
  /** Not all of it has come yet. */
  | { readonly type: 'partial' }
  /** The beginning of something else. */
  | { readonly type: 'other' }
  | { readonly type: 'tls'; readonly name: string | undefined };

const HANDSHAKE = 0x16;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
/** A client hello fits into one record; some programs cut it into several. */
const MAX_HELLO = 32 * 1024;

export function readHelloName(bytes: Buffer): HelloName {
  if (bytes.length === 0) return { type: 'partial' };
  if (bytes[0] !== HANDSHAKE) return { type: 'other' };
  const records = joinRecords(bytes);
  if (records === 'other') return { type: 'other' };
  const { hello, whole } = records;
  if (hello.length > 0 && hello[0] !== CLIENT_HELLO) return { type: 'other' };
  const length = hello.length < 4 ? Infinity : 4 + hello.readUIntBE(1, 3);
  if (hello.length < length) return !whole || hello.length < MAX_HELLO ? { type: 'partial' } : { type: 'other' };
  try {
    return { type: 'tls', name: readServerName(hello.subarray(4, length)) };
  } catch {
    return { type: 'other' };
  }
}

/** The handshake as it lies in one or more records. */
function joinRecords(bytes: Buffer): { readonly hello: Buffer; readonly whole: boolean } | 'other' {
  const parts: Buffer[] = [];
  let at = 0;
  while (at + 5 <= bytes.length) {
    if (bytes[at] !== HANDSHAKE || bytes[at + 1] !== 3) return 'other';
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + 5, Math.min(end, bytes.length)));
    at = end;
  }
  return { hello: Buffer.concat(parts), whole: at <= bytes.length };
}

/** Throws where the lengths do not fit, which no client that means well sends. */
function readServerName(body: Buffer): string | undefined {
  let at = 2 + 32;
  at += 1 + body.readUInt8(at);
  at += 2 + body.readUInt16BE(at);
  at += 1 + body.readUInt8(at);
  if (at >= body.length) return undefined;
  const end = at + 2 + body.readUInt16BE(at);
  at += 2;
  if (end > body.length) throw new RangeError('extensions');
  while (at + 4 <= end) {
    const [type, length] = [body.readUInt16BE(at), body.readUInt16BE(at + 2)];
    if (type === SERVER_NAME) return readFirstName(body.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}

function readFirstName(list: Buffer): string | undefined {
  if (list.length < 5) return undefined;
  const length = list.readUInt16BE(3);
  if (list[2] !== 0 || 5 + length > list.length) throw new RangeError('name');
  return list
    .toString('latin1', 5, 5 + length)
    .toLowerCase()
    .replace(/\.$/, '');
}
