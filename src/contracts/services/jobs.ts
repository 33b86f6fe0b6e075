import type { ChatTarget } from '../gateway-store.ts';
import type { JobDefinition, JobResult, JobRun, JobSchedule, JobState, MisfirePolicy, MissedInstants, Ticker } from '../job-store.ts';

/**
 * Scheduled jobs, for commands, the `cronjob` tool and the API alike. What a person can mend is thrown as a `UsageError`. A job is
 * named by its id, the beginning of it or its name.
 */
export interface JobService {
  /** Those that wait or are paused; with `all` those that are over as well. Of one key of the API where it is named. */
  list(options?: { readonly all?: boolean; readonly key?: string }): Promise<readonly JobView[]>;
  show(ref: string): Promise<JobView>;
  add(request: NewJobRequest, by: JobMaker): Promise<JobView>;
  /** What is left out stays; an empty text or list takes something away. */
  change(ref: string, request: JobRequest, by: JobMaker): Promise<JobView>;
  pause(ref: string, why?: string): Promise<JobView>;
  /** Goes on with the next time that comes; what passed meanwhile is not run. */
  resume(ref: string): Promise<JobView>;
  remove(ref: string): Promise<JobView>;
  /** Wants a run now: whoever runs jobs does it. */
  ask(ref: string): Promise<AskedJobRun>;
  /** Latest first. */
  history(filter: { readonly job?: string; readonly limit: number }): Promise<readonly RunView[]>;
  /** A run by its id, with its result as far as it is kept. */
  showRun(id: string): Promise<RunView | undefined>;
  status(): Promise<CronStatus>;
  /** Runs a job here and now, and waits for its end. */
  runNow(ref: string, signal: AbortSignal): Promise<RunView>;
  /** Runs here what is due, and waits for its end. */
  runDue(signal: AbortSignal): Promise<readonly RunView[]>;
  /** Passes over everything that is due now without running it: the store was restored from a copy. Gives the jobs. */
  passOver(): Promise<readonly JobView[]>;
}

/** Who makes or changes a job. */
export interface JobMaker {
  /** The words of a model or a program are looked through before they become a prompt. */
  readonly by: 'owner' | 'model' | 'program';
  /** The chat it is made in, where results go; or the session, which may be a chat's. */
  readonly chat?: ChatTarget;
  readonly sessionId?: string;
  /** The key of a program, where it is not the owner's: what it makes is its own, and may do no more than the key. */
  readonly key?: JobKey;
}
export interface JobKey {
  readonly name: string;
  /** What its jobs can do at most; as the settings say when left out. */
  readonly toolsets?: readonly string[];
}

export interface JobRequest {
  /** A schedule as people write it: all of the text. */
  readonly schedule?: string;
  /** In place of a schedule and a prompt: one line that begins with the one and goes on with the other. */
  readonly line?: string;
  readonly prompt?: string;
  readonly name?: string;
  readonly skills?: readonly string[];
  readonly script?: string;
  readonly noAgent?: boolean;
  readonly contextFrom?: readonly string[];
  readonly model?: string;
  readonly provider?: string;
  readonly toolsets?: readonly string[];
  readonly cwd?: string;
  readonly deliver?: readonly string[];
  /** 0: without end. */
  readonly repeat?: number;
  readonly misfire?: MisfirePolicy;
  readonly zone?: string;
  /** It begins paused. */
  readonly isPaused?: boolean;
}

/** A job that is made has a time. */
export type NewJobRequest = JobRequest & ({ readonly schedule: string } | { readonly line: string });

/** A job as it is shown. Times are ISO 8601. */
export interface JobView extends Omit<JobDefinition, 'schedule' | 'said' | 'origin'> {
  readonly id: string;
  readonly state: JobState;
  /** In words, with the time zone. */
  readonly schedule: string;
  /** The same for programs. */
  readonly timing: JobSchedule;
  readonly said: string;
  /** The chat it was made in, as a target is typed. */
  readonly origin?: string;
  /** The home channel, where results go for lack of an origin; told of a job that was just made or changed. */
  readonly home?: string;
  readonly createdAt: string;
  readonly nextAt?: string;
  /** The same for people. */
  readonly nextWords?: string;
  readonly runs: number;
  readonly failures: number;
  readonly pausedWhy?: string;
  readonly lastRun?: RunView;
}
export interface RunView extends JobResultView {
  readonly id: string;
  readonly jobId: string;
  readonly jobName: string;
  readonly state: JobRun['state'];
  readonly trigger: JobRun['trigger'];
  readonly dueAt: string;
  readonly dueWords: string;
  readonly begunAt?: string;
  readonly overAt?: string;
  readonly sessionId?: string;
  readonly missed?: MissedInstants;
  /** The result itself, where it was run here or is asked for. */
  readonly text?: string;
}
type JobResultView = Partial<Omit<JobResult, 'state'>>;

/** A process that runs what is due, as it is shown. */
export interface TickerView extends Omit<Ticker, 'since'> {
  readonly since: string;
}
export interface AskedJobRun {
  readonly job: JobView;
  readonly run: RunView;
  /** Who will run it; nobody when empty. */
  readonly tickers: readonly TickerView[];
}
export interface CronStatus {
  /** Something runs jobs, or there are none to run. */
  readonly ok: boolean;
  /** Processes that run what is due; nothing runs when there is none. */
  readonly tickers: readonly TickerView[];
  readonly jobs: { readonly scheduled: number; readonly paused: number };
  readonly running: readonly RunView[];
  /** The job that is next. */
  readonly next?: JobView;
  /** Jobs whose last runs failed. */
  readonly failing: readonly JobView[];
  readonly zone: string;
}
