import type { ProcessIdentity } from '../base/process-identity.ts';
import type { ChatTarget, NewDelivery } from './gateway-store.ts';
import type { InboxItem, NewInboxItem } from './inbox.ts';

/**
 * Scheduled jobs and what came of each of their runs. It is part of the session store, so that a run and the message it gives
 * its session, and a result and its deliveries, become durable in one commit.
 *
 * Promises every implementation keeps (the conformance suite checks them):
 * - each method is one atomic step that takes data: all of it is durable when it returns, or nothing of it happened;
 * - a job and an instant have at most one run, for ever: whoever inserts its row has it, and nobody else gets one for that
 *   instant, whichever process asks and however often clocks are set back;
 * - a job has at most one run that is under way; what is due meanwhile waits for its end;
 * - a run is in one pair of hands. It is free again when they gave it back, when the process is known to be dead, or, where
 *   nobody can know, when its lease is over. A process of this machine that lives keeps its runs, however long it is silent.
 *   Whoever lost a run is refused (`fenced`) before anything of what it wanted is seen;
 * - a definition is changed only by whoever has read its latest version;
 * - times are the store's own, whatever the clocks of its users say.
 */
export interface JobStore {
  /** The time by the store's clock, in milliseconds since the epoch. */
  now(): Promise<number>;

  // Jobs.
  add(job: NewJob): Promise<Job>;
  /** Oldest first. */
  list(filter?: JobFilter): Promise<readonly Job[]>;
  /** By its id, a beginning of it or its name; several when that is not clear. */
  find(ref: string): Promise<readonly Job[]>;
  /** Gives the job as it is from now on; `undefined` when it is gone, or somebody else has changed it since that version. */
  change(id: string, version: number, change: JobChange): Promise<Job | undefined>;
  /** A run that is under way goes on to its end; runs that were asked for and not begun go. The ledger keeps what was. */
  remove(id: string): Promise<boolean>;

  // Work.
  /** Jobs whose instant has come and of which no run is under way, the one that waits longest first. */
  due(limit: number): Promise<readonly Job[]>;
  /**
   * Moves a job past its instant: claims the run for one, notes those that are left out, and says what it waits for next.
   * `undefined` when the job is no longer as it was read: somebody else was faster, or it was changed. `taken` is absent when
   * no run was wanted, or the instant was run before.
   */
  pass(pass: JobPass, leaseMs: number): Promise<{ readonly taken?: TakenRun } | undefined>;
  /**
   * Lets a job wait for an earlier instant than it does: the clock was set back. `false` when the job is no longer as it was
   * read, or the instant was run before. One that was only left out, by a clock that was wrong, can be waited for.
   */
  advance(id: string, version: number, from: number, to: number): Promise<boolean>;
  /** Wants a run besides the schedule, as soon as somebody can. `undefined` when there is no such job. */
  ask(jobId: string, options?: AskRunOptions): Promise<JobRun | undefined>;
  /** Runs that nobody has: asked for and not begun, or left behind by whoever had them. Oldest first. */
  take(options: TakeRunOptions): Promise<readonly TakenRun[]>;
  /** Keeps them in these hands; says which are still there. */
  renew(taken: readonly RunClaim[], leaseMs: number): Promise<readonly RunClaim[]>;
  /** Gives an unfinished run back: somebody else goes on with it. */
  release(taken: RunClaim): Promise<void>;
  /**
   * The script of a run is about to begin, in this process, which whoever takes the run over hears of. `false` when that was said
   * before: it may have run, and is not run again.
   */
  beginScript(taken: RunClaim, script: ProcessIdentity): Promise<boolean>;
  /** Gives a run the session it is held in, and the session its message. A run that has one keeps it, and nothing is posted. */
  start(taken: RunClaim, item: NewInboxItem): Promise<InboxItem | undefined>;
  /** What came of it, and what goes out with it. */
  finish(taken: RunClaim, result: JobResult, deliveries?: readonly NewDelivery[]): Promise<JobRun>;
  /** How long until something may be due, in milliseconds; `undefined` when nothing will be. */
  nextDue(): Promise<number | undefined>;
  /** The ledger, latest first. */
  runs(filter?: RunFilter): Promise<readonly JobRun[]>;

  // Who runs jobs.
  /** This process runs what is due, from now on and at least until the lease is over. */
  announce(kind: string, leaseMs: number): Promise<void>;
  withdraw(): Promise<void>;
  /** Processes that run what is due, the one that began first first. */
  tickers(): Promise<readonly Ticker[]>;
}

/** When a job runs, as plain data. What it means only the scheduler knows. */
export type JobSchedule =
  | { readonly kind: 'once'; readonly at: number }
  /** By time that passes, counted from a moment: clocks that are changed in spring do not matter. */
  | { readonly kind: 'every'; readonly ms: number; readonly from: number }
  /** By the clocks of a time zone, which is an IANA name. */
  | { readonly kind: 'cron'; readonly expression: string; readonly zone: string };
/** What becomes of instants that nobody could run in time: one run makes up for all of them, or none does. */
export type MisfirePolicy = 'run_once' | 'skip';

