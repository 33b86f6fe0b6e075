import type { EnvironmentRequest } from './environments.ts';

/**
 * Makes conversations of prompts, for training: each prompt in a session, a folder and a sandbox of its own, with nothing of the
 * owner's. What is made once is not paid for again: a run that was stopped or killed goes on with the prompts that are missing.
 */
export interface BatchService {
  distributions(): Promise<readonly DistributionRow[]>;
  run(request: BatchRequest, context: BatchContext<BatchProgress>): Promise<BatchResult>;
  statistics(file: string): Promise<TrajectoryStatistics>;
  /** Writes a file in which no conversation is longer than the budget, where its rules allow that. */
  compress(request: CompressionRequest, context: BatchContext<CompressionProgress>): Promise<CompressionResult>;
  export(request: ExportRequest): Promise<ExportResult>;
}
export interface BatchContext<Progress> {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}
/** A way to draw toolsets: each by its likelihood in percent. */
export interface DistributionRow {
  readonly name: string;
  readonly toolsets: Readonly<Record<string, number>>;
}

export interface BatchRequest extends Pick<EnvironmentRequest, 'config' | 'set' | 'out' | 'unconfined'> {
  /** A JSONL file; each line has a `prompt`. */
  readonly file: string;
  /** Only the first so many prompts. */
  readonly limit?: number;
  /** Filters to leave out, and to add, by name. */
  readonly keep: readonly string[];
  readonly drop: readonly string[];
}
export interface BatchProgress {
  readonly done: number;
  readonly of: number;
  readonly running: number;
  readonly kept: number;
  readonly failed: number;
  /** The prompt that is over now: its place in the file, and how it went. */
  readonly last?: { readonly index: number; readonly words: string };
}
export interface BatchResult {
  readonly out: string;
  readonly prompts: number;
  /** Conversations in `trajectories.jsonl`. */
  readonly kept: number;
  /** Those left out, by the filter that did. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Conversations that an earlier run had made. */
  readonly resumed: number;
  /** Lines of the file that are no prompts, by number, with why. */
  readonly skipped: readonly { readonly line: number; readonly why: string }[];
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly seconds: number;
  readonly isStopped: boolean;
}

export interface ToolTally {
  readonly count: number;
  readonly success: number;
  readonly failure: number;
}
export interface TrajectoryStatistics {
  readonly file: string;
  readonly trajectories: number;
  /** Lines that are no conversation. */
  readonly unreadable: number;
  readonly completed: number;
  readonly duplicates: number;
  readonly assistantTurns: number;
  readonly turnsWithReasoning: number;
  readonly turns: Spread;
  /** Estimated, of whole conversations. */
  readonly tokens: Spread;
  /** Conversations by tokens, in bins of the same width from 0 to the longest. */
  readonly tokenBins: readonly number[];
  readonly tools: Readonly<Record<string, ToolTally>>;
  readonly toolsets: Readonly<Record<string, number>>;
  readonly models: Readonly<Record<string, number>>;
  /** Where lines are scored. */
  readonly rewards?: Spread;
}
export interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface CompressionRequest {
  readonly file: string;
  readonly out?: string;
  /** Most tokens of a conversation. */
  readonly tokens: number;
  /** Most tokens of a summary. */
  readonly summaryTokens: number;
  /** Turns at the end that stay as they are. */
  readonly lastTurns: number;
  /** No model is asked: the summary is a list of what was called. */
  readonly rulesOnly: boolean;
}
export interface CompressionProgress {
  readonly done: number;
  readonly of: number;
  readonly compressed: number;
}
export interface CompressionResult {
  readonly out: string;
  readonly trajectories: number;
  readonly unreadable: number;
  /** Within the budget as they were. */
  readonly untouched: number;
  /** Within the budget once long results were cut. */
  readonly clipped: number;
  readonly summarizedByModel: number;
  readonly summarizedByRules: number;
  /** Longer than the budget even so: what is protected is too long. */
  readonly stillOver: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly turnsRemoved: number;
  readonly modelFailures: number;
  readonly isStopped: boolean;
}

export interface ExportRequest {
  readonly file: string;
  readonly format: 'sft' | 'dpo';
  readonly out?: string;
  /** SFT of scored conversations: only those with at least this reward. */
  readonly minReward?: number;
  /** DPO: how much better the chosen one must be. */
  readonly margin: number;
  /** DPO: most pairs of one task. */
  readonly pairs: number;
}
export interface ExportResult {
  readonly out: string;
  readonly format: 'sft' | 'dpo';
  readonly lines: number;
  /** What was left out, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}
