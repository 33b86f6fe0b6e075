import type { Socket } from 'node:net';

/** What somebody wants who speaks SOCKS5 (RFC 1928): a host, by name or address. */
export interface SocksTarget {
  readonly host: string;
  readonly port: number;
}
export const SOCKS_VERSION = 5;
const NO_AUTHENTICATION = 0;
const NONE_ACCEPTABLE = 0xff;
const CONNECT = 1;
/** Replies. */
const SOCKS_REPLY = { granted: 0, failed: 1, notAllowed: 2, unreachable: 4, wrongCommand: 7, wrongAddress: 8 } as const;

/** Takes the greeting and the request. `undefined` after anything that is not one; it was told so where the protocol has words for it. */
export async function readSocksRequest(socket: Socket, head: Buffer, limitMs: number): Promise<SocksTarget | undefined> {
  const take = openReader(socket, head, limitMs);
  try {
    const greeting = await take(2);
    const methods = await take(greeting[1] ?? 0);
    if (!methods.includes(NO_AUTHENTICATION)) {
      socket.end(Buffer.from([SOCKS_VERSION, NONE_ACCEPTABLE]));
      return undefined;
    }
    socket.write(Buffer.from([SOCKS_VERSION, NO_AUTHENTICATION]));
    const [version, command, , kind] = await take(4);
    const host = await readHost(kind ?? 0, take);
    const port = (await take(2)).readUInt16BE(0);
    const wrong =
      version !== SOCKS_VERSION ? 'failed' : command !== CONNECT ? 'wrongCommand' : host === undefined ? 'wrongAddress' : undefined;
    if (wrong === undefined && host !== undefined) return { host, port };
    socket.end(toSocksReply(wrong ?? 'failed'));
    return undefined;
  } catch {
    socket.destroy();
    return undefined;
  } finally {
    take.stop();
  }
}

export const toSocksReply = (reply: keyof typeof SOCKS_REPLY): Buffer =>
  Buffer.from([SOCKS_VERSION, SOCKS_REPLY[reply], 0, 1, 0, 0, 0, 0, 0, 0]);

async function readHost(kind: number, take: (count: number) => Promise<Buffer>): Promise<string | undefined> {
  if (kind === 1) return [...(await take(4))].join('.');
  if (kind === 3) return (await take((await take(1))[0] ?? 0)).toString('latin1');
  if (kind !== 4) return undefined;
  const bytes = await take(16);
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}

/** Gives so many bytes as they come; rejects when the other side leaves or takes too long. What was not taken is put back. */
function openReader(socket: Socket, head: Buffer, limitMs: number) {
  let seen = head;
  let waiting: { readonly count: number; readonly resolve: (bytes: Buffer) => void } | undefined;
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  const fail = () => broken.reject(new Error('the connection ended'));
  const timer = setTimeout(fail, limitMs);
  const serve = () => {
    if (waiting === undefined || seen.length < waiting.count) return;
    const { count, resolve } = waiting;
    waiting = undefined;
    const bytes = seen.subarray(0, count);
    seen = seen.subarray(count);
    resolve(bytes);
  };
  const hear = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    serve();
  };
  socket.on('data', hear);
  socket.once('close', fail);
  socket.once('end', fail);
  socket.resume();
  const take = (count: number): Promise<Buffer> => {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    waiting = { count, resolve };
    serve();
    return Promise.race([promise, broken.promise]);
  };
  return Object.assign(take, {
    stop: () => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', hear);
      socket.off('close', fail);
      socket.off('end', fail);
      if (seen.length > 0 && !socket.destroyed) socket.unshift(seen);
    },
  });
}
