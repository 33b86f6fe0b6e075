import type { ApiContext, ApiRequest, ApiRoute } from '../http/contract.ts';
import { toJsonAnswer } from '../http/errors.ts';

export const HEALTH_ROUTES: readonly ApiRoute[] = [
  { method: 'GET', path: '/health', about: 'whether it is there', isOpen: true, handle: tellHealth },
  { method: 'GET', path: '/v1/health', about: 'the same', isOpen: true, handle: tellHealth },
  { method: 'GET', path: '/health/detailed', about: 'what it is at', handle: tellDetails },
];

async function tellHealth() {
  return toJsonAnswer(200, { status: 'ok', platform: 'api_server' });
}

async function tellDetails({ key }: ApiRequest, { host, maxRuns, startedAt, clock, version, isDraining, describe }: ApiContext) {
  const open = await host.store.runs.listOpen();
  const runs = open.filter(({ owner }) => key.isMain || owner === key.name);
  return toJsonAnswer(200, {
    status: isDraining() ? 'draining' : 'ok',
    platform: 'api_server',
    version,
    uptime: Math.floor((clock.now() - startedAt) / 1_000),
    runs: { open: runs.length, max: maxRuns, waiting_for_approval: runs.filter(({ state }) => state === 'waiting_for_approval').length },
    // What else runs here is the owner's business.
    ...(key.isMain && describe?.()),
  });
}
