import type { Socket } from 'node:net';

export interface HeaderOptions {
  readonly limitMs: number;
  readonly maxBytes: number;
  /** How many lines there are in all, told by the first. */
  count(first: string): number;
}

/** The first lines of a connection; what comes after them stays in it. `undefined` when they did not come whole. */
export function readHeaderLines(socket: Socket, { limitMs, maxBytes, count }: HeaderOptions): Promise<readonly string[] | undefined> {
  const { promise, resolve } = Promise.withResolvers<readonly string[] | undefined>();
  let seen = Buffer.alloc(0);
  const settle = (lines: readonly string[] | undefined) => {
    clearTimeout(timer);
    socket.pause();
    socket.off('data', hear);
    socket.off('close', fail);
    socket.off('end', fail);
    resolve(lines);
  };
  const fail = () => settle(undefined);
  const hear = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    const found = splitLines(seen, count);
    if (found === undefined) return seen.length > maxBytes ? fail() : undefined;
    settle(found.lines);
    if (found.rest.length > 0) socket.unshift(found.rest);
  };
  const timer = setTimeout(fail, limitMs);
  socket.on('data', hear);
  socket.once('close', fail);
  socket.once('end', fail);
  socket.resume();
  return promise;
}

function splitLines(bytes: Buffer, count: HeaderOptions['count']) {
  const lines: string[] = [];
  let at = 0;
  do {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) return undefined;
    lines.push(bytes.toString('utf8', at, end));
    at = end + 1;
  } while (lines.length < count(lines[0] ?? ''));
  return { lines, rest: bytes.subarray(at) };
}
