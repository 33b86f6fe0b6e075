import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from '../../base/metrics.ts';

const NS = 1e9;

/** What the process itself takes. The delay is the longest since it was last asked for. */
export function watchProcess(metrics: Metrics, version: string): Disposable {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const startedAt = Date.now() / 1_000 - process.uptime();
  metrics.gauge('hermes_build_info', 'The version that runs.', () => [{ labels: { version, node: process.versions.node }, value: 1 }]);
  metrics.gauge('process_start_time_seconds', 'When the process was started.', () => [{ value: startedAt }]);
  metrics.gauge('process_resident_memory_bytes', 'Memory of the process.', () => [{ value: process.memoryUsage.rss() }]);
  metrics.gauge('nodejs_heap_size_used_bytes', 'Memory that JavaScript objects take.', () => [{ value: process.memoryUsage().heapUsed }]);
  metrics.gauge('nodejs_eventloop_lag_max_seconds', 'Longest delay of the event loop since the last look.', () => {
    const value = delay.max / NS;
    delay.reset();
    return [{ value }];
  });
  return { [Symbol.dispose]: () => void delay.disable() };
}
