import type { FailureType } from './failure.ts';
import type { Usage } from './message.ts';
import type { ExitReason } from './outcome.ts';
import type { FinishReason, Sampling, PrefixSegment } from './provider.ts';
import type { RequestAdjustments, Runtime } from './runtime.ts';

/** One model call in the ledger. With the log it says byte for byte what was sent. */
export interface CallRecord {
  readonly id: string;
  readonly sessionId: string;
  /** Empty for a call between turns. */
  readonly turnId: string;
  /**
   * Absent for the session's own requests. A summary or a title is asked for with a request that is not made from the log;
   * what to remember (`memory`) and a question of the owner's beside the conversation (`aside`), with one that has a question
   * behind the log which is not stored. `elsewhere` is no single call: it is the sum of what a session that was taken over had
   * cost in the program that held it.
   */
  readonly purpose?: 'compaction' | 'tool' | 'title' | 'memory' | 'aside' | 'elsewhere';
  readonly at: number;
  readonly ms: number;
  readonly firstByteMs?: number;
  readonly runtime: Runtime;
  readonly adjust: RequestAdjustments;
  /** Absent where nothing was asked, and in logs of earlier versions. */
  readonly sampling?: Sampling;
  readonly toolUse: 'auto' | 'forbidden';
  readonly cacheTtl: '5m' | '1h' | 'off';
  /** The view was made of the entries up to and including this one. */
  readonly throughSeq: number;
  readonly bodyHash: string;
  readonly bodyBytes: number;
  readonly segments: readonly PrefixSegment[];
  readonly estimate: number;
  readonly usage: Usage;
  /** The server did not count all of it; what is missing is our own count, rather too high. */
  readonly usageEstimated?: true;
  /** US dollars; absent when a needed price is unknown (never a partial sum). */
  readonly price?: number;
  /**
   * `running`: it went out, and its end is not known yet. `lost`: the process died meanwhile, so its end never will be. Both stand at the
   * most that the call may cost.
   */
  readonly result: FinishReason | FailureType | 'running' | 'lost';
}
export interface CallFilter {
  readonly sessionId?: string;
  /** Calls of the children that worked for this session, theirs included, its own not. */
  readonly childrenOf?: string;
  readonly since?: number;
  readonly id?: string;
}
export interface Spending {
  readonly calls: number;
  readonly usage: Usage;
  readonly price: number;
  /** Calls whose price is unknown. */
  readonly unpriced: number;
}

/** What several sessions may cost together, whoever else limits each of them. It is judged before every call, as a session's own budget is. */
export interface SpendingAllowance {
  /** The same for all that share it. */
  readonly id: string;
  /** 0 is no limit. */
  readonly tokens: number;
  /** US dollars; 0 is no limit. */
  readonly usd: number;
  /** What was spent of it so far. */
  spent(): Promise<{ readonly tokens: number; readonly usd: number }>;
}

/** A quarter of an hour, in milliseconds. Every time zone's days and hours begin with one, so counts by it fit every reader. */
export const QUARTER_HOUR = 900_000;

/** What happened in all sessions. `at` is the beginning of a quarter of an hour; rows come in its order. */
export interface ActivityCounts {
  readonly calls: readonly CallCount[];
  readonly turns: readonly { readonly at: number; readonly exitReason: ExitReason; readonly turns: number }[];
  readonly sessions: readonly { readonly at: number; readonly source: string; readonly sessions: number }[];
  /** Over the whole stretch, most calls first. */
  readonly tools: readonly ToolCount[];
}
/** Calls of one quarter of an hour that went to the same model for the same purpose and ended alike. */
export interface CallCount extends Spending {
  readonly at: number;
  readonly provider: string;
  readonly model: string;
  readonly purpose?: CallRecord['purpose'];
  readonly result: CallRecord['result'];
  /** Calls that their server did not count, or not wholly. */
  readonly estimated: number;
  readonly ms: number;
}
export interface ToolCount {
  /** The tool that was meant, also where it was called through another. */
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  /** Calls whose time is known, and their time together. */
  readonly timed: number;
  readonly ms: number;
}
