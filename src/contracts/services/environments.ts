import type { ScoredAttempt } from '../environment.ts';
import type { SettingValues } from '../settings.ts';

/** Measures and trains models: runs the tasks of an environment, and keeps what came of each. */
export interface EnvironmentService {
  list(): Promise<readonly EnvironmentRow[]>;
  /** What would hold for a run, value by value, with where each comes from. */
  explain(request: EnvironmentRequest): Promise<readonly ExplainedSetting[]>;
  /** Tries every task and measures; goes on with what an earlier run of the same configuration left. */
  evaluate(request: EnvironmentRequest, run: RunContext): Promise<EvaluationResult>;
  /** Makes scored conversations to learn from. */
  process(request: EnvironmentRequest & { readonly count?: number }, run: RunContext): Promise<ProcessResult>;
  /** Gives a trainer scored groups until it has made all its steps, or the signal stops it. */
  serve(request: EnvironmentRequest & { readonly allowUnfit: boolean }, run: ServeContext): Promise<ServeResult>;
  /** Two runs by their folders. A page of it is written to `html`, which must not exist yet; none where they have no task in common. */
  compare(first: string, second: string, html?: string): Promise<RunComparison>;
  /** A file to begin an environment with. Nothing that is there is overwritten. */
  create(file: string): Promise<string>;
}
export interface EnvironmentRow {
  readonly name: string;
  readonly description: string;
}
export interface EnvironmentRequest {
  /** A name, or the path of a file that exports an environment. */
  readonly environment: string;
  /** A YAML file with `env:` and `openai:`. */
  readonly config?: string;
  /** `env.max_agent_turns=5`, `openai.model_name=…`; they win over the file. */
  readonly set: readonly string[];
  /** The folder for results; one below the current folder when left out. */
  readonly out?: string;
  /** Commands of the model may run on this machine itself where it has no sandbox. */
  readonly unconfined: boolean;
}
export interface RunContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: EvaluationProgress) => void;
}

/** Where a value comes from, the weakest first. */
export const LAYERS = ['default', 'environment', 'file', 'flag'] as const;
export type SettingLayer = (typeof LAYERS)[number];

/** What a run is told: below `env:` and `openai:`, from each layer. */
export type LayeredValues = Partial<Readonly<Record<Exclude<SettingLayer, 'default'>, SettingGroups>>>;
export interface SettingGroups {
  readonly env?: SettingValues;
  readonly openai?: SettingValues;
}
export interface ExplainedSetting {
  readonly key: string;
  readonly value: unknown;
  readonly from: SettingLayer;
  /** What it is for, where that is told. */
  readonly description?: string;
}

/** A mean, and the interval that holds the true one with 95 % likelihood; attempts at one task count as one kind of evidence. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
}
export interface EvaluationFigures {
  readonly tasks: number;
  readonly attempts: number;
  readonly passed: number;
  /** Attempts that broke before anybody could judge them; they count as failures. */
  readonly errors: number;
  readonly passRate: Estimate;
  readonly reward: Estimate;
  /** Share of tasks of which at least one attempt passed. */
  readonly passAny: number;
  readonly byCategory: Readonly<Record<string, Estimate>>;
  readonly byDifficulty: Readonly<Record<string, Estimate>>;
  readonly turns: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly agentSeconds: number;
  /** The environment's own, and the means of what its judge measured. */
  readonly metrics: Readonly<Record<string, number>>;
}

export interface EvaluationProgress {
  readonly done: number;
  readonly of: number;
  readonly passed: number;
  readonly running: number;
  /** The attempt that is over now; absent at the beginning. */
  readonly last?: ScoredAttempt;
}
export interface EvaluationResult {
  readonly out: string;
  readonly figures: EvaluationFigures;
  readonly attempts: readonly ScoredAttempt[];
  /** Attempts that an earlier run with the same configuration had made. */
  readonly resumed: number;
  /** It was stopped before all attempts were made; the same command goes on with the rest. */
  readonly isStopped: boolean;
}

export interface ProcessResult {
  readonly out: string;
  readonly groups: number;
  readonly trajectories: number;
  readonly passed: number;
  /** Of them those in which the model was not heard to its end; the same command makes them again. */
  readonly lost: number;
  readonly resumed: number;
  readonly isStopped: boolean;
}

export interface ServeContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ServeProgress) => void;
}
/** Why a finished group is not given to the trainer. */
export type KeptBackReason = 'unfit' | 'broken' | 'split' | 'too_long' | 'same_scores' | 'refused';
export interface ServeCounts {
  readonly finished: number;
  /** The trainer's API has taken them. */
  readonly accepted: number;
  /** Finished, and still to be sent. */
  readonly waiting: number;
  /** Sent another time because no answer came; the trainer may have them twice. */
  readonly repeated: number;
  readonly keptBack: Readonly<Partial<Record<KeptBackReason, number>>>;
}
export interface ServeProgress {
  /** `held`: the trainer has enough waiting, so nothing is begun. `failing`: the model fails, and is left alone for a while. */
  readonly phase: 'waiting' | 'training' | 'held' | 'failing' | 'evaluating';
  readonly step: number;
  /** -1 until the trainer has told it. */
  readonly totalSteps: number;
  /** Groups under way. */
  readonly running: number;
  readonly counts: ServeCounts;
  /** What has just happened, in one line. */
  readonly news?: string;
}
export interface ServeResult extends Pick<ServeProgress, 'step' | 'totalSteps' | 'counts'> {
  readonly out: string;
  readonly evaluations: number;
  /** It was stopped before the trainer had made all its steps; the same command goes on. */
  readonly isStopped: boolean;
}

/** How two runs differ on the tasks that both tried. */
export interface RunComparison {
  readonly tasks: number;
  /** The second less the first, by task. */
  readonly difference: Estimate;
  readonly better: readonly string[];
  readonly worse: readonly string[];
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Zero lies outside the interval. */
  readonly isClear: boolean;
  /** Every task that both tried, the greatest gain first. */
  readonly changes: readonly TaskChange[];
  readonly byCategory: Readonly<Record<string, Estimate>>;
  readonly byDifficulty: Readonly<Record<string, Estimate>>;
  /** Each run by itself, over all of its tasks. */
  readonly first: EvaluationFigures;
  readonly second: EvaluationFigures;
  /** The page that was written. */
  readonly file?: string;
}
/** Mean rewards of one task in two runs. */
export interface TaskChange {
  readonly task: string;
  readonly category?: string;
  readonly difficulty?: string;
  readonly first: number;
  readonly second: number;
  /** The second less the first. */
  readonly by: number;
}
