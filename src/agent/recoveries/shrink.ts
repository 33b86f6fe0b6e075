import type { Recovery } from '../recover.ts';
import { asked, compactionEntry } from '../compact.ts';

/** The request is too large: the context engine shows the model less of the log. The log keeps everything. */
export const shrink: Recovery = {
  name: 'shrink',
  cures: ['context_overflow', 'payload_too_large'],
  apply: async ({ failure, runtime, sessionId }, deps) => {
    const window = failure.type === 'context_overflow' ? failure.limit : undefined;
    if (window !== undefined && !('inferred' in failure)) await deps.routes.learn(runtime, { window });
    const smaller = window === undefined ? runtime : { ...runtime, limits: { ...runtime.limits, window } };
    const shrunk = await deps.context.compress({ ...(await asked(deps, smaller)), reason: 'overflow' });
    if (!shrunk.ok) return undefined;
    deps.toolkit.forget?.(sessionId);
    return { append: [compactionEntry(shrunk, deps)], tells: [{ type: 'compacted', report: shrunk.report }] };
  },
};
