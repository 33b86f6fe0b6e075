import type { JsonObject } from '../../../base/json-types.ts';
import type { Metrics, Sample } from '../../../base/metrics.ts';
import type { Backlog, GatewayStore } from '../../../contracts/gateway-store.ts';
import type { Gateway } from '../runner/contract.ts';

export interface FigureDeps {
  readonly gateway: () => Pick<Gateway, 'accounts' | 'running'> | undefined;
  readonly store: Pick<GatewayStore, 'backlog'>;
}

/** Adds the state of a gateway to the metrics: queues and their ages, turns, and what each receive loop heard last. */
export function watchGateway(metrics: Metrics, deps: FigureDeps): void {
  const accounts = (read: (state: Gateway['accounts'][number]['state']) => number | undefined): readonly Sample[] =>
    (deps.gateway()?.accounts ?? []).flatMap(({ ref, state }) => {
      const value = read(state);
      return value === undefined ? [] : [{ labels: { platform: ref.platform, account: ref.account }, value }];
    });
  const queues = async (read: (backlog: Backlog) => number): Promise<readonly Sample[]> => {
    const { arrivals, deliveries } = await readQueues(deps);
    return [
      { labels: { queue: 'arrivals' }, value: read(arrivals) },
      { labels: { queue: 'deliveries' }, value: read(deliveries) },
    ];
  };
  metrics.gauge('hermes_running_turns', 'Turns of chats that run.', () => [{ value: deps.gateway()?.running ?? 0 }]);
  metrics.gauge('hermes_queue_length', 'Messages nobody looked at yet, and results not sent yet.', () => queues(({ rows }) => rows));
  metrics.gauge('hermes_queue_oldest_seconds', 'Age of the oldest one.', () => queues(({ oldestAgeMs }) => oldestAgeMs / 1_000));
  metrics.gauge('hermes_platform_connected', 'Whether a platform is connected.', () =>
    accounts(({ type }) => Number(type === 'connected')),
  );
  metrics.gauge('hermes_platform_seconds_since_progress', 'Since the receive loop of a platform last heard anything.', () =>
    accounts(({ msSinceProgress }) => msSinceProgress && msSinceProgress / 1_000),
  );
  metrics.gauge('hermes_platform_reconnects', 'Reconnects since the start.', () => accounts(({ reconnects }) => reconnects));
}

/** The same for the log of events. */
export async function describeState(deps: FigureDeps): Promise<JsonObject> {
  const { arrivals, deliveries } = await readQueues(deps);
  return {
    running_turns: deps.gateway()?.running ?? 0,
    waiting_arrivals: arrivals.rows,
    oldest_arrival_seconds: arrivals.oldestAgeMs / 1_000,
    waiting_deliveries: deliveries.rows,
    oldest_delivery_seconds: deliveries.oldestAgeMs / 1_000,
    platforms: (deps.gateway()?.accounts ?? []).map(({ ref, state }) => ({
      ...ref,
      state: state.type,
      ...(state.msSinceProgress !== undefined && { ms_since_progress: Math.round(state.msSinceProgress) }),
      reconnects: state.reconnects,
    })),
  };
}

async function readQueues({ store }: FigureDeps): Promise<{ readonly arrivals: Backlog; readonly deliveries: Backlog }> {
  const [arrivals, deliveries] = await Promise.all([store.backlog('arrival'), store.backlog('delivery')]);
  return { arrivals, deliveries };
}
