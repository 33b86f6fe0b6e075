import type { Recovery } from '../recover.ts';
import { summaryTrust } from '../taint.ts';

/** The request is too large: the context engine shows the model less of the log. The log keeps everything. */
export const shrink: Recovery = {
  name: 'shrink',
  cures: ['context_overflow', 'payload_too_large'],
  apply: async ({ failure, runtime, sessionId }, deps) => {
    const window = failure.type === 'context_overflow' ? failure.limit : undefined;
    if (window !== undefined && !('inferred' in failure)) await deps.routes.learn(runtime, { window });
    const smaller = window === undefined ? runtime : { ...runtime, limits: { ...runtime.limits, window } };
    const shrunk = await deps.context.shrink(deps.journal.entries, smaller, deps.signal);
    if (!shrunk.ok) return undefined;
    deps.toolkit.forget?.(sessionId);
    const { fromSeq, toSeq, summary } = shrunk;
    const covered = deps.context.view(
      deps.journal.entries.filter((entry) => entry.type === 'compaction' || (entry.seq >= fromSeq && entry.seq <= toSeq)),
    );
    const message = { role: 'user', content: [{ type: 'text', text: summary, ...summaryTrust(covered) }] } as const;
    return { append: [{ type: 'compaction', origin: 'summary', fromSeq, toSeq, summary: message }] };
  },
};
