import type { TimerOptions } from 'node:timers';
import { createRequire, syncBuiltinESMExports } from 'node:module';

/**
 * As long as it is not disposed, a second of this process lasts `secondMs`: timers and clocks of links, adapters and fakes go faster
 * together, those that no setting reaches too. Only what Node counts inside its sockets stays as it is.
 */
export function speedTimeUp(secondMs: number): Disposable {
  const factor = 1_000 / secondMs;
  const promises = createRequire(import.meta.url)('node:timers/promises') as typeof import('node:timers/promises');
  const undo = [
    replace(
      globalThis,
      'setTimeout',
      (own) =>
        (work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
          own(work, ms / factor, ...values),
    ),
    replace(
      globalThis,
      'setInterval',
      (own) =>
        (work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
          own(work, ms / factor, ...values),
    ),
    replace(
      promises,
      'setTimeout',
      (own) =>
        (ms = 0, value?: unknown, options?: TimerOptions) =>
          own(ms / factor, value, options),
    ),
    replace(AbortSignal, 'timeout', (own) => (ms: number) => own.call(AbortSignal, Math.ceil(ms / factor))),
    replace(Date, 'now', (own) => quicken(() => own.call(Date), factor, Math.round)),
    replace(performance, 'now', (own) => quicken(() => own.call(performance), factor)),
  ];
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      for (const restore of undo) restore();
      syncBuiltinESMExports();
    },
  };
}

/** A clock that goes on faster from now. */
function quicken(read: () => number, factor: number, round = (time: number): number => time): () => number {
  const began = read();
  return () => round(began + (read() - began) * factor);
}

function replace<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  make: (own: Owner[Name]) => unknown,
): () => void {
  const own = owner[name];
  Object.assign(owner, { [name]: make(own) });
  return () => void Object.assign(owner, { [name]: own });
}
