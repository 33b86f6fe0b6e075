export const TRANSPORT_CODES = ['connect', 'dns', 'tls', 'timeout', 'reset', 'redirect', 'cancelled', 'protocol', 'oversized'] as const;
export type TransportCode = (typeof TRANSPORT_CODES)[number];
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
  [/TIMEOUT|ETIMEDOUT|ESOCKETTIMEDOUT/, 'timeout'],
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'dns'],
  [/^(ERR_PROXY_|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN)/, 'connect'],
  [/BAD_RECORD|DECRYPTION_FAILED|UNEXPECTED_EOF/, 'reset'],
  [/^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/, 'tls'],
  [/^HPE_/, 'protocol'],
];

/** A closed socket is a broken line (`reset`); a certificate or a handshake is a matter for the owner (`tls`). */
export const toTransportCode = (raw: string): TransportCode => CODES.find(([pattern]) => pattern.test(raw))?.[1] ?? 'reset';

/** Wraps what Node threw. */
export function asTransportError(error: unknown, stage: TransportStage, host: string): TransportError {
  if (error instanceof TransportError) return error;
  const raw = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const words = error instanceof Error ? error.message : String(error);
  const code = error instanceof RangeError ? 'oversized' : toTransportCode(raw);
  return new TransportError(code, stage, `${host}: ${words}${raw === '' || words.includes(raw) ? '' : ` (${raw})`}`, error);
}
