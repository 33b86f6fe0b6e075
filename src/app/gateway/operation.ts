import { toErrorMessage } from '../../base/errors.ts';
import type { HttpListeners, OpenRoute } from '../../base/http-server/contract.ts';
import { createMetrics, type Metrics } from '../../base/metrics.ts';
import { version } from '../../base/version.ts';
import { describeState, watchGateway, type FigureDeps } from '../../faces/gateway/process/figures.ts';
import { openEventLog } from '../../parts/telemetry/event-log.ts';
import { watchProcess } from '../../parts/telemetry/process-metrics.ts';
import { countTurns } from '../../parts/telemetry/turn-metrics.ts';
import type { AppHost } from '../host/host.ts';

export interface OperationDeps extends Pick<FigureDeps, 'gateway'> {
  readonly host: AppHost;
  readonly listeners: HttpListeners;
  readonly log: (words: string) => void;
}
const STATE_MS = 60_000;

/** What whoever runs this in earnest looks at: figures for Prometheus, and a log for programs. */
export async function openOperation({ host, gateway, listeners, log }: OperationDeps): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const figures: FigureDeps = { gateway, store: host.store.gateway };
  const events = openEventLog(host.home.root, Date.now);
  opened.use(host.observe(events.observe));
  const timer = setInterval(() => {
    describeState(figures).then(
      (state) => events.write('state', state),
      (error: unknown) => events.write('state', { error: toErrorMessage(error) }),
    );
  }, STATE_MS).unref();
  opened.defer(() => clearInterval(timer));
  const port = host.config.settings['telemetry.metrics_port'];
  if (port !== 0) {
    const metrics = createMetrics();
    opened.use(watchProcess(metrics, version));
    opened.use(host.observe(countTurns(metrics)));
    watchGateway(metrics, figures);
    await listenForScrapes(listeners, metrics, port).then(
      (route) => {
        opened.use(route);
        log(`Figures for Prometheus: http://127.0.0.1:${route.port}/metrics`);
      },
      // Nobody's messages wait for a figure.
      (error: unknown) => log(`There are no figures for Prometheus: ${toErrorMessage(error)} (telemetry.metrics_port)`),
    );
  }
  return opened.move();
}

/** On this computer alone: figures tell who works when, and with what. */
const listenForScrapes = (listeners: HttpListeners, metrics: Metrics, port: number): Promise<OpenRoute> =>
  listeners.listen(
    {
      path: '/metrics',
      maxBytes: 0,
      check: ({ method, path }) => (path !== '/metrics' ? { status: 404 } : method === 'GET' ? undefined : { status: 405 }),
      answer: async () => ({
        status: 200,
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        body: await metrics.text(),
      }),
    },
    { host: '127.0.0.1', port },
  );
