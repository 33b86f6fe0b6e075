import type { Recovery } from '../recover.ts';

/** The request is too large: the context engine shows the model less of the log. The log keeps everything. */
export const shrink: Recovery = {
  name: 'shrink',
  cures: ['context_overflow', 'payload_too_large'],
  apply: async ({ failure, runtime, turnId }, deps) => {
    const window = failure.type === 'context_overflow' ? failure.limit : undefined;
    if (window !== undefined && !('inferred' in failure)) await deps.routes.learn(runtime, { window });
    const smaller = window === undefined ? runtime : { ...runtime, limits: { ...runtime.limits, window } };
    const { asked, attempt } = await import('../attempt.ts');
    const { ok, why = '', ...came } = await attempt(deps, await asked(deps, smaller), { reason: 'overflow', turnId });
    return ok ? came : { ...came, closed: `The conversation could not be made smaller: ${why}.` };
  },
};
