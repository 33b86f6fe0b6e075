/** Where a model call goes. Immutable and free of secrets: swapped whole, never patched, and safe to store. */
export interface Runtime {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly protocol: ProtocolId;
  /** Names the credential ("OPENROUTER_API_KEY", "OPENROUTER_API_KEY#2", "none"); the value stays with the auth. */
  readonly credential: string;
  readonly limits: ModelLimits;
}
export type ProtocolId = 'openai-chat' | 'anthropic-messages' | 'openai-responses';

export interface ModelLimits {
  /** Tokens the model can see at once. */
  readonly window: number;
  /** The owner has said so: what a server or a table says does not count then. */
  readonly stated?: true;
  /** The server itself has said so, or showed it by a refusal: a larger request will not be answered. */
  readonly reported?: true;
  /** Most tokens asked for in one answer; absent lets the provider decide where its wire allows that. */
  readonly maxOutput?: number;
}

/** What is asked of one turn's requests beyond the transcript; changed only by recoveries, kept in the turn state. */
export interface RequestAdjustments {
  readonly stream: boolean;
  readonly maxOutput?: number;
  /** Parameters this route refused, left out from now on. */
  readonly without: readonly string[];
  readonly images: boolean;
  /** Whether opaque reasoning data goes back to its issuer. */
  readonly natives: boolean;
  /** Whether tool schemas keep the keywords some local grammars cannot take. */
  readonly plainSchemas: boolean;
}
export const DEFAULT_ADJUSTMENTS: RequestAdjustments = { stream: true, without: [], images: true, natives: true, plainSchemas: false };

export const toRouteKey = (runtime: Runtime): string => `${runtime.provider}|${runtime.baseUrl}|${runtime.model}`;
