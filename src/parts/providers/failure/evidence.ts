import type { ProtocolId } from '../../../contracts/runtime.ts';

/** What is known about a call that gave no answer. */
export interface Evidence {
  /** A whole response, an error frame inside a stream, or trouble on the way. */
  readonly where: 'http' | 'frame' | 'transport';
  readonly status?: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly error?: { readonly code?: string; readonly message?: string };
  /** Name of the frame, or how far the transport had come. */
  readonly event?: string;
  readonly provider: string;
  readonly model: string;
  readonly protocol: ProtocolId;
  /** Our estimate of the request's tokens; absent when nobody knows. */
  readonly estimate?: number;
  readonly window: number;
  /** Milliseconds since 1970, for waits that are stated as a date. */
  readonly now?: number;
}
