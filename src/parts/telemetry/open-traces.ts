import type { Env } from '../../base/env.ts';
import { version } from '../../base/version.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { telemetrySettings } from './settings.ts';
import { traceTurns, type TurnTraces } from './trace-turns.ts';

/** Traces of the turns of a host, where the owner named a collector. */
export function openTraces(
  settings: Pick<SliceValues<typeof telemetrySettings>, 'telemetry.otlp_endpoint'>,
  env: Env,
  store: SessionStore,
  notice: (words: string) => void,
): TurnTraces | undefined {
  const endpoint = settings['telemetry.otlp_endpoint'];
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    notice('telemetry.otlp_endpoint is no http address, so no traces are sent. Set it to one such as http://localhost:4318.');
    return undefined;
  }
  const headers = readHeaders(env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '');
  return traceTurns(store, { endpoint, headers, serviceName: env['OTEL_SERVICE_NAME'] || 'hermes', version }, notice);
}

/** `name=value,name=value`, with values as they stand in a URL. */
const readHeaders = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const];
    }),
  );
