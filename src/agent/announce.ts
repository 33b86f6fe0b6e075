import type { AgentEvent } from '../contracts/event.ts';

/**
 * Runs some work and tells of it once it says that it really begins. What declines at once is not announced, and what was
 * announced goes on only when that was heard: whoever has left by then pays for nothing.
 */
export async function* announceOnce<T>(
  work: (begins: () => Promise<void>) => Promise<T>,
  event: AgentEvent,
): AsyncGenerator<AgentEvent, { readonly result: T; readonly told: boolean }> {
  const [begun, heard] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
  // Work that never waits for it would leave this one without anybody to hear.
  heard.promise.catch(() => undefined);
  const result = work(() => (begun.resolve(true), heard.promise));
  result.then(
    () => begun.resolve(false),
    () => begun.resolve(false),
  );
  const told = await begun.promise;
  try {
    if (told) yield event;
    heard.resolve();
  } finally {
    heard.reject(new Error('nobody listens any more'));
  }
  return { result: await result, told };
}
