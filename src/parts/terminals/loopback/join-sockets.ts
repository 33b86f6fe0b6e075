import type { Socket } from 'node:net';

/** How long nothing at all may pass through a connection. */
const IDLE_MS = 15 * 60_000;

/** Bytes from one side to the other and back, until both are done. */
export function joinSockets(one: Socket, other: Socket): void {
  one.on('error', () => other.destroy());
  other.on('error', () => one.destroy());
  one.once('close', () => other.destroySoon());
  other.once('close', () => one.destroySoon());
  for (const socket of [one, other]) socket.setTimeout(IDLE_MS, () => socket.destroy());
  one.pipe(other);
  other.pipe(one);
}
