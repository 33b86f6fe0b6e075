import type { ProtocolId } from './runtime.ts';

/** One vendor or gateway, declared. Adding a provider is adding one of these. */
export interface ProviderProfile {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly protocol: ProtocolId;
  /** '' for a provider whose address only its owner knows (custom, azure). */
  readonly baseUrl: string;
  /** The variable by which the owner names another address. */
  readonly baseUrlEnv?: string;
  /** Variables that may hold the key, first set wins; empty for servers that want none. */
  readonly keyEnvs: readonly string[];
  /** How the key is shown; by default as the protocol has it. */
  readonly keyHeader?: KeyHeader;
  /** Fixed headers beside the key: an app's name, a version. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly quirks?: ProviderQuirks;
  /** Taken when neither flag nor config names a model. */
  readonly defaultModel?: string;
  /**
   * A cheap model for summaries, by how the session's model begins (`''` for all). A gateway stays with the vendor of the session's model,
   * so that no text reaches a vendor that its owner did not choose.
   */
  readonly cheapModels?: Readonly<Record<string, string>>;
  /** The wire spoken at any other address than the provider's own. */
  readonly elsewhere?: ProtocolId;
  /** A server on the owner's machine: it costs nothing, and a key is shown only where one is set. */
  readonly local?: true;
  /** Taken only when its name is given, never because one of its keys is there: it is somebody else's server. */
  readonly onlyByName?: true;
  /** Windows the owner states for models of this provider. */
  readonly windows?: Readonly<Record<string, number>>;
}
export type KeyHeader = 'bearer' | 'x-api-key' | 'api-key';

/** Where a route differs from the plain wire. Absent means the plain behaviour. */
export interface ProviderQuirks {
  /** The chat field `reasoning_content` goes back; these servers refuse a tool turn without it. */
  readonly reasoningEcho?: boolean;
  /** Plain reasoning beside calls goes back in the field it came in, to the server it came from: models that think between calls go on with it. */
  readonly reasoningReturn?: boolean;
  /** Stands where a call of another server has no signature, for models that refuse a call without one. */
  readonly callSignature?: string;
  /** Claude behind a chat-shaped gateway takes `cache_control` on content parts. */
  readonly cacheMarks?: boolean;
  /** Sends a stable routing key, so that equal prefixes meet the same cache. */
  readonly promptCacheKey?: boolean;
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** Answers are cut very short unless a limit is asked for. */
  readonly needsMaxTokens?: boolean;
  /** Top-level parameters this route refuses (`temperature`, `stream_options`, …). */
  readonly omit?: readonly string[];
  /** Tool results must be plain text. */
  readonly toolContentText?: boolean;
  /** The instructions go under the role `developer`. */
  readonly developerRole?: boolean;
}
