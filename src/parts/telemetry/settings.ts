import { ownersAlone, type SettingsSlice } from '../../contracts/settings.ts';

/** Where figures and traces go. Both leave the process, so only the owner says where. */
export const telemetrySettings = ownersAlone({
  'telemetry.metrics_port': {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 65_535,
    env: 'HERMES_METRICS_PORT',
    describe:
      'Port of this computer at which `hermes gateway run` and `hermes serve` give figures for Prometheus, at /metrics. 0 means none. Only programs on this computer can read it.',
  },
  'telemetry.otlp_endpoint': {
    kind: 'string',
    default: '',
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    describe:
      'Address of an OpenTelemetry collector, such as http://localhost:4318, that gets a trace of every turn with its model calls and tools. It gets names, times and figures, never what was said. Empty means no traces.',
  },
} as const satisfies SettingsSlice);
