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
  const headers = readHeaders(env[HEADERS] ?? '', notice);
  return traceTurns(store, { endpoint, headers, serviceName: env['OTEL_SERVICE_NAME'] || 'hermes', version }, notice);
}

const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS';

/** `name=value,name=value`, with values as they stand in a URL. One that stands in none is taken as it is written. */
function readHeaders(text: string, notice: (words: string) => void): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    const written = pair.slice(at + 1).trim();
    return at < 1 ? [] : [{ name: pair.slice(0, at).trim(), written, value: decodeValue(written) }];
  });
  const odd = pairs.flatMap(({ name, value }) => (value === undefined ? [name] : []));
  if (odd.length > 0)
    notice(
      `${HEADERS} has a % that begins no escape (${odd.join(', ')}), so the value is used as it is written. Write %25 for a percent sign.`,
    );
  return Object.fromEntries(pairs.map(({ name, written, value = written }) => [name, value]));
}

function decodeValue(written: string): string | undefined {
  try {
    return decodeURIComponent(written);
  } catch {
    return undefined;
  }
}
