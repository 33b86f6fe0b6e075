/** What an adapter may do that must hurt nobody else. */
export const DEEDS: Readonly<Record<string, () => unknown>> = {
  'throw from a timer': () => setTimeout(() => JSON.parse('{'), 1),
  'reject unheard': () => void Promise.reject(new Error('nobody listens')),
  throw: () => JSON.parse('{'),
  exit: () => process.exit(3),
  'block 2 s': () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000),
  'block for ever': () => {
    for (let i = 0; ; i++) if (i < 0) break;
  },
  'eat memory': () => {
    for (const eaten: number[][] = []; ;) eaten.push(Array.from<number>({ length: 1_000_000 }).fill(0.5));
  },
  'leak listeners': () => {
    for (let i = 0; i < 1_000; i++) process.on('exit', () => {});
  },
};
