import type { Entry } from '../entry.ts';
import type { Session } from '../session-store.ts';
import type { CallRecord } from '../ledger.ts';

/** Says why calls did or did not find their prefix in the provider's cache. */
export interface AttributionService {
  /** `calls` are all of the session, oldest first; `call` is one of them. */
  explain(call: CallRecord, calls: readonly CallRecord[], entries: readonly Entry[]): ExplainedCall;
}
/** One call, the one it is held against, and what was found. */
export interface ExplainedCall {
  readonly call: CallRecord;
  /** The last call before it that the model answered; a refused one leaves nothing in a cache. */
  readonly previous: CallRecord | undefined;
  readonly finding: CacheFinding;
}
/** Why a call did or did not find its prefix in the provider's cache. */
export interface CacheFinding {
  readonly cause: CacheCause;
  readonly words: string;
  /** The first segment that is not what the previous call sent. Absent when its whole prefix stands. */
  readonly segment?: string;
  /** Segments from the start that are the same as before. */
  readonly kept: number;
}
export type CacheCause =
  | 'not_answered'
  | 'beside_the_log'
  | 'first_call'
  | 'provider_changed'
  | 'model_changed'
  | 'route_changed'
  | 'tools_changed'
  | 'memory_changed'
  | 'skills_changed'
  | 'project_changed'
  | 'prompt_changed'
  | 'rewind'
  | 'compaction'
  | 'adjustments_changed'
  | 'unexplained'
  | 'cache_used'
  | 'cache_off'
  | 'cache_expired'
  | 'prefix_unchanged';

/** Makes the requests of a stored session again, offline, and holds them against what was sent. */
export interface ReplayService {
  replay(session: Session): Promise<ReplayResult>;
}
export interface ReplayResult {
  readonly entries: readonly Entry[];
  readonly calls: readonly ReplayedCall[];
}
/** One call of the ledger, made again from the log. */
export interface ReplayedCall {
  readonly call: CallRecord;
  readonly identical: boolean;
  /** Absent when the log no longer holds what the request was made of. */
  readonly rebuiltHash?: string;
  readonly rebuiltBytes?: number;
  /** The name of the first segment that is not what was sent; `parameters` when only the rest of the body differs. */
  readonly firstDifference?: string;
}

/** Looks at everything a session needs: the machine, the home, settings, store, keys, route, first request. */
export interface CheckupService {
  look(): Promise<readonly CheckupFinding[]>;
  /** What the next session here will have: its model, its tools, where its commands run. */
  nextSession(): Promise<readonly CheckupFinding[]>;
  /** Whether the home can be written. */
  home(): CheckupFinding;
  /** Whether commands can run in a terminal back end here. */
  backend(name: string): Promise<CheckupFinding>;
}
/** One thing that was looked at. `ok: false` means that the owner has something to do, and `cure` says what. */
export interface CheckupFinding {
  readonly name: string;
  readonly ok: boolean;
  /** It works, but with less than it could: to be known, not necessarily to be mended. */
  readonly warn?: true;
  /** It is not installed, and Hermes works without it. */
  readonly absent?: true;
  readonly words: string;
  readonly cure?: string;
  /** What `doctor --fix` can do about it. */
  readonly fix?: CheckupFix;
}
/** A change that cures a finding. Done twice it is done once: afterwards there is no such finding. */
export interface CheckupFix {
  readonly id:
    | 'private_file'
    | 'private_folder'
    | 'writable_folder'
    | 'migrate_settings'
    | 'unset_setting'
    | 'move_away'
    | 'repair_store'
    | 'local_terminal';
  /** What it does, as in "remove agent.max_turns from config.yaml". */
  readonly words: string;
  /** It takes nothing away that the owner wrote and changes nothing the agent may do: nobody has to be asked. */
  readonly isSafe: boolean;
  /** What it changes: a file, a folder, a setting. */
  readonly target: string;
}
