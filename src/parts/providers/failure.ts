import type { Failure } from '../../contracts/failure.ts';
import type { ProtocolId } from '../../contracts/runtime.ts';

/** What is known about a call that gave no answer. */
export interface Evidence {
  readonly where: 'http' | 'frame' | 'transport';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly error?: { readonly code?: string; readonly message?: string };
  readonly event?: string;
  readonly provider: string;
  readonly model: string;
  readonly protocol: ProtocolId;
  /** Our estimate of the request's tokens; absent when nobody knows. */
  readonly estimate?: number;
  readonly window: number;
}

export function classify(evidence: Evidence): Failure {
  const detail = evidence.error?.message ?? evidence.body?.slice(0, 300) ?? 'failed';
  const status = evidence.status === undefined ? {} : { status: evidence.status };
  if (evidence.status === 429) return { type: 'rate_limited', detail, ...status };
  if (evidence.status === 401) return { type: 'unauthorized', detail, ...status };
  if ((evidence.status ?? 500) >= 500) return { type: 'server_error', detail, ...status };
  return { type: 'bad_request', detail, ...status };
}
