import type { Failure } from '../../../contracts/failure.ts';
import { TRANSPORT_CODES, type TransportCode, toTransportCode, type TransportStage } from '../transports/transport-error.ts';
import type { Evidence } from './evidence.ts';
import { formatFailureDetail } from './mask.ts';

/** Which deadline a code of Node's own means, when the transport did not say. */
const STAGES: readonly (readonly [RegExp, TransportStage])[] = [
  [/HEADERS|FIRST/, 'first_byte'],
  [/BODY|SOCKET|IDLE/, 'idle'],
];

/** Trouble on the way: the line, the name, the certificate, a deadline. */
export function toTransportFailure({ error, event }: Evidence): Failure {
  const raw = error?.code ?? '';
  const code = TRANSPORT_CODES.find((known) => known === raw) ?? toTransportCode(raw);
  const detail = formatFailureDetail(error?.message ?? raw);
  const stage = stageOf(event) ?? STAGES.find(([pattern]) => pattern.test(raw))?.[1] ?? 'connect';
  return code === 'timeout' ? { type: 'timeout', stage, detail } : { type: TYPES[code], detail };
}

const stageOf = (event: string | undefined): TransportStage | undefined =>
  (['connect', 'first_byte', 'idle'] as const).find((stage) => stage === event);

const TYPES: Readonly<Record<Exclude<TransportCode, 'timeout'>, 'network' | 'tls' | 'endpoint_not_found' | 'cancelled' | 'malformed'>> = {
  connect: 'network',
  dns: 'network',
  reset: 'network',
  protocol: 'network',
  oversized: 'malformed',
  tls: 'tls',
  redirect: 'endpoint_not_found',
  cancelled: 'cancelled',
};
