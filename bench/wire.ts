import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ServerReport {
  /** When each request was there, in milliseconds on the clock all processes share. */
  readonly arrivals: readonly number[];
  readonly bodies: readonly string[];
}
/** The wire server's process. */
export interface Wire extends Disposable {
  /** Forgets everything and gives a new address. */
  anew(): Promise<string>;
  report(): Promise<ServerReport>;
}

export function startWire(): Wire {
  const child = fork(join(import.meta.dirname, 'server.ts'));
  const ask = async (wish: 'anew' | 'report'): Promise<unknown> => {
    child.send(wish);
    const [told] = await once(child, 'message');
    return told;
  };
  return {
    anew: async () => ((await ask('anew')) as { readonly url: string }).url,
    report: async () => (await ask('report')) as ServerReport,
    [Symbol.dispose]: () => void child.kill(),
  };
}

/** Milliseconds on the clock the server's arrivals are told in. */
export const monotonic = (): number => Number(process.hrtime.bigint()) / 1e6;
