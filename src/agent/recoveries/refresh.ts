import type { Recovery } from '../deps.ts';

/** The secret was not accepted: where the scheme can fetch a new one, it does, and the call is repeated. */
export const refresh: Recovery = {
  name: 'refresh',
  cures: ['unauthorized'],
  apply: async ({ runtime }, deps) => ((await deps.routes.refresh(runtime)) ? {} : undefined),
};
