import type { ContextEngine } from '../contracts/context-engine.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { isOwnRequest } from './attribution.ts';

/** Tells somebody who only watches: nobody waits for it, and what it throws, at once or later, harms nothing. */
export function observe(tell: () => unknown): void {
  Promise.try(tell).catch(() => undefined);
}

/** The sessions an agent has in hand, each told to the engine once when it is taken up and once when it is let go. */
export function trackSessions(context: ContextEngine) {
  const open = new Set<string>();
  return {
    begin: (sessionId: string): void => {
      if (open.has(sessionId)) return;
      open.add(sessionId);
      observe(() => context.begin?.(sessionId));
    },
    /** One of them, or all. */
    end: (sessionId?: string): void => {
      const ended = sessionId === undefined ? [...open] : [sessionId];
      for (const id of ended) if (open.delete(id)) observe(() => context.end?.(id));
    },
  };
}

/** The figures a provider gave for requests of the session, as soon as they are durable. */
export function tellUsage(calls: readonly CallRecord[], context: ContextEngine): void {
  for (const { sessionId, runtime, usage, estimate } of calls.filter(isCounted))
    observe(() => context.used?.({ sessionId, runtime, usage, estimate }));
}

const isCounted = (call: CallRecord): boolean => isOwnRequest(call) && Object.values(call.usage).some((tokens) => tokens > 0);
