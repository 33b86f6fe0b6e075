export type TransportCode = 'connect' | 'dns' | 'tls' | 'timeout' | 'reset' | 'redirect' | 'cancelled' | 'protocol';
export type TransportStage = 'connect' | 'first_byte' | 'idle';

/** Trouble on the way to an answer, before or while it came. */
export class TransportError extends Error {
  readonly code: TransportCode;
  /** How far the call had come. */
  readonly stage: TransportStage;

  constructor(code: TransportCode, stage: TransportStage, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransportError';
    this.code = code;
    this.stage = stage;
  }
}

/** What the codes of Node's network errors mean for us; the first row that fits holds. */
const CODES: readonly (readonly [RegExp, TransportCode])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'dns'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ECONNABORTED|ETIMEDOUT|ERR_SOCKET_CONNECTION_TIMEOUT)$/, 'connect'],
  [/^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/, 'tls'],
  [/^HPE_/, 'protocol'],
];

/** Wraps what Node threw. A TLS alert or a closed socket is a broken line (`reset`); a certificate is a matter for the owner (`tls`). */
export function asTransportError(error: unknown, stage: TransportStage, host: string): TransportError {
  if (error instanceof TransportError) return error;
  const raw = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const code = CODES.find(([pattern]) => pattern.test(raw))?.[1] ?? 'reset';
  const words = error instanceof Error ? error.message : String(error);
  return new TransportError(code, stage, `${host}: ${words}${raw === '' || words.includes(raw) ? '' : ` (${raw})`}`, error);
}
