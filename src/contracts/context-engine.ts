import type { Home } from '../base/home.ts';
import type { Summariser } from './complete.ts';
import type { Embed } from './embed.ts';
import type { CompactionReport, Entry } from './entry.ts';
import type { Message, TextBlock, Usage } from './message.ts';
import type { ToolDefinition, ViewMessage } from './provider.ts';
import type { Runtime } from './runtime.ts';
import type { SettingValues } from './settings.ts';
import type { AnyTool } from './tool.ts';

/**
 * Decides what of a conversation the model sees. The log itself is never rewritten: an engine gives an entry that changes
 * the view, and whoever runs the turn commits it or does not. Single-select by `context.engine`; none activates itself.
 */
export interface ContextEngine {
  readonly name: string;
  /** The view of the log for the next request. Pure over the entries: same entries, same view. */
  view(entries: readonly Entry[]): readonly ViewMessage[];
  /** Tokens the request is expected to take, by its size alone: system + tools + messages. */
  estimate(size: RequestContent): number;
  /** Whether a request of so many tokens should be made smaller before it is sent. Pure. */
  shouldCompress(gauge: ContextGauge): boolean;
  /** Why compactions of its own accord wait just now (a failure, weak results), by the log alone; `undefined` when they do not. */
  resting?(entries: readonly Entry[], now: number): string | undefined;
  /** Makes the view smaller, or says why it cannot. Commits nothing. */
  compress(ask: CompressRequest): Promise<CompressResult>;
  /** Tools of its own, part of every toolkit it serves. */
  tools?(): readonly AnyTool[];

  // What it may watch. Nobody waits for these, and what they throw is dropped: a turn never suffers from being watched.
  /** This agent takes a session up, for the first time or again after `end`. */
  begin?(sessionId: string): void | Promise<void>;
  /** A provider has counted a request of the session, and the figures are in the ledger. Summaries are not told: the engine asked for them itself. */
  used?(report: UsageReport): void | Promise<void>;
  /** This agent lets go of a session: whatever is kept for it can go. The log stays, and it may be taken up again. */
  end?(sessionId: string): void | Promise<void>;
}

/** What an engine is made with. */
export interface EngineOptions<Settings = SettingValues> {
  readonly home: Home;
  readonly config: { readonly settings: Settings };
  /** Told what the owner should know. */
  readonly notice: (words: string) => void;
  /** Whether words in a summary give orders, as no user's would; loaded with the first compaction. */
  readonly suspicious: () => Promise<(text: string) => boolean>;
  /** The log of a session, for the tools of an engine. */
  readonly entries: (sessionId: string) => Promise<readonly Entry[]>;
  /** Tells likeness of meaning, where the settings name a model for it (`auxiliary.embedding`). */
  readonly embed?: Embed | undefined;
}
/**
 * How an engine is made: what a plugin's folder exports, and what stands in a host's registry. Bivariant on purpose: the
 * built-in ones know the settings they read.
 */
export type EngineFactory = { open(options: EngineOptions): ContextEngine | Promise<ContextEngine> }['open'];

/** What one request really took. */
export interface UsageReport {
  readonly sessionId: string;
  readonly runtime: Runtime;
  readonly usage: Usage;
  /** What `estimate` had said of the same request. */
  readonly estimate: number;
}
export interface RequestContent {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly view: readonly ViewMessage[];
}

/** What the token ledger says of the next request. */
export interface ContextGauge {
  /** The estimate, calibrated by what the provider counted before. */
  readonly tokens: number;
  readonly window: number;
  /** Tokens of the window the answer may need. */
  readonly maxOutput?: number;
}

export interface CompressRequest {
  readonly entries: readonly Entry[];
  readonly runtime: Runtime;
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly reason: CompressReason;
  /** Real tokens for each estimated one; 1 while nothing is known. */
  readonly calibration: number;
  /** What the user wants kept above all (`/compress TOPIC`). */
  readonly focus?: string;
  /**
   * What plugins and the owner's programs want kept, each labelled by whose words it is; gathered before the engine is asked. It may
   * use them. A summary that was made with foreign ones counts as foreign.
   */
  readonly insights?: readonly TextBlock[];
  /** Models that may be asked for notes, the configured one first; none where a budget has nothing left for notes. What they take is entered in the ledger. */
  readonly summarisers?: readonly Summariser[];
  /** To be called and waited for once there is a way to try: only then it is announced. What is declined at once calls nothing. */
  begins?(): Promise<void>;
  readonly signal: AbortSignal;
}
/** `threshold` and `hygiene` may decline; after `overflow` the request cannot be sent as it is. */
export type CompressReason = 'threshold' | 'overflow' | 'asked' | 'hygiene';

export type CompressResult =
  | { readonly ok: true; readonly fromSeq: number; readonly toSeq: number; readonly summary: Message; readonly report: CompactionReport }
  /** The old view stays. `report` is there when something was tried. */
  | { readonly ok: false; readonly why: string; readonly report?: CompactionReport };
