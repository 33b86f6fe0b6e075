/** Why a model call gave no usable message. A closed set, so that recovery reads as a table. */
export type Failure = { readonly detail: string; readonly status?: number } & (
  | {
      readonly type: 'rate_limited' | 'upstream_limited' | 'overloaded' | 'server_error';
      readonly retryAfterMs?: number;
      readonly partial?: PartialText;
    }
  /** `absent`: nothing listens at this port of this very machine; asking again will not help. */
  | { readonly type: 'network'; readonly partial?: PartialText; readonly absent?: true }
  | { readonly type: 'tls' | 'malformed'; readonly partial?: PartialText }
  | { readonly type: 'timeout'; readonly stage: 'connect' | 'first_byte' | 'idle' | 'gateway'; readonly partial?: PartialText }
  | { readonly type: 'unauthorized' | 'forbidden' | 'billing' }
  /** `inferred`: the limit is one of this moment (tokens per minute) or follows from the kind of refusal; it is not worth remembering. */
  | { readonly type: 'context_overflow'; readonly limit?: number; readonly inferred?: true }
  /** `available`: output tokens the provider would give. `limit`: the window that prompt and output share, where that is what left so few. */
  | { readonly type: 'output_cap'; readonly available?: number; readonly limit?: number }
  | { readonly type: 'parameter_refused'; readonly parameter?: string }
  | { readonly type: 'payload_too_large' | 'image_refused' | 'tool_content_refused' | 'schema_refused' }
  | { readonly type: 'streaming_refused' | 'bad_signature' | 'bad_request' }
  | { readonly type: 'model_not_found' | 'endpoint_not_found' }
  | { readonly type: 'policy_blocked' }
  | { readonly type: 'content_blocked'; readonly partial?: PartialText }
  | { readonly type: 'truncated'; readonly partial: PartialText; readonly calls: boolean }
  | { readonly type: 'empty' | 'dropped_call' | 'written_call' }
  /** The reply came to nothing but one piece over and over, or was longer than any reply can be, and was cut off. */
  | { readonly type: 'repetition'; readonly partial: PartialText }
  /** `atLength`: the thoughts used up all the room there was. */
  | { readonly type: 'thinking_only'; readonly atLength?: true }
  | { readonly type: 'cancelled' }
);
export type FailureType = Failure['type'];

/** Visible words that had arrived when a call broke off. */
export interface PartialText {
  readonly text: string;
}
