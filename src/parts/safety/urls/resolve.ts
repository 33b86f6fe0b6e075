/** All addresses of a name, as the system knows them now. Rejects when there are none to be had. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

export const resolveWithSystem: Resolve = async (host, signal) => {
  const { lookup } = await import('node:dns/promises');
  const answers = await awaitOrAbort(lookup(host, { all: true }), signal);
  return answers.map(({ address }) => address);
};

/** The system's resolver cannot be stopped; waiting for it can. */
export async function awaitOrAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