/** What is to be done, and when. */
export interface JobDefinition {
  readonly name: string;
  readonly schedule: JobSchedule;
  /** The schedule as it was typed. */
  readonly said: string;
  /** What the agent is asked; may be empty where there is a script. */
  readonly prompt: string;
  /** Loaded before the prompt, in this order. */
  readonly skills?: readonly string[];
  /** A file in the folder of scripts; what it prints is given to the agent. */
  readonly script?: string;
  /** No agent: what the script prints is the result. */
  readonly noAgent?: true;
  /** Ids of jobs whose latest result is given to the agent. */
  readonly contextFrom?: readonly string[];
  readonly model?: string;
  readonly provider?: string;
  readonly toolsets?: readonly string[];
  /** The folder it works in; one of its own when left out. */
  readonly cwd?: string;
  /** Where results go: `origin`, `local`, or chats as they are typed (`telegram:#name`). */
  readonly deliver: readonly string[];
  /** The chat the job was made in. */
  readonly origin?: ChatTarget;
  /** How many scheduled runs there are in all; without end when left out. */
  readonly repeat?: number;
  /** As the settings say when left out. */
  readonly misfire?: MisfirePolicy;
  /** The key of the API it was made with: its runs may do no more than the key. The owner's own job when left out. */
  readonly key?: string;
}
export interface NewJob {
  readonly definition: JobDefinition;
  /** The first instant it waits for; absent for one that begins paused. */
  readonly nextAt?: number;
}
export interface Job {
  /** Twelve hex digits. */
  readonly id: string;
  /** Grows with every change of the definition or the state. */
  readonly version: number;
  readonly state: JobState;
  readonly definition: JobDefinition;
  readonly createdAt: number;
  /** The instant it waits for; absent while it waits for none. */
  readonly nextAt?: number;
  /** Scheduled runs so far. */
  readonly runs: number;
  /** Failures in a row. */
  readonly failures: number;
  readonly pausedWhy?: string;
}
/** `completed`: it waits for nothing any more. */
export type JobState = 'scheduled' | 'paused' | 'completed';
export interface JobFilter {
  readonly states?: readonly JobState[];
}
export interface JobChange {
  readonly definition?: JobDefinition;
  readonly state?: JobState;
  /** `null`: it waits for nothing. Left as it is when absent. */
  readonly nextAt?: number | null;
  readonly pausedWhy?: string;
}

/** A job goes past the instant it waits for. */
export interface JobPass {
  readonly jobId: string;
  readonly version: number;
  /** The instant it waits for, as it was read. */
  readonly from: number;
  /** The one it waits for afterwards; absent when there is none. */
  readonly next?: number;
  /** The one that is run now; none when absent. */
  readonly run?: number;
  /** Those that are left out. */
  readonly missed?: MissedInstants;
}
export interface MissedInstants {
  readonly from: number;
  readonly through: number;
  readonly count: number;
  /** There are more than were counted. */
  readonly isMore?: true;
}

/** One run of a job; its instant is its name for ever. Rows of the state `missed` stand for instants that were left out. */
export interface JobRun {
  readonly id: string;
  readonly jobId: string;
  readonly jobName: string;
  /** The instant it is for; of one that was asked for, when that was. */
  readonly instant: number;
  readonly trigger: 'schedule' | 'asked';
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'missed';
  /** The job as it was when the run was claimed, until it is over. */
  readonly job?: JobDefinition;
  /** Where it is held; absent until it is known. */
  readonly sessionId?: string;
  /** The process its script began in, and the group it leads, until the run is over. */
  readonly script?: ProcessIdentity;
  readonly begunAt?: number;
  readonly overAt?: number;
  /** How often somebody died with it in hand. */
  readonly attempts: number;
  readonly result?: JobResult;
  readonly missed?: MissedInstants;
  /** Instants that were left out before it: it makes up for them. */
  readonly madeUpFor?: MissedInstants;
}
export interface JobResult {
  readonly state: 'done' | 'failed';
  /** Why it failed, in words for the owner. */
  readonly why?: string;
  /** There was nothing to report. */
  readonly isSilent?: true;
  /** The file with all of it, below the profile's folder. */
  readonly output?: string;
  /** Why it could not be sent where it was to go. */
  readonly undelivered?: string;
}
/** The right to one run. The token grows with every taking; an older one is refused. */
export interface RunClaim {
  readonly runId: string;
  readonly token: number;
}
export interface TakenRun {
  readonly claim: RunClaim;
  readonly run: JobRun & { readonly job: JobDefinition };
}
export interface AskRunOptions {
  /** Where one was asked for and has not begun, that one is given, and goes by the job as it is now. */
  readonly joins?: boolean;
}
export interface TakeRunOptions {
  readonly leaseMs: number;
  readonly limit: number;
  /** Only this one. */
  readonly runId?: string;
}
export interface RunFilter {
  readonly jobId?: string;
  readonly runId?: string;
  readonly sessionId?: string;
  readonly states?: readonly JobRun['state'][];
  readonly limit?: number;
}

/** A process that runs what is due. */
export interface Ticker {
  /** `gateway` … */
  readonly kind: string;
  readonly pid: number;
  readonly host: string;
  readonly since: number;
  /** Since it last looked. */
  readonly msSinceLook: number;
}
