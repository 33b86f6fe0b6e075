/** Why a provider turns a request down. Plain data; each wire words it in its own error body and status. */
export type ProviderFault =
  | { readonly type: 'rate_limited'; readonly retryAfterSeconds?: number }
  | { readonly type: 'overflow'; readonly tokens: number; readonly limit: number }
  | { readonly type: 'billing' | 'unauthorized' | 'payload_too_large' | 'server_error' | 'overloaded' }
  /** Only a request that asks for a stream is turned down; any other gets the reply. */
  | { readonly type: 'stream_unsupported' }
  /** Any status. A given `body` goes out verbatim (a string as it is, anything else as JSON); else the wire's own shape around `message`. */
  | {
      readonly type: 'status';
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    };

/** The answer starts well and the bytes go wrong. Counted in bytes of the response body; more than the body has means its very end. */
export type StreamFault =
  | { readonly type: 'stall_before_headers' }
  | { readonly type: 'stall' | 'cut'; readonly afterBytes: number }
  /** One data line in the middle holds broken JSON; the frames after it are whole. Without a stream: half of the body. */
  | { readonly type: 'malformed_frame' }
  /** A success in exactly these bytes, as a server was seen to send them. */
  | {
      readonly type: 'verbatim';
      readonly body: string;
      /** `text/event-stream` when left out. */
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly ending?: 'cut' | 'stall';
    }
  /** Half of the answer, then the wire's own error frame. Without a stream: the same problem as a status. */
  | { readonly type: 'error_frame'; readonly problem: ProviderFault };

/** The bytes are fine and the model misbehaves. Each works on the reply it stands on, and on an empty reply too. */
export type ModelFault = { readonly type: 'empty' | 'length' | 'bad_arguments' } | { readonly type: 'unknown_tool'; readonly name: string };

export type Fault = ProviderFault | StreamFault | ModelFault;

/** One constructor per fault, with arguments only where a fault has something to choose. */
export const faults = {
  rateLimited: (retryAfterSeconds?: number) => ({ type: 'rate_limited', ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }),
  billing: () => ({ type: 'billing' }),
  unauthorized: () => ({ type: 'unauthorized' }),
  payloadTooLarge: () => ({ type: 'payload_too_large' }),
  overflow: (tokens = 210_000, limit = 200_000) => ({ type: 'overflow', tokens, limit }),
  serverError: () => ({ type: 'server_error' }),
  overloaded: () => ({ type: 'overloaded' }),
  streamUnsupported: () => ({ type: 'stream_unsupported' }),
  status: (status: number, given: StatusDetails = {}) => ({ type: 'status', status, ...given }),
  stallBeforeHeaders: () => ({ type: 'stall_before_headers' }),
  stall: (afterBytes = 0) => ({ type: 'stall', afterBytes }),
  cut: (afterBytes = 0) => ({ type: 'cut', afterBytes }),
  malformedFrame: () => ({ type: 'malformed_frame' }),
  verbatim: (body: string, given: VerbatimDetails = {}) => ({ type: 'verbatim', body, ...given }),
  errorFrame: (problem: ProviderFault = { type: 'overloaded' }) => ({ type: 'error_frame', problem }),
  empty: () => ({ type: 'empty' }),
  length: () => ({ type: 'length' }),
  badArguments: () => ({ type: 'bad_arguments' }),
  unknownTool: (name = 'no_such_tool') => ({ type: 'unknown_tool', name }),
} as const satisfies Record<string, (...given: never[]) => Fault>;

type StatusDetails = Omit<Extract<ProviderFault, { type: 'status' }>, 'type' | 'status'>;

type VerbatimDetails = Omit<Extract<StreamFault, { type: 'verbatim' }>, 'type' | 'body'>;

/** Frames of a stream as bytes: text as it is, anything else as JSON. */
export const toEventStream = (frames: readonly unknown[]): string =>
  frames.map((frame) => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`).join('');

export function isProblem(fault: Fault): fault is ProviderFault {
  return Object.hasOwn(problemTypes, fault.type);
}

const problemTypes: Readonly<Record<ProviderFault['type'], true>> = {
  rate_limited: true,
  overflow: true,
  billing: true,
  unauthorized: true,
  payload_too_large: true,
  server_error: true,
  overloaded: true,
  stream_unsupported: true,
  status: true,
};
